import { describe, expect, it } from 'vitest';
import type { Draft } from '../../src/model/event.js';
import { emptyMemory, fold } from '../../src/model/memory.js';
import { exportNotes } from '../../src/transfer/export-notes.js';
import {
  mirrorFolder,
  mirrorNotes,
  type MirrorNote,
} from '../../src/transfer/mirror/mirror-notes.js';
import { mirrorText, readMirrorFile } from '../../src/transfer/mirror/mirror-text.js';
import { clockText, eventOf, recordDraft } from '../fakes/events.js';
import { parseYaml } from '../host/obsidian/yaml.js';

const set = (e: string, d: Draft['d']): Draft => ({ t: 'set', e, d });

function memoryOf(...drafts: Draft[]) {
  const events = drafts.map((draft, minute) =>
    eventOf({ ...draft, n: minute + 1, h: clockText(minute) }),
  );
  return fold(emptyMemory, events);
}

const LAUNCH = recordDraft('Launch', 'r1', { kind: 'phase' });
const CART = recordDraft('Build the *cart*', 'r2', {
  phase: 'r1',
  needs: ['r1', 'r9'],
  body: 'By hand.',
  files: { 'Shop/Cart.md': null },
});

function noteOf(...drafts: Draft[]): MirrorNote {
  const notes = [...mirrorNotes(memoryOf(...drafts), mirrorFolder('Savepoint'))];
  return notes.flatMap((note) => note ?? []).at(-1)!;
}

async function written(note: MirrorNote): Promise<string> {
  return (await mirrorText(note)).text;
}

function read(text: string) {
  return readMirrorFile(text, parseYaml, () => ({ kind: 'record', tags: [] }));
}

describe('the note of a record', () => {
  it('has its values as properties, and what it is connected with', async () => {
    const text = await written(noteOf(LAUNCH, CART, set('r2', { '/remindAt': '2027-01-15' })));
    const [, yaml = ''] = /^---\n([^]*?)---\n/.exec(text) ?? [];
    expect(parseYaml(yaml)).toMatchObject({
      name: 'Build the *cart*',
      workspace: 'Default',
      kind: 'task',
      status: 'open',
      archived: false,
      client: 'Test',
      device: 'Laptop',
    });
    expect(text).toContain('\nremind: 2027-01-15T00:00:00.000Z\n');
    expect(text).toContain('\nBy hand.\n\n## Phase\n\n- Launch\n\n## Needs\n\n- Launch\n- r9\n');
    expect(text).toContain('\n## Files\n\n- [[Shop/Cart.md]]\n');
  });

  it('says that it was replaced, and by what', async () => {
    const text = await written(noteOf(CART, LAUNCH, set('r1', { '/supersededBy': 'r2' })));
    expect(text).toContain('\nstatus: "replaced"\n');
    expect(text).toContain('\n## Replaced by\n\n- Build the ');
  });

  it('is recognized as untouched, extended or edited', async () => {
    const text = await written(noteOf(LAUNCH, CART));
    expect((await read(text))?.kind).toBe('untouched');
    const extended = text
      .replace('\nstatus:', '\nrating: 5\nstatus:')
      .replace('tags: []', 'tags: [mine]');
    expect(await read(extended)).toMatchObject({
      kind: 'extended',
      additions: { properties: 'rating: 5\n', tags: ['mine'] },
    });
    const next = await mirrorText(noteOf(LAUNCH, CART), {
      properties: 'rating: 5\n',
      tags: ['mine'],
    });
    expect((await read(next.text))?.kind).toBe('extended');
    expect((await read(text.replace('status: "open"', 'status: "done"')))?.kind).toBe('edited');
    expect((await read(`${text}\nMine.\n`))?.kind).toBe('edited');
  });
});

it('an export as notes contains the records of each workspace', () => {
  const paths = exportNotes(memoryOf(LAUNCH, CART)).map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining(['Default/Records/Launch.md', 'Default/Records/Build the -cart.md']),
  );
});

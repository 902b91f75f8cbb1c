import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { fold, emptyMemory } from '../../../src/model/memory.js';
import { stateData, type StateContent } from '../../../src/model/state.js';
import {
  mirrorFolder,
  mirrorNotes,
  type MirrorNote,
} from '../../../src/transfer/mirror/mirror-notes.js';
import {
  mirrorText,
  readMirrorFile,
  releaseNote,
} from '../../../src/transfer/mirror/mirror-text.js';
import { clockText, contentOf, eventOf } from '../../fakes/events.js';
import { parseYaml, stringifyYaml } from '../../host/obsidian/yaml.js';

const TAGS = ['spring', 'bed #2'];

/** Returns the note of a state in the default workspace. */
function noteOf(more: Partial<StateContent> = {}, id = 'id1', change: JsonObject = {}): MirrorNote {
  const content = contentOf('Plan', { tags: TAGS, ...more });
  const memory = fold(emptyMemory, [
    eventOf({ t: 'state.new', e: id, d: stateData('default', content, 'sha') }),
    eventOf({ t: 'set', e: id, d: change, n: 2, h: clockText(1) }),
  ]);
  const [note] = [...mirrorNotes(memory, mirrorFolder('Savepoint'))].flatMap((each) => each ?? []);
  return note!;
}

const written = async (note = noteOf()) => (await mirrorText(note)).text;
const read = (text: string, tags: readonly string[] = TAGS) =>
  readMirrorFile(text, parseYaml, () => ({ kind: 'state', tags }));
const kindOf = async (text: string) => (await read(text))?.kind;

/** Changes properties as Obsidian does: all of them are formatted again. */
function inObsidian(text: string, change: (properties: Record<string, unknown>) => void): string {
  const [, yaml = '', body = ''] = /^---\n([^]*?\n)---\n([^]*)$/.exec(text) ?? [];
  const properties = parseYaml(yaml) as Record<string, unknown>;
  change(properties);
  return `---\n${stringifyYaml(properties)}---\n${body}`;
}

/** Adds a tag and a property, as a person does in Obsidian. */
const withMine = (text: string) =>
  inObsidian(text, (properties) => {
    properties['tags'] = [...TAGS, 'mine'];
    properties['rating'] = 5;
  });

describe('mirrorText', () => {
  it('starts with the mark and says in visible text what the note is', async () => {
    const text = await written(noteOf({ activeFiles: ['Garden/Beds.md'], tags: ['draft'] }));
    expect(text).toMatch(
      /^---\nsavepoint: "id1 [0-9a-f]{32}"\nname: "Plan"\nworkspace: "Default"\ncreated: \S+\narchived: false\ntags:\n {2}- "draft"\ntask: "Test"\n---\n\n> \[!info\] Written by Savepoint\n> .*\n\n# Plan\n/,
    );
    expect(text).toContain('\n- [[Garden/Beds.md]]\n');
    expect(text).not.toContain('%%');
  });

  it('marks a note even if its state has an invalid id', async () => {
    for (const id of ['a b', 'é', '../x"\n', 'x'.repeat(65)])
      expect(await read(await written(noteOf({}, id)))).toMatchObject({
        id: 'unnamed',
        kind: 'untouched',
      });
  });

  it('is the same without additions, and keeps its hash with them', async () => {
    const note = noteOf();
    const plain = await mirrorText(note);
    expect(await mirrorText(note, { properties: '', tags: [] })).toEqual(plain);
    const extended = await mirrorText(note, {
      properties: 'mine: 1 # one\n',
      tags: ['b', 'spring'],
    });
    expect(extended.hash).toBe(plain.hash);
    expect(extended.text).toBe(
      plain.text
        .replace('  - "bed #2"\n', '  - "bed #2"\n  - "b"\n')
        .replace('\n---\n\n', '\nmine: 1 # one\n---\n\n'),
    );
  });
});

describe('a note without a valid mark', () => {
  it.each([
    '',
    '# Plan',
    '---\nname: x\n---\n',
    '---\nsavepoint: yes\n---\n',
    `savepoint: "id3 ${'0'.repeat(32)}"\n`,
    `---\nx: 1\n---\nsavepoint: "id3 ${'0'.repeat(32)}"\n---\n`,
    `---\nxsavepoint: "id1 ${'0'.repeat(32)}"\n---\n`,
    `---\nsavepoint: "id1 ${'0'.repeat(32)}" x\n---\n`,
    `---\nsavepoint: "id1 ${'0'.repeat(31)}"\n---\n`,
    `---\nsavepoint: "id1 ${'0'.repeat(32)}"\n---x\n`,
  ])('is the user’s own: %j', async (text) => {
    expect(await read(text)).toBeUndefined();
  });

  it('results from releasing a note, which keeps what the user typed', async () => {
    const text = `${await written()}mine\n`;
    const released = releaseNote(text);
    expect(await read(released)).toBeUndefined();
    expect(released).toMatch(/^---\nname: "Plan"\n[^>]*---\n\n# Plan\n[^>]*mine\n$/);
  });
});

describe('an untouched note', () => {
  it('is recognized without any record, with the id of its state', async () => {
    const { text, hash } = await mirrorText(noteOf());
    expect(await read(text, [])).toMatchObject({ id: 'id1', hash, kind: 'untouched' });
  });

  it.each([
    ['Windows line breaks', (text: string) => text.replaceAll('\n', '\r\n')],
    ['a byte order mark', (text: string) => `\u{FEFF}${text}`],
  ])('may contain %s', async (_, change) => {
    expect(await kindOf(change(await written()))).toBe('untouched');
  });
});

describe('an extended note', () => {
  it.each([
    ['a property and a tag in Obsidian', withMine],
    ['properties formatted by Obsidian', (text: string) => inObsidian(text, () => undefined)],
    ['a property', (text: string) => text.replace('\ntask:', '\nmine: 1\ntask:')],
    ['a list', (text: string) => text.replace('\ntask:', '\naliases:\n- a\n- b\ntask:')],
    ['a comment', (text: string) => text.replace('\ntask:', '\n# mine\ntask:')],
    ['a quoted name', (text: string) => text.replace('\ntask:', '\n"my key": 1\ntask:')],
    [
      'the mark further down',
      (text: string) => text.replace(/^---\n(savepoint:.*\n)(name:.*\n)/, '---\n$2$1'),
    ],
    ['a tag before the others', (text: string) => text.replace('tags:\n', 'tags:\n  - mine\n')],
  ])('has %s', async (_, change) => {
    const { text, hash } = await mirrorText(noteOf());
    expect(await read(change(text))).toMatchObject({ kind: 'extended', id: 'id1', hash });
  });

  it('keeps properties, comments and tags when it is written again', async () => {
    const note = noteOf();
    const typed = '# why\nrating: 5 # of 10\nlog: |\n  a\n\n  # b\n';
    const text = (await written(note))
      .replace('\ntask:', `\n${typed}task:`)
      .replace('  - "bed #2"\n', '  - "bed #2"\n  - mine\n');
    const found = await read(text);
    if (found?.kind !== 'extended') throw new Error(`The note is ${found?.kind}`);
    const archived = noteOf({}, 'id1', { '/isArchived': true });
    const next = await mirrorText(archived, found.additions);
    expect(next.text).toContain('\narchived: true\n');
    expect(next.text).toContain(`\n${typed}---\n`);
    expect(next.text).toContain('  - "spring"\n  - "bed #2"\n  - "mine"\n');
    expect(await read(next.text)).toEqual({
      id: 'id1',
      kind: 'extended',
      hash: next.hash,
      additions: found.additions,
    });
  });

  it('reads tags in a line as Obsidian does', async () => {
    const text = (await written(noteOf({ tags: [] }))).replace('tags: []', 'tags: a, b c');
    expect(await read(text, [])).toMatchObject({ additions: { tags: ['a', 'b', 'c'] } });
  });
});

describe('an edited note', () => {
  it.each([
    ['an added line', (text: string) => `${text}mine\n`],
    ['a removed line break', (text: string) => text.slice(0, -1)],
    ['an edited notice', (text: string) => text.replace('Written by', 'Not by')],
    ['a property and a line', (text: string) => `${withMine(text)}mine\n`],
    ['another task', (text: string) => text.replace('task: "Test"', 'task: "Other"')],
    ['a property of the state removed', (text: string) => text.replace('task: "Test"\n', '')],
    ['a tag of the state removed', (text: string) => text.replace('  - "spring"\n', '')],
    ['an archived state', (text: string) => text.replace('archived: false', 'archived: true')],
    ['a date that is none', (text: string) => text.replace(/created: .*/, 'created: today')],
    ['a comment on its property', (text: string) => text.replace('"Test"', '"Test" # mine')],
    ['a comment among its tags', (text: string) => text.replace('tags:\n', 'tags:\n  # mine\n')],
    ['a tag that is not text', (text: string) => text.replace('tags:\n', 'tags:\n  - 007\n')],
    ['a property twice', (text: string) => text.replace('\ntask:', '\nname: "Mine"\ntask:')],
    ['invalid YAML', (text: string) => text.replace('task: "Test"', 'task: "Te')],
    ['a line that is no property', (text: string) => text.replace('\ntask:', '\nmine\ntask:')],
  ])('has %s', async (_, change) => {
    const text = await written();
    const edited = change(text);
    expect(edited).not.toBe(text);
    expect(await read(edited)).toMatchObject({ id: 'id1', kind: 'edited' });
  });
});

import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../src/model/event.js';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { stateData } from '../../../src/model/state.js';
import { mirrorFolder, mirrorNotes } from '../../../src/transfer/mirror/mirror-notes.js';
import { mirrorText, readMirrorFile } from '../../../src/transfer/mirror/mirror-text.js';
import { removeNotes } from '../../../src/transfer/mirror/remove-notes.js';
import { listedTasks, readBoxes } from '../../../src/transfer/mirror/task-list.js';
import { clockText, contentOf, eventOf, recordDraft, workspaceDraft } from '../../fakes/events.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { parseYaml, stringifyYaml } from '../../host/obsidian/yaml.js';

const set = (e: string, d: Draft['d']): Draft => ({ t: 'set', e, d });
const task = (title: string, id: string, more = {}) =>
  recordDraft(title, id, { ws: 'ws', ...more });

const GARDEN = workspaceDraft('Garden', 'ws');
const SOW = task('Sow *beans* [[now]] ✅ 2020-01-01', 'sow');
const DIG = task('Dig', 'dig');
const DIG_DONE = set('dig', { '/status': 'done' });

function notesOf(...drafts: Draft[]) {
  const events = drafts.map((draft, minute) =>
    eventOf({ ...draft, n: minute + 1, h: clockText(minute) }),
  );
  const memory = fold(emptyMemory, events);
  return [...mirrorNotes(memory, mirrorFolder('Savepoint'))].flatMap((note) => note ?? []);
}

async function taskNote(...drafts: Draft[]): Promise<string> {
  const note = notesOf(GARDEN, ...drafts).find(({ kind }) => kind === 'tasks');
  return note ? (await mirrorText(note)).text : '';
}

const read = (text: string) => readMirrorFile(text, parseYaml, () => ({ kind: 'tasks', tags: [] }));

describe('the note with the tasks of a workspace', () => {
  it('lists open tasks, then those that are done, with the days that plugins read', async () => {
    const remind = set('sow', { '/remindAt': '2026-11-30T23:00:00.000Z' });
    const text = await taskNote(SOW, DIG, DIG_DONE, remind);
    expect(text.slice(text.indexOf('# Tasks'))).toMatch(
      /^# Tasks\n\n- \[ \] Sow \\\*beans\\\* .+ 📅 2026-12-01 \^sow\n\n## Done\n\n- \[x\] Dig ✅ \d{4}-\d\d-\d\d \^dig\n$/u,
    );
  });

  it('leaves out decisions, questions, and what is archived, dropped or replaced', async () => {
    const text = await taskNote(
      SOW,
      task('Peat?', 'q', { kind: 'question' }),
      task('No peat', 'd', { kind: 'decision' }),
      task('Old', 'old'),
      set('old', { '/isArchived': true }),
      task('Given up', 'up'),
      set('up', { '/status': 'dropped' }),
      task('Replaced', 'rep'),
      set('rep', { '/supersededBy': 'sow' }),
    );
    expect(listedTasks(text)).toEqual(['sow']);
  });

  it('lists the newest 100 of those that are done', async () => {
    const drafts = Array.from({ length: 103 }, (_, n) => [
      task(`T${n}`, `t${n}`),
      set(`t${n}`, { '/status': 'done' }),
    ]).flat();
    const ids = listedTasks(await taskNote(...drafts));
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, 't3', 't102']);
  });

  it('is not written without tasks, and its name is never that of a state', async () => {
    expect(await taskNote(task('No peat', 'd', { kind: 'decision' }))).toBe('');
    const state: Draft = { t: 'state.new', e: 's', d: stateData('ws', contentOf('Tasks'), 'a') };
    const paths = notesOf(GARDEN, state, SOW).map(({ kind, path }) => [kind, path]);
    expect(paths).toContainEqual(['tasks', 'Savepoint/notes/Garden/Tasks.md']);
    expect(paths).toContainEqual(['state', 'Savepoint/notes/Garden/Tasks (2).md']);
    expect(notesOf(GARDEN, state).map(({ path }) => path)).toEqual([
      'Savepoint/notes/Garden/Tasks (2).md',
    ]);
  });
});

describe('a ticked box', () => {
  const tick = (text: string) => text.replace('- [ ] Sow', '- [x] Sow');
  const untick = (text: string) => text.replace('- [x] Dig', '- [ ] Dig');

  it('is read, and is no edit', async () => {
    const text = await taskNote(SOW, DIG, DIG_DONE);
    expect(await read(text)).toMatchObject({ kind: 'untouched', ticked: [] });
    expect(await read(untick(tick(text)))).toMatchObject({
      kind: 'untouched',
      ticked: [
        { id: 'sow', isDone: true },
        { id: 'dig', isDone: false },
      ],
    });
  });

  it('is read as the Tasks plugin writes it, with Windows line breaks', async () => {
    const text = tick(await taskNote(SOW)).replace(' ^sow', ' ✅ 2026-11-27 ^sow');
    expect(await read(text.replaceAll('\n', '\r\n'))).toMatchObject({
      kind: 'untouched',
      ticked: [{ id: 'sow', isDone: true }],
    });
  });

  it('is read although the user has added properties', async () => {
    const text = tick(await taskNote(SOW)).replace('\ntags: []', '\ntags: [mine]\nrating: 5');
    expect(await read(text)).toMatchObject({
      kind: 'extended',
      additions: { properties: 'rating: 5\n', tags: ['mine'] },
      ticked: [{ id: 'sow', isDone: true }],
    });
    const rewritten = tick(await taskNote(SOW)).replace(
      /^---\n([^]*?)---\n/u,
      (_, yaml: string) => `---\n${stringifyYaml(parseYaml(yaml))}---\n`,
    );
    expect((await read(rewritten))?.kind).toBe('extended');
  });

  it('is read in a note that was edited elsewhere', async () => {
    const text = tick(await taskNote(SOW)).replace('\n- [', '\nMine\n\n- [');
    expect(await read(text)).toMatchObject({ kind: 'edited', ticked: [{ id: 'sow' }] });
  });

  it('leaves every text without such a list as it is', () => {
    for (const text of ['', '- [ ] Mine', '- [x] Mine ^', '  - [x] Mine ^sow', '* [x] a ^sow'])
      expect(readBoxes(text)).toEqual({ written: text, ticked: [] });
  });
});

it('a note that lists a forgotten task is removed', async () => {
  const files = createMemoryFiles();
  const path = 'Savepoint/notes/Garden/Tasks.md';
  files.put(path, await taskNote(SOW, DIG));
  files.put('Savepoint/notes/Garden/Mine.md', '- [ ] Mine ^sow');
  await removeNotes(files, 'Savepoint', [{ ids: ['other'] }]);
  expect(await files.read(path)).toBeDefined();
  await removeNotes(files, 'Savepoint', [{ ids: ['dig'] }]);
  expect(await files.read(path)).toBeUndefined();
  expect(await files.read('Savepoint/notes/Garden/Mine.md')).toBeDefined();
});

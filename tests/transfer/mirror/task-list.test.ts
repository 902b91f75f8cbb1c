import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../src/model/event.js';
import { emptyMemory, fold } from '../../../src/model/memory.js';
import { stateData } from '../../../src/model/state.js';
import { mirrorFolder, mirrorNotes } from '../../../src/transfer/mirror/mirror-notes.js';
import { mirrorText } from '../../../src/transfer/mirror/mirror-text.js';
import { removeNotes } from '../../../src/transfer/mirror/remove-notes.js';
import { readBoxes } from '../../../src/transfer/mirror/task-line.js';
import { taskDrafts, workspaceTasks } from '../../../src/transfer/mirror/task-list.js';
import { clockText, contentOf, eventOf, recordDraft, workspaceDraft } from '../../fakes/events.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';

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

const listedTasks = (text: string) => readBoxes(text.split('\n')).map(({ id }) => id);

describe('the note with the tasks of a workspace', () => {
  it('lists open tasks, then those that are done, with the days that plugins read', async () => {
    const remind = set('sow', { '/remindAt': '2026-11-30T23:00:00.000Z' });
    const text = await taskNote(SOW, DIG, DIG_DONE, remind);
    expect(text.slice(text.indexOf('# Tasks'))).toMatch(
      /^# Tasks\n\n- \[ \] Sow \\\*beans\\\* .+ 📅 2026-12-01 \^sp-sow\n\n## Done\n\n- \[x\] Dig ✅ \d{4}-\d\d-\d\d \^sp-dig\n$/u,
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
    expect(listedTasks(text)).toEqual(['sp-sow']);
  });

  it('lists the newest 100 of those that are done', async () => {
    const drafts = Array.from({ length: 103 }, (_, n) => [
      task(`T${n}`, `t${n}`),
      set(`t${n}`, { '/status': 'done' }),
    ]).flat();
    const ids = listedTasks(await taskNote(...drafts));
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([100, 'sp-t3', 'sp-t102']);
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

it('the day on which a task is due stays the same in every time zone', () => {
  const by = { client: 'Test', session: 's', device: 'Laptop' };
  for (const day of ['2026-01-15', '2026-07-15']) {
    const change = { id: 'dig', values: ['Dig', 'open', day] as const };
    const events = [GARDEN, ...taskDrafts(emptyMemory, 'ws', [change], by)].map((draft, minute) =>
      eventOf({ ...draft, n: minute + 1, h: clockText(minute) }),
    );
    const tasks = workspaceTasks(fold(emptyMemory, events), 'ws');
    expect([...tasks.values()].map(({ values }) => values)).toEqual([change.values]);
  }
});

it('a note loses the lines of forgotten tasks, and nothing else', async () => {
  const files = createMemoryFiles();
  const path = 'Savepoint/notes/Garden/Tasks.md';
  const text = `${await taskNote(SOW, DIG)}\nMine ^sp-dig\n`;
  files.put(path, text);
  files.put('Savepoint/notes/Garden/Mine.md', '- [ ] Mine ^sp-dig');
  await removeNotes(files, 'Savepoint', [{ ids: ['other'] }]);
  expect(files.text(path)).toBe(text);
  await removeNotes(files, 'Savepoint', [{ ids: ['dig'] }]);
  expect(files.text(path)).toBe(text.replace('- [ ] Dig ^sp-dig\n', ''));
  expect(files.text('Savepoint/notes/Garden/Mine.md')).toBe('- [ ] Mine ^sp-dig');
  files.put(path, '- [ ] Dig ^sp-dig\n- [ ] Sow ^sp-sow\n');
  await removeNotes(files, 'Savepoint', [{ ids: ['dig'] }]);
  expect(files.text(path)).toBe('- [ ] Sow ^sp-sow\n');
});

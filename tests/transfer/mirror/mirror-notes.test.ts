import { describe, expect, it } from 'vitest';
import type { JsonObject, LogEvent } from '../../../src/model/event.js';
import { emptyMemory, fold, type Memory } from '../../../src/model/memory.js';
import { stateData, type StateContent } from '../../../src/model/state.js';
import {
  editedCopyPath,
  mirrorFolder,
  mirrorNotes,
} from '../../../src/transfer/mirror/mirror-notes.js';
import { clockText, contentOf, eventOf, recordDraft, workspaceDraft } from '../../fakes/events.js';
import { HOSTILE_NAMES } from '../../storage/hostile-names.js';

const FOLDER = mirrorFolder('Savepoint');
let count = 0;

const event = (fields: Pick<LogEvent, 't' | 'e' | 'd'>) =>
  eventOf({ ...fields, n: ++count, h: clockText(count) });
const workspace = (name: string, id: string) => event(workspaceDraft(name, id));
const set = (e: string, d: JsonObject) => event({ t: 'set', e, d });

function state(
  name: string,
  ws = 'default',
  more: Partial<StateContent> = {},
  id = `st${count}`,
): LogEvent {
  return event({ t: 'state.new', e: id, d: stateData(ws, contentOf(name, more), `sha${count}`) });
}

const memoryOf = (...events: LogEvent[]) => fold(emptyMemory, events);
const notesOf = (memory: Memory, taken: string[] = []) =>
  [...mirrorNotes(memory, FOLDER, taken)].flatMap((note) => note ?? []);
const pathsOf = (memory: Memory, taken: string[] = []) =>
  notesOf(memory, taken).map(({ path }) => path.slice(FOLDER.length + 1));

describe('mirrorNotes', () => {
  it('puts the notes into the data folder, outside the lanes', () => {
    expect(FOLDER).toBe('Savepoint/notes');
  });

  it('keeps the paths of archived states', () => {
    const memory = memoryOf(
      state('Plan', 'default', {}, 'id2'),
      set('id2', { '/isArchived': true }),
    );
    expect(pathsOf(memory)).toEqual(['Default/Plan.md']);
  });

  it('keeps note names when later states have the same name', () => {
    const [one, two] = [state('Plan'), state('plan')];
    expect(pathsOf(memoryOf(one))).toEqual(['Default/Plan.md']);
    const both = pathsOf(memoryOf(two, one));
    expect(both[0]).toBe('Default/Plan.md');
    expect(both[1]).toMatch(/^Default\/plan ⟨st\d{1,2}⟩\.md$/);
  });

  it('allocates names by creation time, then by id', () => {
    const at = (minute: number, e: string) =>
      eventOf({
        t: 'state.new',
        e,
        n: ++count,
        h: clockText(minute),
        d: stateData('default', contentOf('Plan'), e),
      });
    const notes = notesOf(memoryOf(at(9, 'cc'), at(5, 'bb'), at(5, 'aa')));
    expect(notes.map(({ subject }) => subject.item.id)).toEqual(['aa', 'bb', 'cc']);
  });

  it('puts records into a folder of their own, below that of the states', () => {
    const task = (e: string) => event(recordDraft('Plan', e));
    const memory = memoryOf(state('Plan'), task('r1'), task('r2'));
    expect(pathsOf(memory)).toEqual([
      'Default/Tasks.md',
      'Default/Plan.md',
      'Default/Records/Plan.md',
      'Default/Records/Plan (2).md',
    ]);
    expect(pathsOf(memory, [`${FOLDER}/Default/Records/Plan.md`])[2]).toBe(
      'Default/Records/Plan (2).md',
    );
  });

  it('keeps folder names when a later workspace collides', () => {
    const [first, second] = [workspace('b?a', 'w1'), workspace('b*a', 'w2')];
    const states = [state('One', 'w1'), state('Two', 'w2')];
    expect(pathsOf(memoryOf(first, second, ...states))).toEqual(['b-a/One.md', 'b-a (2)/Two.md']);
  });

  it('avoids paths that already exist', () => {
    const memory = memoryOf(state('Plan'), state('Other'));
    expect(pathsOf(memory, [`${FOLDER}/default/PLAN.md`, `${FOLDER}/Elsewhere/Other.md`])).toEqual([
      'Default/Plan (2).md',
      'Default/Other.md',
    ]);
  });

  it('includes states whose workspace is missing', () => {
    expect(pathsOf(memoryOf(state('Lost', 'nowhere')))).toEqual(['Workspace missing/Lost.md']);
  });

  it('writes file names that are valid on every platform', () => {
    const states = HOSTILE_NAMES.map(([name]) => state(name));
    const paths = pathsOf(memoryOf(...states));
    expect(paths).toHaveLength(HOSTILE_NAMES.length);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(HOSTILE_NAMES.length);
    for (const path of paths) expect(path).toMatch(/^Default\/[^/<>:"\\|?*#^[\]\p{Cc}]+\.md$/u);
  });
});

describe('editedCopyPath', () => {
  it('adds a number if copies exist', () => {
    const taken = new Set(['Notes/Plan (edited).md', 'Notes/Plan (edited 2).md']);
    const isTaken = (path: string) => taken.has(path);
    expect(editedCopyPath('Notes/Plan.md', () => false)).toBe('Notes/Plan (edited).md');
    expect(editedCopyPath('Notes/Plan.md', isTaken)).toBe('Notes/Plan (edited 3).md');
    expect(editedCopyPath('Notes/Beds.MD', isTaken)).toBe('Notes/Beds (edited).md');
  });
});

import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../../../src/obsidian/library/library.js';
import {
  statesNaming,
  workspacesNaming,
} from '../../../../src/obsidian/memory/note-pane/note-memory.js';
import { noteRows } from '../../../../src/obsidian/memory/note-pane/note-rows.js';
import { allRecords } from '../../../../src/model/records/lookup-record.js';
import { recordDraft, stateDraft, workspaceDraft } from '../../../fakes/events.js';
import { memoryOf, traceOf } from '../memories.js';
import { NOOP_SCHEDULER } from '../../../../src/platform/scheduler.js';

async function memoryOfNote() {
  const memory = memoryOf(
    workspaceDraft('Garden', 'w1', { keyFiles: ['a.md'] }),
    await stateDraft('One'),
  );
  const library = await readLibrary(memory, NOOP_SCHEDULER);
  const found = { calls: [traceOf(), traceOf({ sessionId: 's2' })], looked: 2, isAll: true };
  return {
    records: [],
    states: statesNaming(library, 'a.md'),
    workspaces: workspacesNaming(library, 'a.md'),
    found,
  };
}

describe('the rows of the notes pane', () => {
  it('are grouped under one heading per kind, with sessions collapsed', async () => {
    const rows = noteRows(await memoryOfNote(), new Set());
    expect(rows.map(({ kind, level, isExpanded }) => [kind, level, isExpanded])).toEqual([
      ['states', 1, true],
      ['state', 2, undefined],
      ['workspaces', 1, true],
      ['workspace', 2, undefined],
      ['sessions', 1, true],
      ['session', 2, false],
      ['session', 2, false],
    ]);
  });

  it('collapse and expand', async () => {
    const rows = noteRows(
      await memoryOfNote(),
      new Set(['states', 'workspaces', 'note session s2']),
    );
    expect(rows.map(({ kind, isExpanded }) => [kind, isExpanded])).toEqual([
      ['states', false],
      ['workspaces', false],
      ['sessions', true],
      ['session', false],
      ['session', true],
      ['call', undefined],
    ]);
  });

  it('list the records about the note first', () => {
    const [record] = allRecords(memoryOf(recordDraft('Sow', 'r1')), 'default');
    const memory = { records: [record!], states: [], workspaces: [], found: undefined };
    expect(noteRows(memory, new Set()).map(({ kind, key }) => [kind, key])).toEqual([
      ['records', 'records'],
      ['record', 'record r1'],
    ]);
    expect(noteRows(memory, new Set(['records']))).toHaveLength(1);
  });

  it('have no heading for an empty group', () => {
    expect(
      noteRows({ records: [], states: [], workspaces: [], found: undefined }, new Set()),
    ).toEqual([]);
  });
});

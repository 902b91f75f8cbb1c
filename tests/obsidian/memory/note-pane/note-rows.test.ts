import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../../../src/obsidian/memory/library.js';
import {
  statesNaming,
  workspacesNaming,
} from '../../../../src/obsidian/memory/note-pane/note-memory.js';
import { noteRows } from '../../../../src/obsidian/memory/note-pane/note-rows.js';
import { stateDraft, workspaceDraft } from '../../../fakes/events.js';
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

  it('have no heading for an empty group', () => {
    expect(noteRows({ states: [], workspaces: [], found: undefined }, new Set())).toEqual([]);
  });
});

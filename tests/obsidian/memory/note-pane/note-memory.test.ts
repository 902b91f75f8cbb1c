import { describe, expect, it } from 'vitest';
import { pathMoves } from '../../../../src/model/moves/path-moves.js';
import { readLibrary } from '../../../../src/obsidian/library/library.js';
import {
  isCallAbout,
  recordsAbout,
  statesNaming,
  workspacesNaming,
} from '../../../../src/obsidian/memory/note-pane/note-memory.js';
import { recordDraft, stateDraft, workspaceDraft } from '../../../fakes/events.js';
import { archive, memoryOf } from '../memories.js';
import { NOOP_SCHEDULER } from '../../../../src/platform/scheduler.js';

describe('the memory of a note', () => {
  it('has the active states that name it in any workspace, newest first', async () => {
    const memory = memoryOf(
      workspaceDraft('Garden', 'w1'),
      await stateDraft('old', 'a', 'default', { activeFiles: ['Garden/Beds.md'] }),
      await stateDraft('new', 'b', 'w1', { activeFiles: ['x.md', './Garden//Beds.md'] }),
      await stateDraft('bare', 'c', 'w1', { activeFiles: ['Garden/Beds'] }),
      await stateDraft('other', 'd', 'w1', {
        activeFiles: ['Old Garden/Beds.md', 'Beds.md', '../Garden/Beds.md'],
      }),
      await stateDraft('put away', 'e', 'w1', { activeFiles: ['Garden/Beds.md'] }),
      archive('e'),
    );
    const found = statesNaming(await readLibrary(memory, NOOP_SCHEDULER), 'Garden/Beds.md');
    expect(found.map(({ state, section }) => [state.displayName, section.id])).toEqual([
      ['bare', 'w1'],
      ['new', 'w1'],
      ['old', 'default'],
    ]);
  });

  it('has the records that list, link or mention it, the open ones first', async () => {
    const memory = memoryOf(
      recordDraft('Listed', 'r1', { kind: 'decision', files: { 'Garden/Beds.md': null } }),
      recordDraft('Linked', 'r2', { body: 'See [[Beds]].' }),
      recordDraft('Named', 'r3', { body: 'Change Garden/Beds.md first.' }),
      recordDraft('Other', 'r4', { files: { 'House/Roof.md': null } }),
      recordDraft('Archived', 'r5', { files: { 'Garden/Beds.md': null } }),
      { t: 'set', e: 'r3', d: { '/status': 'done' } },
      archive('r5'),
    );
    const found = recordsAbout(
      await readLibrary(memory, NOOP_SCHEDULER),
      'Garden/Beds.md',
      pathMoves(memory),
    );
    expect(found.map(({ title }) => title)).toEqual(['Linked', 'Listed', 'Named']);
  });

  it('has the active workspaces that list it as a key file', async () => {
    const memory = memoryOf(
      workspaceDraft('Garden', 'w1', { keyFiles: ['Garden/Beds.md'] }),
      workspaceDraft('Attic', 'w2', { keyFiles: ['Garden/Beds.md'] }),
      archive('w2'),
    );
    const found = workspacesNaming(await readLibrary(memory, NOOP_SCHEDULER), 'Garden/Beds.md');
    expect(found.map(({ id }) => id)).toEqual(['w1']);
  });

  it('has the calls with its path as a complete value', () => {
    const input = JSON.stringify({ activeFiles: ['Garden/"Beds".md'], path: 'Notes/Plan' });
    expect(isCallAbout(input, 'Garden/"Beds".md')).toBe(true);
    expect(isCallAbout(input, 'Notes/Plan.md')).toBe(true);
    expect(isCallAbout(input, 'Plan.md')).toBe(false);
    expect(isCallAbout(input, 'Notes/Plan.canvas')).toBe(false);
  });
});

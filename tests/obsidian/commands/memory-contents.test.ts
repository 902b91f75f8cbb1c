import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../src/model/event.js';
import { DEFAULT_WORKSPACE, emptyMemory, fold, type Memory } from '../../../src/model/memory.js';
import { contentsOf } from '../../../src/obsidian/commands/memory-contents.js';
import { readLazyState } from '../../../src/storage/format/lazy-state.js';
import {
  clockText,
  eventOf,
  lineOf,
  recordDraft,
  stateDraft,
  workspaceDraft,
} from '../../fakes/events.js';

function memoryOf(...drafts: Draft[]): Memory {
  return fold(
    emptyMemory,
    drafts.map((draft, minute) => eventOf({ ...draft, n: minute + 1, h: clockText(minute) })),
  );
}

const archived = (id: string, isArchived = true): Draft => ({
  t: 'set',
  e: id,
  d: { '/isArchived': isArchived },
});

describe('the contents of a memory', () => {
  it('are only the default workspace if nothing was saved', () => {
    expect(contentsOf(emptyMemory)).toEqual({
      workspaces: new Set([DEFAULT_WORKSPACE]),
      hasWorkspaceToArchive: false,
      hasArchivedWorkspace: false,
      hasState: false,
      hasArchivedState: false,
      hasRecordToCheck: false,
    });
  });

  it('include open questions, tasks and phases, but no decisions', () => {
    const hasRecord = (...drafts: Draft[]) => contentsOf(memoryOf(...drafts)).hasRecordToCheck;
    const task = recordDraft('Sow', 'task');
    const done: Draft = { t: 'set', e: 'task', d: { '/status': 'done' } };
    expect(hasRecord(task)).toBe(true);
    expect(hasRecord(task, done)).toBe(false);
    expect(hasRecord(task, archived('task'))).toBe(false);
    expect(hasRecord(recordDraft('No peat', 'decision', { kind: 'decision' }))).toBe(false);
    const inArchived = [workspaceDraft('Garden', 'garden'), archived('garden')];
    expect(hasRecord(...inArchived, recordDraft('Sow', 'task', { ws: 'garden' }))).toBe(false);
  });

  it('distinguish archived items from active ones', async () => {
    const state = await stateDraft('Beds', 'beds', 'garden');
    const before = memoryOf(workspaceDraft('Garden', 'garden'), state);
    expect(contentsOf(before)).toMatchObject({
      hasState: true,
      hasArchivedState: false,
      hasWorkspaceToArchive: true,
    });
    const after = memoryOf(
      workspaceDraft('Garden', 'garden'),
      state,
      archived('beds'),
      archived('garden'),
    );
    expect(contentsOf(after)).toMatchObject({
      hasState: false,
      hasArchivedState: true,
      hasWorkspaceToArchive: false,
      hasArchivedWorkspace: true,
      workspaces: new Set([DEFAULT_WORKSPACE]),
    });
    const restored = memoryOf(
      workspaceDraft('Garden', 'garden'),
      state,
      archived('beds'),
      archived('beds', false),
    );
    expect(contentsOf(restored)).toMatchObject({ hasState: true, hasArchivedState: false });
  });

  it('exclude states of archived and missing workspaces', async () => {
    const put = memoryOf(
      workspaceDraft('Garden', 'garden'),
      await stateDraft('Beds', 'beds', 'garden'),
      archived('garden'),
    );
    expect(contentsOf(put).hasState).toBe(false);
    const lost = memoryOf(
      await stateDraft('Beds', 'beds', 'elsewhere'),
      await stateDraft('Old', 'old', 'elsewhere'),
      archived('old'),
    );
    expect(contentsOf(lost)).toMatchObject({ hasState: false, hasArchivedState: false });
  });

  it('include a state without reading it', async () => {
    const { event, bytes } = lineOf(await stateDraft('Beds', 'beds'));
    const head = readLazyState(bytes, 0, bytes.length, event.c)!;
    Object.defineProperty(head, 'd', { get: () => expect.fail('the state was read') });
    expect(contentsOf(fold(emptyMemory, [head])).hasState).toBe(true);
  });
});

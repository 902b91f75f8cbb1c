import type { Draft } from '../../../src/model/event.js';
import { emptyMemory, fold, type Memory } from '../../../src/model/memory.js';
import type { ProjectRecord } from '../../../src/model/records/record.js';
import type { State } from '../../../src/model/state.js';
import type { Named } from '../../../src/model/lookup.js';
import type { Trace } from '../../../src/model/trace.js';
import { readLibrary, type Section } from '../../../src/obsidian/library/library.js';
import { clockText, eventOf, stateDraft } from '../../fakes/events.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';

/** Returns a memory of these drafts, written one minute apart. */
export function memoryOf(...drafts: Draft[]): Memory {
  return fold(
    emptyMemory,
    drafts.map((draft, minute) => eventOf({ ...draft, n: minute + 1, h: clockText(minute) })),
  );
}

export function archive(id: string): Draft {
  return { t: 'set', e: id, d: { '/isArchived': true } };
}

/** Returns named states of the built-in workspace, saved at these minutes, newest first. */
export async function statesAt(...minutes: number[]): Promise<Named<State>[]> {
  const drafts = await Promise.all(minutes.map((minute) => stateDraft(`at ${minute}`)));
  const events = drafts.map((draft, index) =>
    eventOf({ ...draft, n: index + 1, h: clockText(minutes[index]!) }),
  );
  const [section] = await readLibrary(fold(emptyMemory, events), NOOP_SCHEDULER);
  return [...(section as Section).states];
}

/** Returns a task that was saved at this minute. */
export function recordAt(minute: number): ProjectRecord {
  return {
    id: `r${minute}`,
    workspaceId: 'default',
    kind: 'task',
    title: `Record ${minute}`,
    needs: [],
    files: {},
    status: 'open',
    isArchived: false,
    createdAt: clockText(minute).slice(0, 24),
  };
}

/** Returns trace entries at these minutes, newest first. */
export function entriesAt(...minutes: number[]): { h: string }[] {
  return minutes.map((minute) => ({ h: clockText(minute) })).sort((a, b) => (a.h < b.h ? 1 : -1));
}

export function traceOf(more: Partial<Trace> = {}): Trace {
  return {
    workspaceId: 'default',
    sessionId: 's1',
    toolset: 'memoryManager',
    tool: 'listStates',
    input: '{}',
    outcome: 'ok',
    isSuccess: true,
    createdAt: clockText(0).slice(0, 24),
    ...more,
  };
}

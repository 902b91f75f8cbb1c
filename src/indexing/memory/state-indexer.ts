import { compareText } from '../../model/event.js';
import { changedStates, eachState, type Named } from '../../model/lookup.js';
import type { Entity, Memory } from '../../model/memory.js';
import type { State } from '../../model/state.js';
import type { SearchDocument } from '../../search/documents/documents.js';
import { stateDocument } from '../../search/documents/memory-documents.js';
import type { Log } from '../../storage/log.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { KeptIndex } from '../persistent-index.js';
import { keyOfState, stateKey } from './memory-keys.js';
import type { MemoryWriter } from './memory-writer.js';

/** The states of a workspace that are not archived, by their keys in the index. */
export type ShownStates = ReadonlyMap<string, Named<State>>;

/** Keeps the states of workspaces in a search index. */
export interface StateIntake {
  /** Takes in what has changed in a workspace; answers all its states. */
  readonly takeIn: (kept: KeptIndex, workspaceId: string) => Promise<ShownStates>;
  /** Gives the newest states their meaning: all that were just written, but some at a time of a memory that was not known before. */
  readonly embed: (kept: KeptIndex) => Promise<void>;
  /** Whether some can be found by their words, but not by what they mean yet. */
  readonly isLackingMeaning: () => boolean;
  /** As they were last taken in; undefined where nobody has asked for them. */
  readonly of: (workspaceId: string) => ShownStates | undefined;
  /** The workspaces that were asked for. */
  readonly workspaces: () => string[];
  readonly clear: () => void;
}

/** So many states are told what they mean before whoever searches gets an answer; by their words all are found. */
const STATES_AT_ONCE = 500;

interface StateIntakeOptions {
  readonly log: Pick<Log, 'memory'>;
  readonly writer: MemoryWriter;
  readonly scheduler: Scheduler;
}

export function createStateIntake({ log, writer, scheduler }: StateIntakeOptions): StateIntake {
  /** The states of each workspace as they were last taken in, and of which memory that was. */
  const taken = new Map<string, { readonly memory: Memory; readonly states: ShownStates }>();
  let asIndexed = new WeakMap<Entity, string>();
  /** By their keys; the newest come last. */
  const unembedded = new Map<string, Named<State>>();

  async function put(kept: KeptIndex, shown: Named<State>): Promise<void> {
    const key = stateKey(shown.item);
    if (asIndexed.get(shown.entity) === shown.displayName) return;
    await writer.put(kept, documentOf(shown));
    if (writer.isLackingMeaning(kept, key)) unembedded.set(key, shown);
    asIndexed.set(shown.entity, shown.displayName);
  }

  async function shownStates(memory: Memory, workspaceId: string): Promise<Named<State>[]> {
    const all: Named<State>[] = [];
    for (const shown of eachState(memory, workspaceId)) {
      if (scheduler.isDue) await scheduler.yieldIfDue();
      if (!shown.item.isArchived) all.push(shown);
    }
    return all.sort((a, b) => compareText(a.item.createdAt, b.item.createdAt));
  }

  return {
    async takeIn(kept, workspaceId) {
      const memory = await log.memory();
      const before = taken.get(workspaceId);
      if (before?.memory === memory) return before.states;
      const states = new Map(before?.states);
      const changed = before ? changedStates(before.memory, memory, workspaceId) : [];
      for (const [id, shown] of changed) {
        if (scheduler.isDue) await scheduler.yieldIfDue();
        const key = keyOfState(workspaceId, id);
        states.delete(key);
        if (shown && !shown.item.isArchived) {
          states.set(key, shown);
          await put(kept, shown);
        } else {
          unembedded.delete(key);
          writer.forget(kept, key);
        }
      }
      for (const shown of before ? [] : await shownStates(memory, workspaceId)) {
        if (scheduler.isDue) await scheduler.yieldIfDue();
        states.set(stateKey(shown.item), shown);
        await put(kept, shown);
      }
      taken.set(workspaceId, { memory, states });
      return states;
    },
    async embed(kept) {
      for (const [key, shown] of [...unembedded].slice(-STATES_AT_ONCE).reverse()) {
        await writer.embed(kept, documentOf(shown));
        unembedded.delete(key);
      }
    },
    isLackingMeaning: () => unembedded.size > 0,
    of: (workspaceId) => taken.get(workspaceId)?.states,
    workspaces: () => [...taken.keys()],
    clear() {
      taken.clear();
      unembedded.clear();
      asIndexed = new WeakMap();
    },
  };
}

function documentOf({ item, displayName }: Named<State>): SearchDocument {
  return { ...stateDocument(item, displayName), key: stateKey(item) };
}

import type {
  ForgetDecision,
  ForgetDecisions,
} from '../../../src/storage/forget/forget-decisions.js';
import type { ForgetStore } from '../../../src/storage/forget/forgets.js';
import { createMemoryForgetStore } from '../helpers.js';

export interface WatchedStore extends ForgetStore {
  /** The number of calls so far. */
  readonly calls: { load: number; update: number };
  /** Errors with which calls fail. */
  readonly fails: { load?: Error; update?: Error };
  decisions(): ForgetDecisions;
  /** Stores a decision as another program would. */
  decide(key: string, decision: Partial<ForgetDecision>): Promise<void>;
  /** Runs before each update, as an update by another program would. */
  beforeUpdate: () => Promise<void>;
}

/** Returns a store of decisions that records calls, fails on demand and has other users. */
export function watchedStore(): WatchedStore {
  const store = createMemoryForgetStore();
  const watched: WatchedStore = {
    calls: { load: 0, update: 0 },
    fails: {},
    decisions: () => store.decisions(),
    decide: (key, decision) =>
      store.update((all) => ({
        ...all,
        [key]: { choice: 'open', seenAt: 0, ...all[key], ...decision },
      })),
    beforeUpdate: () => Promise.resolve(),
    async load() {
      watched.calls.load++;
      if (watched.fails.load) throw watched.fails.load;
      return store.load();
    },
    async update(change) {
      watched.calls.update++;
      if (watched.fails.update) throw watched.fails.update;
      await watched.beforeUpdate();
      await store.update(change);
    },
  };
  return watched;
}

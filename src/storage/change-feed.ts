import type { VaultPath } from '../model/paths.js';
import type { Clock } from '../platform/clock.js';

/** What is not any more as it was when the listeners were last told. */
export interface Change {
  readonly memory: boolean;
  readonly traces: boolean;
  readonly chat: boolean;
}

/** A host's way to hear that files of the data folder have changed, by whatever hand. May tell too often; must not keep a process alive. */
export interface Watch {
  /** Calls `changed`, with the file where it is known, until the answered function is called. */
  start(changed: (path?: VaultPath) => void): () => void;
}

export interface WatchingOptions {
  readonly watch: Watch | undefined;
  readonly clock: Clock;
  /** Hears of each file that may have changed. */
  readonly suspect: (path: VaultPath) => void;
  /** Reads what has come. */
  readonly look: () => Promise<void>;
  readonly warn: (message: string) => void;
}

/** Tells listeners of changes; watches the files only while there are any. */
export interface Watching {
  /** Answers how to stop listening. */
  listen(listener: (change: Change) => void): () => void;
  /** Something has changed: the listeners hear of it at once, but of all that changes in one go only once. */
  announce(change: Partial<Change>): void;
  stop(): void;
}

/** What changes files changes several, one after another. */
const GATHER_MS = 200;

export function createWatching({ watch, clock, suspect, look, warn }: WatchingOptions): Watching {
  const listeners = new Set<(change: Change) => void>();
  let pending: Change | undefined;
  let cancelLook: (() => void) | undefined;
  let stopWatch: (() => void) | undefined;

  function changed(path?: VaultPath): void {
    if (path !== undefined) suspect(path);
    cancelLook ??= clock.after(GATHER_MS, () => {
      cancelLook = undefined;
      look().catch(() => undefined); // what cannot be read now is told to whoever calls next
    });
  }

  function tell(): void {
    const change = pending!;
    pending = undefined;
    for (const listener of [...listeners]) {
      try {
        listener(change);
      } catch (error) {
        warn(`A listener failed: ${String(error)}`);
      }
    }
  }

  function stopWatching(): void {
    stopWatch?.();
    cancelLook?.();
    stopWatch = cancelLook = undefined;
  }

  return {
    listen(listener) {
      const own = (change: Change) => listener(change); // the same function may listen twice
      listeners.add(own);
      stopWatch ??= watch?.start(changed);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) stopWatching();
      };
    },
    announce({ memory = false, traces = false, chat = false }) {
      if (listeners.size === 0) return;
      if (!pending) void Promise.resolve().then(tell);
      pending = {
        memory: memory || pending?.memory === true,
        traces: traces || pending?.traces === true,
        chat: chat || pending?.chat === true,
      };
    },
    stop() {
      listeners.clear();
      stopWatching();
    },
  };
}

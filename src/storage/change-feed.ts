import type { VaultPath } from '../model/paths.js';
import type { Clock } from '../platform/clock.js';

/** The parts of the log that have changed since the last notification. */
export interface LogChange {
  readonly memory: boolean;
  readonly traces: boolean;
  readonly chat: boolean;
}

/** A host's watcher of the data folder. May report too often; must not keep a process alive. */
export interface FileWatch {
  /** Calls `changed` per change, with the path if known. Returns a function that stops watching. */
  start(changed: (path?: VaultPath) => void): () => void;
}

export interface ChangeFeedOptions {
  readonly watch: FileWatch | undefined;
  readonly clock: Clock;
  /** Called for each file that may have changed. */
  readonly invalidate: (path: VaultPath) => void;
  /** Reads what has been added to the log. */
  readonly refresh: () => Promise<void>;
  readonly warn: (message: string) => void;
}

/** A program that changes files usually changes several, one after another. */
const REFRESH_DELAY_MS = 200;

export type ChangeFeed = ReturnType<typeof createChangeFeed>;

/** Notifies listeners of changes to the log; watches the files only while there are listeners. */
export function createChangeFeed({ clock, watch, invalidate, refresh, warn }: ChangeFeedOptions) {
  const listeners = new Set<(change: LogChange) => void>();
  let pending: LogChange | undefined;
  let cancelRefresh: (() => void) | undefined;
  let stopWatch: (() => void) | undefined;

  const onFileChange = (path: VaultPath | undefined): void => {
    if (path !== undefined) invalidate(path);
    cancelRefresh ??= clock.after(REFRESH_DELAY_MS, () => {
      cancelRefresh = undefined;
      refresh().catch(() => undefined); // the next call on the log reports what cannot be read
    });
  };
  const notify = (): void => {
    const change = pending!;
    pending = undefined;
    for (const listener of [...listeners]) {
      try {
        listener(change);
      } catch (error) {
        warn(`A listener failed: ${String(error)}`);
      }
    }
  };
  const stopWatching = (): void => {
    stopWatch?.();
    cancelRefresh?.();
    stopWatch = cancelRefresh = undefined;
  };

  return {
    /** Returns a function that removes the listener. */
    subscribe(listener: (change: LogChange) => void): () => void {
      const own = (change: LogChange) => listener(change); // the same function may subscribe twice
      listeners.add(own);
      stopWatch ??= watch?.start(onFileChange);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0) stopWatching();
      };
    },
    /** Notifies the listeners in the next microtask, once for all changes published before it. */
    publish({ memory = false, traces = false, chat = false }: Partial<LogChange>): void {
      if (listeners.size === 0) return;
      if (!pending) void Promise.resolve().then(notify);
      pending = {
        memory: memory || pending?.memory === true,
        traces: traces || pending?.traces === true,
        chat: chat || pending?.chat === true,
      };
    },
    stop(): void {
      listeners.clear();
      stopWatching();
    },
  };
}

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

/** Notifies listeners of changes to the log; watches the files only while there are listeners. */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #listeners = new Set<(change: LogChange) => void>();
  #pending: LogChange | undefined;
  #cancelRefresh: (() => void) | undefined;
  #stopWatch: (() => void) | undefined;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
  }

  /** Returns a function that removes the listener. */
  subscribe(listener: (change: LogChange) => void): () => void {
    const own = (change: LogChange) => listener(change); // the same function may subscribe twice
    this.#listeners.add(own);
    this.#stopWatch ??= this.#options.watch?.start((path) => this.#onFileChange(path));
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.#stopWatching();
    };
  }

  /** Notifies the listeners in the next microtask, once for all changes published before it. */
  publish({ memory = false, traces = false, chat = false }: Partial<LogChange>): void {
    if (this.#listeners.size === 0) return;
    const before = this.#pending;
    if (!before) void Promise.resolve().then(() => this.#notify());
    this.#pending = {
      memory: memory || before?.memory === true,
      traces: traces || before?.traces === true,
      chat: chat || before?.chat === true,
    };
  }

  stop(): void {
    this.#listeners.clear();
    this.#stopWatching();
  }

  #onFileChange(path: VaultPath | undefined): void {
    const { clock, invalidate, refresh } = this.#options;
    if (path !== undefined) invalidate(path);
    this.#cancelRefresh ??= clock.after(REFRESH_DELAY_MS, () => {
      this.#cancelRefresh = undefined;
      refresh().catch(() => undefined); // the next call on the log reports what cannot be read
    });
  }

  #notify(): void {
    const change = this.#pending!;
    this.#pending = undefined;
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        this.#options.warn(`A listener failed: ${String(error)}`);
      }
    }
  }

  #stopWatching(): void {
    this.#stopWatch?.();
    this.#cancelRefresh?.();
    this.#stopWatch = undefined;
    this.#cancelRefresh = undefined;
  }
}

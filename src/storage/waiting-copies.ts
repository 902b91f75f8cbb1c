import type { VaultPath } from '../model/paths.js';
import type { HealerOptions } from './healer-options.js';
import { readCopies } from './integrity/core-copies.js';
import type { LocatedEvent } from './read/reader.js';
import { indexEvent, type WriterIndex } from './read/writer-index.js';

interface VaultIds {
  /** Returns the ids of the vault in the data folder, as far as it is certain which one it is. */
  idsOfFolder(): Promise<Iterable<string>>;
  /** Returns the ids of the last vault at this path. */
  recordedIds(): Promise<readonly string[]>;
}

/** Copies of the lines of files that are not downloaded yet. */
export class WaitingCopies {
  readonly #options: Pick<HealerOptions, 'copies' | 'scheduler'>;
  readonly #ids: VaultIds;
  #last = '';

  constructor(options: Pick<HealerOptions, 'copies' | 'scheduler'>, ids: VaultIds) {
    this.#options = options;
    this.#ids = ids;
  }

  /**
   * Adds all copied events of the vault to the index if files cannot be read at present that may
   * have them, and returns those that are new. Returns nothing for the same files and ids as in the
   * last call. Never rejects.
   */
  async events(waiting: readonly VaultPath[], writers: WriterIndex): Promise<LocatedEvent[]> {
    const { copies, scheduler } = this.#options;
    try {
      const ids = new Set(waiting.length > 0 ? await this.#ids.idsOfFolder() : []);
      const key = [...waiting, ...ids].sort().join('\n');
      if (key === this.#last) return [];
      for (const id of waiting.length > 0 ? await this.#ids.recordedIds() : [])
        if (!ids.has(id) && (await this.#hasWriterOf(waiting, id))) ids.add(id);
      const lines = await readCopies(copies, ids, scheduler);
      this.#last = key;
      return [...lines]
        .filter(({ event }) => indexEvent(writers, 'core', event) !== 'known')
        .map(({ event }) => ({ event, path: '', from: 0, to: 0 }));
    } catch {
      return []; // the next scan tries again, and the healer reports what fails
    }
  }

  /** A file whose writer is among the copies is of their vault, even if nothing else says so. */
  async #hasWriterOf(waiting: readonly VaultPath[], id: string): Promise<boolean> {
    const { copies, scheduler } = this.#options;
    const writers = new Set(
      [...(await readCopies(copies, [id], scheduler))].map(({ event }) => event.w),
    );
    return [...writers].some((writer) => waiting.some((path) => path.includes(`-${writer}-`)));
  }
}

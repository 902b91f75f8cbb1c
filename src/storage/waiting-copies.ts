import type { VaultPath } from '../model/paths.js';
import type { HealerOptions } from './healer-options.js';
import { readCopies } from './integrity/core-copies.js';
import type { LocatedEvent } from './read/reader.js';
import { indexEvent, type WriterIndex } from './read/writer-index.js';

/** Copies of the lines of files that are not downloaded yet. */
export class WaitingCopies {
  readonly #options: Pick<HealerOptions, 'copies' | 'scheduler'>;
  readonly #ids: () => Promise<Iterable<string>>;
  #last = '';

  /** `ids` returns the vault's ids. */
  constructor(
    options: Pick<HealerOptions, 'copies' | 'scheduler'>,
    ids: () => Promise<Iterable<string>>,
  ) {
    this.#options = options;
    this.#ids = ids;
  }

  /**
   * Adds all copied events of the vault to the index if files cannot be read at present that may
   * have them, and returns those that are new. Returns nothing for the same files as in the last
   * call. Never rejects.
   */
  async events(waiting: readonly VaultPath[], writers: WriterIndex): Promise<LocatedEvent[]> {
    const files = [...waiting].sort().join('\n');
    if (files === this.#last) return [];
    const { copies, scheduler } = this.#options;
    try {
      const ids = waiting.length > 0 ? await this.#ids() : [];
      const lines = await readCopies(copies, ids, scheduler);
      this.#last = files;
      return [...lines]
        .filter(({ event }) => indexEvent(writers, 'core', event) !== 'known')
        .map(({ event }) => ({ event, path: '', from: 0, to: 0 }));
    } catch {
      return []; // the next scan tries again, and the healer reports what fails
    }
  }
}

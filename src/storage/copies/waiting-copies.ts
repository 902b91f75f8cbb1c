import type { VaultPath } from '../../model/paths.js';
import type { Scheduler } from '../../platform/scheduler.js';
import type { LocatedEvent } from '../read/reader.js';
import { indexEvent, type WriterIndex } from '../read/writer-index.js';
import type { Copies } from './copies.js';
import { readCopies } from './core-copies.js';

interface WaitingCopiesOptions {
  readonly copies: Copies;
  readonly scheduler: Scheduler;
  /** Returns the ids that the log gives to the vault. */
  readonly vaultIds: () => Iterable<string>;
  readonly known: KnownVault;
}

/** The vault as this device has recorded it. */
interface KnownVault {
  /** Returns true if the data folder is still the recorded one. */
  isSameFolder(): Promise<boolean>;
  recordedIds(): Promise<readonly string[]>;
}

/** Copies of the lines of files that are not downloaded yet. */
export class WaitingCopies {
  readonly #options: WaitingCopiesOptions;
  /** The files and the ids of the vault at the last call. */
  #last = '';
  /** The lines that could not be copied, as of the last call. They may be copied later. */
  #lacking = '';

  constructor(options: WaitingCopiesOptions) {
    this.#options = options;
  }

  /**
   * Adds the vault's copied events to the index if files that may have them cannot be read. Returns
   * new ones; none if files, ids and missing copies are as at the last call. Never rejects.
   */
  async events(waiting: readonly VaultPath[], writers: WriterIndex): Promise<LocatedEvent[]> {
    const { copies, scheduler, vaultIds } = this.#options;
    const isAny = waiting.length > 0;
    const current = isAny ? [...waiting, ...vaultIds()].sort().join('\n') : '';
    const isSame = current === this.#last;
    if (isSame && this.#lacking === '') return [];
    try {
      // first, because a line is copied before it is lacking no more
      const lacking = isAny ? [...(await copies.lacking()).keys()].sort().join() : '';
      if (isSame && lacking === this.#lacking) return [];
      const lines = await readCopies(copies, isAny ? await this.#idsOf(waiting) : [], scheduler);
      this.#last = current;
      this.#lacking = lacking;
      return [...lines]
        .filter(({ event }) => indexEvent(writers, 'core', event) !== 'known')
        .map(({ event }) => ({ event, path: '', from: 0, to: 0 }));
    } catch {
      return []; // the next scan tries again, and the healer reports what fails
    }
  }

  /** Returns the ids of the files' vault, the recorded ones only if it is the recorded vault. */
  async #idsOf(files: readonly VaultPath[]): Promise<Iterable<string>> {
    const { vaultIds, known } = this.#options;
    const ids = new Set(vaultIds());
    const recorded = await known.recordedIds();
    const isRecorded =
      recorded.some((id) => ids.has(id)) ||
      (await known.isSameFolder()) ||
      (await this.#hasWriterOf(files, recorded));
    return isRecorded ? new Set([...ids, ...recorded]) : ids;
  }

  /** In a folder that was replaced, only the names of the files may say whose they are. */
  async #hasWriterOf(files: readonly VaultPath[], ids: readonly string[]): Promise<boolean> {
    for (const id of ids)
      for (const writer of (await this.#options.copies.heads(id)).keys())
        if (files.some((path) => path.includes(writer))) return true;
    return false;
  }
}

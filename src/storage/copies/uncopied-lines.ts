import { parseSegment } from '../format/segment.js';
import { chainHash } from '../format/stub.js';
import type { Copies } from './copies.js';
import { CoreLines, type CoreLine } from './core-copies.js';
import type { SeenWriter } from '../format/watermark.js';

/** Bytes above which the oldest lines are no longer kept in memory. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Core lines of this process that could not be copied outside the vault, as on a full disk. They
 * are kept in memory until they can be, and the device remembers up to which number they go.
 */
export class UncopiedLines {
  readonly #copies: Copies;
  #kept: CoreLine[] = [];
  #bytes = 0;

  constructor(copies: Copies) {
    this.#copies = copies;
  }

  /** Takes in whole lines. Rejects if the device cannot remember them. */
  async add(lines: Uint8Array): Promise<void> {
    for (const { event, from, to } of parseSegment(lines).lines) {
      this.#kept.push({ event, bytes: lines.slice(from, to) });
      this.#bytes += to - from;
    }
    while (this.#bytes > MAX_KEPT_BYTES)
      this.#bytes -= this.#kept.shift()?.bytes.length ?? Infinity;
    const last = this.#kept.at(-1);
    if (last)
      await this.#copies.setLacking(last.event.w, {
        n: last.event.n,
        hash: chainHash(last.event, last.bytes),
      });
  }

  /** Returns the kept lines that the vault has lost since. */
  lostFrom(vault: CoreLines): CoreLine[] {
    return this.#kept.filter((line) => !vault.has(line));
  }

  /**
   * To be called when all lines of the vault, and all kept ones, are copied. Returns the last event
   * of each writer whose end is in neither: it was lost while copying failed.
   */
  async settle(known: Iterable<CoreLine>): Promise<SeenWriter[]> {
    this.#kept = [];
    this.#bytes = 0;
    const lacking = await this.#copies.lacking();
    if (lacking.size === 0) return [];
    const held = new Set<string>();
    for (const { event, bytes } of known) {
      const last = lacking.get(event.w);
      if (last?.n === event.n && chainHash(event, bytes) === last.hash) held.add(event.w);
    }
    const lost: SeenWriter[] = [];
    for (const [writer, last] of lacking) {
      if (held.has(writer)) await this.#copies.setLacking(writer, undefined);
      else lost.push({ lane: 'core', writer, ...last });
    }
    return lost;
  }
}

import type { LogEvent } from '../../model/event.js';
import { isEqualBytes, joinBytes } from '../../platform/bytes/bytes.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { lineHash } from '../format/line-hash.js';
import { LF, lineKey, NEWLINE } from '../format/line.js';
import { parseSegment } from '../format/segment.js';
import type { Copies } from './copies.js';

/** A line of the core lane, without its newline. */
export interface CoreLine {
  readonly event: LogEvent;
  readonly bytes: Uint8Array;
}

/** Returns the lines with their newlines. */
export function joinLines(lines: readonly CoreLine[]): Uint8Array {
  return joinBytes(lines.flatMap(({ bytes }) => [bytes, NEWLINE]));
}

/** A set of lines, compared by their bytes. */
export class CoreLines {
  /** By writer, number and CRC. */
  readonly #byKey = new Map<string, CoreLine>();
  /** By hash: only a forged line has writer, number and CRC in common with another. */
  readonly #twins = new Map<string, CoreLine>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  add(line: CoreLine): void {
    const key = lineKey(line.event);
    const first = this.#byKey.get(key);
    if (!first) this.#byKey.set(key, line);
    else if (!isEqualBytes(first.bytes, line.bytes)) this.#twins.set(lineHash(line.bytes), line);
  }

  has(line: CoreLine): boolean {
    const first = this.#byKey.get(lineKey(line.event));
    if (!first) return false;
    return isEqualBytes(first.bytes, line.bytes) || this.#twins.has(lineHash(line.bytes));
  }

  /** Returns the lines that `others` lacks. */
  without(others: CoreLines): CoreLine[] {
    return [...this].filter((line) => !others.has(line));
  }

  *[Symbol.iterator](): Generator<CoreLine> {
    yield* this.#byKey.values();
    yield* this.#twins.values();
  }
}

/** Copies are parsed in pieces of about this size, so that the host can have its turn. */
const PIECE_BYTES = 256 * 1024;

/** Returns the copied lines of a vault with these ids. */
export async function readCopies(
  copies: Copies,
  ids: Iterable<string>,
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<CoreLines> {
  const found = new CoreLines();
  for (const id of ids) {
    const bytes = await copies.read(id);
    for (let from = 0; from < bytes.length;) {
      await scheduler.yieldIfDue();
      const newline = bytes.indexOf(LF, from + PIECE_BYTES);
      const piece = bytes.subarray(from, newline < 0 ? bytes.length : newline + 1);
      for (const line of parseSegment(piece).lines)
        found.add({ event: line.event, bytes: piece.subarray(line.from, line.to) });
      from += piece.length;
    }
  }
  return found;
}

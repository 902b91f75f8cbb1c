import { versionKey, type LogEvent } from '../../model/event.js';
import { lineKey, type LineStamp } from '../format/line.js';
import { originalHash } from '../format/stub.js';
import {
  forgetKey,
  forgetOf,
  hashOfRange,
  type Forget,
  type ForgottenRange,
} from './forget-event.js';

/** An event with the hash of its line, or for a stub with that of the original. */
export interface HashedLine {
  readonly event: LogEvent;
  readonly hash: string;
}

/** A `log.forget` event with its identity. */
export interface KnownForget {
  readonly key: string;
  readonly event: LogEvent;
  readonly content: Forget;
}

/** The lines that a set of `log.forget` events names. */
export class ForgottenLines {
  readonly #forgets = new Map<string, KnownForget>();
  /** Keys of the events that name a line, by its writer, number and CRC. */
  readonly #keysByLine = new Map<string, string[]>();

  get isEmpty(): boolean {
    return this.#forgets.size === 0;
  }

  get forgets(): readonly KnownForget[] {
    return [...this.#forgets.values()];
  }

  /** Takes in an event of the core lane. Returns its key if it is a `log.forget` and new. */
  add(event: LogEvent): string | undefined {
    if (event.t !== 'log.forget') return undefined; // first, because `d` parses a state's line
    const content = forgetOf(event);
    const key = content && forgetKey(event);
    if (!key || this.#forgets.has(key)) return undefined;
    this.#forgets.set(key, { key, event, content });
    for (const { writer: w, from, crcs } of content.ranges)
      for (const [at, c] of crcs.entries()) {
        const line = lineKey({ w, n: from + at, c });
        if (!this.#keysByLine.get(line)?.push(key)) this.#keysByLine.set(line, [key]);
      }
    return key;
  }

  /** Removes an event, which then forgets nothing. */
  remove(key: string): void {
    this.#forgets.delete(key);
    for (const [line, keys] of this.#keysByLine)
      if (keys.includes(key))
        this.#keysByLine.set(
          line,
          keys.filter((each) => each !== key),
        );
  }

  /** Returns the keys of the events that name a line. */
  keysOf(stamp: LineStamp): readonly string[] {
    return this.#forgets.size === 0 ? [] : (this.#keysByLine.get(lineKey(stamp)) ?? []);
  }

  /** Returns the stubs whose originals fit a range's hash. `lines`: all lines without stubs. */
  provedStubs<L extends HashedLine>(lines: readonly L[], stubs: readonly L[]): Set<L> {
    const proved = new Set<HashedLine>();
    const byNumber = numberedLines([...lines, ...stubs]);
    const ranges = stubs.length > 0 ? this.forgets.flatMap(({ content }) => content.ranges) : [];
    for (const range of ranges)
      for (const line of linesOfRange(range, byNumber) ?? []) proved.add(line);
    return new Set(stubs.filter((stub) => proved.has(stub)));
  }
}

/** Lines and stubs by `versionKey`. */
export type NumberedLines = ReadonlyMap<string, readonly HashedLine[]>;

export function numberedLines(lines: readonly HashedLine[]): NumberedLines {
  const byNumber = new Map<string, HashedLine[]>();
  for (const line of lines) {
    const key = versionKey(line.event);
    const same = byNumber.get(key);
    if (same) same.push(line);
    else byNumber.set(key, [line]);
  }
  return byNumber;
}

/** Returns the chain of lines and stubs that makes up a range; undefined if none has its hash. */
export function linesOfRange(
  range: ForgottenRange,
  byNumber: NumberedLines,
): readonly HashedLine[] | undefined {
  const candidates = candidatesOf(range, byNumber);
  const fits = (run: readonly HashedLine[]) =>
    hashOfRange(run.map((line) => line.hash)) === range.hash;
  for (const end of candidates.at(-1) ?? []) {
    const run = [end];
    for (let at = candidates.length - 2; at >= 0; at--) {
      const { p } = run[0]!.event;
      const before = candidates[at]!.find((line) => line.hash === p);
      if (!before) break;
      run.unshift(before);
    }
    if (run.length === candidates.length && fits(run)) return candidates.flat().filter(isIn(run));
  }
  return undefined;
}

/** Returns true if lines with all numbers and CRCs of a range are here, and have another hash. */
export function isContradicted(range: ForgottenRange, byNumber: NumberedLines): boolean {
  const isHere = candidatesOf(range, byNumber).every((each) => each.length > 0);
  return isHere && linesOfRange(range, byNumber) === undefined;
}

/** Returns, for each number of a range, the lines that may be the one that it names. */
export function candidatesOf(
  { writer: w, from, crcs }: ForgottenRange,
  byNumber: NumberedLines,
): HashedLine[][] {
  return crcs.map((c, at) =>
    (byNumber.get(versionKey({ w, n: from + at })) ?? []).filter(
      ({ event }) => event.c === c || originalHash(event) !== undefined,
    ),
  );
}

/** Returns a filter for lines with the hash and number of one in the run. */
function isIn(run: readonly HashedLine[]): (line: HashedLine) => boolean {
  const known = new Set(run.map(({ event, hash }) => `${event.n} ${hash}`));
  return ({ event, hash }) => known.has(`${event.n} ${hash}`);
}

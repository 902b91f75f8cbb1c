import { versionKey, type LogEvent } from '../../model/event.js';
import { lineKey, type LineStamp } from '../format/line.js';
import { originalHash } from '../format/stub.js';
import { forgetKey, forgetOf } from './forget-event.js';
import type { Forget, ForgottenRange, HashedLine } from './forget-event.js';

/** A `log.forget` event with its identity. */
export interface KnownForget {
  readonly key: string;
  readonly event: LogEvent;
  readonly content: Forget;
}

/** Returns the `lineKey` of each line that an event names. */
export function lineKeysOf({ content }: KnownForget): string[] {
  return content.ranges.flatMap(({ writer: w, from, crcs }) =>
    crcs.map((c, at) => lineKey({ w, n: from + at, c })),
  );
}

/** Returns the `versionKey` of each line that a range names. */
export function numbersOf({ writer: w, from, crcs }: ForgottenRange): string[] {
  return crcs.map((_, at) => versionKey({ w, n: from + at }));
}

/** The lines that a set of `log.forget` events names. */
export class ForgottenLines {
  readonly #forgets = new Map<string, KnownForget>();
  /** Keys of the events that name a line, by its writer, number and CRC. */
  readonly #keysByLine = new Map<string, string[]>();
  /** Changes with the events. */
  version = 0;
  /** `versionKey` of each line that is named; undefined if it has to be collected. */
  #numbers: ReadonlySet<string> | undefined;

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
    const known = this.#forgets.get(key ?? '');
    // of two events with one content, every device counts from the earlier one
    if (known && event.h < known.event.h) {
      this.#forgets.set(known.key, { ...known, event });
      this.version++;
    }
    if (!key || known) return undefined;
    this.#numbers = undefined;
    this.version++;
    const forget = { key, event, content };
    this.#forgets.set(key, forget);
    for (const line of lineKeysOf(forget))
      if (!this.#keysByLine.get(line)?.push(key)) this.#keysByLine.set(line, [key]);
    return key;
  }

  /** Removes an event, which then forgets nothing. */
  remove(key: string): void {
    this.#numbers = undefined;
    this.version++;
    const forget = this.#forgets.get(key);
    for (const line of forget ? lineKeysOf(forget) : [])
      this.#keysByLine.set(
        line,
        this.keysOf(line).filter((each) => each !== key),
      );
    this.#forgets.delete(key);
  }

  /** Returns true if an event names a line with this number. */
  hasNumber(stamp: Pick<LineStamp, 'w' | 'n'>): boolean {
    this.#numbers ??= new Set(
      this.forgets.flatMap(({ content }) => content.ranges.flatMap(numbersOf)),
    );
    return this.#numbers.has(versionKey(stamp));
  }

  /** Returns the keys of the events that name a line. */
  keysOf(line: LineStamp | string): readonly string[] {
    if (this.#forgets.size === 0) return [];
    return this.#keysByLine.get(typeof line === 'string' ? line : lineKey(line)) ?? [];
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

/** Lines and stubs by `versionKey`, and then by hash. */
export type NumberedLines = ReadonlyMap<string, ReadonlyMap<string, readonly HashedLine[]>>;

export function numberedLines(lines: readonly HashedLine[]): NumberedLines {
  const byNumber = new Map<string, Map<string, HashedLine[]>>();
  for (const line of lines) {
    const key = versionKey(line.event);
    const byHash = byNumber.get(key) ?? new Map<string, HashedLine[]>();
    byNumber.set(key, byHash);
    if (!byHash.get(line.hash)?.push(line)) byHash.set(line.hash, [line]);
  }
  return byNumber;
}

/** Returns the lines and stubs that a range's hash proves; undefined unless it proves them all. */
export function linesOfRange(
  { writer: w, from, crcs, hash }: ForgottenRange,
  byNumber: NumberedLines,
): readonly HashedLine[] | undefined {
  const proved: HashedLine[] = [];
  let hashes = new Set([hash]);
  for (let at = crcs.length - 1; at >= 0; at--) {
    const byHash = byNumber.get(versionKey({ w, n: from + at }));
    const found = [...hashes].flatMap((each) => byHash?.get(each) ?? []);
    const whole = found.filter(({ event }) => originalHash(event) === undefined);
    if (found.length === 0 || whole.some(({ event }) => event.c !== crcs[at])) return undefined;
    for (const line of found) proved.push(line);
    // a stub only claims its hash, so the line itself says what came before it
    hashes = new Set((whole.length > 0 ? whole : found).map(({ event }) => event.p));
  }
  return proved;
}

/** Returns true if lines with all numbers and CRCs of a range are here, and have another hash. */
export function isContradicted(range: ForgottenRange, byNumber: NumberedLines): boolean {
  if (linesOfRange(range, byNumber) !== undefined) return false;
  return range.crcs.every((_, at) => !candidatesAt(at, range, byNumber).next().done);
}

/** Returns true if lines are here that have the numbers or CRCs of a range, and not its hash. */
export function isForged(range: ForgottenRange, byNumber: NumberedLines): boolean {
  const proved = new Set(linesOfRange(range, byNumber));
  if (isContradicted(range, byNumber)) return true;
  return range.crcs.some((c, at) => {
    const { writer: w, from } = range;
    const here = [...(byNumber.get(versionKey({ w, n: from + at }))?.values() ?? [])].flat();
    const whole = here.filter(({ event }) => originalHash(event) === undefined);
    const isNamed = whole.some(({ event }) => event.c === c);
    // a stub, whose hash is a claim, may be what was proved
    if (proved.size > 0) return isNamed && !whole.some((line) => proved.has(line));
    return whole.length > 0 && whole.length === here.length && !isNamed;
  });
}

/** Returns true if one of the lines that an event names is here; `kept`: hashes of others. */
export function isHeld(
  { content }: KnownForget,
  byNumber: NumberedLines,
  kept: ReadonlySet<string>,
): boolean {
  for (const range of content.ranges)
    for (const at of range.crcs.keys())
      for (const { event, hash } of candidatesAt(at, range, byNumber))
        if (originalHash(event) === undefined || kept.has(hash)) return true;
  return false;
}

/** Returns the lines that a range's hash proves; if it proves none, those that it may name. */
export function namedLines(range: ForgottenRange, byNumber: NumberedLines): readonly HashedLine[] {
  const proved = linesOfRange(range, byNumber);
  return proved ?? range.crcs.flatMap((_, at) => [...candidatesAt(at, range, byNumber)]);
}

/** Yields the lines that may be the one which a range names in this place. */
function* candidatesAt(
  at: number,
  { writer: w, from, crcs }: ForgottenRange,
  byNumber: NumberedLines,
): Generator<HashedLine> {
  for (const lines of byNumber.get(versionKey({ w, n: from + at }))?.values() ?? [])
    for (const line of lines)
      if (line.event.c === crcs[at] || originalHash(line.event) !== undefined) yield line;
}

import fc from 'fast-check';
import type { Draft, JsonObject, LogEvent } from '../../src/model/event.js';
import { crc32, crcText } from '../../src/platform/crc32.js';
import { joinLines, lineOf, linesOf, WRITER_A, WRITER_B, workspaceDraft } from '../fakes/events.js';

/** Identifies a line. */
export const keyOf = ({ w, n, c }: LogEvent): string => `${w} ${n} ${c}`;

/**
 * Returns an object that would be a valid line on its own. A user can store one as a preference.
 */
export function forgedLine(n: number): JsonObject {
  const { v, w, p, h, t, e, d } = lineOf({
    t: 'ws.new',
    w: 'ffffffffffff',
    n,
    e: 'forged',
    d: workspaceDraft('Forged').d,
  }).event;
  const body = JSON.stringify({ v, w, n, p, h, t, e, d }).slice(0, -1);
  return { v, w, n, p, h, t, e, d, c: crcText(crc32(new TextEncoder().encode(body))) };
}

const HOSTILE: JsonObject[] = [
  { forged: forgedLine(7) },
  { a: { v: 1 }, b: { v: { v: { v: 1 } } } },
  { list: [forgedLine(8), forgedLine(9)] },
  { text: JSON.stringify(forgedLine(3)), end: ',"c":"00000000"}' },
  { '\ufeff': '<<<<<<< HEAD', nul: '\0', line: '\u2028' },
];

const draft: fc.Arbitrary<Draft> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((name) => workspaceDraft(name)),
  fc
    .constantFrom(...HOSTILE)
    .map((preferences) => workspaceDraft('Hostile', 'ws-hostile', { preferences })),
  fc
    .constantFrom(...HOSTILE)
    .map((value): Draft => ({ t: 'set', e: 'ws-hostile', d: { '/preferences/x': [value] } })),
  fc.json({ maxDepth: 2 }).map((value): Draft => ({
    t: 'thing.new',
    e: 'x',
    d: { value: JSON.parse(value) as JsonObject },
  })),
);

export interface Segment {
  readonly lines: { event: LogEvent; bytes: Uint8Array }[];
  readonly bytes: Uint8Array;
}

/** A valid segment. */
export const segment: fc.Arbitrary<Segment> = fc
  .tuple(
    fc.array(draft, { minLength: 1, maxLength: 7 }),
    fc.constantFrom(WRITER_A, WRITER_B),
    fc.integer({ min: 1, max: 99 }),
  )
  .map(([drafts, writer, first]) => {
    const lines = linesOf(drafts, writer, first);
    return { lines, bytes: joinLines(lines) };
  });

const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

/** A kind of damage. `other` is another segment. Positions are fractions of the length. */
type Mutation = (bytes: Uint8Array, other: Uint8Array) => Uint8Array;

function at(bytes: Uint8Array, part: number): number {
  return Math.floor(part * bytes.length);
}

function spliced(bytes: Uint8Array, from: number, to: number, middle: Uint8Array): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, from), ...middle, ...bytes.subarray(to)]);
}

/** Damage that editors, disks and sync services cause, and worse. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, fc.nat(7)).map(([where, bit]): Mutation => (bytes) => {
    const flipped = bytes.slice();
    if (bytes.length > 0) flipped[at(bytes, where)]! ^= 1 << bit;
    return flipped;
  }),
  place.map(
    (to): Mutation =>
      (bytes) =>
        bytes.slice(0, at(bytes, to)),
  ),
  place.map(
    (from): Mutation =>
      (bytes) =>
        bytes.slice(at(bytes, from)),
  ),
  fc.tuple(place, place, place).map(([from, to, into]): Mutation => (bytes) => {
    const piece = bytes.subarray(at(bytes, Math.min(from, to)), at(bytes, Math.max(from, to)));
    return spliced(bytes, at(bytes, into), at(bytes, into), piece);
  }),
  fc.tuple(place, place, place).map(([from, to, into]): Mutation => (bytes, other) => {
    const piece = other.subarray(at(other, Math.min(from, to)), at(other, Math.max(from, to)));
    return spliced(bytes, at(bytes, into), at(bytes, into), piece);
  }),
  fc.tuple(place, place).map(([cut, from]): Mutation => (bytes, other) => {
    return spliced(bytes, at(bytes, cut), bytes.length, other.subarray(at(other, from)));
  }),
  fc.boolean().map(
    (isFirst): Mutation =>
      (bytes, other) =>
        isFirst ? spliced(other, other.length, other.length, bytes) : bytes,
  ),
  fc.constant<Mutation>((bytes) => spliced(bytes, bytes.length, bytes.length, bytes)),
  fc.tuple(place, place, fc.boolean()).map(([from, to, isUpper]): Mutation => (bytes) => {
    const [start, end] = [at(bytes, Math.min(from, to)), at(bytes, Math.max(from, to))];
    const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
    return spliced(
      bytes,
      start,
      end,
      Buffer.from(isUpper ? text.toUpperCase() : text.toLowerCase(), 'latin1'),
    );
  }),
  fc.tuple(place, fc.uint8Array({ maxLength: 30 })).map(([where, noise]): Mutation => (bytes) => {
    return spliced(
      bytes,
      at(bytes, where),
      Math.min(bytes.length, at(bytes, where) + noise.length),
      noise,
    );
  }),
  fc
    .constantFrom('\0\0\0', '\n', '\r\n', '{"v":', '}', '"', ',"c":"', '\ufeff', '<<<<<<< HEAD\n')
    .chain((text) =>
      place.map(
        (where): Mutation =>
          (bytes) =>
            spliced(bytes, at(bytes, where), at(bytes, where), new TextEncoder().encode(text)),
      ),
    ),
  fc.constant<Mutation>((bytes) =>
    Uint8Array.from([0xff, 0xfe, ...Buffer.from(Buffer.from(bytes).toString('utf8'), 'utf16le')]),
  ),
);

import type { LogEvent } from '../../model/event.js';
import type { Holding, Holdings } from '../read/writer-index.js';

/** How many events, and a sum over them that is the same in any order: 16 hex digits. No proof against malice, but against chance. */
export interface EventSum {
  readonly count: number;
  readonly sum: string;
}

/** Adds up events, one at a time. */
export interface Adder {
  add(writer: string, n: number, c: string): void;
  total(): EventSum;
}

export function createAdder(): Adder {
  let count = 0;
  let [high, low] = [0, 0];
  let last = { writer: '', high: 0, low: 0 };
  return {
    add(writer, n, c) {
      if (writer !== last.writer)
        last = { writer, high: hashOf(writer, 0x811c9dc5), low: hashOf(writer, 0x2f0b4f2d) };
      const crc = parseInt(c, 16);
      const number = mix(n);
      high = (high + mix(last.high ^ number ^ crc)) | 0;
      low = (low + mix((last.low + number) ^ Math.imul(crc, 0x9e3779b1))) | 0;
      count++;
    },
    total: () => ({ count, sum: hex(high) + hex(low) }),
  };
}

/** What is held of the core lane, one writer aside. What was added up once is not added up again. */
export function createCoreSum(holdings: Holdings): (except: string | undefined) => EventSum {
  const added = new Map<string, { upTo: number; adder: Adder }>();

  function sumOf(writer: string, { crcs, beyond, forks }: Holding): EventSum[] {
    const known = added.get(writer) ?? { upTo: 0, adder: createAdder() };
    added.set(writer, known);
    for (; known.upTo < crcs.length; known.upTo++)
      known.adder.add(writer, known.upTo + 1, crcs[known.upTo]!);
    const loose = createAdder();
    for (const [n, c] of beyond) loose.add(writer, n, c);
    for (const fork of forks) loose.add(writer, Number(fork.split(' ')[0]), fork.split(' ')[1]!);
    return [known.adder.total(), loose.total()];
  }

  return (except) => {
    const counted = [...holdings].filter(
      ([writer, { lane }]) => lane === 'core' && writer !== except,
    );
    return counted
      .flatMap(([writer, holding]) => sumOf(writer, holding))
      .reduce(plus, createAdder().total());
  };
}

/** The sum that a mark tells of; undefined where it tells of none. */
export function sumIn({ d }: LogEvent): EventSum | undefined {
  const told = d['core'];
  if (typeof told !== 'object' || told === null || Array.isArray(told)) return undefined;
  const { count, sum } = told;
  return typeof count === 'number' && typeof sum === 'string' ? { count, sum } : undefined;
}

function plus(a: EventSum, b: EventSum): EventSum {
  const half = (at: number) =>
    hex((parseInt(a.sum.slice(at, at + 8), 16) + parseInt(b.sum.slice(at, at + 8), 16)) | 0);
  return { count: a.count + b.count, sum: half(0) + half(8) };
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

/** FNV-1a over the UTF-16 code units, from another start. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** The last step of MurmurHash3: each bit of the answer hangs on each bit of the word. */
function mix(word: number): number {
  let bits = word | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

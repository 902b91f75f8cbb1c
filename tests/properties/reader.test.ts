import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LaneReader } from '../../src/storage/read/reader.js';
import { parseSegment, toUtf8, type ParsedSegment } from '../../src/storage/format/segment.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { lineOf } from '../fakes/events.js';
import { forgedLine, keyOf, mutation, segment } from './segments.js';
import { runs } from './runs.js';

function readRaw(raw: Uint8Array): ParsedSegment {
  return parseSegment(toUtf8(raw));
}

function keysIn({ lines }: ParsedSegment): Set<string> {
  return new Set(lines.map(({ event }) => keyOf(event)));
}

describe('invariant 8: the reader', () => {
  it('never throws, and finds no line in random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (raw) => {
        expect(readRaw(raw).lines).toEqual([]);
      }),
      runs(),
    );
  });

  it('accepts only lines that were written, from any damaged file', () => {
    fc.assert(
      fc.property(
        segment,
        segment,
        fc.array(mutation, { minLength: 1, maxLength: 5 }),
        (one, other, mutations) => {
          const written = new Set([...one.lines, ...other.lines].map(({ event }) => keyOf(event)));
          const raw = mutations.reduce((bytes, mutate) => mutate(bytes, other.bytes), one.bytes);
          const invented = [...keysIn(readRaw(raw))].filter((key) => !written.has(key));
          expect(invented).toEqual([]);
        },
      ),
      runs(),
    );
  });

  it('loses at most two lines per damaged byte', () => {
    const damage = fc.tuple(
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.nat(255),
    );
    const header = fc.constantFrom<number[]>([], [0xff, 0xfe], [0xfe, 0xff]);
    fc.assert(
      fc.property(
        segment,
        header,
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        ({ lines, bytes }, first, damages) => {
          const raw = bytes.slice();
          raw.set(first);
          for (const [where, byte] of damages) raw[Math.floor(where * raw.length)] = byte;
          const found = keysIn(readRaw(raw));
          const lost = lines.filter(({ event }) => !found.has(keyOf(event)));
          expect(lost.length).toBeLessThanOrEqual(2 * (first.length + damages.length));
        },
      ),
      runs(),
    );
  });

  it('loses no complete line that follows a torn one', () => {
    fc.assert(
      fc.property(
        segment,
        segment,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (torn, whole, part) => {
          const first = torn.lines[0]!.bytes;
          const raw = Uint8Array.from([
            ...first.subarray(0, Math.floor(part * (first.length - 1))),
            ...whole.bytes,
          ]);
          const found = keysIn(readRaw(raw));
          expect(whole.lines.filter(({ event }) => !found.has(keyOf(event)))).toEqual([]);
        },
      ),
      runs(),
    );
  });

  it('misses nothing in a damaged file that arrives in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        segment,
        segment,
        fc.array(mutation, { maxLength: 4 }),
        fc.array(fc.nat(2000)),
        async (one, other, mutations, cuts) => {
          const raw = mutations.reduce((bytes, mutate) => mutate(bytes, other.bytes), one.bytes);
          const files = createMemoryFiles();
          const reader = new LaneReader(files, 'S', 'core', new Map());
          const held = new Set<string>();
          for (const to of [...cuts.sort((a, b) => a - b), raw.length]) {
            files.put('S/core/a.jsonl', raw.slice(0, to));
            for (const { event } of await reader.scan()) held.add(keyOf(event));
          }
          expect([...keysIn(readRaw(raw))].filter((key) => !held.has(key))).toEqual([]);
          expect(reader.problems().get('S/core/a.jsonl')).toEqual(readRaw(raw).problems);
        },
      ),
      runs(0.5),
    );
  });
});

/**
 * Counts the bytes that JSON parsing, UTF-8 decoding and searching process. CRCs add at most one
 * more pass.
 */
function watchWork(): () => number {
  let work = 0;
  const parse = JSON.parse.bind(JSON);
  vi.spyOn(JSON, 'parse').mockImplementation((text: string) => {
    work += text.length;
    return parse(text) as unknown;
  });
  const decoder = Object.getOwnPropertyDescriptor(TextDecoder.prototype, 'decode')!.value as (
    this: TextDecoder,
    bytes: unknown,
  ) => string;
  vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(function (this: TextDecoder, bytes) {
    work += bytes?.byteLength ?? 0;
    return decoder.call(this, bytes);
  });
  vi.spyOn(Uint8Array.prototype, 'indexOf').mockImplementation(function (
    this: Uint8Array,
    byte: number,
    from = 0,
  ) {
    const found = Buffer.from(this.buffer, this.byteOffset, this.length).indexOf(byte, from);
    work += (found < 0 ? this.length : found + 1) - from;
    return found;
  });
  return () => work;
}

afterEach(() => vi.restoreAllMocks());

describe('the reader takes linear time', () => {
  const line = new TextDecoder()
    .decode(lineOf({ t: 'set', e: 'x', d: { '/preferences/a': [forgedLine(1)] } }).bytes)
    .trimEnd();
  const patterns = [
    '{',
    '}',
    '"',
    '\n',
    '\0',
    '{"v":',
    '"}',
    ',"c":"00000000"}',
    '{"v":,"c":"00000000"}',
    '{"v":1,"c":"00000000"}\n',
    '\ufeff',
    line,
    `${line}\n`,
    line.slice(0, 60),
    `${line.slice(0, -3)}x"}`,
    `{"v":${line}`,
    '{"v":{"v":{"v":',
  ];

  it.each(patterns)('for a file full of %j', (pattern) => {
    const workFor = (length: number) => {
      const bytes = new TextEncoder().encode(
        pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length),
      );
      const work = watchWork();
      parseSegment(bytes);
      vi.restoreAllMocks();
      return work();
    };
    const [short, long] = [workFor(20_000), workFor(160_000)];
    expect(long).toBeLessThan(12 * short + 20_000);
    expect(long).toBeLessThan(40 * 160_000);
  });

  it('for any mixture of these patterns', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...patterns), fc.nat(40)), { maxLength: 12 }),
        (parts) => {
          const bytes = new TextEncoder().encode(
            parts.map(([text, times]) => text.repeat(times)).join(''),
          );
          const work = watchWork();
          parseSegment(bytes);
          vi.restoreAllMocks();
          expect(work()).toBeLessThan(40 * bytes.length + 2000);
        },
      ),
      runs(0.2),
    );
  });
});

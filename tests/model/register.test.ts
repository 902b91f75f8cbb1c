import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REPLACES_KEY, type LogEvent } from '../../src/model/event.js';
import { emptyMemory, entityOf, fold } from '../../src/model/memory.js';
import { mapGet } from '../../src/model/persistent-map.js';
import { clockText, eventOf } from '../fakes/events.js';

const WRITERS = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'];

/**
 * `set` events at one path. Each may name any of the others as replaced, also in a circle, as
 * forged lines could.
 */
const versions = fc
  .array(
    fc.record({
      writer: fc.nat({ max: WRITERS.length - 1 }),
      minute: fc.nat({ max: 5 }),
      replaces: fc.array(fc.nat({ max: 7 }), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((seeds) => {
    const keys = seeds.map(({ writer }, at) => `${WRITERS[writer]}:${at + 1}`);
    return seeds.map(({ writer, minute, replaces }, at) =>
      eventOf({
        t: 'set',
        e: 'one',
        w: WRITERS[writer]!,
        n: at + 1,
        h: clockText(minute),
        d: { '/purpose': at, [REPLACES_KEY]: replaces.flatMap((to) => keys[to] ?? []) },
      }),
    );
  });

function purposeAfter(events: readonly LogEvent[]): unknown {
  const memory = fold(emptyMemory, events);
  return mapGet(entityOf(memory, 'one').registers, '/purpose')?.value;
}

describe('a register', () => {
  it('has the latest unreplaced version, for any order and repetition', () => {
    fc.assert(
      fc.property(
        versions.chain((events) =>
          fc.tuple(
            fc.constant(events),
            fc.array(fc.constantFrom(...events), { maxLength: 8 }),
            fc.shuffledSubarray(events, { minLength: events.length }),
          ),
        ),
        ([events, repeated, shuffled]) => {
          const replaced = new Set(events.flatMap(({ d }) => d[REPLACES_KEY] as string[]));
          const current = events.filter(({ w, n }) => !replaced.has(`${w}:${n}`));
          const latest = (current.length > 0 ? current : [...events]).sort((a, b) =>
            `${a.h} ${a.w} ${a.n}` < `${b.h} ${b.w} ${b.n}` ? 1 : -1,
          )[0]!;
          const expected = latest.d['/purpose'];
          expect(purposeAfter([...repeated, ...shuffled])).toBe(expected);
          expect(purposeAfter([...shuffled, ...repeated])).toBe(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('adds versions that replace nothing in time that hardly depends on their number', () => {
    const concurrent = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        eventOf({
          t: 'set',
          e: 'one',
          n: at + 1,
          h: clockText((at * 7919) % count),
          d: { '/purpose': at },
        }),
      );
    const cpuMs = (count: number) => {
      const events = concurrent(count);
      const before = process.cpuUsage();
      fold(emptyMemory, events);
      return process.cpuUsage(before).user / 1000;
    };
    cpuMs(1000);
    // four times as many took sixteen times as long, and 20,000 took 55 s
    const growth = () => cpuMs(16_000) / cpuMs(4000);
    expect(growth() < 10 || growth() < 10 || growth() < 10).toBe(true);
    const rivals = mapGet(
      entityOf(fold(emptyMemory, concurrent(300)), 'one').registers,
      '/purpose',
    )?.rivals;
    expect(rivals).toHaveLength(299);
  });
});

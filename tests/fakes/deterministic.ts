import type { Clock } from '../../src/platform/clock.js';
import type { Identities, WriterRecord } from '../../src/storage/write/writer-identity.js';
import type { Random } from '../../src/platform/random.js';
import type { LaneName } from '../../src/storage/format/lanes.js';

export interface TestClock extends Clock {
  /** Advances the time and runs due timers. */
  advance(ms: number): void;
  set(time: number): void;
}

export const START_TIME = Date.UTC(2026, 10, 20, 9);

/** A clock that only moves when it is told to. */
export function createTestClock(start = START_TIME): TestClock {
  let time = start;
  const tasks = new Set<{ at: number; task: () => void }>();
  return {
    now: () => time,
    after(ms, task) {
      const due = { at: time + ms, task };
      tasks.add(due);
      return () => void tasks.delete(due);
    },
    advance(ms) {
      time += ms;
      for (const due of [...tasks].filter(({ at }) => at <= time)) {
        tasks.delete(due);
        due.task();
      }
    },
    set: (to) => void (time = to),
  };
}

/** Returns a generator of bytes determined by the seed (mulberry32). */
export function createTestRandom(seed = 1): Random {
  let state = seed >>> 0;
  const nextByte = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) & 255;
  };
  return { bytes: (count) => Uint8Array.from({ length: count }, nextByte) };
}

/** An in-memory implementation of `Identities`. Each simulated device has its own. */
export function createMemoryIdentities(): Identities & { records: Map<LaneName, WriterRecord[]> } {
  const records = new Map<LaneName, WriterRecord[]>();
  return {
    records,
    acquire: (lane) => Promise.resolve(records.get(lane)?.pop()),
    release(lane, record) {
      records.set(lane, [...(records.get(lane) ?? []), record]);
      return Promise.resolve();
    },
  };
}

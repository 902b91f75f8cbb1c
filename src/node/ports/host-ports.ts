import type { Clock } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import type { NodeModules } from '../modules.js';

/** Returns the system clock, whose timers do not keep the process alive. */
export function createNodeClock(timers: NodeModules['timers']): Clock {
  return {
    now: () => Date.now(),
    after(ms, task) {
      const timer = timers.setTimeout(task, ms).unref();
      return () => timers.clearTimeout(timer);
    },
  };
}

/** Bytes requested per system call, which takes as long for a few bytes. */
const RANDOM_POOL_BYTES = 4096;

export function createNodeRandom(crypto: NodeModules['crypto']): Random {
  let pool = new Uint8Array();
  return {
    bytes(count) {
      if (pool.length < count)
        pool = new Uint8Array(crypto.randomBytes(Math.max(count, RANDOM_POOL_BYTES)));
      const bytes = pool.slice(0, count);
      pool = pool.subarray(count);
      return bytes;
    },
  };
}

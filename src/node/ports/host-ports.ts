import type { Clock } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import type { NodeModules } from '../modules.js';

/** The machine's clock; its timers keep no process alive. */
export function createNodeClock(timers: NodeModules['timers']): Clock {
  return {
    now: () => Date.now(),
    after(ms, task) {
      const timer = timers.setTimeout(task, ms).unref();
      return () => timers.clearTimeout(timer);
    },
  };
}

/** So many bytes are fetched at a time: to ask for a few takes as long as to ask for all of these. */
const POOL = 4096;

export function createNodeRandom(crypto: NodeModules['crypto']): Random {
  let pool = new Uint8Array();
  return {
    bytes(count) {
      if (pool.length < count) pool = new Uint8Array(crypto.randomBytes(Math.max(count, POOL)));
      const given = pool.slice(0, count);
      pool = pool.subarray(count);
      return given;
    },
  };
}

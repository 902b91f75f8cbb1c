import type { Clock } from '../storage/clock.js';
import type { Random } from '../storage/ids.js';
import type { NodeModules } from './modules.js';

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

export function createNodeRandom(crypto: NodeModules['crypto']): Random {
  return { bytes: (count) => new Uint8Array(crypto.randomBytes(count)) };
}

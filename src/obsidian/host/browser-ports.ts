import type { Clock } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';

/** The clock of the app's main window, whose timers end with it. */
export function createWindowClock(): Clock {
  return {
    now: () => Date.now(),
    after(ms, task) {
      const timer = window.setTimeout(task, ms);
      return () => window.clearTimeout(timer);
    },
  };
}

export function createWindowRandom(): Random {
  return { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) };
}

/** Lets the window paint and hear its keys: resolves in a later task. */
export function yieldToHost(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined); // a timer would wait longer each time it is set from a timer
  });
}

/** At the latest after so many milliseconds, work goes on though the window is busy. */
const IDLE_LIMIT = 500;

/** As `yieldToHost`, for work that nobody waits for: resolves when the window has nothing else to do. */
export function yieldWhenIdle(): Promise<void> {
  if (!('requestIdleCallback' in window)) return yieldToHost(); // Apple's web view has none
  return new Promise((resolve) =>
    window.requestIdleCallback(() => resolve(), { timeout: IDLE_LIMIT }),
  );
}

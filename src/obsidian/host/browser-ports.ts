import type { Clock } from '../../platform/clock.js';
import type { Random } from '../../platform/random.js';
import type { RandomAccess } from '../../transfer/import-source.js';

/** Returns a clock whose timers end with the app's main window. */
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

/** Returns the locks of all windows; undefined where the app's address does not count as secure. */
export function windowLocks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

/** Lets the window paint and handle input. Resolves in a later task. */
export function yieldToHost(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined); // a timer would not do, because browsers delay nested ones
  });
}

/** Time after which work continues even if the window is busy. */
const IDLE_TIMEOUT_MS = 500;

/** Like `yieldToHost`, but resolves when the window is idle. For background work. */
export function yieldWhenIdle(): Promise<void> {
  // WebKit does not support it, and a hidden window is hardly ever idle
  if (document.hidden || !('requestIdleCallback' in window)) return yieldToHost();
  return new Promise((resolve) =>
    window.requestIdleCallback(() => resolve(), { timeout: IDLE_TIMEOUT_MS }),
  );
}

/** Reads a file that the user has chosen. */
export function accessTo(file: File): RandomAccess {
  return {
    size: file.size,
    read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
  };
}

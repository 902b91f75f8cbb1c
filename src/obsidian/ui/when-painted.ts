import { yieldToHost } from '../host/browser-ports.js';

/** Time after which a change counts as painted in a window that is not painting or was closed. */
const PAINT_TIMEOUT_MS = 100;

/** Resolves once pending changes to the page have been painted in the window in use. */
export function whenPainted(): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, PAINT_TIMEOUT_MS);
    const used = activeWindow;
    used.requestAnimationFrame(() => {
      window.clearTimeout(timer);
      void yieldToHost().then(resolve);
    });
  });
}

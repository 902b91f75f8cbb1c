/** A hidden window does not paint, so the wait is limited. */
const PAINT_TIMEOUT_MS = 100;

/** Resolves once pending changes to the page have been painted. */
export function whenPainted(): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, PAINT_TIMEOUT_MS);
    window.requestAnimationFrame(() => {
      window.clearTimeout(timer);
      window.setTimeout(resolve);
    });
  });
}

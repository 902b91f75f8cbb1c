/** A window that is not seen paints nothing: it is not waited for longer than this many milliseconds. */
const LONGEST = 100;

/** Resolves once what has been shown is on the screen. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    const timer = window.setTimeout(resolve, LONGEST);
    window.requestAnimationFrame(() => {
      window.clearTimeout(timer);
      window.setTimeout(resolve);
    });
  });
}

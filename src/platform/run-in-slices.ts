import type { Pause } from './scheduler.js';

/** Takes all steps of a task, with the host's turns between them. */
export async function inSlices<T>(
  steps: Generator<undefined, T>,
  pause: Pause | undefined,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    while (pause?.isDue()) await pause.take();
  }
}

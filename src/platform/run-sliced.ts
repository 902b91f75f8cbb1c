import type { Scheduler } from './scheduler.js';

export interface SliceOptions {
  readonly scheduler: Scheduler;
  /** Stops the run between two steps by rejecting with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Returns a generator's result. Between its steps, yields to the host when due. */
export async function runSliced<T>(
  steps: Generator<undefined, T>,
  { scheduler, signal }: SliceOptions,
): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (scheduler.isDue) await scheduler.yieldIfDue();
    signal?.throwIfAborted();
  }
}

/** Returns a generator's result without pausing. */
export function runToEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

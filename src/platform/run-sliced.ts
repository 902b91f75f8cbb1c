import type { Scheduler } from './scheduler.js';

export interface SliceOptions {
  readonly scheduler: Scheduler;
  /** Stops the run between two steps; the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a generator to its end. Between its steps, yields to the host when due. Resolves to what the
 * generator returns.
 */
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

/** Runs a generator to its end without pausing; returns its result. */
export function runToEnd<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

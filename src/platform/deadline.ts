import type { Clock } from './clock.js';

export interface DeadlineOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** Milliseconds until the deadline; `Infinity` for none. */
  readonly ms: number;
  /** Aborts the task earlier. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs `task` with a signal, which it must observe: this promise settles only as `task` does. */
export async function withDeadline<T>(
  task: (signal: AbortSignal) => Promise<T>,
  { clock, ms, signal }: DeadlineOptions,
): Promise<T> {
  const deadline = new AbortController();
  const abort = () => deadline.abort();
  const cancel = ms === Infinity ? undefined : clock.after(ms, abort);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    return await task(deadline.signal);
  } finally {
    cancel?.();
    signal?.removeEventListener('abort', abort);
  }
}

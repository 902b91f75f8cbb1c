import type { Clock } from './clock.js';

/**
 * What comes between two pieces of work: `while (pause.isDue()) await pause.take();` and then the work, at once. Those who have
 * waited together wake up in one task, and each must look again.
 */
export interface Pause {
  isDue(): boolean;
  /** Resolves when the host has had its turn. */
  take(): Promise<void>;
}

/** With one piece of work on top, a task stays within the 16 ms of a frame. */
const WORK_MS = 8;

/** A pause that is due once more than `workMs` have gone since the last, and calls `breathe`; undefined where there is nobody to let breathe. */
export function createPause(
  clock: Pick<Clock, 'now'>,
  breathe: (() => Promise<void>) | undefined,
  workMs = WORK_MS,
): Pause | undefined {
  if (!breathe) return undefined;
  let since = clock.now();
  let pausing: Promise<void> | undefined;

  async function rest(task: () => Promise<void>): Promise<void> {
    await task().catch(() => undefined); // what a host cannot do for its page must not stop the reading
    since = clock.now();
    pausing = undefined;
  }

  return {
    isDue: () => pausing !== undefined || isOver(clock.now() - since, workMs),
    take: () => (pausing ??= rest(breathe)),
  };
}

/** A clock may also be set back. */
function isOver(ms: number, workMs: number): boolean {
  return ms > workMs || ms < 0;
}

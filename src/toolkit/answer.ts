import type { Json } from '../model/event.js';
import { Refusal } from '../model/refusal.js';

/** The result of a tool call. `indexState` and `notice` are present only when needed. */
export type Answer = Success | Failure;

export interface Success {
  readonly success: true;
  readonly data?: unknown;
  readonly indexState?: Json;
  readonly notice?: string;
}

export interface Failure {
  readonly success: false;
  /** A sentence that says what is wrong, then one that says what to do next. */
  readonly error?: string;
  /** The results of several calls, at least one of which failed. */
  readonly data?: unknown;
  readonly notice?: string;
}

export function succeed(data?: unknown): Success {
  return data === undefined ? { success: true } : { success: true, data };
}

/**
 * Runs the task and never rejects. A `Refusal` becomes a failure with its text; any other error is a bug, which is passed to `report`
 * and answered without its text.
 */
export async function settle(
  task: () => Promise<Answer>,
  report: (error: unknown) => void,
): Promise<Answer> {
  try {
    return await task();
  } catch (error) {
    if (error instanceof Refusal) return { success: false, error: error.message };
    report(error);
    return {
      success: false,
      error:
        "Something went wrong in Savepoint. Try again; if it keeps happening, report it with this program's log.",
    };
  }
}

import type { Json } from '../model/event.js';
import { Refusal } from '../model/refusal.js';

/** What every tool answers. `indexState` and `notice` appear only when they have something to say. */
export type Answer = Success | Failure;

export interface Success {
  readonly success: true;
  readonly data?: unknown;
  readonly indexState?: Json;
  readonly notice?: string;
}

export interface Failure {
  readonly success: false;
  /** What is wrong, then what to do next. */
  readonly error?: string;
  /** The results of several calls of which at least one failed. */
  readonly data?: unknown;
  readonly notice?: string;
}

export function succeed(data?: unknown): Success {
  return data === undefined ? { success: true } : { success: true, data };
}

/** Runs the task; a `Refusal` becomes a lean failure, anything else is a bug: reported once, and told without its text. */
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
        'Savepoint ran into a fault of its own. Try again; if it stays, report it with the log of this program.',
    };
  }
}

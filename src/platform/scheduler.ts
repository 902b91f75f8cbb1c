import type { Clock } from './clock.js';

/**
 * Milliseconds of work per slice, short enough that a task with one more piece of work fits into a
 * 16 ms frame.
 */
export const SLICE_MS = 8;

/**
 * Microtasks to wait after resuming a caller. The caller may await through two functions before it
 * does its work.
 */
const RESUME_TICKS = 3;

const RESOLVED = Promise.resolve();

/**
 * Splits long work into slices and yields to the host between them. Await `yieldIfDue` before each
 * piece of work, and then do that piece synchronously. Callers that wait for the same yield are
 * resumed one by one, so that they do not form one long task together.
 */
export class Scheduler {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #yieldToHost: (() => Promise<void>) | undefined;
  readonly #sliceMs: number;
  readonly #waiting: (() => void)[] = [];
  #sliceStart: number;
  #isHostTurn = false;
  #isResuming = false;

  /**
   * @param yieldToHost Resolves once the host has run its own tasks. Without it, the scheduler is
   * never due.
   * @param sliceMs Milliseconds of work after which a yield is due.
   */
  constructor(
    clock: Pick<Clock, 'now'>,
    yieldToHost: (() => Promise<void>) | undefined,
    sliceMs = SLICE_MS,
  ) {
    this.#clock = clock;
    this.#yieldToHost = yieldToHost;
    this.#sliceMs = sliceMs;
    this.#sliceStart = yieldToHost ? clock.now() : 0;
  }

  /**
   * True from the end of a slice until the host has run its tasks. Hot loops check this before they
   * await `yieldIfDue`. If many callers run in parallel, each checks it again afterwards, so that
   * nothing runs between the check and its work.
   */
  get isDue(): boolean {
    return this.#yieldToHost !== undefined && (this.#isHostTurn || this.#isSliceOver());
  }

  /** Yields to the host if a yield is due; otherwise resolves at once. */
  yieldIfDue(): Promise<void> {
    return this.isDue ? this.yieldNow() : RESOLVED;
  }

  /** Yields to the host now; resolves at once without a host. */
  yieldNow(): Promise<void> {
    const yieldToHost = this.#yieldToHost;
    if (!yieldToHost) return RESOLVED;
    if (!this.#isHostTurn) this.#sliceStart = -Infinity;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isResuming) void this.#resumeWaiting(yieldToHost);
    });
  }

  async #resumeWaiting(yieldToHost: () => Promise<void>): Promise<void> {
    this.#isResuming = true;
    while (this.#waiting.length > 0) {
      this.#isHostTurn = true;
      await yieldToHost().catch(() => undefined); // a failing host must not stop the work
      this.#isHostTurn = false;
      this.#sliceStart = this.#clock.now();
      do {
        this.#waiting.shift()?.();
        for (let tick = 0; tick < RESUME_TICKS; tick++) await RESOLVED;
      } while (this.#waiting.length > 0 && !this.#isSliceOver());
    }
    this.#isResuming = false;
  }

  /** Returns true if the slice's time is used up, or if the clock was set back. */
  #isSliceOver(): boolean {
    const ms = this.#clock.now() - this.#sliceStart;
    return ms > this.#sliceMs || ms < 0;
  }
}

/** A scheduler that is never due, for a program without a host to yield to. */
export const NOOP_SCHEDULER = new Scheduler({ now: () => 0 }, undefined);

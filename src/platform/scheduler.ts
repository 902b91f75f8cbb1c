import type { Clock } from './clock.js';

/** Short enough that one more piece of work still fits into a 16 ms frame. */
const SLICE_MS = 8;

/** Microtasks after resuming a caller, which may await through two functions before its work. */
const RESUME_TICKS = 3;

const RESOLVED = Promise.resolve();

/**
 * Yields to the host between slices of long work. Await `yieldIfDue`, then work synchronously.
 * Callers that wait for the same yield are resumed one by one, so as not to form one long task.
 */
export class Scheduler {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #yieldToHost: (() => Promise<void>) | undefined;
  readonly #sliceMs: number;
  readonly #waiting: (() => void)[] = [];
  #sliceStart: number;
  #isHostTurn = false;
  #isResuming = false;

  /** @param yieldToHost Resolves once the host has run its own tasks; without it, never due. */
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
   * True from the end of a slice until the host has run its tasks. Hot loops check this before
   * they await `yieldIfDue`; parallel callers check again afterwards, right before their work.
   */
  get isDue(): boolean {
    return this.#yieldToHost !== undefined && (this.#isHostTurn || this.#isSliceOver());
  }

  yieldIfDue(): Promise<void> {
    return this.isDue ? this.yieldNow() : RESOLVED;
  }

  /** Resolves at once without a host. */
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

/** Never due, for a program without a host to yield to. */
export const NOOP_SCHEDULER = new Scheduler({ now: () => 0 }, undefined);

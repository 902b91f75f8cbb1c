import type { Clock } from './clock.js';

/** With one more piece of work on top, a task stays within the 16 ms of a frame. */
const SLICE_MS = 8;

/** Microtasks that pass until a caller which awaits through two functions has done its work. */
const RESUME_TICKS = 3;

const RESOLVED = Promise.resolve();

/**
 * Splits long work into slices and gives the host its turn between them: await `yieldIfDue` before each piece of work, and do that
 * piece at once. Callers that wait for the same turn are resumed one by one, so that their work together does not fill a task.
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
   * @param yieldToHost Resolves when the host has had its turn. Without it the scheduler is never due.
   * @param sliceMs Milliseconds of work after which the host has its turn.
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
   * True once the slice is used up, until the host has had its turn. A hot loop asks before it awaits `yieldIfDue`; one of many
   * parallel callers asks again afterwards, so that nothing comes between the check and its work.
   */
  get isDue(): boolean {
    return this.#yieldToHost !== undefined && (this.#isHostTurn || this.#isSliceOver());
  }

  /** Resolves when the host has had its turn if one is due, else at once. */
  yieldIfDue(): Promise<void> {
    return this.isDue ? this.yieldNow() : RESOLVED;
  }

  /** Resolves when the host has had its turn; at once without a host. */
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
      await yieldToHost().catch(() => undefined); // a host that cannot take its turn must not stop the work
      this.#isHostTurn = false;
      this.#sliceStart = this.#clock.now();
      do {
        this.#waiting.shift()?.();
        for (let tick = 0; tick < RESUME_TICKS; tick++) await RESOLVED;
      } while (this.#waiting.length > 0 && !this.#isSliceOver());
    }
    this.#isResuming = false;
  }

  /** A clock may also be set back. */
  #isSliceOver(): boolean {
    const ms = this.#clock.now() - this.#sliceStart;
    return ms > this.#sliceMs || ms < 0;
  }
}

/** Never due: for work in a program without a host to yield to. */
export const NOOP_SCHEDULER = new Scheduler({ now: () => 0 }, undefined);

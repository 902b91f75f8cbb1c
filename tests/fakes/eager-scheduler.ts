import { Scheduler } from '../../src/platform/scheduler.js';

/** A scheduler that is always due, except at the first check after a turn. */
class EagerScheduler extends Scheduler {
  turns = 0;
  #isAfterTurn = false;
  readonly #onTurn: () => void;

  constructor(onTurn: () => void) {
    super({ now: () => 0 }, () => Promise.resolve());
    this.#onTurn = onTurn;
  }

  override get isDue(): boolean {
    const isDue = !this.#isAfterTurn;
    this.#isAfterTurn = false;
    return isDue;
  }

  override yieldIfDue(): Promise<void> {
    this.turns++;
    this.#isAfterTurn = true;
    this.#onTurn();
    return Promise.resolve();
  }
}

/** Returns a scheduler that yields as often as possible, and the number of turns so far. */
export function createEagerScheduler(onTurn: () => void = () => undefined) {
  const scheduler = new EagerScheduler(onTurn);
  return { scheduler, turns: () => scheduler.turns };
}

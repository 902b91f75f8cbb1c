import { Scheduler } from '../../src/platform/scheduler.js';

/** Is due whenever it is asked, except for the first time after a turn. */
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

/** Returns a scheduler that yields as often as it can, and the number of turns that the host has had. */
export function createEagerScheduler(onTurn: () => void = () => undefined) {
  const scheduler = new EagerScheduler(onTurn);
  return { scheduler, turns: () => scheduler.turns };
}

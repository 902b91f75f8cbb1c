import { Scheduler } from '../../src/platform/scheduler.js';

/** A scheduler that is due whenever it is asked, and counts the turns that the host has had. */
export function createEagerScheduler(onTurn?: () => void) {
  let now = 0;
  let turns = 0;
  const scheduler = new Scheduler({ now: () => (now += 1000) }, () => {
    turns++;
    onTurn?.();
    return Promise.resolve();
  });
  return { scheduler, turns: () => turns };
}

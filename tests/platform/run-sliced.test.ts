import { describe, expect, it } from 'vitest';
import { runSliced } from '../../src/platform/run-sliced.js';
import { NOOP_SCHEDULER, Scheduler } from '../../src/platform/scheduler.js';
import { createTestClock } from '../fakes/deterministic.js';

function* countTo(limit: number, onStep?: (step: number) => void): Generator<undefined, string> {
  for (let step = 1; step <= limit; step++) {
    onStep?.(step);
    yield;
  }
  return `counted to ${limit}`;
}

describe('runSliced', () => {
  it('returns the result of the generator', async () => {
    expect(await runSliced(countTo(3), { scheduler: NOOP_SCHEDULER })).toBe('counted to 3');
  });

  it('yields to the host after each step if a turn is due', async () => {
    const clock = createTestClock();
    let turns = 0;
    const scheduler = new Scheduler(clock, () => Promise.resolve(void turns++));
    await runSliced(
      countTo(3, () => clock.advance(9)),
      { scheduler },
    );
    expect(turns).toBe(3);
  });

  it('rejects with the reason of its signal between two steps', async () => {
    const stop = new AbortController();
    const steps: number[] = [];
    const counting = countTo(3, (step) => {
      steps.push(step);
      if (step === 2) stop.abort(new Error('superseded'));
    });
    const running = runSliced(counting, { scheduler: NOOP_SCHEDULER, signal: stop.signal });
    await expect(running).rejects.toThrow('superseded');
    expect(steps).toEqual([1, 2]);
  });
});

import { describe, expect, it } from 'vitest';
import { withDeadline } from '../../src/platform/deadline.js';
import { createTestClock } from '../fakes/deterministic.js';

const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    if (signal.aborted) resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'));
  });

describe('withDeadline', () => {
  it('aborts the task at the deadline', async () => {
    const clock = createTestClock();
    const running = withDeadline(untilAborted, { clock, ms: 100 });
    clock.advance(100);
    expect(await running).toBe('aborted');
  });

  it('cancels its timer when the task ends earlier', async () => {
    let cancellations = 0;
    const clock = { after: () => () => void cancellations++ };
    expect(await withDeadline(() => Promise.resolve('done'), { clock, ms: 100 })).toBe('done');
    expect(cancellations).toBe(1);
  });

  it('aborts the task with the signal of the caller', async () => {
    const stop = new AbortController();
    const clock = createTestClock();
    const running = withDeadline(untilAborted, { clock, ms: Infinity, signal: stop.signal });
    stop.abort();
    expect(await running).toBe('aborted');
    const late = withDeadline(untilAborted, { clock, ms: 100, signal: stop.signal });
    expect(await late).toBe('aborted');
  });
});

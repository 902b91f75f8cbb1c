import { describe, expect, it } from 'vitest';
import { allEnded, eachInParallel } from '../../src/platform/parallel.js';

const tick = async (count: number) => {
  for (let at = 0; at < count; at++) await Promise.resolve();
};

describe('eachInParallel', () => {
  it('runs the task for each item, no more than `width` at a time', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await eachInParallel([5, 1, 4, 2, 3], 2, async (item) => {
      most = Math.max(most, ++running);
      await tick(item);
      done.push(item);
      running--;
    });
    expect(most).toBe(2);
    expect(done.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it('never calls the task without items', async () => {
    await eachInParallel([], 16, () => Promise.reject(new Error('Not called')));
  });

  it('rejects only once all running tasks have ended', async () => {
    let hasEnded = false;
    const all = eachInParallel(['fails', 'slow'], 2, async (item) => {
      if (item === 'fails') throw new Error('The disk is full.');
      await tick(20);
      hasEnded = true;
    });
    await expect(all).rejects.toThrow('The disk is full.');
    expect(hasEnded).toBe(true);
  });
});

describe('allEnded', () => {
  it('resolves with the values in order', async () => {
    expect(await allEnded([Promise.resolve(1), Promise.resolve('b')])).toEqual([1, 'b']);
  });

  it('rejects with the first failure in order', async () => {
    const tasks = [Promise.reject(new Error('first')), Promise.reject(new Error('second'))];
    await expect(allEnded(tasks)).rejects.toThrow('first');
  });
});

import { describe, expect, it } from 'vitest';
import { KeyedMutex, Mutex } from '../../src/platform/mutex.js';

describe('Mutex', () => {
  it('runs tasks one at a time, in call order', async () => {
    const mutex = new Mutex();
    const steps: string[] = [];
    const task = (name: string, ticks: number) => async () => {
      steps.push(`${name} starts`);
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      steps.push(`${name} ends`);
      return name;
    };
    const results = [task('a', 5), task('b', 0), task('c', 2)].map((each) => mutex.run(each));
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
    expect(steps).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
  });

  it('does not start a task synchronously', async () => {
    let isStarted = false;
    const ended = new Mutex().run(async () => {
      isStarted = true;
      await Promise.resolve();
    });
    expect(isStarted).toBe(false);
    await ended;
    expect(isStarted).toBe(true);
  });

  it('rejects for a failed task, and runs the next', async () => {
    const mutex = new Mutex();
    const failed = mutex.run(() => Promise.reject(new Error('The disk is full.')));
    const thrown = mutex.run(() => {
      throw new TypeError('A bug');
    });
    const next = mutex.run(() => Promise.resolve(5));
    await expect(failed).rejects.toThrow('The disk is full.');
    await expect(thrown).rejects.toThrow(TypeError);
    expect(await next).toBe(5);
  });

  it('runs a task that is added while another is running', async () => {
    const mutex = new Mutex();
    let later: Promise<string> | undefined;
    const first = mutex.run(() => {
      later = mutex.run(() => Promise.resolve('second'));
      return Promise.resolve('first');
    });
    expect(await first).toBe('first');
    expect(await later).toBe('second');
  });
});

describe('KeyedMutex', () => {
  it('runs tasks of one key one at a time, and of two keys at the same time', async () => {
    const mutex = new KeyedMutex();
    const steps: string[] = [];
    const run = (key: string, name: string) =>
      mutex.run(key, async () => {
        steps.push(`${name} starts`);
        await new Promise((resolve) => setImmediate(resolve));
        steps.push(`${name} ends`);
      });
    await Promise.all([run('x', 'x1'), run('x', 'x2'), run('y', 'y1')]);
    expect(steps.slice(0, 2)).toEqual(['x1 starts', 'y1 starts']);
    expect(steps.indexOf('x2 starts')).toBeGreaterThan(steps.indexOf('x1 ends'));
  });

  it('rejects for a failed task, and runs the next of its key', async () => {
    const mutex = new KeyedMutex();
    const failed = mutex.run('x', () => Promise.reject(new Error('No')));
    const next = mutex.run('x', () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('No');
    expect(await next).toBe('done');
  });
});

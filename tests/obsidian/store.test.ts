import { expect, it } from 'vitest';
import { createStore, follow, followInside } from '../../src/obsidian/store.js';

it('a store notifies listeners only when the value changes', () => {
  const store = createStore(1);
  const heard: number[] = [];
  const stop = store.subscribe(() => heard.push(store.get()));
  store.set(1);
  store.set(2);
  stop();
  store.set(3);
  expect(heard).toEqual([2]);
});

it('a store counts each subscription of the same listener separately', () => {
  const store = createStore('a');
  let calls = 0;
  const listener = () => void calls++;
  const stop = store.subscribe(listener);
  store.subscribe(listener);
  stop();
  store.set('b');
  expect(calls).toBe(1);
});

it('a store lets a listener unsubscribe while it is being notified', () => {
  const store = createStore(0);
  const heard: string[] = [];
  const stop = store.subscribe(() => {
    heard.push('first');
    stop();
  });
  store.subscribe(() => heard.push('second'));
  store.set(1);
  store.set(2);
  expect(heard).toEqual(['first', 'second', 'second']);
});

it('follow shows a value now and after each change, until it is stopped', () => {
  const [first, second] = [createStore(1), createStore(1)];
  let shown = 0;
  const stop = follow([first, second], () => shown++);
  expect(shown).toBe(1);
  first.set(2);
  second.set(2);
  expect(shown).toBe(3);
  stop();
  first.set(3);
  expect(shown).toBe(3);
});

it('followInside follows the stores of the present part only', () => {
  const [before, after] = [createStore(1), createStore(10)];
  const part = createStore<{ value: typeof before } | undefined>(undefined);
  const shown: (number | undefined)[] = [];
  const stop = followInside(
    part,
    ({ value }) => [value],
    () => shown.push(part.get()?.value.get()),
  );
  part.set({ value: before });
  before.set(2);
  part.set({ value: after });
  before.set(3);
  part.set(undefined);
  stop();
  after.set(11);
  part.set({ value: after });
  expect(shown).toEqual([undefined, 1, 2, 10, undefined]);
});

import { expect, it } from 'vitest';
import { createStore } from '../../src/obsidian/store.js';

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

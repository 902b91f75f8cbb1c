// @vitest-environment happy-dom
import { h, render } from 'preact';
import { expect, test } from 'vitest';
import { createStore, type Store } from '../../../src/obsidian/store.js';
import { useStore } from '../../../src/obsidian/ui/use-store.js';

const held = createStore('first');
let listeners = 0;

const store: Store<string> = {
  get: () => held.get(),
  subscribe(listener) {
    listeners++;
    const stop = held.subscribe(listener);
    return () => {
      listeners--;
      stop();
    };
  },
};

function Shown() {
  return h('p', {}, useStore(store));
}

test('useStore follows its store from the first render until unmount', async () => {
  render(h(Shown, {}), document.body);
  held.set('second');
  expect(listeners).toBe(0);
  await expect.poll(() => document.body.textContent).toBe('second');
  held.set('third');
  await expect.poll(() => document.body.textContent).toBe('third');
  render(null, document.body);
  await expect.poll(() => listeners).toBe(0);
});

import { useEffect, useReducer } from 'preact/hooks';
import type { Store } from '../store.js';

/** The store's value; the component is rendered again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, again] = useReducer((count: number) => count + 1, 0);
  const value = store.get();
  useEffect(() => {
    const stop = store.subscribe(() => again(undefined));
    if (!Object.is(store.get(), value)) again(undefined); // it changed after this was rendered, before anybody listened
    return stop;
  }, [store]);
  return value;
}

import { useEffect, useReducer } from 'preact/hooks';
import type { Store } from '../store.js';

/** Returns the store's value and rerenders the component when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, again] = useReducer((count: number) => count + 1, 0);
  const value = store.get();
  useEffect(() => {
    const stop = store.subscribe(() => again(undefined));
    // changed between rendering and subscribing
    if (!Object.is(store.get(), value)) again(undefined);
    return stop;
  }, [store]);
  return value;
}

import { useEffect, useReducer } from 'preact/hooks';
import type { Store } from '../store.js';

/** The store's value; the component is rendered again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const shown = store.get();
    const stop = store.subscribe(() => again(undefined));
    if (store.get() !== shown) again(undefined);
    return stop;
  }, [store]);
  return store.get();
}

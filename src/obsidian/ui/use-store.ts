import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Store } from '../store.js';

/** Returns the store's value; the component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useSelected(store, (value) => value);
}

/** Returns a selection of a store's value. Renders again only when the selection changes. */
export function useSelected<T, S>(store: Store<T>, select: (value: T) => S): S {
  const [, forceRender] = useReducer((count: number) => count + 1, 0);
  const selected = select(store.get());
  const rendered = useRef(selected);
  rendered.current = selected;
  const latestSelect = useRef(select);
  latestSelect.current = select;
  useEffect(() => {
    const update = () => {
      if (!Object.is(latestSelect.current(store.get()), rendered.current)) forceRender(undefined);
    };
    update(); // the value may have changed between the render and this effect
    return store.subscribe(update);
  }, [store]);
  return selected;
}

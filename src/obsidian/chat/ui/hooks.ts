import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Store } from '../../store.js';

/** A piece of a store's value; the component is rendered again only when that piece is another. */
export function useSelected<T, S>(store: Store<T>, select: (value: T) => S): S {
  const [, again] = useReducer((count: number) => count + 1, 0);
  const selected = select(store.get());
  const shown = useRef(selected);
  shown.current = selected;
  const selectNow = useRef(select);
  selectNow.current = select;
  useEffect(() => {
    const look = () => {
      if (!Object.is(selectNow.current(store.get()), shown.current)) again(undefined);
    };
    look(); // it may have changed after this was rendered, before anybody listened
    return store.subscribe(look);
  }, [store]);
  return selected;
}

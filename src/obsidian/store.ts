/** An observable value. */
export interface Store<T> {
  get(): T;
  /** Calls `listener` after each change; returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
}

export interface WritableStore<T> extends Store<T> {
  /** Setting the same value does not notify listeners. */
  set(value: T): void;
}

export function createStore<T>(initial: T): WritableStore<T> {
  const listeners = new Set<() => void>();
  let current = initial;
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
}

/** Returns a function that calls all of these. */
export function stopAll(...stops: readonly (() => void)[]): () => void {
  return () => stops.forEach((stop) => stop());
}

/** Calls `show` now and after each change of a store, until the returned function is called. */
export function follow(stores: readonly Store<unknown>[], show: () => void): () => void {
  const stops = stores.map((store) => store.subscribe(show));
  show();
  return stopAll(...stops);
}

/** As `follow`, for a part that comes and goes and the stores inside it. */
export function followInside<T>(
  part: Store<T | undefined>,
  stores: (part: T) => readonly Store<unknown>[],
  show: () => void,
): () => void {
  let stop = () => {};
  const renew = () => {
    stop();
    const present = part.get();
    stop = follow(present === undefined ? [] : stores(present), show);
  };
  const stopRenewing = part.subscribe(renew);
  renew();
  return () => {
    stopRenewing();
    stop();
  };
}

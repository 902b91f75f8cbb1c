/** Runs asynchronous tasks one at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts `task` once every earlier task has ended, even in failure. Settles as `task` does. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const start = () => task();
    const result = this.#last.then(start, start);
    this.#last = result;
    return result;
  }
}

/** Runs the tasks of each key one at a time. Holds a key only while it has tasks. */
export class KeyedMutex {
  readonly #entries = new Map<string, { readonly mutex: Mutex; tasks: number }>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const entry = this.#entries.get(key) ?? { mutex: new Mutex(), tasks: 0 };
    this.#entries.set(key, entry);
    entry.tasks++;
    try {
      return await entry.mutex.run(task);
    } finally {
      entry.tasks--;
      if (entry.tasks === 0) this.#entries.delete(key);
    }
  }
}

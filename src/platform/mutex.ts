/** Runs asynchronous tasks one at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Starts `task` once every earlier task has ended, whether it succeeded or failed. Settles as `task` does. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const start = () => task();
    const result = this.#last.then(start, start);
    this.#last = result;
    return result;
  }
}

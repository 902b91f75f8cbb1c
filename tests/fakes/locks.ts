type Locks = Pick<LockManager, 'request'>;
type Granted = (lock: Lock | null) => unknown;

/** The locks that the windows of one device share. Only requests that do not wait are supported. */
export class DeviceLocks {
  readonly #held = new Set<string>();

  /** Returns the locks of a window, and a function that ends it, and so its locks. */
  open(): { readonly locks: Locks; readonly end: () => void } {
    const own = new Set<string>();
    const request = async (
      name: string,
      { ifAvailable = false }: LockOptions,
      granted: Granted,
    ): Promise<unknown> => {
      if (!ifAvailable) throw new Error('Waiting for a lock is not supported.');
      await Promise.resolve();
      if (this.#held.has(name)) return granted(null);
      this.#held.add(name);
      own.add(name);
      try {
        return await granted({ name, mode: 'exclusive' });
      } finally {
        if (own.delete(name)) this.#held.delete(name);
      }
    };
    return {
      locks: { request: request as LockManager['request'] },
      end: () => {
        for (const name of own) this.#held.delete(name);
        own.clear();
      },
    };
  }
}

/** Time, injected so that tests and simulations can control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Calls `task` once after `ms` milliseconds, unless the returned function is called first. Never
   * keeps a process alive.
   */
  after(ms: number, task: () => void): () => void;
}

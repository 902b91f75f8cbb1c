/** Time, injected so that tests and simulations can control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `task` once after `ms`, unless the result is called first. Keeps no process alive. */
  after(ms: number, task: () => void): () => void;
}

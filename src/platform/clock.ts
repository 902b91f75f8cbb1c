/** Time, handed in so that tests and simulations can own it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `task` once after `ms` milliseconds unless the answered function is called first; never keeps a process alive. */
  after(ms: number, task: () => void): () => void;
}

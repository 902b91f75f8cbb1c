export interface ChatAgentProcess {
  /** Calls `onEnd` once, when the program has ended or closed its output. */
  listen(onData: (chunk: Uint8Array) => void, onEnd: () => void): void;
  /** Stops reading, so that the program has to wait. */
  pause(): void;
  resume(): void;
  /** Resolves when written; rejects if the program has ended. */
  write(text: string): Promise<void>;
  /** Returns the last lines of standard error. */
  lastOutput(): string;
  /** Ends the program and everything it has started. Resolves when none of it is left. */
  end(): Promise<void>;
}

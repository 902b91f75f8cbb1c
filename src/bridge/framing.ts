/** A longer message is refused. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

/** A bidirectional byte stream: standard input and output, or a socket. */
export interface ByteChannel {
  /** Calls `onData` for each chunk, then `onEnd` once. */
  listen(onData: (chunk: Uint8Array) => void, onEnd: () => void): void;
  /** Stops reading, so that the other side has to wait. */
  pause(): void;
  resume(): void;
  /** Resolves when the text has been written; rejects if the other side has disconnected. */
  write(text: string): Promise<void>;
  close(): void;
  /** Calls `task` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void;
}

/** With more pending calls than this, a client has to wait before it can send the next. */
export const MAX_PENDING_CALLS = 100;

/** Pauses a channel while it has too many pending calls. */
export function createBackpressure(channel: Pick<ByteChannel, 'pause' | 'resume'>): {
  callStarted(): void;
  callEnded(): void;
} {
  let pending = 0;
  return {
    callStarted() {
      pending++;
      if (pending === MAX_PENDING_CALLS) channel.pause();
    },
    callEnded() {
      if (pending === MAX_PENDING_CALLS) channel.resume();
      pending--;
    },
  };
}

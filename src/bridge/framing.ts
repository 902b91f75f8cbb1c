import { RequestIdScanner } from './request-id-scanner.js';

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
const MAX_PENDING_CALLS = 100;

/** Counts the pending calls of a channel. Pauses the channel while there are too many. */
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

/**
 * A line without its line feed. `oversized` stands for a line over `MAX_MESSAGE_BYTES`, whose text is dropped; `id` is that of
 * the request in it, or null.
 */
export type Frame =
  | { readonly kind: 'oversized'; readonly id: string | number | null }
  | { readonly kind: 'line'; readonly text: string };

/** Returns a function that takes the next chunk of a stream and returns the lines that it completes. */
export function createLineSplitter(): (chunk: Uint8Array) => Frame[] {
  let message = new MessageBuffer();
  return (chunk) => {
    const frames: Frame[] = [];
    let from = 0;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, from)) {
      message.append(chunk.subarray(from, newline));
      frames.push(message.toFrame());
      message = new MessageBuffer();
      from = newline + 1;
    }
    message.append(chunk.subarray(from));
    return frames;
  };
}

/** Collects the chunks of one message. Stores no more than `MAX_MESSAGE_BYTES` of them; of a longer message, only its id. */
export class MessageBuffer {
  #parts: Uint8Array[] = [];
  #size = 0;
  #scanner: RequestIdScanner | undefined;

  /** Number of bytes so far, including those that are not stored. */
  get size(): number {
    return this.#size;
  }

  append(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size <= MAX_MESSAGE_BYTES) {
      this.#parts.push(part.slice());
      return;
    }
    this.#scanner ??= this.#startScan();
    this.#scanner.push(part);
  }

  toFrame(): Frame {
    return this.#scanner
      ? { kind: 'oversized', id: this.#scanner.id }
      : { kind: 'line', text: this.#decode() };
  }

  #startScan(): RequestIdScanner {
    const scanner = new RequestIdScanner();
    for (const part of this.#parts) scanner.push(part);
    this.#parts = [];
    return scanner;
  }

  #decode(): string {
    const decoder = new TextDecoder();
    return (
      this.#parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode()
    );
  }
}

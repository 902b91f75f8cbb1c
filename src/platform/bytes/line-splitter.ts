import { RequestIdScanner } from './request-id-scanner.js';

/**
 * A line without its line feed, or one over the limit without its text: `id` is that of the request
 * in it, `answeredId` that of the request that it answers, or null.
 */
export type Frame =
  | {
      readonly kind: 'oversized';
      readonly id: string | number | null;
      readonly answeredId: number | null;
    }
  | { readonly kind: 'line'; readonly text: string };

/** Returns a function that takes the next chunk and returns the lines that it completes. */
export function createLineSplitter(maxBytes: number): (chunk: Uint8Array) => Frame[] {
  let message = new MessageBuffer(maxBytes);
  return (chunk) => {
    const frames: Frame[] = [];
    let from = 0;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, from)) {
      message.append(chunk.subarray(from, newline));
      frames.push(message.toFrame());
      message = new MessageBuffer(maxBytes);
      from = newline + 1;
    }
    message.append(chunk.subarray(from));
    return frames;
  };
}

/** Collects the chunks of a message; of one over `maxBytes`, only its id. */
export class MessageBuffer {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;
  #scanner: RequestIdScanner | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Includes bytes that are not stored. */
  get size(): number {
    return this.#size;
  }

  append(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#size += part.length;
    if (this.#size <= this.#maxBytes) {
      this.#parts.push(part.slice());
      return;
    }
    this.#scanner ??= this.#startScan();
    this.#scanner.push(part);
  }

  toFrame(): Frame {
    return this.#scanner
      ? { kind: 'oversized', id: this.#scanner.id, answeredId: this.#scanner.answeredId }
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

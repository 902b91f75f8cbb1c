/** A message of more bytes than this is refused. */
export const MESSAGE_LIMIT = 10 * 1024 * 1024;

/** A two-way stream of bytes: standard input and output, or a socket. */
export interface ByteChannel {
  /** Calls `onData` for each piece that comes, then `onEnd` once. */
  listen(onData: (piece: Uint8Array) => void, onEnd: () => void): void;
  /** Stops and starts the pieces: the other side waits meanwhile. */
  pause(): void;
  resume(): void;
  /** Resolves when the text has been taken; rejects when the other side is gone. */
  write(text: string): Promise<void>;
  close(): void;
  /** Calls `task` once after `ms` milliseconds. */
  after(ms: number, task: () => void): () => void;
}

/** With more calls in hand than this, a client has to wait before it can send the next. */
const CALLS_IN_HAND = 100;

/** Counts the calls in hand, and lets the other side wait while there are too many. */
export function createGate(channel: Pick<ByteChannel, 'pause' | 'resume'>): {
  enter(): void;
  leave(): void;
} {
  let inHand = 0;
  return {
    enter() {
      if (++inHand === CALLS_IN_HAND) channel.pause();
    },
    leave() {
      if (inHand-- === CALLS_IN_HAND) channel.resume();
    },
  };
}

/** Cuts a stream into lines; of a line over `MESSAGE_LIMIT` only that it was too long is kept. */
export function createLineSplitter(): (piece: Uint8Array) => string[] {
  let parts: Uint8Array[] = [];
  let size = 0;
  return (piece) => {
    const lines: string[] = [];
    let from = 0;
    for (let newline = piece.indexOf(10); newline >= 0; newline = piece.indexOf(10, from)) {
      keep(piece.subarray(from, newline));
      lines.push(size > MESSAGE_LIMIT ? 'too long' : decode());
      parts = [];
      size = 0;
      from = newline + 1;
    }
    keep(piece.subarray(from));
    return lines;
  };

  function keep(part: Uint8Array): void {
    size += part.length;
    if (size > MESSAGE_LIMIT) parts = [];
    else if (part.length > 0) parts.push(part.slice());
  }

  function decode(): string {
    const decoder = new TextDecoder();
    return parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
  }
}

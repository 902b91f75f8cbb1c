export type ByteWriter = ReturnType<typeof createByteWriter>;

/** Fills a growing buffer. Varints are LEB128: low bits first, the top bit set if more follow. */
export function createByteWriter(capacity = 1024) {
  let buffer = new Uint8Array(capacity);
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= buffer.length) return;
    const larger = new Uint8Array(Math.max(length + more, buffer.length * 2));
    larger.set(buffer.subarray(0, length));
    buffer = larger;
  };
  return {
    length: () => length,
    byte: (value: number): void => {
      reserve(1);
      buffer[length++] = value;
    },
    varint: (value: number): void => {
      reserve(5);
      let rest = value;
      while (rest > 127) {
        buffer[length++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      buffer[length++] = rest;
    },
    bytes: (source: Uint8Array, start = 0, end = source.length): void => {
      reserve(end - start);
      if (end - start < 32) for (let at = start; at < end; at++) buffer[length++] = source[at]!;
      else {
        buffer.set(source.subarray(start, end), length);
        length += end - start;
      }
    },
    /** Returns a view that is valid until the next write. */
    written: (): Uint8Array => buffer.subarray(0, length),
    clear: (): void => {
      length = 0;
    },
  };
}

/** For long output: stores full chunks separately, so that little is copied as it grows. */
export interface ChunkedWriter extends Pick<ByteWriter, 'length' | 'byte' | 'varint' | 'bytes'> {
  /** Ends the current chunk if it is full. */
  readonly cut: () => void;
  readonly parts: () => readonly Uint8Array[];
}

const CHUNK_BYTES = 1 << 20;

export function createChunkedWriter(): ChunkedWriter {
  const { length, byte, varint, bytes, written, clear } = createByteWriter(1 << 14);
  const full: Uint8Array[] = [];
  let before = 0;
  return {
    byte,
    varint,
    bytes,
    length: () => before + length(),
    cut() {
      if (length() < CHUNK_BYTES) return;
      full.push(written().slice());
      before += length();
      clear();
    },
    parts: () => [...full, written()],
  };
}

/** A read position, advanced by each read. */
export interface Cursor {
  at: number;
}

export function readVarint(bytes: Uint8Array, cursor: Cursor): number {
  let byte = bytes[cursor.at++]!;
  if (byte < 128) return byte;
  let value = byte & 127;
  let shift = 7;
  do {
    byte = bytes[cursor.at++]!;
    value |= (byte & 127) << shift;
    shift += 7;
  } while (byte > 127);
  return value >>> 0;
}

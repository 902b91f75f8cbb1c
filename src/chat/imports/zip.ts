import { CRC_START, finishCrc, updateCrc } from '../../platform/crc32.js';
import type { RandomAccess } from '../../transfer/import-source.js';

export interface ZipEntry {
  /** Path inside the .zip file. */
  readonly name: string;
  /** Uncompressed size in bytes. */
  readonly size: number;
  readonly compressedSize: number;
  readonly crc: number;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Offset of its local header in bytes. */
  readonly headerOffset: number;
}

/** `damaged` may mean incomplete. `unsupported`: not stored or deflated, or on several disks. */
export type ZipErrorKind = 'damaged' | 'encrypted' | 'unsupported' | 'tooLarge';

/** Reason why a .zip file cannot be unpacked. */
export class ZipError extends Error {
  override readonly name = 'ZipError';

  constructor(readonly kind: ZipErrorKind) {
    super(`The .zip file is ${kind}`);
  }
}

const SIGNATURES = {
  entry: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
};
const HEADER_BYTES = { entry: 30, central: 46, end: 22, end64: 56, locator64: 20 };
const STORED = 0;
const DEFLATED = 8;
/** Bits for encryption, strong encryption and an encrypted central directory. */
const ENCRYPTED_FLAGS = 0x2041;

/** Maximum size of the comment after the end record. */
const MAX_COMMENT_BYTES = 0xffff;
/** Marks a field whose value is in the zip64 extra. */
const ZIP64_SENTINEL = 0xffffffff;
/** Enough for about a quarter of a million files. */
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;
/** Number of compressed bytes to inflate at a time. They may expand a thousandfold. */
const CHUNK_BYTES = 16 * 1024;

export function isZip(head: Uint8Array): boolean {
  if (head.length < 4) return false;
  const signature = viewOf(head).getUint32(0, true);
  return signature === SIGNATURES.entry || signature === SIGNATURES.end;
}

/** Reads the central directory. Throws a `ZipError`. */
export async function readZipEntries(file: RandomAccess): Promise<ZipEntry[]> {
  const { from, size } = await findDirectory(file);
  if (size > MAX_DIRECTORY_BYTES) throw new ZipError('tooLarge');
  const list = viewOf(await readRange(file, from, from + size));
  const entries: ZipEntry[] = [];
  for (let at = 0; at + HEADER_BYTES.central <= list.byteLength;) {
    if (list.getUint32(at, true) !== SIGNATURES.central) throw new ZipError('damaged');
    const nameLength = list.getUint16(at + 28, true);
    const extraLength = list.getUint16(at + 30, true);
    const commentLength = list.getUint16(at + 32, true);
    const end = at + HEADER_BYTES.central + nameLength + extraLength + commentLength;
    if (end > list.byteLength) throw new ZipError('damaged');
    entries.push(entryAt(list, at, nameLength, extraLength));
    at = end;
  }
  return entries;
}

function entryAt(list: DataView, at: number, nameLength: number, extraLength: number): ZipEntry {
  const nameAt = list.byteOffset + at + HEADER_BYTES.central;
  const numbers = [24, 20, 42].map((field) => list.getUint32(at + field, true));
  const [size, compressedSize, headerOffset] = resolveZip64(
    numbers,
    list,
    at + HEADER_BYTES.central + nameLength,
    extraLength,
  ) as [number, number, number];
  return {
    name: new TextDecoder().decode(new Uint8Array(list.buffer, nameAt, nameLength)),
    size,
    compressedSize,
    headerOffset,
    crc: list.getUint32(at + 16, true),
    method: list.getUint16(at + 10, true),
    isEncrypted: (list.getUint16(at + 8, true) & ENCRYPTED_FLAGS) !== 0,
  };
}

/** Reads fields that are `ZIP64_SENTINEL` from the zip64 extra, which has the same order. */
function resolveZip64(
  numbers: readonly number[],
  list: DataView,
  from: number,
  length: number,
): number[] {
  if (!numbers.includes(ZIP64_SENTINEL)) return [...numbers];
  for (let at = from; at + 4 <= from + length;) {
    const [id, size] = [list.getUint16(at, true), list.getUint16(at + 2, true)];
    if (id === 1) {
      let next = at + 4;
      return numbers.map((number) => {
        if (number !== ZIP64_SENTINEL) return number;
        if (next + 8 > at + 4 + size || next + 8 > from + length) throw new ZipError('damaged');
        next += 8;
        return readUint64(list, next - 8);
      });
    }
    at += 4 + size;
  }
  throw new ZipError('damaged');
}

/** Returns the offset and size in bytes of the central directory. */
async function findDirectory(file: RandomAccess): Promise<{ from: number; size: number }> {
  const tailAt = Math.max(
    0,
    file.size - HEADER_BYTES.end - MAX_COMMENT_BYTES - HEADER_BYTES.locator64,
  );
  const tail = viewOf(await readRange(file, tailAt, file.size));
  for (let at = tail.byteLength - HEADER_BYTES.end; at >= 0; at--) {
    if (
      tail.getUint32(at, true) !== SIGNATURES.end ||
      at + HEADER_BYTES.end + tail.getUint16(at + 20, true) > tail.byteLength
    )
      continue;
    if (tail.getUint16(at + 4, true) !== tail.getUint16(at + 6, true))
      throw new ZipError('unsupported'); // spans several disks
    const [size, from] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    const locator = at - HEADER_BYTES.locator64;
    if (locator < 0 || tail.getUint32(locator, true) !== SIGNATURES.locator64)
      return { from, size };
    const recordAt = readUint64(tail, locator + 8);
    const record = viewOf(await readRange(file, recordAt, recordAt + HEADER_BYTES.end64));
    if (record.getUint32(0, true) !== SIGNATURES.end64) throw new ZipError('damaged');
    return { size: readUint64(record, 40), from: readUint64(record, 48) };
  }
  throw new ZipError('damaged');
}

/** Unpacks by chunks. Throws a `ZipError`, at the latest at the end, if size or checksum differ. */
export async function* unzip(file: RandomAccess, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted) throw new ZipError('encrypted');
  const head = viewOf(
    await readRange(file, entry.headerOffset, entry.headerOffset + HEADER_BYTES.entry),
  );
  if (head.getUint32(0, true) !== SIGNATURES.entry) throw new ZipError('damaged');
  const from =
    entry.headerOffset + HEADER_BYTES.entry + head.getUint16(26, true) + head.getUint16(28, true);
  const packed = readChunks(file, from, from + entry.compressedSize);
  let size = 0;
  let crc = CRC_START;
  for await (const chunk of entry.method === STORED ? packed : inflated(packed, entry.method)) {
    size += chunk.length;
    if (size > entry.size) throw new ZipError('damaged');
    crc = updateCrc(crc, chunk, 0, chunk.length);
    yield chunk;
  }
  if (size !== entry.size || finishCrc(crc) !== entry.crc) throw new ZipError('damaged');
}

async function* readChunks(
  file: RandomAccess,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += CHUNK_BYTES)
    yield await readRange(file, at, Math.min(at + CHUNK_BYTES, to));
}

async function* inflated(
  packed: AsyncIterable<Uint8Array>,
  method: number,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = createInflater(method);
  const reader = readable.getReader();
  let feedError: unknown;
  const fed = feed(packed, writable.getWriter()).catch((error: unknown) => {
    feedError = error;
  });
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } catch {
    await fed;
    throw feedError instanceof ZipError || feedError instanceof DOMException
      ? feedError
      : new ZipError('damaged');
  } finally {
    await reader.cancel().catch(() => undefined); // the consumer has stopped and needs nothing more
  }
}

/** Waits until the writer has accepted a chunk before it reads the next. */
async function feed(
  packed: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<BufferSource>,
): Promise<void> {
  try {
    for await (const chunk of packed) await writer.write(chunk as Uint8Array<ArrayBuffer>);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined); // the stream has already failed
    throw error;
  }
}

function createInflater(method: number): DecompressionStream {
  if (method !== DEFLATED) throw new ZipError('unsupported');
  try {
    return new DecompressionStream('deflate-raw');
  } catch {
    throw new ZipError('unsupported'); // old web views lack it
  }
}

async function readRange(file: RandomAccess, from: number, to: number): Promise<Uint8Array> {
  if (from < 0 || to < from || to > file.size) throw new ZipError('damaged');
  const bytes = await file.read(from, to);
  if (bytes.length !== to - from) throw new ZipError('damaged');
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Inexact above 2^53, but such an offset fails the range check anyway. */
function readUint64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

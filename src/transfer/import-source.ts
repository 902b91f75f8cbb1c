import { joinBytes } from '../platform/bytes/bytes.js';
import { toUtf8 } from '../storage/index.js';

export interface ImportSource {
  /** Name of the file in reports. */
  readonly name: string;
  /** The contents, or the beginning of a large file. */
  readonly bytes: Uint8Array;
  /** Reads what follows `bytes` in a large file, as often as it is called. */
  readonly rest?: (() => AsyncIterable<Uint8Array>) | undefined;
}

export interface RandomAccess {
  /** In bytes. */
  readonly size: number;
  /** Returns the bytes from `from` up to, not including, `to`. */
  read(from: number, to: number): Promise<Uint8Array>;
}

const LARGE_FILE_BYTES = 16 * 1024 * 1024;
/** Enough to detect the program that wrote the file. */
const HEAD_BYTES = 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;

/** Reads a file, or only the beginning of a large one. */
export async function openSource(name: string, file: RandomAccess): Promise<ImportSource> {
  const { size } = file;
  if (size <= LARGE_FILE_BYTES) return { name, bytes: await file.read(0, size) };
  const bytes = await file.read(0, HEAD_BYTES);
  return { name, bytes, rest: () => readChunks(file, HEAD_BYTES) };
}

export async function* readChunks(file: RandomAccess, from = 0): AsyncGenerator<Uint8Array> {
  for (let at = from; at < file.size; at += CHUNK_BYTES)
    yield await file.read(at, Math.min(at + CHUNK_BYTES, file.size));
}

export async function allBytes({ bytes, rest }: ImportSource): Promise<Uint8Array> {
  if (!rest) return bytes;
  const chunks = [bytes];
  for await (const chunk of rest()) chunks.push(chunk);
  return joinBytes(chunks);
}

/** Reads by chunks; only a file in UTF-16 is read at once. */
export async function* utf8Chunks(source: ImportSource): AsyncGenerator<Uint8Array> {
  const { bytes, rest } = source;
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const first = isUtf16 ? toUtf8(await allBytes(source)) : bytes;
  for (let at = 0; at < first.length; at += CHUNK_BYTES) yield first.subarray(at, at + CHUNK_BYTES);
  if (rest && !isUtf16) yield* rest();
}

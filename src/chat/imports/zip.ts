import { CRC_START, finishCrc, updateCrc } from '../../platform/crc32.js';

/** A file that can be read anywhere in it. */
export interface RandomAccess {
  /** Bytes. */
  readonly size: number;
  /** The bytes from `from` up to, not including, `to`. */
  read(from: number, to: number): Promise<Uint8Array>;
}

/** One file in a .zip file. */
export interface ZipEntry {
  /** With its folders. */
  readonly name: string;
  /** Bytes, as it will be once it is unpacked. */
  readonly size: number;
  readonly packedSize: number;
  readonly crc: number;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Where its own header stands. */
  readonly at: number;
}

/** `damaged` also stands for one that is not wholly there; `unsupported` for a way of packing that nearly nobody uses. */
export type ZipFaultKind = 'damaged' | 'encrypted' | 'unsupported' | 'tooLarge';

/** Why a .zip file cannot be unpacked. */
export class ZipFault extends Error {
  override readonly name = 'ZipFault';

  constructor(readonly kind: ZipFaultKind) {
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
const HEADS = { entry: 30, central: 46, end: 22, end64: 56, locator64: 20 };
const [STORED, DEFLATED] = [0, 8];
const ENCRYPTED = 0x2041; // as a whole, strongly, or with its list

/** A comment may follow the end record. */
const MOST_COMMENT = 0xffff;
/** In this place a larger number stands elsewhere. */
const ELSEWHERE = 0xffffffff;
/** A list of a quarter of a million files is not read. */
const MOST_LIST = 32 * 1024 * 1024;
/** So many packed bytes are unpacked at once: at the most they make a thousand times as many. */
const PIECE = 16 * 1024;

/** Whether a file begins as a .zip file does. */
export function isZip(head: Uint8Array): boolean {
  if (head.length < 4) return false;
  const signature = viewOf(head).getUint32(0, true);
  return signature === SIGNATURES.entry || signature === SIGNATURES.end;
}

/** The files in a .zip file, from the list at its end. Throws a `ZipFault`. */
export async function readZipEntries(file: RandomAccess): Promise<ZipEntry[]> {
  const { from, size } = await findList(file);
  if (size > MOST_LIST) throw new ZipFault('tooLarge');
  const list = viewOf(await readWhole(file, from, from + size));
  const entries: ZipEntry[] = [];
  for (let at = 0; at + HEADS.central <= list.byteLength;) {
    if (list.getUint32(at, true) !== SIGNATURES.central) throw new ZipFault('damaged');
    const [name, extra, comment] = [28, 30, 32].map((field) =>
      list.getUint16(at + field, true),
    ) as [number, number, number];
    const end = at + HEADS.central + name + extra + comment;
    if (end > list.byteLength) throw new ZipFault('damaged');
    entries.push(entryAt(list, at, name, extra));
    at = end;
  }
  return entries;
}

function entryAt(list: DataView, at: number, nameLength: number, extraLength: number): ZipEntry {
  const nameAt = list.byteOffset + at + HEADS.central;
  const own = [24, 20, 42].map((field) => list.getUint32(at + field, true));
  const [size, packedSize, where] = withLarge(
    own,
    list,
    at + HEADS.central + nameLength,
    extraLength,
  ) as [number, number, number];
  return {
    name: new TextDecoder().decode(new Uint8Array(list.buffer, nameAt, nameLength)),
    size,
    packedSize,
    at: where,
    crc: list.getUint32(at + 16, true),
    method: list.getUint16(at + 10, true),
    isEncrypted: (list.getUint16(at + 8, true) & ENCRYPTED) !== 0,
  };
}

/** The numbers of an entry, those that are too large for their place from the field that holds such, in this order. */
function withLarge(
  numbers: readonly number[],
  list: DataView,
  from: number,
  length: number,
): number[] {
  if (!numbers.includes(ELSEWHERE)) return [...numbers];
  for (let at = from; at + 4 <= from + length;) {
    const [id, size] = [list.getUint16(at, true), list.getUint16(at + 2, true)];
    if (id === 1) {
      let next = at + 4;
      return numbers.map((number) => {
        if (number !== ELSEWHERE) return number;
        if (next + 8 > at + 4 + size || next + 8 > from + length) throw new ZipFault('damaged');
        next += 8;
        return large(list, next - 8);
      });
    }
    at += 4 + size;
  }
  throw new ZipFault('damaged');
}

/** Where the list of files stands, and how many bytes it has. */
async function findList(file: RandomAccess): Promise<{ from: number; size: number }> {
  const tailAt = Math.max(0, file.size - HEADS.end - MOST_COMMENT - HEADS.locator64);
  const tail = viewOf(await readWhole(file, tailAt, file.size));
  for (let at = tail.byteLength - HEADS.end; at >= 0; at--) {
    if (
      tail.getUint32(at, true) !== SIGNATURES.end ||
      at + HEADS.end + tail.getUint16(at + 20, true) > tail.byteLength
    )
      continue;
    if (tail.getUint16(at + 4, true) !== tail.getUint16(at + 6, true))
      throw new ZipFault('unsupported'); // over several disks
    const [size, from] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    const locator = at - HEADS.locator64;
    if (locator < 0 || tail.getUint32(locator, true) !== SIGNATURES.locator64)
      return { from, size };
    const where = large(tail, locator + 8);
    const record = viewOf(await readWhole(file, where, where + HEADS.end64));
    if (record.getUint32(0, true) !== SIGNATURES.end64) throw new ZipFault('damaged');
    return { size: large(record, 40), from: large(record, 48) };
  }
  throw new ZipFault('damaged');
}

/** What one file holds, unpacked piece by piece. Throws a `ZipFault`, at the latest at its end, where it is not what was packed. */
export async function* unzip(file: RandomAccess, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted) throw new ZipFault('encrypted');
  const head = viewOf(await readWhole(file, entry.at, entry.at + HEADS.entry));
  if (head.getUint32(0, true) !== SIGNATURES.entry) throw new ZipFault('damaged');
  const from = entry.at + HEADS.entry + head.getUint16(26, true) + head.getUint16(28, true);
  const packed = piecesOf(file, from, from + entry.packedSize);
  let size = 0;
  let crc = CRC_START;
  for await (const piece of entry.method === STORED ? packed : inflated(packed, entry.method)) {
    size += piece.length;
    if (size > entry.size) throw new ZipFault('damaged');
    crc = updateCrc(crc, piece, 0, piece.length);
    yield piece;
  }
  if (size !== entry.size || finishCrc(crc) !== entry.crc) throw new ZipFault('damaged');
}

async function* piecesOf(file: RandomAccess, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; at += PIECE)
    yield await readWhole(file, at, Math.min(at + PIECE, to));
}

async function* inflated(
  packed: AsyncIterable<Uint8Array>,
  method: number,
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = openInflater(method);
  const reader = readable.getReader();
  let fault: unknown;
  const fed = feed(packed, writable.getWriter()).catch((error: unknown) => (fault = error));
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } catch {
    await fed;
    throw fault instanceof ZipFault || fault instanceof DOMException
      ? fault
      : new ZipFault('damaged');
  } finally {
    await reader.cancel().catch(() => undefined); // whoever stopped has no more use for it
  }
}

/** Piece by piece: the next is read once the last has been taken. */
async function feed(
  packed: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<BufferSource>,
): Promise<void> {
  try {
    for await (const piece of packed) await writer.write(piece as Uint8Array<ArrayBuffer>);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => undefined); // it has ended already
    throw error;
  }
}

function openInflater(method: number): DecompressionStream {
  if (method !== DEFLATED) throw new ZipFault('unsupported');
  try {
    return new DecompressionStream('deflate-raw');
  } catch {
    throw new ZipFault('unsupported'); // an old web view
  }
}

async function readWhole(file: RandomAccess, from: number, to: number): Promise<Uint8Array> {
  if (from < 0 || to < from || to > file.size) throw new ZipFault('damaged');
  const bytes = await file.read(from, to);
  if (bytes.length !== to - from) throw new ZipFault('damaged');
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Eight bytes; what is more than any file has is as large as no file. */
function large(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

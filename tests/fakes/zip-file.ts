import { crc32, deflateRawSync } from 'node:zlib';

export interface PackedFile {
  readonly name: string;
  readonly text: string;
  /** Compression method: 8 (deflate, the default) or 0 (stored). */
  readonly method?: number;
  readonly flags?: number;
}

export interface ZipForm {
  readonly comment?: string;
  /** True for the zip64 format, which has sizes and offsets in an extra field. */
  readonly isLarge?: boolean;
}

/** Returns a .zip file according to PKWARE's APPNOTE 6.3. */
export function zipFile(
  files: readonly PackedFile[],
  { comment = '', isLarge = false }: ZipForm = {},
): Buffer {
  const bodies: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const { name, text, method = 8, flags = 0 } of files) {
    const whole = Buffer.from(text);
    const packed = method === 0 ? whole : deflateRawSync(whole);
    const facts = numbers([2, flags], [2, method], [4, 0], [4, crc32(whole)]);
    const sizes = isLarge
      ? numbers([4, ZIP64_SENTINEL], [4, ZIP64_SENTINEL])
      : numbers([4, packed.length], [4, whole.length]);
    const extra = isLarge
      ? numbers([2, 1], [2, 24], [8, whole.length], [8, packed.length], [8, at])
      : Buffer.alloc(0);
    const title = Buffer.from(name);
    const lengths = [numbers([2, title.length]), numbers([2, extra.length])];
    const body = Buffer.concat([
      numbers([4, 0x04034b50], [2, 20]),
      facts,
      sizes,
      ...lengths,
      title,
      extra,
      packed,
    ]);
    const where = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, isLarge ? ZIP64_SENTINEL : at]);
    list.push(
      Buffer.concat([
        numbers([4, 0x02014b50], [2, 20], [2, 20]),
        facts,
        sizes,
        ...lengths,
        where,
        title,
        extra,
      ]),
    );
    bodies.push(body);
    at += body.length;
  }
  const size = list.reduce((sum, { length }) => sum + length, 0);
  const count = files.length;
  const end64 = isLarge
    ? [
        numbers(
          [4, 0x06064b50],
          [8, 44],
          [2, 45],
          [2, 45],
          [4, 0],
          [4, 0],
          [8, count],
          [8, count],
          [8, size],
          [8, at],
        ),
        numbers([4, 0x07064b50], [4, 0], [8, at + size], [4, 1]),
      ]
    : [];
  const [shownSize, shownAt] = isLarge ? [ZIP64_SENTINEL, ZIP64_SENTINEL] : [size, at];
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, shownSize],
    [4, shownAt],
    [2, comment.length],
  );
  return Buffer.concat([...bodies, ...list, ...end64, end, Buffer.from(comment)]);
}

const ZIP64_SENTINEL = 0xffffffff;

/** Encodes numbers of the given sizes in bytes, little-endian. */
function numbers(...fields: readonly (readonly [size: 2 | 4 | 8, value: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([size, value]) => {
      const bytes = Buffer.alloc(size);
      if (size === 8) bytes.writeBigUInt64LE(BigInt(value));
      else bytes.writeUIntLE(value, 0, size);
      return bytes;
    }),
  );
}

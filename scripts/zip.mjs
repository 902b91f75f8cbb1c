/** Writes zip archives. */
import { crc32, deflateRawSync } from 'node:zlib';

/** Bytes that were compressed before, because the same program is in several archives. */
const compressed = new WeakMap();

/**
 * Returns a zip archive. The same files give the same bytes.
 * @param {Readonly<Record<string, Buffer>>} entries Contents by path.
 */
export function zip(entries) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, bytes] of Object.entries(entries)) {
    const packed = compressed.get(bytes) ?? deflateRawSync(bytes, { level: 9 });
    compressed.set(bytes, packed);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0); // version needed
    fields.writeUInt16LE(8, 4); // deflate
    fields.writeUInt16LE(0x21, 8); // 1 January 1980
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    tail.writeUInt32LE(offset, 10);
    const local = [Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed];
    parts.push(...local);
    directory.push(Buffer.from('PK\x01\x02\x14\x03'), fields, tail, Buffer.from(name));
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  const count = Object.keys(entries).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

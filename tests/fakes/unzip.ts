import { inflateRawSync } from 'node:zlib';

/** Returns the files that the directory of an archive lists. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength] = [archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)];
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const data = archive.readUInt32LE(at + 42) + 30 + nameLength;
    files.set(name, inflateRawSync(archive.subarray(data, data + size)));
    at += 46 + nameLength;
  }
  return files;
}

import { readChunks, type RandomAccess } from '../../transfer/import-source.js';
import { isZip, readZipEntries, unzip, type ZipEntry } from './zip.js';

/** A file that may contain conversations. */
export interface ChatFile {
  /** The chosen file, followed by the file inside it if it is a .zip file. */
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes of all chunks. */
  readonly size: number;
}

/** Large exports number these files. */
const CONVERSATIONS_FILE = /(?:^|\/)conversations[^/]*\.json$/iu;

/** Returns the conversation files in a .zip file, or else the file itself. Throws a `ZipError`. */
export async function chatFilesIn(name: string, file: RandomAccess): Promise<ChatFile[]> {
  if (!isZip(await file.read(0, Math.min(4, file.size))))
    return [{ name, chunks: readChunks(file), size: file.size }];
  const entries = (await readZipEntries(file)).filter((entry) =>
    CONVERSATIONS_FILE.test(entry.name),
  );
  return entries.sort(byName).map((entry) => ({
    name: `${name} › ${entry.name}`,
    chunks: unzip(file, entry),
    size: entry.size,
  }));
}

function byName(a: ZipEntry, b: ZipEntry): number {
  return a.name.localeCompare(b.name, 'en', { numeric: true });
}

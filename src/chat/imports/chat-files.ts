import { isZip, readZipEntries, unzip, type RandomAccess, type ZipEntry } from './zip.js';

/** A file that may hold conversations. */
export interface ChatFile {
  /** As a person knows it: the file that was chosen, and where it is packed, the one in it. */
  readonly name: string;
  readonly pieces: AsyncIterable<Uint8Array>;
}

/** What is read of a file at once, in bytes. */
const PIECE = 256 * 1024;
/** As exports call the files of conversations; large ones are numbered. */
const CHATS = /(?:^|\/)conversations[^/]*\.json$/iu;

/** The files of conversations in an export: in a .zip file those of that name, else the file itself. Throws a `ZipFault`. */
export async function chatFilesIn(name: string, file: RandomAccess): Promise<ChatFile[]> {
  if (!isZip(await file.read(0, Math.min(4, file.size)))) return [{ name, pieces: piecesOf(file) }];
  const entries = (await readZipEntries(file)).filter((entry) => CHATS.test(entry.name));
  return entries
    .sort(byName)
    .map((entry) => ({ name: `${name} › ${entry.name}`, pieces: unzip(file, entry) }));
}

function byName(a: ZipEntry, b: ZipEntry): number {
  return a.name.localeCompare(b.name, 'en', { numeric: true });
}

async function* piecesOf(file: RandomAccess): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += PIECE)
    yield await file.read(at, Math.min(at + PIECE, file.size));
}

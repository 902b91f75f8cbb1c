import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { Files } from '../../platform/files.js';
import { isAnswerName, isGraphFile, isNoteName } from '../../transfer/foreign/detect.js';
import type { ForeignFile } from '../../transfer/foreign/foreign-memory.js';
import { openSource } from '../../transfer/import-source.js';
import { isSegmentName } from '../../storage/index.js';
import { accessTo } from '../host/browser-ports.js';
import { text } from '../i18n/index.js';

/** Reads a file that the user has picked. */
export async function readPicked(file: File): Promise<ForeignFile> {
  return { ...(await openSource(file.name, accessTo(file))), modified: file.lastModified };
}

/**
 * Reads all .jsonl files below a folder, the folder's saved answers of server-memory, and all notes
 * if `takesNote` accepts any. Throws a `Refusal` if there are none of these.
 */
export async function readBelow(
  files: Files,
  folder: VaultPath,
  takesNote: (note: ForeignFile) => boolean,
): Promise<ForeignFile[]> {
  const paths = await pathsBelow(files, folder);
  const lines = await readFiles(
    files,
    paths.filter((path) => isSegmentName(path.slice(path.lastIndexOf('/') + 1))),
  );
  const answers = paths.filter((path) => !path.includes('/', folder.length + 1));
  const graphs = (await readFiles(files, answers.filter(isAnswerName))).filter(isGraphFile);
  const notes = await readFiles(files, paths.filter(isNoteName));
  const sources = [...lines, ...graphs, ...(notes.some(takesNote) ? notes : [])];
  if (sources.length === 0) throw new Refusal(text.settings.import.noFiles(folder));
  return sources;
}

async function pathsBelow(files: Files, folder: VaultPath): Promise<VaultPath[]> {
  const paths: VaultPath[] = [];
  const folders = [folder];
  for (const each of folders) {
    for (const { name, kind, isLink } of await files.list(each)) {
      const path = `${each}/${name}`;
      if (kind === 'file') paths.push(path);
      // a link may lead back to a folder above it
      else if (kind === 'folder' && !isLink) folders.push(path);
    }
  }
  return paths.sort();
}

async function readFiles(files: Files, paths: readonly VaultPath[]): Promise<ForeignFile[]> {
  const read: ForeignFile[] = [];
  for (const path of paths) {
    const info = await files.stat(path);
    if (!info) continue;
    const source = await openSource(path, {
      size: info.size,
      read: async (from, to) => (await files.read(path, from, to - from)) ?? new Uint8Array(),
    });
    read.push({ ...source, modified: info.mtime, vaultPath: path });
  }
  return read;
}

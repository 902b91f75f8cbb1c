import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { Files } from '../../platform/files.js';
import { isNoteName } from '../../transfer/foreign/detect.js';
import type { ForeignFile } from '../../transfer/foreign/foreign-memory.js';
import { isSegmentName } from '../../storage/format/lanes.js';
import { text } from '../i18n/index.js';

export async function readPicked(file: File): Promise<ForeignFile> {
  return {
    name: file.name,
    bytes: new Uint8Array(await file.arrayBuffer()),
    modified: file.lastModified,
  };
}

/**
 * Reads every .jsonl file in a folder and its subfolders, and every note if `takesNote` accepts any
 * of them. Throws a `Refusal` if there is neither.
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
  const notes = await readFiles(files, paths.filter(isNoteName));
  const sources = notes.some(takesNote) ? [...lines, ...notes] : lines;
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
    const bytes = await files.read(path);
    const info = await files.stat(path);
    if (bytes) read.push({ name: path, bytes, modified: info?.mtime, vaultPath: path });
  }
  return read;
}

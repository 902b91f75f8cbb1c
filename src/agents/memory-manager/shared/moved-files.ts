import { fileNameOf, isHidden, type VaultPath } from '../../../model/paths.js';
import type { FileDigest } from '../../../model/states/provenance.js';
import type { Services } from '../../services.js';
import { readDigest } from '../../shared/file-digests.js';

/** Maximum number of folders to list in search of moved files. */
const MAX_FOLDERS = 100;
/** Maximum number of files to compare with each missing file. */
const MAX_CANDIDATES = 50;

type Access = Pick<Services, 'files' | 'device' | 'dataFolder'>;

/** A missing file with its last known content. */
export interface GoneFile {
  readonly path: VaultPath;
  readonly digest: FileDigest;
}

/** Maps old paths to files of equal content with the same name or folder. The search is limited. */
export async function findMovedFiles(
  access: Access,
  gone: readonly GoneFile[],
): Promise<Map<VaultPath, VaultPath>> {
  const moved = new Map<VaultPath, VaultPath>();
  if (gone.length === 0) return moved;
  const files = await listFiles(access);
  for (const { path, digest } of gone) {
    const candidates = files
      .filter((other) => nameOf(other) === nameOf(path) || folderOf(other) === folderOf(path))
      .slice(0, MAX_CANDIDATES);
    for (const candidate of candidates) {
      if ((await access.files.stat(candidate))?.size !== digest.size) continue;
      if ((await readDigest(access, candidate))?.sha256 !== digest.sha256) continue;
      moved.set(path, candidate);
      break;
    }
  }
  return moved;
}

/** Returns the files of the folders nearest to the vault's root, without hidden ones. */
async function listFiles({ files, dataFolder }: Access): Promise<VaultPath[]> {
  const found: VaultPath[] = [];
  const folders: VaultPath[] = [''];
  for (let at = 0; at < folders.length && at < MAX_FOLDERS; at++) {
    const folder = folders[at]!;
    for (const { name, kind, isLink } of await files.list(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (isHidden(path) || path === dataFolder) continue;
      if (kind === 'file') found.push(path);
      else if (kind === 'folder' && !isLink) folders.push(path);
    }
  }
  return found;
}

function nameOf(path: VaultPath): string {
  return fileNameOf(path).toLowerCase();
}

function folderOf(path: VaultPath): VaultPath {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

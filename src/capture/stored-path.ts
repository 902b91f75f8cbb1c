import { fileNameOf, isAbsolutePath, OUTSIDE_PREFIX, PROJECT_PREFIX } from '../model/paths.js';
import { isInFolder } from './consent.js';

/** Absolute paths of this system. */
export interface PathFolders {
  /** All paths of the project's folder: the one that the client names, and its real path. */
  readonly project: readonly string[];
  /** All paths of the vault's folder. */
  readonly vault: readonly string[];
}

/** Returns the absolute path of one that may be relative to a working folder. */
export function absolutePath(path: string, working: string): string {
  if (isAbsolutePath(path)) return path;
  return `${working}/${path.replace(/^(?:\.[\\/])+/, '')}`;
}

/** Returns a path in the project or vault, or else only a name. */
export function storedPath(path: string, { project, vault }: PathFolders): string {
  const inProject = relativePath(path, project);
  if (inProject !== undefined) return `${PROJECT_PREFIX}${inProject}`;
  return relativePath(path, vault) ?? `${OUTSIDE_PREFIX}${fileNameOf(path)}`;
}

function relativePath(path: string, folders: readonly string[]): string | undefined {
  const folder = folders.find((each) => isInFolder(path, each));
  const inner = folder && path.slice(folder.length + 1).replaceAll('\\', '/');
  return inner === undefined || inner === '' || inner.split('/').includes('..') ? undefined : inner;
}

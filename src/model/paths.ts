/**
 * A path inside the vault, with `/` between its parts and without `.` and `..`; the vault itself is
 * `''`.
 */
export type VaultPath = string;

const MAX_PATH_LENGTH = 1000;

/** Begins the path of a file in a client's project, outside the vault. */
export const PROJECT_PREFIX = 'project:';
/** Begins the name of a file outside the vault of which the folder is not stored. */
export const OUTSIDE_PREFIX = 'outside:';

/** Returns a stored path with the name of its project, such as `shop-app:src/a.ts`. */
export function shownPath(path: string, projectName: string | undefined): string {
  return projectName !== undefined && path.startsWith(PROJECT_PREFIX)
    ? `${projectName}:${path.slice(PROJECT_PREFIX.length)}`
    : path;
}

/** Returns true for an absolute path of any platform, and for one below the home folder (`~/`). */
export function isAbsolutePath(typed: string): boolean {
  return /^(?:\/|\\\\|~[\\/]|[a-z]:[\\/]|file:\/\/)/i.test(typed) && fileNameOf(typed) !== '';
}

/** Returns the last part of a path of any platform; empty if it has none. */
export function fileNameOf(typed: string): string {
  return typed.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}

/**
 * Returns the normal form of a path inside the vault: without spaces around it, empty parts, and
 * parts that are `.`.
 */
export function normalizeVaultPath(typed: string): VaultPath {
  const path = typed
    .trim()
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  return path === typed ? path : normalizeVaultPath(path);
}

/**
 * Returns a path that a user typed, spelled as the app spells every path: with plain spaces and
 * composed letters. Not for a path on a disk, which may be spelled otherwise.
 */
export function toAppSpelling(typed: string): string {
  return typed.replace(/[\u00a0\u202f]/gu, ' ').normalize('NFC');
}

/**
 * Returns the problem with a path that a user or a model typed, as a phrase that completes "the
 * path …"; undefined if it is valid. `place` names the root in that phrase. Does not check
 * existence or links, which only the file system knows.
 */
function vaultPathProblem(typed: string, place = 'the vault'): string | undefined {
  if (typed.length > MAX_PATH_LENGTH)
    return `has ${typed.length} characters; use at most ${MAX_PATH_LENGTH}`;
  const path = normalizeVaultPath(typed);
  if (/\p{Cc}/u.test(typed)) return 'has control characters; use a plain path';
  if (typed.includes('\\')) return 'has a backslash; separate folders with "/"';
  if (isStoredOutside(path)) return `names a file outside the vault; use a path inside ${place}`;
  if (/^[a-z]:/iu.test(path)) return `starts with a drive letter; use a path inside ${place}`;
  if (path !== '' && typed.trimStart().startsWith('/'))
    return `starts with "/"; use a path inside ${place}, without a slash in front`;
  return path.split('/').includes('..')
    ? `leads outside ${place} with ".."; use a path inside ${place}`
    : undefined;
}

/** Returns the normal form of a path, or the problem with it. */
export function readVaultPath(
  typed: string,
  place?: string,
): { path: VaultPath } | { problem: string } {
  const problem = vaultPathProblem(typed, place);
  return problem === undefined ? { path: normalizeVaultPath(typed) } : { problem };
}

/** Returns the normal form of a path; undefined if it is not a valid path inside the vault. */
export function toVaultPath(typed: string): VaultPath | undefined {
  return vaultPathProblem(typed) === undefined ? normalizeVaultPath(typed) : undefined;
}

/**
 * Returns the excluded folders in the settings, in normal form. A single text counts as a list of
 * one, and a slash in front is ignored. What is not understood may mean any folder, so it excludes
 * the whole vault, `''`, which stays so when the settings are saved.
 */
export function readSettingsFolders(value: unknown): VaultPath[] {
  if (value === undefined || value === null || value === '') return [];
  const folders: readonly unknown[] = Array.isArray(value) ? value : [value];
  return folders.map((each) => {
    const path =
      typeof each === 'string' ? toVaultPath(each.trim().replace(/^\/+/, '')) : undefined;
    return path ?? '';
  });
}

/**
 * Returns the data folder in the settings, in normal form; undefined unless it is a visible folder
 * inside the vault.
 */
export function readSettingsDataFolder(value: unknown): VaultPath | undefined {
  const path = typeof value === 'string' ? toVaultPath(value) : undefined;
  return path !== undefined && path !== '' && !isHidden(path) ? path : undefined;
}

/** Returns the vault path of a path in a folder. */
export function joinPath(folder: VaultPath, path: string): VaultPath {
  return folder === '' ? path : `${folder}/${path}`;
}

/** Returns true for the stored path of a file outside the vault. */
export function isStoredOutside(path: string): boolean {
  return path.startsWith(PROJECT_PREFIX) || path.startsWith(OUTSIDE_PREFIX);
}

/**
 * Returns true if `path` is `folder` or inside it, ignoring letter case and how letters are
 * composed, as macOS and Windows do.
 */
export function isWithin(path: VaultPath, folder: VaultPath): boolean {
  const [inner = '', outer = ''] = [path, folder].map((each) =>
    each.normalize('NFC').toLowerCase(),
  );
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`);
}

/**
 * Returns true if a part of the path starts with a dot. Obsidian neither shows nor syncs such files
 * and folders; one of them contains its settings.
 */
export function isHidden(path: VaultPath): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** Path inside the vault: parts joined by `/`, without `.` and `..`; `''` is the vault itself. */
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

/** Trims a path and removes empty parts and `.`. */
export function normalizeVaultPath(typed: string): VaultPath {
  const path = typed
    .trim()
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
  return path === typed ? path : normalizeVaultPath(path);
}

/**
 * Returns a path as Obsidian spells it, with plain spaces and composed letters. Not for a path on a
 * disk, which may be spelled otherwise.
 */
export function toAppSpelling(typed: string): string {
  return typed.replace(/[\u00a0\u202f]/gu, ' ').normalize('NFC');
}

/**
 * Returns the problem with a typed path, completing "the path …"; undefined if it is valid. `place`
 * names the root. Existence and links are not checked: only the file system knows them.
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

export function readVaultPath(
  typed: string,
  place?: string,
): { path: VaultPath } | { problem: string } {
  const problem = vaultPathProblem(typed, place);
  return problem === undefined ? { path: normalizeVaultPath(typed) } : { problem };
}

/** Returns the normal form of a path; undefined if it is not valid. */
export function toVaultPath(typed: string): VaultPath | undefined {
  return vaultPathProblem(typed) === undefined ? normalizeVaultPath(typed) : undefined;
}

/**
 * Returns the excluded folders in the settings, in normal form. Accepts a single text and a leading
 * slash. What is not understood may mean any folder, so it excludes the whole vault, `''`.
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

/** Returns the data folder in the settings; undefined unless visible and inside the vault. */
export function readSettingsDataFolder(value: unknown): VaultPath | undefined {
  const path = typeof value === 'string' ? toVaultPath(value) : undefined;
  return path !== undefined && path !== '' && !isHidden(path) ? path : undefined;
}

export function joinPath(folder: VaultPath, path: string): VaultPath {
  return folder === '' ? path : `${folder}/${path}`;
}

export function isStoredOutside(path: string): boolean {
  return path.startsWith(PROJECT_PREFIX) || path.startsWith(OUTSIDE_PREFIX);
}

/** Returns true if `path` is at or in `folder`. Ignores case and composition (macOS, Windows). */
export function isWithin(path: VaultPath, folder: VaultPath): boolean {
  const [inner = '', outer = ''] = [path, folder].map((each) =>
    each.normalize('NFC').toLowerCase(),
  );
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`);
}

/** Returns true if a part starts with a dot: Obsidian neither shows nor syncs such paths. */
export function isHidden(path: VaultPath): boolean {
  return path.startsWith('.') || path.includes('/.');
}

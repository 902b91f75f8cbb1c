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

/** Returns true for an absolute path of any platform, and for one below the home folder (`~/`). */
export function isAbsolutePath(typed: string): boolean {
  return /^(?:\/|\\\\|~[\\/]|[a-z]:[\\/]|file:\/\/)/i.test(typed) && fileNameOf(typed) !== '';
}

/** Returns the last part of a path of any platform; empty if it has none. */
export function fileNameOf(typed: string): string {
  return typed.split(/[\\/]/).findLast((part) => part !== '') ?? '';
}

/**
 * Parses a path typed by a user or model. Returns its normal form, or the problem as a phrase that
 * completes "the path …". `place` names the root in that phrase. Does not check existence or links,
 * which only the file system knows.
 */
export function readVaultPath(
  typed: string,
  place = 'the vault',
): { path: VaultPath } | { problem: string } {
  if (typed.length > MAX_PATH_LENGTH)
    return { problem: `has ${typed.length} characters; use at most ${MAX_PATH_LENGTH}` };
  if (/\p{Cc}/u.test(typed)) return { problem: 'has control characters; use a plain path' };
  if (typed.includes('\\')) return { problem: 'has a backslash; separate folders with "/"' };
  if (typed.startsWith(PROJECT_PREFIX) || typed.startsWith(OUTSIDE_PREFIX))
    return { problem: `names a file outside the vault; use a path inside ${place}` };
  if (/^(?:\.?\/)*[a-z]:/iu.test(typed))
    return { problem: `starts with a drive letter; use a path inside ${place}` };
  if (typed.startsWith('/') && typed !== '/')
    return { problem: `starts with "/"; use a path inside ${place}, without a slash in front` };
  const parts = typed.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..'))
    return { problem: `leads outside ${place} with ".."; use a path inside ${place}` };
  return { path: parts.join('/') };
}

/**
 * Returns true if `path` is `folder` or inside it, ignoring letter case as macOS and Windows do.
 */
export function isWithin(path: VaultPath, folder: VaultPath): boolean {
  const [inner, outer] = [path.toLowerCase(), folder.toLowerCase()];
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`);
}

/**
 * Returns true if a part of the path starts with a dot. Obsidian neither shows nor syncs such files
 * and folders; one of them contains its settings.
 */
export function isHidden(path: VaultPath): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** A path inside the vault, with `/` between its parts and no part `.` or `..`; the vault itself is `''`. */
export type VaultPath = string;

const PATH_LIMIT = 1000;

/**
 * Reads a path that somebody typed, in what `place` says. Answers the plain form, or what is wrong with it in words.
 * Says nothing about whether the path exists, or about links: only the medium knows these.
 */
export function readVaultPath(
  typed: string,
  place = 'the vault',
): { path: VaultPath } | { problem: string } {
  if (typed.length > PATH_LIMIT)
    return { problem: `has ${typed.length} characters; use at most ${PATH_LIMIT}` };
  if (/\p{Cc}/u.test(typed)) return { problem: 'has control characters; use a plain path' };
  if (typed.includes('\\')) return { problem: 'has a backslash; separate folders with "/"' };
  if (/^(?:\.?\/)*[a-z]:/iu.test(typed))
    return { problem: `starts with a drive letter; give a path inside ${place}` };
  if (typed.startsWith('/') && typed !== '/')
    return { problem: `starts with "/"; give a path inside ${place}, without a slash in front` };
  const parts = typed.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..'))
    return { problem: `leads outside ${place} with ".."; give a path inside ${place}` };
  return { path: parts.join('/') };
}

/** Whether `path` is `folder` or lies in it, letter case aside (as macOS and Windows see it). */
export function isWithin(path: VaultPath, folder: VaultPath): boolean {
  const [inner, outer] = [path.toLowerCase(), folder.toLowerCase()];
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`);
}

/** Whether some part of the path starts with a dot: Obsidian neither shows nor syncs it, and keeps its own settings there. */
export function isHidden(path: VaultPath): boolean {
  return path.startsWith('.') || path.includes('/.');
}

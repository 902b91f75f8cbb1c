import { joinPath, readVaultPath, type VaultPath } from '../model/paths.js';
import { trimEndOf } from '../model/text/trim-end.js';
import { cutToBytes } from '../model/text/truncate.js';
import { revealedText } from '../model/text/visible-text.js';
import type { Files } from './files.js';

/**
 * Characters that a platform forbids in names, that Obsidian forbids in links, or that have a
 * meaning in link text.
 */
const FORBIDDEN_CHARACTERS = /[<>:"/\\|?*#^[\]{}`%]+/gu;

/** Control characters, direction marks and other invisible, private-use and broken characters. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{DI}]/gu;

/** Reserved device names of Windows, with any extension. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com\d|lpt\d) *(?:\.|$)/iu;

/**
 * Bytes in UTF-8. Even with a folder's name and an extension, far below the limits of file systems
 * and of old Windows versions.
 */
const MAX_NAME_BYTES = 96;

/**
 * Converts a text to a file or folder name, without extension, that is valid on every platform:
 * never empty, never hidden, never a path. Different texts may give the same name;
 * `createFileNames` makes them unique.
 */
export function toFileName(text: string): string {
  // so that markers are left out like the characters they stand for
  const plain = revealedText(text)
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .replace(INVISIBLE_CHARACTERS, '')
    .replace(/ +/g, ' ')
    .replace(FORBIDDEN_CHARACTERS, '-');
  const name = trimEdges(cutToBytes(trimEdges(plain.normalize('NFC')), MAX_NAME_BYTES));
  if (name === '') return 'untitled';
  return isDeviceName(name) ? `_${name}` : name;
}

/** Returns true if Windows treats the name as a device. */
export function isDeviceName(name: string): boolean {
  return WINDOWS_DEVICE.test(name.normalize('NFKC'));
}

/**
 * Returns why Windows cannot hold a file or folder of this name, as a predicate; undefined if it
 * can. For names to be created: other systems may have such files.
 */
export function windowsNameProblem(name: string): string | undefined {
  if (/^\s|[\s.]$/u.test(name))
    return 'starts with a space, or ends with a space or a dot, which Windows drops; leave it out';
  if (/[<>:"|?*]/u.test(name))
    return 'has one of < > : " | ? *, which Windows does not allow in names; leave it out';
  return isDeviceName(name) ? 'is a device name on Windows; use another name' : undefined;
}

/**
 * Returns the name among those of a folder that a typed one means: in the same spelling, else with
 * accents composed otherwise, else in other letter case if only one is like that.
 */
export function findName(names: readonly string[], typed: string): string | undefined {
  const composed = typed.normalize('NFC');
  const [alike, another] = names.filter(
    (name) => name.normalize('NFC').toLowerCase() === composed.toLowerCase(),
  );
  return (
    names.find((name) => name === typed) ??
    names.find((name) => name.normalize('NFC') === composed) ??
    (another === undefined ? alike : undefined)
  );
}

/**
 * Maps `stat` of a port to true if its file system ignores letter case, as those of macOS and
 * Windows do.
 */
const ignoresCase = new WeakMap<Files['stat'], boolean>();

/** Returns the spelling on disk of what a typed path means (`findName`); undefined if nothing. */
export async function findExistingPath(
  files: Pick<Files, 'stat' | 'list'>,
  typed: VaultPath,
): Promise<VaultPath | undefined> {
  if (typed === '') return typed;
  if (await files.stat(typed)) {
    // on macOS and Windows, a file that is found may be spelled otherwise
    const ignores =
      ignoresCase.get(files.stat) ?? (await files.stat(swapCase(typed))) !== undefined;
    ignoresCase.set(files.stat, ignores);
    if (!ignores) return typed;
  }
  return findOtherSpelling(files, typed);
}

/**
 * Like `findExistingPath`, for a path at which nothing was found as it is spelled. Throws if the
 * vault cannot be listed.
 */
export async function findOtherSpelling(
  files: Pick<Files, 'list'>,
  typed: VaultPath,
): Promise<VaultPath | undefined> {
  let path: VaultPath = '';
  for (const part of typed.split('/')) {
    const listing = files.list(path);
    const entries = await (path === '' ? listing : listing.catch(() => [])); // not a folder
    const name = findName(
      entries.map((entry) => entry.name),
      part,
    );
    if (name === undefined) return undefined;
    path = joinPath(path, name);
  }
  return path;
}

/** Returns a path with its letters in the other case. */
function swapCase(path: VaultPath): VaultPath {
  return path.replace(/\p{Lu}|\p{Ll}/gu, (letter) => {
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    return other.length === letter.length ? other : letter; // ß stays
  });
}

/**
 * Returns the path that a typed one means: as it is spelled on disk, or in normal form if nothing
 * exists there; or the problem with it (`readVaultPath`).
 */
export async function resolveVaultPath(
  files: Pick<Files, 'stat' | 'list'>,
  typed: string,
): Promise<{ path: VaultPath } | { problem: string }> {
  const read = readVaultPath(typed);
  return 'problem' in read
    ? read
    : { path: (await findExistingPath(files, read.path)) ?? read.path };
}

/**
 * Creates a function that allocates unique file names in one folder. A name that is already used,
 * ignoring letter case and accent encoding, gets a number. `taken` are the names that the folder
 * already contains.
 */
export function createFileNames(taken: readonly string[] = []): (text: string) => string {
  const used = new Map<string, number>(taken.map((name) => [nameKeyOnDisk(name), 1]));
  return (text) => {
    const wanted = toFileName(text);
    for (let count = (used.get(nameKeyOnDisk(wanted)) ?? 0) + 1; ; count++) {
      const name = count === 1 ? wanted : numbered(wanted, count);
      if (used.has(nameKeyOnDisk(name))) continue;
      used.set(nameKeyOnDisk(name), 1);
      used.set(nameKeyOnDisk(wanted), count);
      return name;
    }
  };
}

function numbered(name: string, count: number): string {
  const suffix = ` (${count})`;
  return `${trimEdges(cutToBytes(name, MAX_NAME_BYTES - suffix.length))}${suffix}`;
}

/**
 * Returns a key that is the same for names that a file system may treat as equal. Folds case via
 * upper case, because some file systems treat the German ß as ss.
 */
export function nameKeyOnDisk(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/**
 * Removes blanks, dots and hyphens at both ends, and tildes at the start, which hide files or have
 * a meaning in shells and paths.
 */
function trimEdges(name: string): string {
  return trimEndOf(name.replace(/^[\s.~-]+/u, ''), /[\s.-]/u);
}

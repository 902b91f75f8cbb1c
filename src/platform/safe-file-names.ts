import { joinPath, readVaultPath, type VaultPath } from '../model/paths.js';
import { trimEndOf } from '../model/text/trim-end.js';
import { cutToBytes } from '../model/text/truncate.js';
import { revealedText } from '../model/text/visible-text.js';
import type { Files } from './files.js';

/** Forbidden in names on some platform or in Obsidian's links, or special in link text. */
const FORBIDDEN_CHARACTERS = /[<>:"/\\|?*#^[\]{}`%]+/gu;

/** Control characters, direction marks and other invisible, private-use and broken characters. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{DI}]/gu;

/** Reserved device names of Windows, with any extension. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com\d|lpt\d) *(?:\.|$)/iu;

/** UTF-8. With a folder and an extension, far below the limits of file systems and old Windows. */
const MAX_NAME_BYTES = 96;

/**
 * Converts a text to a name without extension that is valid on every platform: never empty, hidden
 * or a path. Different texts may give the same name; see `createFileNames`.
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

export function isDeviceName(name: string): boolean {
  return WINDOWS_DEVICE.test(name.normalize('NFKC'));
}

/** Returns why Windows cannot hold a new file of this name, as a predicate; undefined if it can. */
export function windowsNameProblem(name: string): string | undefined {
  if (/^\s|[\s.]$/u.test(name))
    return 'starts with a space, or ends with a space or a dot, which Windows drops; leave it out';
  if (/[<>:"|?*]/u.test(name))
    return 'has one of < > : " | ? *, which Windows does not allow in names; leave it out';
  return isDeviceName(name) ? 'is a device name on Windows; use another name' : undefined;
}

/** Prefers the exact spelling, then another composition, then the only name in any letter case. */
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

/** True if a port's file system ignores letter case, by the port's `stat`. */
const ignoresCase = new WeakMap<Files['stat'], boolean>();

/** Returns the spelling on disk of what a typed path means (`findName`), if anything. */
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

/** Like `findExistingPath`, but assumes another spelling. Throws if the vault cannot be listed. */
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

function swapCase(path: VaultPath): VaultPath {
  return path.replace(/\p{Lu}|\p{Ll}/gu, (letter) => {
    const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
    return other.length === letter.length ? other : letter; // ß stays
  });
}

/** Returns a typed path as spelled on disk, else in normal form; or the problem with it. */
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
 * Returns a function that allocates unique names in a folder that contains `taken`. A used name
 * (ignoring letter case and composition) gets a number.
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

/** Is equal for names that a file system may equate. Via upper case, as some treat ß as ss. */
export function nameKeyOnDisk(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Removes characters at the edges that hide files or have a meaning in shells and paths. */
function trimEdges(name: string): string {
  return trimEndOf(name.replace(/^[\s.~-]+/u, ''), /[\s.-]/u);
}

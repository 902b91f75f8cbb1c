import { cutToBytes } from '../model/text/truncate.js';
import { revealedText } from '../model/text/visible-text.js';

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
  return name.replace(/^[\s.~-]+|[\s.-]+$/gu, '');
}

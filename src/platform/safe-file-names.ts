/** What some platform forbids in a name, or Obsidian in a link, or what a link's text could be taken for. */
const FORBIDDEN = /[<>:"/\\|?*#^[\]{}`%]+/gu;

/** Controls, marks of direction and other characters that nobody sees, private and broken ones. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{DI}]/gu;

/** Windows has devices under these names, whatever follows after a dot. */
const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com\d|lpt\d) *(?:\.|$)/iu;

/** In UTF-8: with a folder's name and an ending, far below what a disk or an old Windows allows. */
const NAME_BYTES = 96;

const encoder = new TextEncoder();

/**
 * A text as the name of a file or folder (the ending aside) that every platform takes: never empty, never hidden, no path.
 * Different texts may come out as the same name: `createNames` keeps them apart.
 */
export function fileName(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(/ +/g, ' ')
    .replace(FORBIDDEN, '-');
  const name = trimEdges(cutTo(trimEdges(plain.normalize('NFC')), NAME_BYTES));
  if (name === '') return 'untitled';
  return isDeviceName(name) ? `_${name}` : name;
}

/** Whether Windows takes a name for one of its devices. */
export function isDeviceName(name: string): boolean {
  return DEVICE.test(name.normalize('NFKC'));
}

/**
 * Gives out names for one folder: a name that is taken, letter case and the way of writing accents aside, gets a number.
 * `taken` are names that others have already.
 */
export function createNames(taken: readonly string[] = []): (text: string) => string {
  const used = new Map<string, number>(taken.map((name) => [nameKeyOnDisk(name), 1]));
  return (text) => {
    const wanted = fileName(text);
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
  return `${trimEdges(cutTo(name, NAME_BYTES - suffix.length))}${suffix}`;
}

/** Large and small letters by way of the large ones: a disk may take the German ß for ss. */
export function nameKeyOnDisk(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** Neither dots, which hide or climb, nor blanks, nor what a shell or an editor would take for something else. */
function trimEdges(name: string): string {
  return name.replace(/^[\s.~-]+|[\s.-]+$/gu, '');
}

function cutTo(text: string, limit: number): string {
  if (encoder.encode(text).length <= limit) return text;
  let cut = '';
  let size = 0;
  for (const character of text) {
    size += encoder.encode(character).length;
    if (size > limit) break;
    cut += character;
  }
  return cut;
}

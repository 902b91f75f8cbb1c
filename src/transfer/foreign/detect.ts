import { isCount } from '../../storage/format/line.js';
import { segmentBytes } from '../../storage/format/segment.js';
import { isBasicMemoryNote } from './basic-memory.js';
import { parseObject, PROGRAMS, type ForeignFile, type Program, type Readers } from './foreign.js';
import { isNexusEvent } from './nexus-events.js';
import { isGraphLine } from './server-memory.js';

/** So much of a file is looked into, in bytes and lines. */
const LOOKED_AT = 256 * 1024;
const LINES_LOOKED_AT = 20;

const decoder = new TextDecoder();

/** The programs of which the files hold something, by what stands in them; none where nothing is known. */
export function programsIn(
  files: readonly ForeignFile[],
  { noteHead }: Pick<Readers, 'noteHead'>,
): Program[] {
  const [notes, others] = [
    files.filter(({ name }) => isNoteName(name)),
    files.filter(({ name }) => !isNoteName(name)),
  ];
  const found = new Set(others.map(programOf));
  if (notes.some((note) => isBasicMemoryNote(note, noteHead))) found.add('basic-memory');
  return PROGRAMS.filter((program) => found.has(program));
}

/** The files without those of other programs; a file of which nothing is known may be a damaged one of this. */
export function filesOf<F extends ForeignFile>(program: Program, files: readonly F[]): F[] {
  return files.filter((file) =>
    isNoteName(file.name)
      ? program === 'basic-memory'
      : [program, undefined].includes(programOf(file)),
  );
}

export function isNoteName(name: string): boolean {
  return /\.md$/i.test(name) && !name.split(/[\\/]/).some((part) => part.startsWith('.'));
}

/** Whose lines a file holds; undefined where nothing is known of the first of them. */
function programOf({ bytes }: ForeignFile): Program | undefined {
  const text = decoder.decode(segmentBytes(bytes.subarray(0, LOOKED_AT)));
  for (const line of text.split('\n').slice(0, LINES_LOOKED_AT)) {
    const value = parseObject(line.trim());
    if (!value) continue;
    if (
      value['savepoint'] === 'export' ||
      (isCount(value['v']) && isCount(value['n']) && typeof value['w'] === 'string')
    )
      return 'savepoint';
    if (isNexusEvent(value)) return 'nexus';
    if (isGraphLine(value)) return 'server-memory';
  }
  return undefined;
}

import { isSequenceNumber, toUtf8 } from '../../storage/index.js';
import { isBasicMemoryNote } from './basic-memory.js';
import { PROGRAMS, type ForeignFile, type Program } from './foreign-memory.js';
import { graphItemOf, isCutGraphLine, isGraphDocument } from './graph-items.js';
import { parseObject } from './json-values.js';
import { isNexusEvent } from './nexus/nexus-events.js';

const HEAD_LENGTH = 256 * 1024;
const MAX_SAMPLE_LINES = 20;

const decoder = new TextDecoder();

/** Returns the programs that wrote the files, judging by their contents. */
export function detectPrograms(files: readonly ForeignFile[]): Program[] {
  const notes = files.filter(({ name }) => isNoteName(name));
  const others = files.filter(({ name }) => !isNoteName(name));
  const found = new Set(others.map(detectProgram));
  if (notes.some(isBasicMemoryNote)) found.add('basic-memory');
  return PROGRAMS.filter((program) => found.has(program));
}

/** Keeps unrecognized files, too, which may be damaged files of this program. */
export function filesOfProgram<F extends ForeignFile>(program: Program, files: readonly F[]): F[] {
  return files.filter((file) =>
    isNoteName(file.name)
      ? program === 'basic-memory'
      : [program, undefined].includes(detectProgram(file)),
  );
}

/** Returns true for the path of a Markdown file that is not hidden. */
export function isNoteName(name: string): boolean {
  return /\.md$/i.test(name) && !name.split(/[\\/]/).some((part) => part.startsWith('.'));
}

/** Returns true if the file may be a saved answer of server-memory. */
export function isAnswerName(name: string): boolean {
  return /\.json$/i.test(name);
}

export function isGraphFile(file: ForeignFile): boolean {
  return detectProgram(file) === 'server-memory';
}

/** Judges by the beginning of a file; undefined if it is not recognized. */
function detectProgram({ bytes }: ForeignFile): Program | undefined {
  const text = decoder.decode(toUtf8(bytes));
  for (const line of text.split('\n', MAX_SAMPLE_LINES)) {
    const value = parseObject(line.trim());
    if (!value) continue;
    if (
      value['savepoint'] === 'export' ||
      (isSequenceNumber(value['v']) &&
        isSequenceNumber(value['n']) &&
        typeof value['w'] === 'string')
    )
      return 'savepoint';
    if (isNexusEvent(value)) return 'nexus';
    if (graphItemOf(value)) return 'server-memory';
  }
  const head = text.slice(0, HEAD_LENGTH);
  return isGraphDocument(head) || isCutGraphLine(head) ? 'server-memory' : undefined;
}

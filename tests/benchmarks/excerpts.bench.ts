import * as fs from 'node:fs/promises';
import type { NoteHit } from '../../src/indexing/notes/note-search.js';
import { noteTitle } from '../../src/search/documents/note-fields.js';
import answers from './answers.json';
import type { Figure } from './lib.js';
import { mean } from './meaning/judged.js';
import { germanHelp, readVault, requireData, type NoteFile } from './search-data.js';
import { createBlobs, createService, NO_LOG } from './search-service.js';
import { namedByTitle } from './typed-queries.bench.js';

export const question = 'Does the excerpt of a right first hit show the answer to a question?';
export const measures = [
  'src/indexing',
  'src/markdown',
  'src/model',
  'src/node',
  'src/platform',
  'src/search',
];

/** A question whose first hit is the note that has the answer. */
export interface RightHit extends Pick<NoteHit, 'excerpt'> {
  readonly query: string;
  readonly answer: string;
  readonly note: NoteFile;
  /** One half is for decisions. */
  readonly isDeciding: boolean;
}

export async function answer(): Promise<Figure[]> {
  const right = await askAll();
  const asked = answers.english.length + answers.german.length;
  const shareOf = (half: boolean) => {
    const own = right.filter(({ isDeciding }) => isDeciding === half);
    return mean(own.map((hit) => Number(showsAnswer(hit))));
  };
  return [
    { what: `${asked} questions: the note with the answer is first`, value: right.length / asked },
    { what: 'its excerpt shows the answer, deciding half', value: shareOf(true), least: 0.85 },
    { what: 'its excerpt shows the answer, confirming half', value: shareOf(false), least: 0.85 },
    {
      what: 'questions: the excerpt of a right first hit shows the answer',
      value: mean(right.map((hit) => Number(showsAnswer(hit)))),
      least: 0.85,
      isHighlighted: true,
    },
    {
      what: 'it begins with a sentence, an item or another block',
      value: mean(right.map((hit) => Number(beginsWhole(hit)))),
    },
    {
      what: 'its length in characters, mean',
      value: mean(right.map(({ excerpt }) => excerpt.length)),
    },
  ];
}

const spaced = (text: string) => text.replaceAll(' … ', ' ').replace(/\s+/g, ' ');

export function showsAnswer({ excerpt, answer: wanted }: RightHit): boolean {
  return spaced(excerpt).includes(wanted);
}

function beginsWhole({ excerpt, note }: RightHit): boolean {
  const start = excerpt.split(' … ')[0]!;
  const before = note.text.slice(0, note.text.indexOf(start));
  return /(?:^|[.!?:|][)"”’*_`]*\s+|\n\s*)$/.test(before);
}

/** Asks all questions, each in its vault. */
export async function askAll(): Promise<RightHit[]> {
  requireData('vault-powershell-docs.tar.gz', 'vault-help-de.tar.gz');
  const packed = await fs.readFile('assets/meaning.txt', 'utf8');
  const { notes } = await germanHelp();
  return [
    ...(await ask(namedByTitle(await readVault()), answers.english, packed)),
    ...(await ask(notes, answers.german, packed)),
  ];
}

async function ask(
  notes: readonly NoteFile[],
  questions: typeof answers.english,
  packed: string,
): Promise<RightHit[]> {
  const byPath = new Map(notes.map((note) => [note.path, note]));
  const files = notes.map(({ path, text }) => ({ path, mtime: 0, size: Buffer.byteLength(text) }));
  const source = {
    list: () => Promise.resolve({ notes: files, files: [...byPath.keys()], folders: [] }),
    stat: (path: string) => Promise.resolve(files.find((file) => file.path === path)),
    read: (path: string) => Promise.resolve(byPath.get(path)?.text),
  };
  const service = createService(NO_LOG, source, createBlobs(), packed, Infinity);
  const right: RightHit[] = [];
  for (const [at, { query, note: wanted, answer: own }] of questions.entries()) {
    const range = { from: -Infinity, to: Infinity };
    const asked = { query, folder: '', mode: 'hybrid', tags: [], range, limit: 1 } as const;
    const result = await service.notes.search(asked);
    const first = 'found' in result ? result.found[0] : undefined;
    const note = first && byPath.get(first.path);
    if (note && noteTitle(note.path) === wanted)
      right.push({ query, answer: own, note, excerpt: first.excerpt, isDeciding: at % 2 === 0 });
  }
  await service.close();
  return right;
}

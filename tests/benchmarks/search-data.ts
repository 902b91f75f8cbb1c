import { existsSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { stemEnglish } from '../../src/search/text/english.js';
import { STOP_WORDS } from '../../src/search/text/stop-words.js';
import { isShort, NotRunError, type Figure } from './lib.js';

/** Folder of data that is not in this repository. */
const DATA_FOLDER = path.resolve(process.env['SAVEPOINT_DATA'] ?? '../shared/data');
const VAULT = 'vault-powershell-docs.tar.gz';
/** Folders of this repository with notes, which the short form uses if there is no other vault. */
const OWN_NOTES = ['docs', 'examples'];
const SHORT_NOTES = 200;

/** Returns the path of a data file. */
export function dataFile(name: string): string {
  return path.join(DATA_FOLDER, name);
}

export function hasData(name: string): boolean {
  return existsSync(dataFile(name));
}

/** Throws a NotRunError if a data file is missing, without which there is nothing to measure. */
export function requireData(...names: readonly string[]): void {
  const missing = names.filter((name) => !hasData(name));
  if (missing.length > 0)
    throw new NotRunError(`SAVEPOINT_DATA has no ${missing.join(' and no ')}.`);
}

/** Returns what takes the place of figures whose data is missing. */
export function missingFigure(what: string, name: string): Figure {
  return { what: `${what}: skipped, no ${name} in SAVEPOINT_DATA`, value: NaN, isMissing: true };
}

const stopWords: ReadonlySet<string> = new Set(STOP_WORDS.en.split(/\s+/));

export function isStop(word: string): boolean {
  return stopWords.has(word);
}

/** Processes a term for minisearch, with the same stop words and stems as our search. */
export function processTerm(given: string): string | null {
  const word = given.toLowerCase();
  return stopWords.has(word) ? null : stemEnglish(word);
}

export interface NoteFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the Markdown notes of the technical vault; in the short form some of them, or of this
 * repository's.
 */
export async function readVault(): Promise<NoteFile[]> {
  if (!isShort) requireData(VAULT);
  const files = hasData(VAULT) ? await readArchive(dataFile(VAULT)) : await ownNotes();
  const notes = files.filter((file) => file.path.endsWith('.md'));
  return isShort ? notes.slice(0, SHORT_NOTES) : notes;
}

/** Folders of the technical vault with one version of each page. */
const ONE_VERSION = /(?:^|\/)reference\/(?:7\.6|docs-conceptual)\//;

export function isOneVersion({ path: own }: NoteFile): boolean {
  return ONE_VERSION.test(own) || OWN_NOTES.some((folder) => own.startsWith(`${folder}/`));
}

async function ownNotes(): Promise<NoteFile[]> {
  const entries = await Promise.all(
    OWN_NOTES.map((folder) => fs.readdir(folder, { recursive: true, withFileTypes: true })),
  );
  const paths = entries
    .flat()
    .flatMap((entry) => (entry.isFile() ? [path.join(entry.parentPath, entry.name)] : []));
  const texts = paths.map(async (own) => ({ path: own, text: await fs.readFile(own, 'utf8') }));
  return (await Promise.all(texts)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the files of a packed tar archive, unpacked in memory. */
export async function readArchive(file: string): Promise<NoteFile[]> {
  const tar = gunzipSync(await fs.readFile(file));
  const notes: NoteFile[] = [];
  let longName = '';
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const field = (from: number, length: number) =>
      tar.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(field(124, 12), 8);
    const content = tar.subarray(at + 512, at + 512 + size);
    const type = field(156, 1);
    if (type === 'L') longName = content.toString('utf8').replace(/\0.*$/s, '');
    else {
      const name = longName || [field(345, 155), field(0, 100)].filter(Boolean).join('/');
      longName = '';
      if (/^0?$/.test(type))
        notes.push({ path: name.replace(/^\.\//, ''), text: content.toString('utf8') });
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return notes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Returns the notes of the German help vault, and the texts of links with their notes. */
export async function germanHelp() {
  const files = await readArchive(dataFile('vault-help-de.tar.gz'));
  const anchors = JSON.parse(
    files.find((file) => file.path.endsWith('anchors.json'))!.text,
  ) as readonly { readonly text: string; readonly rel: readonly string[] }[];
  const notes = files
    .filter((file) => file.path.endsWith('.md'))
    .map((file) => ({ ...file, path: file.path.replace(/^.*?\/vault\//, '') }));
  return { notes, anchors };
}

/** Returns a text with a tenth of its words swapped and some of those replaced. */
export function perturbed(text: string, copy: number, random: () => number): string {
  const words = text.split(' ');
  for (let swaps = words.length * 0.1; swaps > 0; swaps--) {
    const [one, other] = [Math.floor(random() * words.length), Math.floor(random() * words.length)];
    [words[one], words[other]] = [
      random() < 0.02 ? `${words[other]!}x${copy}` : words[other]!,
      words[one]!,
    ];
  }
  return words.join(' ');
}

/** Returns `count` queries of `wordsEach` words, each taken from one note. */
export function drawQueries(
  notes: readonly NoteFile[],
  count: number,
  wordsEach: number,
  random: () => number,
): string[] {
  const draw = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)];
  const wordsOf = (text: string) =>
    (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter((word) => !isStop(word));
  return Array.from({ length: count }, () => {
    const words = wordsOf(draw(notes)?.text ?? '');
    return Array.from({ length: wordsEach }, () => draw(words) ?? 'module').join(' ');
  });
}

/** Returns a generator of deterministic pseudo-random numbers from 0 to 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

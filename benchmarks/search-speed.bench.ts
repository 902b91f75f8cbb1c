import MiniSearch from 'minisearch';
import type { SearchDocument } from '../src/search/documents.js';
import { createIndex, openIndex, type SearchIndex } from '../src/search/index.js';
import { noteDocument } from '../src/search/passages.js';
import { median, type Figure } from './lib.js';
import { createRandom, dataFolder, isStop, processTerm, readVault, skippedFigures, type NoteFile } from './search-data.js';

export const question = 'How fast and how small is search, beside minisearch with the same passages, stems and stop words?';

const QUERIES = 300;
const ROUNDS = 3;
const COPIES = 10;

export async function answer(): Promise<Figure[]> {
  const folder = await dataFolder();
  if (!folder) return skippedFigures();
  const vault = await readVault(folder);
  const queries = makeQueries(vault);
  const small = measure(vault, queries, 20);
  const large = measure(perturbedCopies(vault), queries, 40);
  const growth = (name: keyof Times) => Math.log(large.times[name] / small.times[name]) / Math.log(COPIES);
  return [
    ...small.figures,
    ...large.figures,
    { what: 'growth of the time of a query: exponent', value: growth('query'), limit: 0.8 },
    { what: 'growth of the time of a change: exponent', value: growth('change'), limit: 0.1 },
  ];
}

interface Queries {
  readonly one: readonly string[];
  readonly four: readonly string[];
}

/** Words of one note each, drawn at random. */
function makeQueries(vault: readonly NoteFile[]): Queries {
  const random = createRandom(20_261_120);
  const draw = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)];
  const wordsOf = (text: string) => (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter((word) => !isStop(word));
  const make = (count: number) =>
    Array.from({ length: QUERIES }, () => {
      const words = wordsOf(draw(vault)!.text);
      return Array.from({ length: count }, () => draw(words) ?? 'module').join(' ');
    });
  return { one: make(1), four: make(4) };
}

/** The vault ten times over: in each copy words have changed places, and some have changed. */
function perturbedCopies(vault: readonly NoteFile[]): NoteFile[] {
  const random = createRandom(7);
  return Array.from({ length: COPIES }, (_, copy) =>
    vault.map(({ path, text }) => {
      const words = text.split(' ');
      for (let swaps = words.length * 0.1; copy > 0 && swaps > 0; swaps--) {
        const [one, other] = [Math.floor(random() * words.length), Math.floor(random() * words.length)];
        [words[one], words[other]] = [random() < 0.02 ? `${words[other]!}x${copy}` : words[other]!, words[one]!];
      }
      return { path: `copy ${copy}/${path}`, text: words.join(' ') };
    }),
  ).flat();
}

interface Times {
  readonly query: number;
  readonly change: number;
}

function measure(notes: readonly NoteFile[], queries: Queries, leastSpeed: number): { figures: Figure[]; times: Times } {
  const at = `${notes.length} notes: `;
  const documents = notes.map(({ path, text }) => noteDocument(path, text, 0));
  const rows = documents.flatMap(toRows);
  const heapBefore = heapUsed();
  let build = timed(() => {
    const index = createIndex();
    for (const document of documents) index.put(document);
    let longest = 0;
    const steps = index.mergeSteps();
    for (let isDone = false; !isDone;) {
      const step = timed(() => steps.next());
      isDone = step.result.done === true;
      longest = Math.max(longest, step.time);
    }
    return { ...index.flush(), longest };
  });
  const { manifest, blobs, longest } = build.result;
  const ourBuild = build.time;
  build = undefined as never;
  const bytes = new Map(blobs.map(({ name, bytes: blob }) => [name, blob]));
  const load = timed(() => openIndex(manifest, bytes));
  if (!('index' in load.result)) throw new Error('The index cannot be opened');
  const { index } = load.result;
  const size = blobs.reduce((sum, { bytes: blob }) => sum + blob.length, 0);
  const ours = {
    one: timesOf(queries.one, (query) => index.search(query, { limit: 10, isFolded: true })),
    four: timesOf(queries.four, (query) => index.search(query, { limit: 10, isFolded: true })),
    typing: timesOf(queries.four, (query) => index.search(query.slice(0, -2), { limit: 10, isFolded: true, isTyping: true })),
  };
  const change = changeTime(index, notes);
  const ourHeap = Math.max(0.1, heapUsed() - heapBefore);

  const heapBetween = heapUsed();
  const theirBuild = timed(() => {
    const mini = new MiniSearch({ fields: ['title', 'heading', 'text', 'rest'], processTerm });
    mini.addAll(rows);
    return mini;
  });
  const theirHeap = heapUsed() - heapBetween;
  const text = JSON.stringify(theirBuild.result);
  const theirLoad = timed(() => MiniSearch.loadJSON(text, { fields: ['title', 'heading', 'text', 'rest'], processTerm }));
  const theirs = timesOf(queries.four, (query) => theirBuild.result.search(query).slice(0, 10));
  const figures = [
    { what: `${at}a word, median`, value: median(ours.one), unit: ' ms' },
    { what: `${at}four words, median`, value: median(ours.four), unit: ' ms' },
    { what: `${at}four words, p99`, value: p99(ours.four), unit: ' ms', limit: 5 },
    { what: `${at}four words while typing, p99`, value: p99(ours.typing), unit: ' ms' },
    { what: `${at}four words, times as fast`, value: median(theirs) / median(ours.four), least: leastSpeed },
    { what: `${at}build, times as fast`, value: theirBuild.time / ourBuild, least: 3 },
    { what: `${at}load, times as fast`, value: theirLoad.time / load.time, least: 20 },
    { what: `${at}size`, value: size / 1e6, unit: ' MB' },
    { what: `${at}size, times as small`, value: text.length / size, least: 3 },
    { what: `${at}heap, times as small`, value: theirHeap / ourHeap, least: 10 },
    { what: `${at}one changed note, until found`, value: change, unit: ' ms', limit: 50 },
    { what: `${at}longest step of a merge`, value: longest, unit: ' ms', limit: 16 },
  ];
  return { figures, times: { query: median(ours.four), change } };
}

/** A document as minisearch takes it: its passages, by the same key. */
function toRows({ key, passages }: SearchDocument) {
  return passages.map((passage, number) => {
    const textOf = (name: string) => passage.find((part) => part.name === name)?.text ?? '';
    const rest = passage.filter(({ name }) => !['title', 'heading', 'text'].includes(name)).map(({ text }) => text);
    return { id: `${key}#${number}`, title: textOf('title'), heading: textOf('heading'), text: textOf('text'), rest: rest.join('\n') };
  });
}

function timesOf(queries: readonly string[], search: (query: string) => unknown): number[] {
  for (const query of queries) search(query);
  return Array.from({ length: ROUNDS }, () => queries.map((query) => timed(() => search(query)).time)).flat();
}

function changeTime(index: SearchIndex, notes: readonly NoteFile[]): number {
  const times = Array.from({ length: 30 }, (_, round) => {
    const { path, text } = notes[(round * 101) % notes.length]!;
    const word = `zebraword${round}`;
    return timed(() => {
      index.put(noteDocument(path, `${text}\n${word}`, 0));
      if (index.search(word)[0]?.key !== path) throw new Error('A changed note is not found');
    }).time;
  });
  return median(times);
}

function timed<T>(task: () => T): { time: number; result: T } {
  const start = performance.now();
  const result = task();
  return { time: performance.now() - start, result };
}

function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
}

/** Bytes of the JavaScript heap after collection; the buffers of an index lie outside it. */
function heapUsed(): number {
  if (!gc) throw new Error('Run this with --expose-gc, as npm run bench does');
  gc();
  return process.memoryUsage().heapUsed;
}

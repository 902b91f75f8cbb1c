import MiniSearch from 'minisearch';
import type { SearchDocument } from '../../src/search/documents/documents.js';
import { createIndex, openIndex, type SearchIndex } from '../../src/search/index.js';
import { noteDocument } from '../fakes/note-document.js';
import { collectGarbage, median, perForm, type Figure } from './lib.js';
import {
  createRandom,
  drawQueries,
  perturbed,
  processTerm,
  readVault,
  type NoteFile,
} from './search-data.js';

export const question =
  'How fast and how small is search, compared with minisearch with the same passages, stems and stop words?';
export const measures = ['src/markdown', 'src/model/text', 'src/platform', 'src/search'];

const QUERIES = perForm(300, 10);
const ROUNDS = perForm(3, 1);
const COPIES = perForm(10, 2);
/** Notes indexed per batch; then small segments are merged, as a vault's index does. */
const AT_ONCE = 1000;
/** Time budget of minisearch in milliseconds; only the queries it answers are compared. */
const BUDGET = 40_000;
/** Milliseconds of merging between two turns of the host. */
const WORK_MS = 8;

export async function answer(): Promise<Figure[]> {
  const vault = await readVault();
  const queries = makeQueries(vault);
  const small = await measure(held(vault), queries, 20);
  const large = await measure(held(perturbedCopies(vault)), queries, 40);
  const growth = (name: keyof Times) =>
    Math.log(large.times[name] / small.times[name]) / Math.log(COPIES);
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

function makeQueries(vault: readonly NoteFile[]): Queries {
  const random = createRandom(20_261_120);
  return {
    one: drawQueries(vault, QUERIES, 1, random),
    four: drawQueries(vault, QUERIES, 4, random),
  };
}

interface HeldNote {
  readonly path: string;
  readonly text: () => string;
}

/**
 * Moves the notes to one buffer outside the heap, so that garbage collection of the texts is not
 * measured.
 */
function held(notes: Iterable<NoteFile>): HeldNote[] {
  const parts: Buffer[] = [];
  const places: { path: string; from: number; to: number }[] = [];
  let end = 0;
  for (const { path, text } of notes) {
    const from = end;
    end += parts[parts.push(Buffer.from(text)) - 1]!.length;
    places.push({ path, from, to: end });
  }
  const all = Buffer.concat(parts);
  return places.map(({ path, from, to }) => ({ path, text: () => all.toString('utf8', from, to) }));
}

/**
 * Yields ten copies of the vault. In all but the first, some words are swapped and some replaced.
 */
function* perturbedCopies(vault: readonly NoteFile[]): Generator<NoteFile> {
  const random = createRandom(7);
  for (let copy = 0; copy < COPIES; copy++) {
    for (const { path, text } of vault)
      yield { path: `copy ${copy}/${path}`, text: copy > 0 ? perturbed(text, copy, random) : text };
  }
}

interface Times {
  readonly query: number;
  readonly change: number;
}

async function measure(
  notes: readonly HeldNote[],
  queries: Queries,
  leastSpeed: number,
): Promise<{ figures: Figure[]; times: Times }> {
  const at = `${notes.length} notes: `;
  const ours = await measureOurs(notes, queries);
  const theirs = measureTheirs(notes, queries.four);
  const figures = [
    { what: `${at}a word, median`, value: median(ours.one), unit: ' ms' },
    { what: `${at}four words, median`, value: median(ours.four), unit: ' ms' },
    { what: `${at}four words, p99`, value: p99(ours.four), unit: ' ms', limit: 5 },
    { what: `${at}four words while typing, p99`, value: p99(ours.typing), unit: ' ms' },
    { what: `${at}four words, minisearch, median`, value: median(theirs.four), unit: ' ms' },
    { what: `${at}queries that both answered`, value: theirs.answered },
    {
      what: `${at}four words, times as fast`,
      value: median(theirs.four) / median(ours.of(theirs.answered)),
      least: leastSpeed,
    },
    { what: `${at}build`, value: ours.build / 1000, unit: ' s' },
    { what: `${at}build, times as fast`, value: theirs.build / ours.build, least: 3 },
    { what: `${at}load`, value: ours.load, unit: ' ms' },
    { what: `${at}load, times as fast`, value: theirs.load / ours.load, least: 20 },
    { what: `${at}size`, value: ours.size / 1e6, unit: ' MB' },
    { what: `${at}size, times as small`, value: theirs.size / ours.size, least: 3 },
    { what: `${at}heap`, value: ours.heap / 1e6, unit: ' MB' },
    { what: `${at}heap, times as small`, value: theirs.heap / ours.heap, least: 10 },
    { what: `${at}one changed note, until found`, value: ours.change, unit: ' ms', limit: 50 },
    { what: `${at}longest step of a merge`, value: ours.longestStep, unit: ' ms', limit: 16 },
  ];
  return { figures, times: { query: median(ours.four), change: ours.change } };
}

async function measureOurs(notes: readonly HeldNote[], queries: Queries) {
  const heapBefore = heapUsed();
  const { flushed, time, longestStep } = await build(notes);
  const bytes = new Map(flushed.blobs.map(({ name, bytes: blob }) => [name, blob]));
  const load = timed(() => openIndex(flushed.manifest, bytes));
  if (!('index' in load.result)) throw new Error('The index cannot be opened');
  const { index } = load.result;
  const find = (query: string, isTyping = false) =>
    index.search(query, { limit: 10, isDeduplicated: true, isTyping });
  const [one, four] = [timesOf(queries.one, find), timesOf(queries.four, find)];
  const typing = timesOf(queries.four, (query) => find(query.slice(0, -2), true));
  const change = changeTime(index, notes);
  return {
    build: time,
    load: load.time,
    longestStep,
    change,
    size: flushed.blobs.reduce((sum, { bytes: blob }) => sum + blob.length, 0),
    heap: Math.max(1e5, heapUsed() - heapBefore),
    one: one.flat(),
    four: four.flat(),
    typing: typing.flat(),
    /** Returns the times of the first `count` queries in each round. */
    of: (count: number) => four.flatMap((round) => round.slice(0, count)),
  };
}

/**
 * Builds the index and measures it; splitting notes into passages, which both sides need, is not
 * counted. Merging yields to the host as in a page.
 */
async function build(
  notes: readonly HeldNote[],
): Promise<{ flushed: ReturnType<SearchIndex['flush']>; time: number; longestStep: number }> {
  const index = createIndex();
  let [time, longestStep, rested] = [0, 0, 0];
  for (const some of parts(notes)) {
    time += takeIn(index, some);
    for (const steps = index.mergeSteps(); ;) {
      const step = worked(() => steps.next());
      time += step.time;
      longestStep = Math.max(longestStep, step.work);
      if (step.result.done) break;
      if (performance.now() - rested > WORK_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        rested = performance.now();
      }
    }
  }
  const last = timed(() => index.flush());
  return { flushed: last.result, time: time + last.time, longestStep };
}

/**
 * Adds notes to the index and returns the time. Releases the documents before merging, as a vault's
 * index does.
 */
function takeIn(index: SearchIndex, notes: readonly HeldNote[]): number {
  const documents = notes.map(toDocument);
  return timed(() => documents.forEach((document) => index.put(document))).time;
}

function measureTheirs(notes: readonly HeldNote[], queries: readonly string[]) {
  const options = { fields: ['title', 'heading', 'text', 'rest'], processTerm };
  const heapBefore = heapUsed();
  let mini = new MiniSearch(options);
  let time = 0;
  for (const some of parts(notes)) {
    const rows = some.flatMap((note) => toRows(toDocument(note)));
    time += timed(() => mini.addAll(rows)).time;
  }
  const heap = heapUsed() - heapBefore;
  const four: number[] = [];
  for (const query of queries) {
    if (four.reduce((sum, each) => sum + each, 0) > BUDGET) break;
    mini.search(query);
    four.push(timed(() => mini.search(query).slice(0, 10)).time);
  }
  const text = JSON.stringify(mini);
  mini = new MiniSearch(options); // two large ones do not fit into the usual heap
  const load = timed(() => MiniSearch.loadJSON(text, options)).time;
  return { build: time, heap, four, answered: four.length, size: text.length, load };
}

function* parts(notes: readonly HeldNote[]): Generator<readonly HeldNote[]> {
  for (let from = 0; from < notes.length; from += AT_ONCE) yield notes.slice(from, from + AT_ONCE);
}

function toDocument({ path, text }: HeldNote): SearchDocument {
  return noteDocument(path, text(), 0);
}

/** Returns a document's passages as rows for minisearch. */
function toRows({ key, passages }: SearchDocument) {
  return passages.map((passage, number) => {
    const textOf = (name: string) => passage.find((part) => part.name === name)?.text ?? '';
    const rest = passage
      .filter(({ name }) => !['title', 'heading', 'text'].includes(name))
      .map(({ text }) => text);
    return {
      id: `${key}#${number}`,
      title: textOf('title'),
      heading: textOf('heading'),
      text: textOf('text'),
      rest: rest.join('\n'),
    };
  });
}

/** Returns the time of each query in each round. */
function timesOf(queries: readonly string[], search: (query: string) => unknown): number[][] {
  for (const query of queries) search(query);
  return Array.from({ length: ROUNDS }, () =>
    queries.map((query) => timed(() => search(query)).time),
  );
}

function changeTime(index: SearchIndex, notes: readonly HeldNote[]): number {
  const times = Array.from({ length: 30 }, (_, round) => {
    const { path, text: read } = notes[(round * 101) % notes.length]!;
    const text = read();
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

/** `work` is the smaller of wall-clock and CPU time, so other processes affect it less. */
function worked<T>(task: () => T): { time: number; work: number; result: T } {
  const before = process.cpuUsage();
  const done = timed(task);
  const { user, system } = process.cpuUsage(before);
  return { ...done, work: Math.min(done.time, (user + system) / 1000) };
}

function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
}

/**
 * Returns the bytes of the JavaScript heap after garbage collection. An index's buffers are outside
 * it.
 */
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

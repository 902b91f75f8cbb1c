import * as fs from 'node:fs/promises';
import MiniSearch from 'minisearch';
import type { MemoryLog } from '../../src/indexing/memory/memory-index.js';
import {
  MAX_NOTE_BYTES,
  type NoteFile as NoteAtRest,
  type NoteSource,
} from '../../src/indexing/notes/note-source.js';
import type { SearchService } from '../../src/indexing/search-service.js';
import { isHidden } from '../../src/model/paths.js';
import type { Trace } from '../../src/model/trace.js';
import type { TraceEntry, TraceList } from '../../src/storage/log.js';
import { collectGarbage, counted, median, perForm, timeOf, type Figure } from './lib.js';
import { createBlobs, createService, NO_LOG } from './search-service.js';
import { createRandom, drawQueries, perturbed, readVault, type NoteFile } from './search-data.js';

export const question =
  'What does searching a whole vault cost, from the first scan to the answer?';
export const measures = [
  'src/indexing',
  'src/markdown',
  'src/model',
  'src/node',
  'src/platform',
  'src/search',
];

/** SAVEPOINT_LARGE=1 adds the large sizes, which take 15 minutes and more. */
const isLarge = process.env['SAVEPOINT_LARGE'] === '1';
/** Length of a note in characters, which is the average in real vaults. */
const NOTE_LENGTH = 4700;
const LONG_NOTE = perForm(50_000_000, 500_000);
const QUERIES = perForm(200, 10);
const EDITS = perForm(20, 2);
const EVER = { from: -Infinity, to: Infinity };

/** Memory that an index may take, in megabytes. The bounds on time are relative to minisearch. */
const MAX_MEGABYTES: Readonly<Record<string, number>> = {
  '10,000 notes': 75,
  '100,000 notes': 240,
  '1,000,000 calls': 250,
};

export async function answer(): Promise<Figure[]> {
  const pieces = (await readVault()).filter(({ path }) => !isHidden(path)).flatMap(cut);
  const packed = await fs.readFile('assets/meaning.txt', 'utf8');
  return [
    ...(await measureNotes(perForm(10_000, 100), pieces, packed)),
    ...(await measureLongNote(pieces)),
    ...(await measureCalls(perForm(100_000, 2000), pieces)),
    ...(isLarge ? await measureNotes(100_000, pieces, packed) : []),
    ...(isLarge ? await measureCalls(1_000_000, pieces) : []),
  ];
}

/** Splits a note into notes of the usual length. */
function cut({ path, text }: NoteFile): NoteFile[] {
  const pieces: NoteFile[] = [];
  for (let from = 0; from < text.length; from += NOTE_LENGTH) {
    pieces.push({
      path: `${path.slice(0, -'.md'.length)} ${pieces.length + 1}.md`,
      text: text.slice(from, from + NOTE_LENGTH),
    });
  }
  return pieces;
}

interface Found {
  readonly boot: number;
  readonly times: readonly number[];
  readonly bytes: number;
  readonly build: number;
  readonly longest: number;
  readonly edits: readonly number[];
}

function figuresOf(name: string, { boot, times, bytes, build, longest, edits }: Found): Figure[] {
  const limit = MAX_MEGABYTES[name];
  return [
    { what: `${name}: built`, value: build / 1000, unit: ' s' },
    { what: `${name}: longest turn while building`, value: longest, unit: ' ms' },
    { what: `${name}: start to the first answer`, value: boot, unit: ' ms' },
    { what: `${name}: query, median`, value: median(times), unit: ' ms' },
    { what: `${name}: query, p99`, value: p99(times), unit: ' ms' },
    {
      what: `${name}: memory`,
      value: bytes / 1e6,
      unit: ' MB',
      ...(limit !== undefined && { limit }),
    },
    { what: `${name}: from an edit to its answer, median`, value: median(edits), unit: ' ms' },
  ];
}

/**
 * Creates a vault that provides notes as the app does, with their texts outside the JavaScript
 * heap.
 */
function createVault(pieces: readonly NoteFile[], count: number) {
  const random = createRandom(11);
  const texts = new Map<string, Buffer>();
  for (let at = 0; at < count; at++) {
    const copy = Math.floor(at / pieces.length);
    const { path, text } = pieces[at % pieces.length]!;
    texts.set(`${copy}/${path}`, Buffer.from(copy === 0 ? text : perturbed(text, copy, random)));
  }
  const times = new Map<string, number>();
  let hear: (path: string) => void = () => undefined;
  const noteOf = (path: string, bytes: Buffer): NoteAtRest => ({
    path,
    mtime: times.get(path) ?? 1e12,
    size: bytes.length,
  });
  const source: NoteSource = {
    list: () => {
      const notes = [...texts].map(([path, bytes]) => noteOf(path, bytes));
      return Promise.resolve({ notes, files: notes.map(({ path }) => path), folders: [] });
    },
    stat: (path) => Promise.resolve(texts.has(path) ? noteOf(path, texts.get(path)!) : undefined),
    read: (path) => Promise.resolve(texts.get(path)?.toString('utf8', 0, MAX_NOTE_BYTES)),
    readPassage: (path, { startByte, endByte }) =>
      Promise.resolve(texts.get(path)?.toString('utf8', startByte, endByte)),
    watch: { start: (changed) => ((hear = changed), () => undefined) },
  };
  return {
    source,
    paths: [...texts.keys()],
    write(path: string, text: string) {
      texts.set(path, Buffer.from(text));
      times.set(path, (times.get(path) ?? 1e12) + 1000);
      hear(path);
    },
    textOf: (path: string) => texts.get(path)?.toString() ?? '',
  };
}

async function measureNotes(
  count: number,
  pieces: readonly NoteFile[],
  packed: string,
): Promise<Figure[]> {
  const name = `${counted(count)} notes`;
  const vault = createVault(pieces, count);
  const blobs = createBlobs();
  const before = await usedBytes();
  const built = await watchTurns(async () => {
    const service = createService(NO_LOG, vault.source, blobs, packed);
    service.start();
    await isReady(service);
    await service.close();
  });
  const service = createService(NO_LOG, vault.source, blobs, packed);
  const queries = drawQueries(pieces, QUERIES, 4, createRandom(3));
  const ask = (query: string, limit = 10) =>
    service.notes.search({ query, folder: '', mode: 'hybrid', tags: [], range: EVER, limit });
  collectGarbage();
  const boot = await timeOf(() => ask(queries[0]!));
  await isReady(service);
  const times = await timesOf(queries, ask);
  const bytes = (await usedBytes()) - before;
  const edits: number[] = [];
  for (let at = 0; at < EDITS; at++) {
    const path = vault.paths[(at * 977) % vault.paths.length]!;
    const word = `zebraword${1000 + at}`;
    const text = `${vault.textOf(path)}\n${word}`;
    edits.push(
      await timeOf(async () => {
        vault.write(path, text);
        const answered = await ask(word, 1);
        if (!('found' in answered) || answered.found[0]?.path !== path)
          throw new Error('An edited note is not found');
      }),
    );
  }
  await service.close();
  const found = { boot, times, bytes, build: built.time, longest: built.longest, edits };
  return [
    ...figuresOf(name, found),
    ...comparedWith(name, found, measureYardstick(count, pieces), count > 10_000 ? 0.1 : 0.5),
  ];
}

/** Resolves once all notes are indexed and have vectors. */
async function isReady(service: SearchService): Promise<void> {
  for (;;) {
    const { notes, embeddings } = await service.indexStatus('default');
    if (notes.ready && embeddings?.ready !== false) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

interface Yardstick {
  readonly build: number;
  readonly load: number;
  readonly times: readonly number[];
}

/** Measures minisearch with the same notes and queries, by keywords and without excerpts. */
function measureYardstick(count: number, pieces: readonly NoteFile[]): Yardstick {
  const options = { fields: ['title', 'text'] };
  const vault = createVault(pieces, count);
  let mini = new MiniSearch(options);
  const before = cpuTime();
  for (const path of vault.paths) mini.add({ id: path, title: path, text: vault.textOf(path) });
  const build = cpuTime() - before;
  const queries = drawQueries(pieces, QUERIES, 4, createRandom(3));
  for (const query of queries) mini.search(query);
  const times = queries.map((query) => workOf(() => mini.search(query).slice(0, 10)));
  const json = JSON.stringify(mini);
  mini = new MiniSearch(options); // two large ones do not fit into the usual heap
  collectGarbage();
  return { build, times, load: workOf(() => MiniSearch.loadJSON(json, options)) };
}

/** Compares both. `speed` is the share of minisearch's median that a query may take. */
function comparedWith(name: string, own: Found, other: Yardstick, speed: number): Figure[] {
  const theirMedian = median(other.times);
  return [
    { what: `${name}: built by minisearch`, value: other.build / 1000, unit: ' s' },
    { what: `${name}: loaded by minisearch`, value: other.load, unit: ' ms' },
    { what: `${name}: query, minisearch, median`, value: theirMedian, unit: ' ms' },
    { what: `${name}: build, relative to minisearch`, value: own.build / other.build, limit: 1 },
    {
      what: `${name}: start, relative to minisearch's load`,
      value: own.boot / other.load,
      limit: 0.1,
    },
    {
      what: `${name}: query, median, relative to minisearch`,
      value: median(own.times) / theirMedian,
      limit: speed,
    },
    {
      what: `${name}: query, p99, relative to minisearch's median`,
      value: p99(own.times) / theirMedian,
      limit: 1,
    },
  ];
}

function p99(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
}

/** Returns the duration of a synchronous task. */
function workOf(task: () => unknown): number {
  const before = performance.now();
  task();
  return performance.now() - before;
}

async function measureLongNote(pieces: readonly NoteFile[]): Promise<Figure[]> {
  const long = `a note of ${LONG_NOTE / 1e6} MB`;
  const text = pieces.map((piece) => piece.text).join('\n');
  const vault = createVault(
    [
      {
        path: 'Long.md',
        text: text.repeat(Math.ceil(LONG_NOTE / text.length)).slice(0, LONG_NOTE),
      },
    ],
    1,
  );
  const service = createService(NO_LOG, vault.source, createBlobs());
  const built = await watchTurns(async () => {
    service.start();
    await isReady(service);
  });
  const answered = await service.notes.search({
    query: 'module',
    folder: '',
    mode: 'keyword',
    tags: [],
    range: EVER,
    limit: 1,
  });
  if (!('found' in answered) || answered.found.length !== 1)
    throw new Error('The long note is not found');
  await service.close();
  return [
    { what: `${long}: indexed`, value: built.time, unit: ' ms' },
    { what: `${long}: longest turn`, value: built.longest, unit: ' ms' },
  ];
}

const CALLS_IN_A_FILE = 1024;
const TOOLS = ['loadState', 'createState', 'searchNotes', 'writeFile', 'runCommand'];

/**
 * Measures searches for calls as in a log, which are generated from their numbers when they are
 * read.
 */
async function measureCalls(count: number, pieces: readonly NoteFile[]): Promise<Figure[]> {
  const name = `${counted(count)} calls`;
  const lines = pieces
    .flatMap(({ text }) => text.split('\n').filter((line) => line.length > 40))
    .map((line) => line.slice(0, 160));
  const traceOf = (at: number): Trace => ({
    workspaceId: 'default',
    sessionId: `session-${Math.floor(at / 40)}`,
    toolset: 'memoryManager',
    tool: TOOLS[at % TOOLS.length]!,
    input: `${lines[(at * 7919) % lines.length]!} ${at}`,
    outcome: 'ok',
    isSuccess: true,
    createdAt: new Date(1.7e12 + at * 60_000).toISOString(),
  });
  const paths = Array.from(
    { length: (count + EDITS) / CALLS_IN_A_FILE + 1 },
    (_, at) => `trace/${at}`,
  );
  // The same shape as the log's objects, because merged objects are ten times slower to read.
  const entryOf = (at: number): TraceEntry => {
    const path = paths[Math.floor(at / CALLS_IN_A_FILE)]!;
    return { owner: 'default', path, from: at, to: at + 1, w: 'w', n: at + 1, c: '', h: '' };
  };
  const entries = Array.from({ length: count }, (_, at) => entryOf(at));
  let list: TraceList = { entries, count };
  const log: MemoryLog = {
    ...NO_LOG,
    traceList: () => Promise.resolve(list),
    tracesAt: (some) => Promise.resolve(some.map(({ from }) => traceOf(from))),
  };
  const none = createVault(pieces, 0).source;
  const blobs = createBlobs();
  const before = await usedBytes();
  const ask = (service: SearchService, query: string) =>
    service.memory.searchTraces({ query, workspaceIds: ['default'], range: EVER, limit: 20 });
  const built = await watchTurns(async () => {
    const service = createService(log, none, blobs);
    while ((await ask(service, 'anything')).progress);
    await service.close();
  });
  const service = createService(log, none, blobs);
  const queries = drawQueries(pieces, QUERIES, 4, createRandom(3));
  const boot = await timeOf(() => ask(service, queries[0]!));
  const times = await timesOf(queries, (query) => ask(service, query));
  const bytes = (await usedBytes()) - before;
  const edits: number[] = [];
  for (let at = count; at < count + EDITS; at++) {
    entries.push(entryOf(at));
    list = { entries, count: entries.length };
    edits.push(
      await timeOf(async () => {
        const { found } = await ask(service, String(at));
        if (!found[0]?.item.input.endsWith(` ${at}`)) throw new Error('A new call is not found');
      }),
    );
  }
  await service.close();
  return figuresOf(name, { boot, times, bytes, build: built.time, longest: built.longest, edits });
}

async function timesOf(
  queries: readonly string[],
  ask: (query: string) => Promise<unknown>,
): Promise<number[]> {
  for (const query of queries) await ask(query);
  const times: number[] = [];
  for (const query of queries) times.push(await timeOf(() => ask(query)));
  return times;
}

/** Turns shorter than this many milliseconds are added to the next one. */
const SHORT_TURN = 2;

/**
 * Returns a task's duration and longest turn of the event loop, in milliseconds of CPU time, which
 * other processes affect less.
 */
async function watchTurns(task: () => Promise<void>): Promise<{ time: number; longest: number }> {
  let [longest, last, looked, isOver] = [0, cpuTime(), performance.now(), false];
  const look = () => {
    if (!isOver) setImmediate(look);
    if (performance.now() - looked < SHORT_TURN) return; // reading the CPU time is slow itself
    const now = cpuTime();
    longest = Math.max(longest, now - last);
    [last, looked] = [now, performance.now()];
  };
  const before = cpuTime();
  look();
  const time = await timeOf(task);
  isOver = true;
  return { time: Math.min(time, cpuTime() - before), longest };
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the bytes of heap and buffers after garbage collection. Buffers are released some time
 * after their owners.
 */
async function usedBytes(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

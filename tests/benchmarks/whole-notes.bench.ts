import MiniSearch from 'minisearch';
import { noteDocument } from '../fakes/note-document.js';
import { createIndex, openIndex, type SearchIndex } from '../../src/search/index.js';
import { collectGarbage, counted, median, perForm, type Figure } from './lib.js';
import { readVault, type NoteFile } from './search-data.js';
import { titleOf } from './typed-queries/sources.js';
import { typedQueries } from './typed-queries/kinds.js';
import { namedByTitle } from './typed-queries.bench.js';

export const question =
  'How fast is keyword search of short and of long notes, compared with minisearch with whole notes?';
export const measures = [
  'src/indexing/memory',
  'src/markdown',
  'src/model',
  'src/platform',
  'src/search',
];

const QUERIES_PER_KIND = perForm(5, 1);
const BUILDS = perForm(3, 1);
const ROUNDS = perForm(4, 1);
/** A paragraph that makes a short note this long is its last one. */
const SHORT_NOTE = 250;

export async function answer(): Promise<Figure[]> {
  const vault = namedByTitle(await readVault());
  return [
    ...(await compare('short notes', shortNotes(vault))),
    ...(await compare('long notes', vault)),
  ];
}

/** Returns the paragraphs of notes as notes of about 400 bytes, named by their first words. */
function shortNotes(vault: readonly NoteFile[]): NoteFile[] {
  return vault.flatMap(({ path, text }) => {
    const notes: NoteFile[] = [];
    let own = '';
    for (const paragraph of text.replace(/^---[\s\S]*?^---/m, '').split(/\n\s*\n/)) {
      own += `${own && '\n\n'}${paragraph.trim()}`;
      if (own.length < SHORT_NOTE) continue;
      const name = (own.match(/[\p{L}\p{N}][\p{L}\p{N}._-]*/gu) ?? []).slice(0, 6).join(' ');
      notes.push({ path: `${path.slice(0, -3)}/${notes.length} ${name}.md`, text: own });
      own = '';
    }
    return notes;
  });
}

/** What one side takes, in milliseconds and bytes. */
interface Side {
  readonly builds: number[];
  /** Per query, in each round. */
  readonly queries: number[][];
  memory: number;
  first: number;
}

const newSide = (): Side => ({ builds: [], queries: [], memory: 0, first: NaN });

async function compare(name: string, notes: readonly NoteFile[]): Promise<Figure[]> {
  const queries = typedQueries(notes, QUERIES_PER_KIND).map(({ text }) => text);
  const [ours, theirs] = [newSide(), newSide()];
  let index: SearchIndex | undefined;
  let mini: MiniSearch | undefined;
  for (let round = 0; round < BUILDS; round++) {
    [index, mini] = [undefined, undefined];
    index = await built(ours, () => buildOurs(notes));
    mini = await built(theirs, () => buildTheirs(notes));
  }
  const find = [
    [ours, (query: string) => index!.search(query, { limit: 10, isDeduplicated: true })],
    [theirs, (query: string) => mini!.search(query).slice(0, 10)],
  ] as const;
  for (let round = 0; round < ROUNDS; round++)
    for (const [at, query] of queries.entries())
      for (const [side, search] of (at + round) % 2 === 0 ? find : [...find].reverse()) {
        const time = timed(() => search(query)).time;
        if (Number.isNaN(side.first)) side.first = time;
        (side.queries[at] ??= []).push(time);
      }
  const bytes = notes.reduce((sum, { text }) => sum + text.length, 0) / notes.length;
  const least = (side: Side) => side.queries.map((times) => Math.min(...times));
  const build = [Math.min(...ours.builds), Math.min(...theirs.builds)] as const;
  return [
    { what: `${counted(notes.length)} ${name}: characters, mean`, value: bytes },
    { what: `${name}: build`, value: build[0], unit: ' ms' },
    ...versus(`${name}: build`, build),
    ...[0.5, 0.99].flatMap((share) => {
      const pair = [quantile(least(ours), share), quantile(least(theirs), share)] as const;
      const what = `${name}: typed query, p${share * 100}`;
      return [{ what, value: pair[0], unit: ' ms' }, ...versus(what, pair)];
    }),
    { what: `${name}: first query`, value: ours.first, unit: ' ms' },
    { what: `${name}: first query, minisearch`, value: theirs.first, unit: ' ms' },
    {
      what: `${name}: memory, relative to minisearch`,
      value: ours.memory / theirs.memory,
      limit: 1 / 3,
    },
  ];
}

function versus(what: string, [ours, theirs]: readonly [number, number]): Figure[] {
  return [{ what: `${what}, times as fast as minisearch`, value: theirs / ours, least: 1 }];
}

function buildOurs(notes: readonly NoteFile[]): SearchIndex {
  const index = createIndex();
  for (const { path, text } of notes) index.put(noteDocument(path, text, 0));
  for (const steps = index.mergeSteps(); !steps.next().done;);
  const { manifest, blobs } = index.flush();
  const opened = openIndex(manifest, new Map(blobs.map(({ name, bytes }) => [name, bytes])));
  if (!('index' in opened)) throw new Error('The index cannot be opened');
  return opened.index;
}

function buildTheirs(notes: readonly NoteFile[]): MiniSearch {
  const mini = new MiniSearch({
    fields: ['title', 'text'],
    searchOptions: { boost: { title: 2 } },
  });
  mini.addAll(notes.map(({ path, text }) => ({ id: path, title: titleOf(path), text })));
  return mini;
}

async function built<T>(side: Side, build: () => T): Promise<T> {
  const before = await memoryUsed();
  const { time, result } = timed(build);
  side.builds.push(time);
  side.memory = (await memoryUsed()) - before;
  return result;
}

/** Returns the bytes of the heap and of buffers; those of buffers fall some turns later. */
async function memoryUsed(): Promise<number> {
  for (let turn = 0; turn < 4; turn++) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function timed<T>(task: () => T): { time: number; result: T } {
  const start = performance.now();
  const result = task();
  return { time: performance.now() - start, result };
}

function quantile(times: readonly number[], share: number): number {
  if (share === 0.5) return median(times);
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? NaN;
}

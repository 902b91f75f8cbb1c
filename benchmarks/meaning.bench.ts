import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { runSteps } from '../src/platform/byte-writer.js';
import { wordingOf, type SearchDocument } from '../src/search/documents/documents.js';
import { createIndex } from '../src/search/index.js';
import { plainDots } from '../src/search/vectors/dots.js';
import {
  LEAST_NEARNESS,
  NEAREST,
  openMeaningSteps,
  type Embedder,
} from '../src/search/vectors/meaning.js';
import { createSimdDots } from '../src/search/vectors/simd-dots.js';
import { createVectors } from '../src/search/vectors/vectors.js';
import { asMeant } from '../src/search/documents/memory-documents.js';
import { noteDocument } from '../src/search/documents/passages.js';
import type { SearchOptions } from '../src/search/query/search.js';
import { median, type Figure } from './lib.js';
import {
  AS_MEMORY,
  gainAtTen,
  hasData,
  keysOf,
  mean,
  readCollection,
  readConversations,
  recall,
  recallOfSessions,
  type Judged,
} from './meaning/judged.js';
import paraphrases from './paraphrases.json';
import { dataFolder, readVault, type NoteFile } from './search-data.js';

export const question =
  'What does the table of meaning add to a search by word, and what does it cost?';

const PASSAGE_WORDS = 200;

export async function answer(): Promise<Figure[]> {
  const packed = await fs.readFile('assets/meaning.txt', 'utf8');
  const embedder = runSteps(openMeaningSteps(packed));
  const folder = await dataFolder();
  const notes =
    folder && hasData('vault-powershell-docs.tar.gz') ? await readVault(folder) : undefined;
  return [
    ...costs(packed, embedder),
    ...(hasData('ir')
      ? [
          ...collectionFigures('cranfield', 0.385, embedder),
          ...collectionFigures('cacm', 0.54, embedder),
        ]
      : skipped('ir')),
    ...(hasData('locomo-first5.json') ? conversationFigures(embedder) : skipped('locomo')),
    ...(notes ? vaultFigures(notes, embedder) : skipped('paraphrases')),
  ];
}

function skipped(name: string): Figure[] {
  return [{ what: `${name}: skipped, no data (SAVEPOINT_DATA)`, value: NaN }];
}

function costs(packed: string, { dimensions, vectorOf }: Embedder): Figure[] {
  const questions = paraphrases.queries.map(({ query }) => query).join(' ');
  const passage = questions.split(' ').slice(0, PASSAGE_WORDS).join(' ');
  const count = 100_000;
  const vectors = Int8Array.from({ length: count * dimensions }, (_, at) => (at * 7919) % 61);
  const query = vectorOf(passage);
  const products = new Int32Array(count);
  const simd = createSimdDots();
  const plainTime = timeOf(9, () => plainDots(query, vectors, products, 0, count));
  const simdTime = simd ? timeOf(9, () => simd(query, vectors, products, 0, count)) : NaN;
  return [
    { what: 'size of the packed table', value: packed.length / 1e6, limit: 2.5, unit: ' MB' },
    { what: 'opening it', value: timeOf(5, () => runSteps(openMeaningSteps(packed))), unit: ' ms' },
    {
      what: `the vector of ${PASSAGE_WORDS} words`,
      value: timeOf(200, () => vectorOf(passage)),
      unit: ' ms',
    },
    {
      what: `a query against 100,000 vectors of ${dimensions}, plain`,
      value: plainTime,
      unit: ' ms',
    },
    { what: 'the same with SIMD', value: simdTime, unit: ' ms' },
    { what: 'ratio', value: plainTime / simdTime },
  ];
}

/** Median milliseconds. */
function timeOf(rounds: number, task: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    task();
    return performance.now() - start;
  });
  return median(times);
}

const WAYS = ['word', 'meaning', 'both'] as const;
type Found = readonly { readonly key: string; readonly also: readonly string[] }[];
type Search = (query: string) => Readonly<Record<(typeof WAYS)[number], Found>>;

/** As notes are searched for, of which the first ten are looked at. */
const AS_NOTES: SearchOptions = { limit: 10, isFolded: true };

/** What is found in three ways. */
function createSearch(
  documents: readonly SearchDocument[],
  { dimensions, vectorOf }: Embedder,
  options: SearchOptions,
): Search {
  const index = createIndex();
  const vectors = createVectors(dimensions);
  for (const document of documents) {
    index.put(document);
    vectors.put(
      document.key,
      asMeant(document).passages.map((passage) => vectorOf(wordingOf(passage))),
    );
  }
  runSteps(index.mergeSteps());
  return (query) => {
    const meaningOf = (least: number) =>
      runSteps(vectors.nearestSteps(vectorOf(query), { most: NEAREST, least }));
    return {
      word: index.search(query, options),
      meaning: index.search('', { ...options, meaning: meaningOf(0) }),
      both: index.search(query, { ...options, meaning: meaningOf(LEAST_NEARNESS) }),
    };
  };
}

type Measure = (found: Found, grades: ReadonlyMap<string, number>) => number;

const byKeys =
  (measure: (ids: readonly string[], grades: ReadonlyMap<string, number>) => number): Measure =>
  (found, grades) =>
    measure(keysOf(found), grades);

/** One figure for each way to search and each measure, averaged over all queries; then what both ways add to words alone. */
function figures(
  name: string,
  collections: readonly Judged[],
  measures: Readonly<Record<string, Measure>>,
  leasts: Readonly<Record<string, number>>,
  leastAdded: Readonly<Record<string, number>>,
  embedder: Embedder,
  options = AS_NOTES,
): Figure[] {
  const all = collections.flatMap(({ documents, queries }) => {
    const search = createSearch(documents, embedder, options);
    return queries.map(({ text, grades }) => ({ found: search(text), grades }));
  });
  return Object.entries(measures).flatMap(([measure, of]) => {
    const valueOf = (way: (typeof WAYS)[number]) =>
      mean(all.map(({ found, grades }) => of(found[way], grades)));
    const [least, added] = [leasts[measure], leastAdded[measure]];
    return [
      ...WAYS.map((way) => ({
        what: `${name}, ${measure}, by ${way}`,
        value: valueOf(way),
        ...(way === 'both' && least !== undefined && { least }),
      })),
      {
        what: `${name}, ${measure}, both beside word`,
        value: valueOf('both') - valueOf('word'),
        ...(added !== undefined && { least: added }),
      },
    ];
  });
}

/** What is found by both ways may be so much worse than by words alone. */
const MOST_LOST = -0.005;

function collectionFigures(name: string, least: number, embedder: Embedder): Figure[] {
  return figures(
    name,
    [readCollection(name)],
    { 'nDCG@10': byKeys(gainAtTen) },
    { 'nDCG@10': least },
    { 'nDCG@10': MOST_LOST },
    embedder,
  );
}

function conversationFigures(embedder: Embedder): Figure[] {
  const recallAt = (count: number) => byKeys((ids, grades) => recall(ids, grades, count));
  const measures = {
    'R@5': recallAt(5),
    'R@10': recallAt(10),
    'R@10 of their sessions': byKeys(recallOfSessions),
  };
  const leasts = { 'R@5': 0.65, 'R@10': 0.74, 'R@10 of their sessions': 0.96 };
  return figures(
    'locomo turns',
    readConversations(),
    measures,
    leasts,
    { 'R@5': MOST_LOST, 'R@10': MOST_LOST },
    embedder,
    AS_MEMORY,
  );
}

/**
 * Notes in other words than their own, in a vault that holds most of them in several versions. Of the notes that answer a question a
 * search shows those that it lists and those that it names with them; a question is answered if one of them is listed.
 */
function vaultFigures(notes: readonly NoteFile[], embedder: Embedder): Figure[] {
  const documents = notes.map(({ path, text }) => noteDocument(path, text, 0));
  const queries = paraphrases.queries.map(({ query, notes: wanted }) => ({
    text: query,
    grades: new Map(wanted.map((note) => [note, 1])),
  }));
  const shown = (found: Found) => found.flatMap(({ key, also }) => [key, ...also]);
  const isAnswered = byKeys((ids, grades) => (ids.some((id) => grades.has(id)) ? 1 : 0));
  const measures: Readonly<Record<string, Measure>> = {
    'recall@10': (found, grades) => recall(shown(found), grades, Infinity),
    answered: isAnswered,
  };
  const rank: Measure = (found, grades) => {
    const at = found.findIndex((hit) => shown([hit]).some((id) => grades.has(id)));
    return at < 0 ? 0 : 1 / (at + 1);
  };
  const newest = [
    ...new Map(
      documents.map((document) => [document.key.replace(/^reference\/[\d.]+\//, ''), document]),
    ).values(),
  ];
  return [
    ...figures(
      'paraphrases',
      [{ documents, queries }],
      measures,
      {},
      { 'recall@10': 0.1 },
      embedder,
    ),
    ...figures(
      'paraphrases, newest versions only',
      [{ documents: newest, queries }],
      { answered: isAnswered },
      {},
      { answered: 0.1 },
      embedder,
    ),
    ...figures(
      'link texts',
      [{ documents, queries: linkQueries(notes) }],
      { 'MRR@10': rank },
      {},
      { 'MRR@10': MOST_LOST },
      embedder,
    ),
  ];
}

const LINK = /\[([^[\]]{4,80})\]\(([^)#\s]+\.md)[^)]*\)/g;
const LINK_QUERIES = 500;

/** What links say, and the notes that they lead to. */
function linkQueries(notes: readonly NoteFile[]): Judged['queries'] {
  const paths = new Set(notes.map((note) => note.path));
  const targets = new Map<string, Map<string, number>>();
  for (const { path: from, text } of notes) {
    for (const [, label = '', link = ''] of text.matchAll(LINK)) {
      const target = path.posix.join(path.posix.dirname(from), link);
      const query = label.replace(/[`*]/g, '');
      if (target !== from && paths.has(target))
        targets.set(query, (targets.get(query) ?? new Map<string, number>()).set(target, 1));
    }
  }
  const step = Math.ceil(targets.size / LINK_QUERIES);
  return [...targets]
    .filter((_, at) => at % step === 0)
    .map(([text, grades]) => ({ text, grades }));
}

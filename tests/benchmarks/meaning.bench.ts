import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { scalarDotProducts } from '../../src/search/vectors/dot-products.js';
import { createEmbedder, type Embedder } from '../../src/search/vectors/embedder.js';
import { openEmbeddingTable } from '../../src/search/vectors/embedding-table.js';
import { createSimdDotProducts } from '../../src/search/vectors/simd-dot-products.js';
import { noteDocument } from '../fakes/note-document.js';
import { counted, median, perForm, type Figure } from './lib.js';
import {
  MEMORY_OPTIONS,
  gainAtTen,
  keysOf,
  mean,
  readCollection,
  readConversations,
  recall,
  recallOfSessions,
  type Judged,
} from './meaning/judged.js';
import { createSearch, MODES, NOTE_OPTIONS, type Found } from './meaning/all-modes.js';
import paraphrases from './paraphrases.json';
import { hasData, missingFigure, readVault, type NoteFile } from './search-data.js';

export const question =
  'What does the embedding table add to keyword search, and what does it cost?';
export const measures = [
  'src/indexing/memory',
  'src/markdown',
  'src/model',
  'src/platform',
  'src/search',
];

const PASSAGE_WORDS = 200;

export async function answer(): Promise<Figure[]> {
  const packed = await fs.readFile('assets/meaning.txt', 'utf8');
  const embedder = createEmbedder(openEmbeddingTable(packed));
  return [
    ...costs(packed, embedder),
    ...(hasData('ir')
      ? [
          ...collectionFigures('cranfield', 0.385, embedder),
          ...collectionFigures('cacm', 0.54, embedder),
        ]
      : [missingFigure('abstracts', 'ir')]),
    ...(hasData('locomo-first5.json')
      ? conversationFigures(embedder)
      : [missingFigure('locomo turns', 'locomo-first5.json')]),
    ...(hasData('vault-powershell-docs.tar.gz')
      ? vaultFigures(await readVault(), embedder)
      : [missingFigure('paraphrases', 'vault-powershell-docs.tar.gz')]),
  ];
}

function costs(packed: string, { dimensions, vectorOf }: Embedder): Figure[] {
  const questions = paraphrases.queries.map(({ query }) => query).join(' ');
  const passage = questions.split(' ').slice(0, PASSAGE_WORDS).join(' ');
  const count = perForm(100_000, 1000);
  const vectors = Int8Array.from({ length: count * dimensions }, (_, at) => (at * 7919) % 61);
  const query = vectorOf(passage);
  const products = new Int32Array(count);
  const simd = createSimdDotProducts();
  const plainTime = timeOf(9, () => scalarDotProducts(query, vectors, products, 0, count));
  const simdTime = simd ? timeOf(9, () => simd(query, vectors, products, 0, count)) : NaN;
  return [
    { what: 'size of the packed table', value: packed.length / 1e6, limit: 2.5, unit: ' MB' },
    {
      what: 'opening it',
      value: timeOf(5, () => createEmbedder(openEmbeddingTable(packed))),
      unit: ' ms',
    },
    {
      what: `the vector of ${PASSAGE_WORDS} words`,
      value: timeOf(200, () => vectorOf(passage)),
      unit: ' ms',
    },
    {
      what: `a query against ${counted(count)} vectors of ${dimensions}, plain`,
      value: plainTime,
      unit: ' ms',
    },
    { what: 'the same with SIMD', value: simdTime, unit: ' ms' },
    { what: 'ratio', value: plainTime / simdTime },
  ];
}

/** Returns the median duration of a task in milliseconds. */
function timeOf(rounds: number, task: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const start = performance.now();
    task();
    return performance.now() - start;
  });
  return median(times);
}

type Measure = (found: Found, grades: ReadonlyMap<string, number>) => number;

const byKeys =
  (measure: (ids: readonly string[], grades: ReadonlyMap<string, number>) => number): Measure =>
  (found, grades) =>
    measure(keysOf(found), grades);

/**
 * Returns, for each measure, a figure per mode, averaged over all queries, and then the gain of
 * hybrid over keyword.
 */
function figures(
  name: string,
  collections: readonly Judged[],
  measures: Readonly<Record<string, Measure>>,
  leasts: Readonly<Record<string, number>>,
  leastAdded: Readonly<Record<string, number>>,
  embedder: Embedder,
  options = NOTE_OPTIONS,
): Figure[] {
  const all = collections.flatMap(({ documents, queries }) => {
    const search = createSearch(documents, embedder, options);
    return queries.map(({ text, grades }) => ({ found: search(text), grades }));
  });
  return Object.entries(measures).flatMap(([measure, of]) => {
    const valueOf = (mode: (typeof MODES)[number]) =>
      mean(all.map(({ found, grades }) => of(found[mode], grades)));
    const [least, added] = [leasts[measure], leastAdded[measure]];
    return [
      ...MODES.map((mode) => ({
        what: `${name}, ${measure}, ${mode}`,
        value: valueOf(mode),
        ...(mode === 'hybrid' && least !== undefined && { least }),
      })),
      {
        what: `${name}, ${measure}, hybrid minus keyword`,
        value: valueOf('hybrid') - valueOf('keyword'),
        ...(added !== undefined && { least: added }),
      },
    ];
  });
}

/** Tolerated loss of hybrid against keyword. */
const MAX_LOSS = -0.005;

function collectionFigures(name: string, least: number, embedder: Embedder): Figure[] {
  return figures(
    name,
    [readCollection(name)],
    { 'nDCG@10': byKeys(gainAtTen) },
    { 'nDCG@10': least },
    { 'nDCG@10': MAX_LOSS },
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
    { 'R@5': MAX_LOSS, 'R@10': MAX_LOSS },
    embedder,
    MEMORY_OPTIONS,
  );
}

/**
 * Searches for notes by paraphrases, in a vault with several versions of most notes. A search shows
 * the notes that it lists and those that it names as their versions; a question counts as answered
 * if a wanted note is listed.
 */
function vaultFigures(notes: readonly NoteFile[], embedder: Embedder): Figure[] {
  const documents = notes.map(({ path, text }) => noteDocument(path, text, 0));
  const queries = paraphrases.queries.map(({ query, notes: wanted }) => ({
    text: query,
    grades: new Map(wanted.map((note) => [note, 1])),
  }));
  const shown = (found: Found) =>
    found.flatMap(({ key, duplicateKeys }) => [key, ...duplicateKeys]);
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
      { 'MRR@10': MAX_LOSS },
      embedder,
    ),
  ];
}

const LINK = /\[([^[\]]{4,80})\]\(([^)#\s]+\.md)[^)]*\)/g;
const LINK_QUERIES = perForm(500, 20);

/** Returns link texts as queries for the notes that they point to. */
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

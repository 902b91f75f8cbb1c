import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { hashText } from '../src/search/bytes.js';
import type { Passage, SearchDocument } from '../src/search/documents.js';
import { createIndex } from '../src/search/index.js';
import { cosines } from '../src/search/meaning/cosines.js';
import { plainDots } from '../src/search/meaning/dots.js';
import { openMeaning, type Embedder } from '../src/search/meaning/meaning.js';
import { createSimdDots } from '../src/search/meaning/simd-dots.js';
import { noteDocument } from '../src/search/passages.js';
import { median, type Figure } from './lib.js';
import { dataFolder, gainAtTen, hasData, mean, readCollection, readConversations, recall, type JudgedQuery } from './meaning/judged.js';
import paraphrases from './paraphrases.json';

export const question = 'What does the table of meaning add to a search by word, and what does it cost?';

const PASSAGE_WORDS = 200;
/** So many of the nearest passages are handed to the search. */
const NEAREST = 200;

export async function answer(): Promise<Figure[]> {
  const packed = await fs.promises.readFile('assets/meaning.txt', 'utf8');
  const embedder = openMeaning(packed);
  return [
    ...costs(packed, embedder),
    ...['cranfield', 'cacm'].flatMap((name) => (hasData(`ir/${name}`) ? collectionFigures(name, embedder) : skipped(name))),
    ...(hasData('locomo-first5.json') ? conversationFigures(embedder) : skipped('locomo')),
    ...(hasData('vault-powershell-docs.tar.gz') ? vaultFigures(embedder) : skipped('paraphrases')),
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
    { what: 'opening it', value: timeOf(5, () => openMeaning(packed)), unit: ' ms' },
    { what: `the vector of ${PASSAGE_WORDS} words`, value: timeOf(200, () => vectorOf(passage)), unit: ' ms' },
    { what: `a query against 100,000 vectors of ${dimensions}, plain`, value: plainTime, unit: ' ms' },
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

interface Collection {
  readonly documents: readonly SearchDocument[];
  readonly queries: readonly JudgedQuery[];
}

type Search = (query: string) => Readonly<Record<'word' | 'meaning' | 'both', string[]>>;

/** The keys of the first ten, found in three ways. A passage is as near as it and its document are, half and half. */
function createSearch(documents: readonly SearchDocument[], { dimensions, vectorOf }: Embedder): Search {
  const index = createIndex();
  for (const document of documents) index.put(document);
  const passages = documents.flatMap(({ key, passages: own }, owner) => own.map((passage, number) => ({ key, owner, number, passage })));
  const firsts = new Map(passages.flatMap(({ key, number }, at) => (number === 0 ? [[key, at] as const] : [])));
  const lay = (texts: readonly string[]) => {
    const vectors = new Int8Array(texts.length * dimensions);
    texts.forEach((text, at) => vectors.set(vectorOf(text), at * dimensions));
    return vectors;
  };
  const documentVectors = lay(documents.map((document) => document.passages.map(wording).join(' ')));
  const passageVectors = lay(passages.map(({ passage }) => wording(passage)));
  const scan = (vector: Int8Array, vectors: Int8Array) => {
    const scores = new Float32Array(vectors.length / dimensions);
    cosines(vector, vectors, scores);
    return scores;
  };
  return (query) => {
    const vector = vectorOf(query);
    const ofDocuments = scan(vector, documentVectors);
    const ofPassages = scan(vector, passageVectors);
    const near = passages.map(({ owner }, at) => ((ofPassages[at] ?? 0) + (ofDocuments[owner] ?? 0)) / 2);
    const nearest = passages
      .map(({ key, number }, at) => ({ key, passage: number, score: near[at] ?? 0 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, NEAREST);
    const of = (key: string, passage: number) => near[(firsts.get(key) ?? 0) + passage] ?? 0;
    const keysOf = (hits: readonly { readonly key: string }[]) => [...new Set(hits.map(({ key }) => key))].slice(0, 10);
    return {
      word: keysOf(index.search(query, { limit: 10 })),
      meaning: keysOf(nearest),
      both: keysOf(index.search(query, { limit: 10, meaning: { of, nearest } })),
    };
  };
}

function wording(passage: Passage): string {
  return passage.map(({ text }) => text).join('. ');
}

type Measures = Readonly<Record<string, (ids: readonly string[], grades: ReadonlyMap<string, number>) => number>>;

/** One figure for each way to search and each measure, averaged over all queries. */
function figures(name: string, collections: readonly Collection[], measures: Measures, embedder: Embedder): Figure[] {
  const values = new Map<string, number[]>();
  for (const { documents, queries } of collections) {
    const search = createSearch(documents, embedder);
    for (const { text, grades } of queries) {
      const found = search(text);
      for (const way of ['word', 'meaning', 'both'] as const) {
        for (const [measure, value] of Object.entries(measures)) {
          const key = `${name}, ${measure}, by ${way}`;
          values.set(key, [...(values.get(key) ?? []), value(found[way], grades)]);
        }
      }
    }
  }
  return [...values].map(([what, each]) => ({ what, value: 100 * mean(each), unit: ' %' }));
}

function toDocument(key: string, passages: readonly Passage[]): SearchDocument {
  return { key, hash: hashText(passages.map(wording).join(' ')), time: 0, passages, labels: [] };
}

function collectionFigures(name: string, embedder: Embedder): Figure[] {
  const { documents, queries } = readCollection(name);
  const toPassage = (title: string, text: string): Passage => [
    { name: 'title', text: title, weight: 3 },
    { name: 'text', text, weight: 1 },
  ];
  const all = documents.map(({ id, title, text }) =>
    toDocument(
      id,
      cut(text).map((part) => toPassage(title, part)),
    ),
  );
  return figures(name, [{ documents: all, queries }], { 'nDCG@10': gainAtTen }, embedder);
}

/** Parts of at most so many words. */
function cut(text: string): string[] {
  const words = text.split(/\s+/);
  const count = Math.ceil(words.length / PASSAGE_WORDS);
  return Array.from({ length: count }, (_, at) => words.slice(at * PASSAGE_WORDS, (at + 1) * PASSAGE_WORDS).join(' '));
}

function conversationFigures(embedder: Embedder): Figure[] {
  const collections = readConversations().map(({ documents, queries }) => ({
    queries,
    documents: documents.map(({ id, title, text, around }) => {
      const passage: Passage = [
        { name: 'who', text: title, weight: 1 },
        { name: 'text', text, weight: 1 },
        { name: 'around', text: around, weight: 0.3 },
      ];
      return toDocument(id, [passage]);
    }),
  }));
  const measures: Measures = { 'R@5': (ids, grades) => recall(ids, grades, 5), 'R@10': (ids, grades) => recall(ids, grades, 10) };
  return figures('locomo turns', collections, measures, embedder);
}

/** A note is found if it, or the same note for another version, is among the first ten. */
function vaultFigures(embedder: Embedder): Figure[] {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'savepoint-vault-'));
  try {
    execFileSync('tar', ['-xzf', path.join(dataFolder(), 'vault-powershell-docs.tar.gz'), '-C', folder]);
    const notes = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
    const documents = notes.sort().map((name) => noteDocument(name, fs.readFileSync(path.join(folder, name), 'utf8'), 0));
    const queries = paraphrases.queries.map(({ query, notes: wanted }) => ({
      text: query,
      grades: new Map(wanted.map((note) => [note, 1])),
    }));
    const measures: Measures = { 'found in ten': (ids, grades) => (ids.some((id) => grades.has(id)) ? 1 : 0) };
    const newest = [...new Map(documents.map((document) => [document.key.replace(/^reference\/[\d.]+\//, ''), document])).values()];
    return [
      ...figures('paraphrases', [{ documents, queries }], measures, embedder),
      ...figures('paraphrases, newest versions only', [{ documents: newest, queries }], measures, embedder),
    ];
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

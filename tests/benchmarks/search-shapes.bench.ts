import * as fs from 'node:fs/promises';
import MiniSearch from 'minisearch';
import { readNoteFields } from '../../src/search/documents/note-fields.js';
import { noteDocument } from '../fakes/note-document.js';
import { createEmbedder, type Embedder } from '../../src/search/vectors/embedder.js';
import { openEmbeddingTable } from '../../src/search/vectors/embedding-table.js';
import type { SearchOptions } from '../../src/search/query/search.js';
import { perForm, type Figure } from './lib.js';
import { createSearch, NOTE_OPTIONS } from './meaning/all-modes.js';
import {
  gainAtTen,
  keysOf,
  mean,
  MEMORY_OPTIONS,
  readCollection,
  readConversations,
  readStoredConversations,
  recall,
  type Judged,
} from './meaning/judged.js';
import exclusions from './exclusions.json';
import { CHINESE_MANUAL, codeAndNumbers, readChineseManual } from './other-shapes.js';
import { intervalOf } from './paired.js';
import { createPlainBm25 } from './meaning/plain-bm25.js';
import {
  germanHelp,
  hasData,
  isOneVersion,
  missingFigure,
  processTerm,
  readVault,
} from './search-data.js';

export const question =
  'How good is search on collections of eight shapes, compared with minisearch and plain BM25?';
export const measures = [
  'src/indexing/memory',
  'src/markdown',
  'src/model',
  'src/platform',
  'src/search',
];

type Measure = (ids: readonly string[], grades: ReadonlyMap<string, number>) => number;

/** A kind of collection, with what is asked of it. */
interface Shape {
  readonly name: string;
  /** File or folder with its data. */
  readonly data: string;
  readonly measure: Measure;
  readonly measureName: string;
  readonly options: SearchOptions;
  readonly read: () => Promise<readonly Judged[]>;
}

const reciprocalRank: Measure = (ids, grades) => {
  const at = ids.findIndex((id) => grades.has(id));
  return at < 0 ? 0 : 1 / (at + 1);
};
const recallAtTen: Measure = (ids, grades) => recall(ids, grades, 10);
const isFirst: Measure = (ids, grades) => (grades.has(ids[0] ?? '') ? 1 : 0);

/** Queries per vault. */
const NAME_QUERIES = perForm(500, 20);
const LINK_QUERIES = perForm(Infinity, 20);

const SHAPES: readonly Shape[] = [
  {
    name: 'technical titles',
    data: 'vault-powershell-docs.tar.gz',
    measure: reciprocalRank,
    measureName: 'MRR@10',
    options: NOTE_OPTIONS,
    read: async () => [namesOf(await technicalNotes())],
  },
  {
    name: 'German help, link texts',
    data: 'vault-help-de.tar.gz',
    measure: reciprocalRank,
    measureName: 'MRR@10',
    options: NOTE_OPTIONS,
    read: readGermanHelp,
  },
  {
    name: 'Chinese manual',
    data: CHINESE_MANUAL,
    measure: reciprocalRank,
    measureName: 'MRR@10',
    options: NOTE_OPTIONS,
    read: async () => [await readChineseManual()],
  },
  {
    name: 'code and numbers',
    data: 'vault-powershell-docs.tar.gz',
    measure: reciprocalRank,
    measureName: 'MRR@10',
    options: NOTE_OPTIONS,
    read: async () => [codeAndNumbers((await technicalNotes()).filter(isOneVersion))],
  },
  {
    name: 'LoCoMo chats',
    data: 'locomo-first5.json',
    measure: recallAtTen,
    measureName: 'R@10',
    options: MEMORY_OPTIONS,
    read: () => Promise.resolve(readConversations()),
  },
  {
    name: 'real chats',
    data: 'memory-realtalk-first3.json',
    measure: recallAtTen,
    measureName: 'R@10',
    options: MEMORY_OPTIONS,
    read: () => Promise.resolve(readStoredConversations('memory-realtalk-first3.json')),
  },
  {
    name: 'long answers',
    data: 'memory-beam-first5.json.gz',
    measure: recallAtTen,
    measureName: 'R@10',
    options: MEMORY_OPTIONS,
    read: () => Promise.resolve(readStoredConversations('memory-beam-first5.json.gz')),
  },
  {
    name: 'abstracts',
    data: 'ir',
    measure: gainAtTen,
    measureName: 'nDCG@10',
    options: NOTE_OPTIONS,
    read: () => Promise.resolve([readCollection('cranfield'), readCollection('cacm')]),
  },
];

export async function answer(): Promise<Figure[]> {
  const packed = await fs.readFile('assets/meaning.txt', 'utf8');
  const embedder = createEmbedder(openEmbeddingTable(packed));
  const figures: Figure[] = [];
  for (const shape of SHAPES)
    figures.push(
      ...(hasData(shape.data)
        ? await judge(shape, embedder)
        : [missingFigure(shape.name, shape.data)]),
    );
  return [...figures, ...(await exactNames(embedder)), ...exclusionFigures(embedder)];
}

const ENGINES = ['keyword', 'semantic', 'minisearch', 'plain BM25'] as const;

/**
 * Returns the measure of each engine and, for each but hybrid, the paired 95 % interval of what
 * hybrid adds.
 */
async function judge(
  { name, measure, measureName, options, read }: Shape,
  embedder: Embedder,
): Promise<Figure[]> {
  const values = new Map<string, number[]>(['hybrid', ...ENGINES].map((engine) => [engine, []]));
  for (const collection of await read()) {
    const search = createSearch(collection.documents, embedder, options);
    const others = openOthers(collection);
    for (const { text, grades } of collection.queries) {
      const ours = search(text);
      for (const mode of ['hybrid', 'keyword', 'semantic'] as const)
        values.get(mode)!.push(measure(keysOf(ours[mode]), grades));
      for (const [engine, find] of others) values.get(engine)!.push(measure(find(text), grades));
    }
  }
  const hybrid = values.get('hybrid')!;
  return [
    { what: `${name}, ${measureName}, hybrid`, value: mean(hybrid), isHighlighted: true },
    ...ENGINES.flatMap((engine) => {
      const own = values.get(engine)!;
      const [from, to] = intervalOf(hybrid.map((value, at) => value - own[at]!));
      return [
        { what: `${name}, ${measureName}, ${engine}`, value: mean(own) },
        { what: `${name}: hybrid minus ${engine}, from`, value: from },
        {
          what: `${name}: hybrid minus ${engine}, to`,
          value: to,
          ...(engine !== 'semantic' && { least: 0 }),
        },
      ];
    }),
  ];
}

/**
 * Opens minisearch, tuned with our stems and stop words and a weight for titles, and plain BM25.
 */
function openOthers({ documents }: Judged): Map<string, (query: string) => string[]> {
  const texts = documents.map(({ key, passages }) => {
    const textOf = (isTitle: boolean) =>
      passages
        .flatMap((passage, at) =>
          passage.filter(
            (part) =>
              (part.name === 'title' || part.name === 'alias') === isTitle &&
              !part.name.includes('neighbour') &&
              (at === 0 || part.name === 'text'),
          ),
        )
        .map(({ text }) => text)
        .join('\n');
    return { id: key, title: textOf(true), text: textOf(false) };
  });
  const mini = new MiniSearch({
    fields: ['title', 'text'],
    processTerm,
    searchOptions: { boost: { title: 2 } },
  });
  mini.addAll(texts);
  return new Map([
    ['minisearch', (query) => mini.search(query).map(({ id }) => String(id))],
    [
      'plain BM25',
      createPlainBm25(texts.map(({ id, title, text }) => ({ id, text: `${title}\n${text}` }))),
    ],
  ]);
}

interface Note {
  readonly path: string;
  readonly text: string;
}

async function technicalNotes(): Promise<Note[]> {
  return (await readVault()).filter(({ path: own }) => !own.startsWith('.'));
}

/**
 * Returns the notes with their names (title, aliases, file name) as queries. A query is answered by
 * each note of that name.
 */
function namesOf(notes: readonly Note[]): Judged {
  const byName = new Map<string, Map<string, number>>();
  for (const { path: own, text } of notes) {
    const { title, aliases } = readNoteFields(own, text);
    for (const name of [title, ...aliases])
      byName.set(name, (byName.get(name) ?? new Map<string, number>()).set(own, 1));
  }
  const step = Math.max(1, Math.floor(byName.size / NAME_QUERIES));
  const queries = [...byName].filter((_, at) => at % step === 0);
  return {
    documents: notes.map(({ path: own, text }) => noteDocument(own, text, 0)),
    queries: queries.map(([text, grades]) => ({ text, grades })),
  };
}

async function readGermanHelp(): Promise<Judged[]> {
  const { notes, anchors } = await germanHelp();
  const queries = anchors.slice(0, LINK_QUERIES).map(({ text, rel }) => ({
    text,
    grades: new Map(rel.map((each) => [each, 1])),
  }));
  return [{ documents: notes.map((note) => noteDocument(note.path, note.text, 0)), queries }];
}

/** Returns how often a note whose name is the query comes first. */
async function exactNames(embedder: Embedder): Promise<Figure[]> {
  const vaults = [
    ['technical vault', 'vault-powershell-docs.tar.gz', technicalNotes],
    ['German help', 'vault-help-de.tar.gz', async () => (await germanHelp()).notes],
  ] as const;
  const figures: Figure[] = [];
  for (const [name, data, read] of vaults) {
    if (!hasData(data)) {
      figures.push(missingFigure(`${name}, names`, data));
      continue;
    }
    const { documents, queries } = namesOf(await read());
    const search = createSearch(documents, embedder, NOTE_OPTIONS);
    const first = queries.map(({ text, grades }) => isFirst(keysOf(search(text).hybrid), grades));
    figures.push({
      what: `${name}: a note of the name that is searched for comes first`,
      value: mean(first),
      least: 0.97,
      isHighlighted: true,
    });
  }
  return figures;
}

/** Judges queries that exclude something, each among notes with and without it. */
function exclusionFigures(embedder: Embedder): Figure[] {
  const documents = exclusions.flatMap((each, at) =>
    [each.wanted, each.excluded, each.other].map(({ title, text }, role) =>
      noteDocument(`${at}.${role}/${title}.md`, text, 0),
    ),
  );
  const search = createSearch(documents, embedder, NOTE_OPTIONS);
  const answered = exclusions.map(({ query, kind = 'exclude', isLater = false }, at) => ({
    kind,
    isLater,
    isFirst: keysOf(search(query).hybrid)[0]?.startsWith(`${at}.0/`) === true ? 1 : 0,
  }));
  const share = (wanted: string, which = [false, true]) =>
    mean(
      answered.flatMap(({ kind, isLater, isFirst: value }) =>
        kind === wanted && which.includes(isLater) ? [value] : [],
      ),
    );
  return [
    {
      what: 'queries that exclude something: hit@1',
      value: share('exclude'),
      least: 0.6,
      isHighlighted: true,
    },
    { what: 'the same, of those written before the feature', value: share('exclude', [false]) },
    {
      what: 'the same, of those written after it, with no part in it',
      value: share('exclude', [true]),
    },
    { what: 'queries whose negation is what is searched for: hit@1', value: share('keep') },
  ];
}

import * as fs from 'node:fs/promises';
import MiniSearch from 'minisearch';
import { noteDocument } from '../fakes/note-document.js';
import { createEmbedder } from '../../src/search/vectors/embedder.js';
import { openEmbeddingTable } from '../../src/search/vectors/embedding-table.js';
import { perForm, type Figure } from './lib.js';
import { createSearch, NOTE_OPTIONS, type Found } from './meaning/all-modes.js';
import { mean } from './meaning/judged.js';
import { groupsBelow, intervalOf } from './paired.js';
import { isOneVersion, readVault, type NoteFile } from './search-data.js';
import { typedQueries, type TypedQuery } from './typed-queries/kinds.js';
import { titleOf } from './typed-queries/sources.js';

export const question =
  'Does search find what people type and paste, and is hybrid never below keyword?';
export const measures = [
  'src/indexing/memory',
  'src/markdown',
  'src/model',
  'src/platform',
  'src/search',
];

/** Per kind: half of them to decide by, the other half to confirm. */
const QUERIES_PER_KIND = perForm(80, 2);
const ENGINES = ['hybrid', 'keyword', 'minisearch'] as const;
type Engine = (typeof ENGINES)[number];

/** The rank of the first right note in ten, from 1; 0 if there is none. */
type Ranks = Readonly<Record<Engine, number>>;
export interface Asked extends TypedQuery {
  readonly ranks: Ranks;
  /** One half is for decisions. */
  readonly isDeciding: boolean;
}

export async function answer(): Promise<Figure[]> {
  const asked = await askAll();
  const halves = [true, false].map((half) => asked.filter(({ isDeciding }) => isDeciding === half));
  const [deciding, confirming] = halves as [Asked[], Asked[]];
  return [
    ...shares('deciding half', deciding),
    ...shares('confirming half', confirming),
    ...comparison('keyword', asked, { mostLoss: 0.05 }),
    ...comparison('minisearch', asked, {}),
  ];
}

function shares(half: string, asked: readonly Asked[]): Figure[] {
  return ENGINES.flatMap((engine) => {
    const ranks = asked.map((each) => each.ranks[engine]);
    const isOurs = engine === 'hybrid';
    return [
      {
        what: `typed queries, ${half}, ${engine}: right note first`,
        value: mean(ranks.map((rank) => Number(rank === 1))),
        ...(isOurs && { least: 0.7, isHighlighted: true }),
      },
      {
        what: `typed queries, ${half}, ${engine}: right note in ten`,
        value: mean(ranks.map((rank) => Number(rank > 0))),
        ...(isOurs && { least: 0.82 }),
      },
    ];
  });
}

/** Compares hybrid with another engine by the reciprocal rank, per kind and pooled. */
function comparison(
  other: Engine,
  asked: readonly Asked[],
  { mostLoss }: { readonly mostLoss?: number },
): Figure[] {
  const gain = ({ ranks }: Asked) => reciprocal(ranks.hybrid) - reciprocal(ranks[other]);
  const byKind = new Map<string, number[]>();
  for (const each of asked) byKind.set(each.kind, [...(byKind.get(each.kind) ?? []), gain(each)]);
  const below = groupsBelow(byKind);
  const [from, to] = intervalOf(asked.map(gain));
  const worst = Math.min(...Array.from(byKind.values(), mean));
  return [
    {
      what: `kinds in which hybrid is below ${other}, of ${byKind.size}${below.length > 0 ? ` (${below.join(', ')})` : ''}`,
      value: below.length,
      limit: 0,
      isHighlighted: true,
    },
    {
      what: `hybrid minus ${other}, mean of the worst kind`,
      value: worst,
      ...(mostLoss !== undefined && { least: -mostLoss }),
    },
    { what: `hybrid minus ${other}, all kinds, from`, value: from },
    { what: `hybrid minus ${other}, all kinds, to`, value: to, least: 0 },
  ];
}

const reciprocal = (rank: number) => (rank === 0 ? 0 : 1 / rank);

/** Asks each engine all queries. */
export async function askAll(): Promise<Asked[]> {
  const notes = namedByTitle(await readVault());
  const queries = typedQueries(notes, QUERIES_PER_KIND);
  const embedder = createEmbedder(
    openEmbeddingTable(await fs.readFile('assets/meaning.txt', 'utf8')),
  );
  const search = createSearch(
    notes.map(({ path, text }) => noteDocument(path, text, 0)),
    embedder,
    NOTE_OPTIONS,
  );
  const mini = new MiniSearch({
    fields: ['title', 'text'],
    searchOptions: { boost: { title: 2 }, prefix: true, fuzzy: 0.2 },
  });
  mini.addAll(notes.map(({ path, text }) => ({ id: path, title: titleOf(path), text })));
  return queries.map((query, at) => {
    const { hybrid, keyword } = search(query.text);
    const theirs = mini.search(query.text).slice(0, 10);
    const found = theirs.map(({ id }) => ({ key: String(id), duplicateKeys: [] }));
    const rankIn = (hits: Found) =>
      1 +
      hits.findIndex(({ key, duplicateKeys }) =>
        [key, ...duplicateKeys].some((path) => query.answers.has(path)),
      );
    const ranks = { hybrid: rankIn(hybrid), keyword: rankIn(keyword), minisearch: rankIn(found) };
    return { ...query, ranks, isDeciding: at % 2 === 0 };
  });
}

/** Returns the pages of one version, each with its first heading as its name, as in Obsidian. */
export function namedByTitle(
  notes: readonly NoteFile[],
): (NoteFile & { readonly source: string })[] {
  const pages = notes.filter(isOneVersion);
  const used = new Set<string>();
  return (pages.length > 0 ? pages : notes).map(({ path, text }) => {
    const heading = /^# +(.+)$/m.exec(text)?.[1] ?? titleOf(path);
    const name = heading
      .replace(/[\\/:*?"<>|#^[\]`]+/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    const own = path.slice(0, path.lastIndexOf('/') + 1) + name;
    const unique = used.has(own) ? `${own} ${used.size}` : own;
    used.add(unique);
    return { path: `${unique}.md`, text, source: path };
  });
}

import * as fs from 'node:fs/promises';
import { Corpus } from './ground/corpus.js';
import { ANCHORS, openEngines, OURS, type Engine } from './ground/engines.js';
import { groundQueries, MADE_UP, OTHER_FIELD } from './ground/queries.js';
import { hasVault, readNotes, VAULTS, type Vault } from './ground/vaults.js';
import type { Figure } from './lib.js';
import { mean } from './meaning/judged.js';
import { isBelow } from './paired.js';
import { missingFigure } from './search-data.js';
import type { TypedQuery } from './typed-queries/kinds.js';

export const question =
  'Does search find what people type, paste and remember in notes of four languages, and say so when there is nothing?';
export const measures = [
  'src/indexing',
  'src/markdown',
  'src/model',
  'src/node',
  'src/platform',
  'src/search',
];

/** A file for one line per query. */
const DETAILS = process.env['SAVEPOINT_DETAILS'];
/** Details of an earlier run, which has the ranks of other engines for the same queries. */
const EARLIER = process.env['SAVEPOINT_EARLIER'];
/** Names of some of the vaults. */
const ONLY = process.env['SAVEPOINT_VAULTS']?.split(',');
/** A first hit below this is said to be unlikely. */
const CERTAIN = 0.5;
const NONSENSE: ReadonlySet<string> = new Set([MADE_UP, OTHER_FIELD]);

interface Asked extends TypedQuery {
  /** Of the first right note in ten, from 1; 0 if there is none. */
  readonly ranks: Readonly<Record<Engine, number>>;
  /** Of our first hit; 0 if nothing was found. */
  readonly score: number;
  /** Each half has every other query of a kind. */
  readonly half: 0 | 1;
}

export async function answer(): Promise<Figure[]> {
  if (DETAILS !== undefined) await fs.writeFile(DETAILS, '');
  const figures: Figure[] = [];
  for (const vault of VAULTS.filter(({ name }) => ONLY?.includes(name) ?? true)) {
    const { name, repository, commit } = vault;
    if (!hasVault(vault)) {
      figures.push(missingFigure(name, `ground/${name}, which is ${repository} at ${commit}`));
      continue;
    }
    const asked = await ask(vault);
    if (DETAILS !== undefined) await fs.appendFile(DETAILS, details(vault, asked));
    figures.push(...figuresOf(vault, asked));
  }
  return figures;
}

async function ask({ language, ...vault }: Vault): Promise<Asked[]> {
  const corpus = new Corpus(await readNotes({ language, ...vault }));
  const { engines, close } = await openEngines(corpus, language);
  const earlier = await readEarlier(vault.name);
  const asked: Asked[] = [];
  const counts = new Map<string, number>();
  for (const query of groundQueries(corpus, language)) {
    const ranks: Partial<Record<Engine, number>> = {};
    let score = 0;
    const known = earlier.get(`${query.kind}\n${query.text}`);
    for (const engine of ['hybrid', ...ANCHORS] as const) {
      if (known && !OURS.has(engine)) {
        ranks[engine] = known[engine];
        continue;
      }
      const hits = await engines[engine](query.text);
      ranks[engine] =
        1 + hits.findIndex(({ paths }) => paths.some((path) => query.answers.has(path)));
      if (engine === 'hybrid') score = hits[0]?.score ?? 0;
    }
    const count = counts.get(query.kind) ?? 0;
    counts.set(query.kind, count + 1);
    const half = count % 2 === 0 ? 0 : 1;
    asked.push({ ...query, ranks: ranks as Asked['ranks'], score, half });
  }
  await close();
  return asked;
}

async function readEarlier(vault: string): Promise<Map<string, Asked['ranks']>> {
  const text = EARLIER === undefined ? '' : await fs.readFile(EARLIER, 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  const rows = lines.map((line) => JSON.parse(line) as Asked & { readonly vault: string });
  const own = rows.filter((row) => row.vault === vault);
  return new Map(own.map(({ kind, text: query, ranks }) => [`${kind}\n${query}`, ranks]));
}

function figuresOf({ name, isDeciding }: Vault, all: readonly Asked[]): Figure[] {
  const title = `${name}${isDeciding ? '' : ' (confirming)'}`;
  const asked = all.filter(({ kind }) => !NONSENSE.has(kind));
  const nonsense = all.filter(({ kind }) => NONSENSE.has(kind));
  const share = (engine: Engine, isRight: (rank: number) => boolean) =>
    mean(asked.map(({ ranks }) => Number(isRight(ranks[engine]))));
  const isFirst = ({ ranks }: Asked) => ranks.hybrid === 1;
  const right = mean(asked.filter(isFirst).map(({ score }) => score));
  const wrong = mean(asked.filter((each) => !isFirst(each) && each.score > 0).map(scoreOf));
  return [
    {
      what: `${title}: right note first`,
      value: share('hybrid', (rank) => rank === 1),
      least: 0.8,
    },
    {
      what: `${title}: right note in ten`,
      value: share('hybrid', (rank) => rank > 0),
      least: 0.92,
    },
    ...ANCHORS.map((anchor) => kindsBelow(title, anchor, asked)),
    { what: `${title}: score of a right first note, mean`, value: right },
    {
      what: `${title}: score of a right first note minus that of a wrong one`,
      value: right - wrong,
    },
    {
      what: `${title}: share of nonsense with a first note that scores ${CERTAIN} or more`,
      value: mean(nonsense.map(({ score }) => Number(score >= CERTAIN))),
      limit: 0.05,
    },
  ];
}

const scoreOf = ({ score }: Asked) => score;
const reciprocal = (rank: number) => (rank === 0 ? 0 : 1 / rank);

function kindsBelow(title: string, anchor: Engine, asked: readonly Asked[]): Figure {
  const byKind = new Map<string, Asked[]>();
  for (const each of asked) byKind.set(each.kind, [...(byKind.get(each.kind) ?? []), each]);
  const below = [...byKind].flatMap(([kind, own]) => {
    const halves = [0, 1].map((half) =>
      own
        .filter((each) => each.half === half)
        .map(({ ranks }) => reciprocal(ranks.hybrid) - reciprocal(ranks[anchor])),
    );
    return isBelow(halves) ? [kind] : [];
  });
  const names = below.length > 0 ? ` (${below.join(', ')})` : '';
  return {
    what: `${title}: kinds in which hybrid is below ${anchor}, of ${byKind.size}${names}`,
    value: below.length,
    limit: 0,
  };
}

function details({ name }: Vault, asked: readonly Asked[]): string {
  return asked
    .map(({ answers, ...each }) => JSON.stringify({ vault: name, ...each, answers: [...answers] }))
    .map((line) => `${line}\n`)
    .join('');
}

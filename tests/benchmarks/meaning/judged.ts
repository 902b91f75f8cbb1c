import * as fs from 'node:fs';
import * as path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { hashText } from '../../../src/platform/bytes/hash.js';
import type { Passage, SearchDocument } from '../../../src/search/documents/documents.js';
import { datedDocument, SESSION_LABEL } from '../../../src/indexing/memory/memory-documents.js';
import type { SearchOptions } from '../../../src/search/query/search.js';
import { perForm } from '../lib.js';
import { dataFile } from '../search-data.js';

/** Documents with questions and graded relevance judgements. */
export interface Judged {
  readonly documents: readonly SearchDocument[];
  readonly queries: readonly JudgedQuery[];
}

interface JudgedText {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

interface JudgedQuery {
  readonly text: string;
  readonly grades: ReadonlyMap<string, number>;
}

/** Limits for the queries of a collection and for the number of conversations. */
const MAX_QUERIES = perForm(Infinity, 20);
const MAX_CONVERSATIONS = perForm(Infinity, 1);

export function readCollection(name: string): Judged & { readonly texts: readonly JudgedText[] } {
  const folder = path.join(dataFile('ir'), name);
  const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
  const corpus = gunzipSync(fs.readFileSync(path.join(folder, 'corpus.jsonl.gz'))).toString('utf8');
  const texts = lines(corpus).map((line) => {
    const {
      _id: id,
      title,
      text,
    } = JSON.parse(line) as { _id: string; title: string; text: string };
    return { id, title, text };
  });
  const grades = new Map<string, Map<string, number>>();
  for (const line of lines(fs.readFileSync(path.join(folder, 'qrels.tsv'), 'utf8'))) {
    const [query = '', document = '', grade = ''] = line.split('\t');
    const known = grades.get(query) ?? new Map<string, number>();
    grades.set(query, known.set(document, Number(grade)));
  }
  const queries = lines(fs.readFileSync(path.join(folder, 'queries.jsonl'), 'utf8')).flatMap(
    (line) => {
      const { _id: id, text } = JSON.parse(line) as { _id: string; text: string };
      const own = grades.get(id);
      return own ? [{ text, grades: own }] : [];
    },
  );
  return { texts, documents: texts.map(toDocument), queries: queries.slice(0, MAX_QUERIES) };
}

/** Returns a document of one passage, with the title weighted three times. */
function toDocument({ id, title, text }: JudgedText): SearchDocument {
  const passage: Passage = [
    { name: 'title', text: title, weight: 3 },
    { name: 'text', text, weight: 1 },
  ];
  return {
    key: id,
    hash: hashText(title + text),
    time: 0,
    labels: [],
    names: [title],
    passages: [passage],
  };
}

/** One turn in a session of a long conversation. */
export interface Turn {
  readonly id: string;
  readonly session: string;
  readonly createdAt: string;
  readonly speaker: string;
  readonly text: string;
}

/** A conversation as data sets other than LoCoMo store it. */
interface StoredConversation {
  readonly turns: readonly Turn[];
  readonly queries: readonly { readonly text: string; readonly rel: Record<string, number> }[];
}

/** Reads conversations in which each turn is a memory, from a JSON file that may be packed. */
export function readStoredConversations(file: string): Judged[] {
  const bytes = fs.readFileSync(dataFile(file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const all = (JSON.parse(text) as StoredConversation[]).slice(0, MAX_CONVERSATIONS);
  return all.map(({ turns, queries }) => ({
    documents: toMemories(turns),
    queries: queries.slice(0, MAX_QUERIES).map((query) => ({
      text: query.text,
      grades: new Map(Object.entries(query.rel)),
    })),
  }));
}

interface RawConversation {
  readonly qa: readonly { readonly question: string; readonly evidence?: readonly string[] }[];
  readonly conversation: Readonly<Record<string, unknown>>;
}

type RawTurn = {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  readonly blip_caption?: string;
};

/**
 * Reads long conversations, in which each turn is a memory. A question's answers are the turns with
 * its evidence.
 */
export function readConversations(): (Judged & { readonly turns: readonly Turn[] })[] {
  const all = JSON.parse(
    fs.readFileSync(dataFile('locomo-first5.json'), 'utf8'),
  ) as readonly RawConversation[];
  return all.slice(0, MAX_CONVERSATIONS).map(({ qa, conversation }) => {
    const turns: Turn[] = [];
    for (let number = 1; conversation[`session_${number}`]; number++) {
      const day = String(conversation[`session_${number}_date_time`]).split(' on ')[1] ?? '';
      const createdAt = new Date(`${day} 12:00 UTC`).toISOString();
      for (const { speaker, dia_id: id, text, blip_caption: caption = '' } of conversation[
        `session_${number}`
      ] as RawTurn[]) {
        turns.push({ id, session: `D${number}`, createdAt, speaker, text: `${text} ${caption}` });
      }
    }
    const ids = new Set(turns.map(({ id }) => id));
    const queries = qa.flatMap(({ question: text, evidence = [] }) => {
      const evidenceIds = (evidence.join(' ').match(/D\d+:\d+/g) ?? []).filter((id) => ids.has(id));
      return evidenceIds.length > 0
        ? [{ text, grades: new Map(evidenceIds.map((id) => [id, 1])) }]
        : [];
    });
    return { turns, documents: toMemories(turns), queries: queries.slice(0, MAX_QUERIES) };
  });
}

/**
 * Converts turns to documents like those of stored calls, with speaker, time, session and
 * neighbours.
 */
function toMemories(turns: readonly Turn[]): SearchDocument[] {
  return turns.map(({ id, session, createdAt, speaker, text }, at) => {
    const texts = [
      { name: 'speaker', text: speaker, weight: 1 },
      { name: 'text', text, weight: 1 },
    ];
    const textsAt = (...places: number[]) =>
      places.flatMap((place) => (turns[place]?.session === session ? [turns[place].text] : []));
    return datedDocument(
      id,
      createdAt,
      texts,
      textsAt(at - 1, at + 1),
      [SESSION_LABEL + session],
      textsAt(at - 2),
    );
  });
}

/**
 * Searches like searchMemory with its largest limit; with fewer hits not every session would
 * appear.
 */
export const MEMORY_OPTIONS: SearchOptions = {
  limit: 200,
  newestFirst: true,
  groupedBy: SESSION_LABEL,
};

export function keysOf(hits: readonly { readonly key: string }[]): string[] {
  return hits.map(({ key }) => key);
}

/** Returns nDCG@10 with the grade as gain, as in trec_eval. */
export function gainAtTen(ids: readonly string[], grades: ReadonlyMap<string, number>): number {
  const gain = (values: readonly number[]) =>
    values.slice(0, 10).reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);
  const ideal = gain([...grades.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : gain(ids.map((id) => Math.max(0, grades.get(id) ?? 0))) / ideal;
}

/** Returns the share of the answers that are among the first `count` hits. */
export function recall(
  ids: readonly string[],
  grades: ReadonlyMap<string, number>,
  count: number,
): number {
  return (
    ids.slice(0, count).filter((id) => (grades.get(id) ?? 0) > 0).length /
    [...grades.values()].filter((grade) => grade > 0).length
  );
}

/**
 * Returns the share of the answers' sessions that are among the first ten sessions, in the order of
 * their first hits.
 */
export function recallOfSessions(
  turnIds: readonly string[],
  grades: ReadonlyMap<string, number>,
): number {
  return recall([...new Set(turnIds.map(sessionOf))], sessionGrades(grades), 10);
}

/** Returns grades for the answers' sessions instead of the answers. */
export function sessionGrades(grades: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map(Array.from(grades.keys(), (id) => [sessionOf(id), 1]));
}

function sessionOf(turnId: string): string {
  return turnId.slice(0, turnId.indexOf(':'));
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

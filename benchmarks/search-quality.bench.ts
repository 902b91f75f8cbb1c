import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { gunzipSync } from 'node:zlib';
import MiniSearch from 'minisearch';
import { hashText } from '../src/search/bytes.js';
import { createIndex } from '../src/search/index.js';
import { momentDocument } from '../src/search/memory-documents.js';
import { noteDocument } from '../src/search/passages.js';
import type { Figure } from './lib.js';
import { dataFolder, processTerm, skippedFigures } from './search-data.js';

export const question = 'How good is search by word, beside minisearch with the same stems and stop words?';

export async function answer(): Promise<Figure[]> {
  const folder = await dataFolder();
  if (!folder) return skippedFigures();
  return [
    ...(await judgeCollection(folder, 'cranfield', 0.373)),
    ...(await judgeCollection(folder, 'cacm', 0.51)),
    ...(await judgeTurns(folder)),
  ];
}

interface Collection {
  readonly documents: readonly { readonly _id: string; readonly title: string; readonly text: string }[];
  readonly queries: readonly { readonly _id: string; readonly text: string }[];
  readonly grades: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

async function readCollection(folder: string, name: string): Promise<Collection> {
  const place = path.join(folder, 'ir', name);
  const lines = <T>(text: string) =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as T);
  const grades = new Map<string, Map<string, number>>();
  for (const line of (await fs.readFile(path.join(place, 'qrels.tsv'), 'utf8')).trim().split('\n')) {
    const [query = '', document = '', grade] = line.split('\t');
    grades.set(query, (grades.get(query) ?? new Map<string, number>()).set(document, Number(grade)));
  }
  return {
    documents: lines(gunzipSync(await fs.readFile(path.join(place, 'corpus.jsonl.gz'))).toString()),
    queries: lines(await fs.readFile(path.join(place, 'queries.jsonl'), 'utf8')),
    grades,
  };
}

async function judgeCollection(folder: string, name: string, least: number): Promise<Figure[]> {
  const { documents, queries, grades } = await readCollection(folder, name);
  const ours = createIndex();
  for (const { _id: key, title, text } of documents) {
    const passage = [
      { name: 'title', text: title, weight: 3 },
      { name: 'text', text, weight: 1 },
    ];
    ours.put({ key, hash: hashText(title + text), time: 0, labels: [], passages: [passage] });
  }
  const theirs = new MiniSearch({ fields: ['title', 'text'], idField: '_id', processTerm, searchOptions: { boost: { title: 2 } } });
  theirs.addAll(documents);
  const judged = queries.flatMap(({ _id, text }) => {
    const wanted = grades.get(_id);
    return wanted ? [{ text, wanted }] : [];
  });
  const score = (find: (query: string) => string[]) => mean(judged.map(({ text, wanted }) => gain(find(text), wanted)));
  return [
    { what: `${name}, nDCG@10`, value: score((query) => ours.search(query, { limit: 10 }).map(({ key }) => key)), least },
    { what: `${name}, nDCG@10 of minisearch`, value: score((query) => theirs.search(query).map(({ id }) => String(id))) },
  ];
}

/** Normalized discounted cumulative gain of the first ten, the grade being the gain. */
function gain(found: readonly string[], grades: ReadonlyMap<string, number>): number {
  const sum = (values: readonly number[]) => values.slice(0, 10).reduce((total, value, at) => total + value / Math.log2(at + 2), 0);
  const best = [...grades.values()].sort((a, b) => b - a);
  return sum(found.map((key) => Math.max(0, grades.get(key) ?? 0))) / sum(best);
}

interface Turn {
  readonly id: string;
  readonly session: string;
  readonly createdAt: string;
  readonly speaker: string;
  readonly text: string;
}

interface Talk {
  readonly turns: readonly Turn[];
  readonly questions: readonly { readonly question: string; readonly evidence: readonly string[] }[];
}

type RawTalk = {
  readonly qa: readonly { readonly question: string; readonly evidence?: readonly string[] }[];
  readonly conversation: Readonly<Record<string, unknown>>;
};
type RawTurn = { readonly speaker: string; readonly dia_id: string; readonly text: string; readonly blip_caption?: string };

async function readTalks(folder: string): Promise<Talk[]> {
  const raw = JSON.parse(await fs.readFile(path.join(folder, 'locomo-first5.json'), 'utf8')) as RawTalk[];
  return raw.map(({ qa, conversation }) => {
    const turns: Turn[] = [];
    for (let number = 1; conversation[`session_${number}`]; number++) {
      const day = String(conversation[`session_${number}_date_time`]).split(' on ')[1] ?? '';
      const createdAt = new Date(`${day} 12:00 UTC`).toISOString();
      for (const { speaker, dia_id: id, text, blip_caption: caption = '' } of conversation[`session_${number}`] as RawTurn[]) {
        turns.push({ id, session: `D${number}`, createdAt, speaker, text: `${text} ${caption}` });
      }
    }
    const ids = new Set(turns.map(({ id }) => id));
    const questions = qa.map(({ question: asked, evidence = [] }) => ({
      question: asked,
      evidence: [...new Set(evidence.join(' ').match(/D\d+:\d+/g) ?? [])].filter((id) => ids.has(id)),
    }));
    return { turns, questions: questions.filter(({ evidence }) => evidence.length > 0) };
  });
}

/** Talks as memories: each turn with its speaker, its date and the turns beside it. */
async function judgeTurns(folder: string): Promise<Figure[]> {
  const recalls = { five: [] as number[], ten: [] as number[], sessions: [] as number[] };
  const theirs = { five: [] as number[], ten: [] as number[], sessions: [] as number[] };
  for (const { turns, questions } of await readTalks(folder)) {
    const neighboursOf = (at: number) =>
      [turns[at - 1], turns[at + 1]].flatMap((turn) => (turn && turn.session === turns[at]!.session ? [turn.text] : []));
    const index = createIndex();
    turns.forEach(({ id, createdAt, speaker, text }, at) => {
      const texts = [
        { name: 'speaker', text: speaker, weight: 1 },
        { name: 'text', text, weight: 1 },
      ];
      index.put(momentDocument(id, createdAt, texts, neighboursOf(at), []));
    });
    const sessions = createIndex();
    const bySession = new Map<string, Turn[]>();
    for (const turn of turns) bySession.set(turn.session, [...(bySession.get(turn.session) ?? []), turn]);
    for (const [session, own] of bySession) sessions.put(noteDocument(session, sessionText(own), 0));
    const mini = new MiniSearch({ fields: ['text'], processTerm });
    mini.addAll(turns.map(({ id, speaker, text }) => ({ id, text: `${speaker}: ${text}` })));
    const miniSessions = new MiniSearch({ fields: ['text'], processTerm });
    miniSessions.addAll([...bySession].map(([id, own]) => ({ id, text: sessionText(own) })));
    for (const { question: asked, evidence } of questions) {
      const inSessions = [...new Set(evidence.map((id) => id.split(':')[0]!))];
      const found = index.search(asked, { limit: 10 }).map(({ key }) => key);
      recalls.five.push(recall(found.slice(0, 5), evidence));
      recalls.ten.push(recall(found, evidence));
      recalls.sessions.push(recall(sessions.search(asked, { limit: 10 }).map(({ key }) => key), inSessions)); // prettier-ignore
      const others = mini.search(asked).map(({ id }) => String(id));
      theirs.five.push(recall(others.slice(0, 5), evidence));
      theirs.ten.push(recall(others.slice(0, 10), evidence));
      theirs.sessions.push(recall(miniSessions.search(asked).slice(0, 10).map(({ id }) => String(id)), inSessions)); // prettier-ignore
    }
  }
  return [
    { what: 'locomo, turns: recall@5', value: mean(recalls.five), least: 0.63 },
    { what: 'locomo, turns: recall@5 of minisearch', value: mean(theirs.five) },
    { what: 'locomo, turns: recall@10', value: mean(recalls.ten), least: 0.71 },
    { what: 'locomo, turns: recall@10 of minisearch', value: mean(theirs.ten) },
    { what: 'locomo, sessions: recall@10', value: mean(recalls.sessions), least: 0.96 },
    { what: 'locomo, sessions: recall@10 of minisearch', value: mean(theirs.sessions) },
  ];
}

function sessionText(turns: readonly Turn[]): string {
  return [turns[0]!.createdAt, ...turns.map(({ speaker, text }) => `${speaker}: ${text}`)].join('\n');
}

function recall(found: readonly string[], wanted: readonly string[]): number {
  return wanted.filter((id) => found.includes(id)).length / wanted.length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

import MiniSearch from 'minisearch';
import { createIndex } from '../src/search/index.js';
import { noteDocument } from '../src/search/passages.js';
import type { Figure } from './lib.js';
import {
  gainAtTen,
  hasData,
  mean,
  readCollection,
  readConversations,
  recall,
  toDocument,
  toMemories,
  type Turn,
} from './meaning/judged.js';
import { processTerm, skippedFigures } from './search-data.js';

export const question = 'How good is search by word, beside minisearch with the same stems and stop words?';

export function answer(): Figure[] {
  if (!hasData('ir') || !hasData('locomo-first5.json')) return skippedFigures();
  return [...judgeCollection('cranfield', 0.373), ...judgeCollection('cacm', 0.51), ...judgeTurns()];
}

function judgeCollection(name: string, least: number): Figure[] {
  const { documents, queries } = readCollection(name);
  const ours = createIndex();
  for (const document of documents) ours.put(toDocument(document));
  const theirs = new MiniSearch({ fields: ['title', 'text'], processTerm, searchOptions: { boost: { title: 2 } } });
  theirs.addAll(documents);
  const score = (find: (query: string) => string[]) => mean(queries.map(({ text, grades }) => gainAtTen(find(text), grades)));
  return [
    { what: `${name}, nDCG@10`, value: score((query) => ours.search(query, { limit: 10 }).map(({ key }) => key)), least },
    { what: `${name}, nDCG@10 of minisearch`, value: score((query) => theirs.search(query).map(({ id }) => String(id))) },
  ];
}

/** So many turns tell which sessions a question is about. */
const TURNS_OF_A_SESSION = 1000;

/** Talks as memories: each turn with its speaker, its date and the turns beside it. Sessions as notes, and by their turns. */
function judgeTurns(): Figure[] {
  const ours = { five: [] as number[], ten: [] as number[], sessions: [] as number[], byTurns: [] as number[] };
  const theirs = { five: [] as number[], ten: [] as number[], sessions: [] as number[] };
  for (const { turns, queries } of readConversations()) {
    const index = createIndex();
    for (const document of toMemories(turns)) index.put(document);
    const sessionOf = new Map(turns.map(({ id, session }) => [id, session]));
    const sessions = createIndex();
    const bySession = new Map<string, Turn[]>();
    for (const turn of turns) bySession.set(turn.session, [...(bySession.get(turn.session) ?? []), turn]);
    for (const [session, own] of bySession) sessions.put(noteDocument(session, sessionText(own), 0));
    const mini = new MiniSearch({ fields: ['text'], processTerm });
    mini.addAll(turns.map(({ id, speaker, text }) => ({ id, text: `${speaker}: ${text}` })));
    const miniSessions = new MiniSearch({ fields: ['text'], processTerm });
    miniSessions.addAll([...bySession].map(([id, own]) => ({ id, text: sessionText(own) })));
    for (const { text, grades } of queries) {
      const inSessions = new Map([...grades.keys()].map((id) => [sessionOf.get(id) ?? '', 1]));
      const hits = index.search(text, { limit: TURNS_OF_A_SESSION });
      const found = hits.map(({ key }) => key);
      ours.five.push(recall(found, grades, 5));
      ours.ten.push(recall(found, grades, 10));
      ours.sessions.push(recall(sessions.search(text, { limit: 10 }).map(({ key }) => key), inSessions, 10)); // prettier-ignore
      ours.byTurns.push(recall(sessionsOf(hits, sessionOf), inSessions, 10));
      const others = mini.search(text).map(({ id }) => String(id));
      theirs.five.push(recall(others, grades, 5));
      theirs.ten.push(recall(others, grades, 10));
      theirs.sessions.push(recall(miniSessions.search(text).map(({ id }) => String(id)), inSessions, 10)); // prettier-ignore
    }
  }
  return [
    { what: 'locomo, turns: recall@5', value: mean(ours.five), least: 0.63 },
    { what: 'locomo, turns: recall@5 of minisearch', value: mean(theirs.five) },
    { what: 'locomo, turns: recall@10', value: mean(ours.ten), least: 0.71 },
    { what: 'locomo, turns: recall@10 of minisearch', value: mean(theirs.ten) },
    { what: 'locomo, sessions as notes: recall@10', value: mean(ours.sessions), least: 0.96 },
    { what: 'locomo, sessions by their turns: recall@10', value: mean(ours.byTurns) },
    { what: 'locomo, sessions: recall@10 of minisearch', value: mean(theirs.sessions) },
  ];
}

/** Sessions by the sum of the squares of their turns' scores: many fair hits weigh less than a few good ones. */
function sessionsOf(hits: readonly { readonly key: string; readonly score: number }[], sessionOf: ReadonlyMap<string, string>): string[] {
  const sums = new Map<string, number>();
  for (const { key, score } of hits) {
    const session = sessionOf.get(key) ?? '';
    sums.set(session, (sums.get(session) ?? 0) + score ** 2);
  }
  return [...sums].sort(([, a], [, b]) => b - a).map(([session]) => session);
}

function sessionText(turns: readonly Turn[]): string {
  return [turns[0]!.createdAt, ...turns.map(({ speaker, text }) => `${speaker}: ${text}`)].join('\n');
}

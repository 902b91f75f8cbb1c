import MiniSearch from 'minisearch';
import { createIndex } from '../src/search/index.js';
import { SESSION_LABEL } from '../src/search/memory-documents.js';
import { noteDocument } from '../src/search/passages.js';
import type { Figure } from './lib.js';
import {
  gainAtTen,
  hasData,
  mean,
  readCollection,
  readConversations,
  recall,
  sessionsOf,
  toDocument,
  toMemories,
  type Turn,
} from './meaning/judged.js';
import { processTerm, skippedFigures } from './search-data.js';

export const question = 'How good is search by word, beside minisearch with the same stems and stop words?';

/** So many memories searchMemory answers at most. */
const MOST_ANSWERED = 200;

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

/** Talks as memories: each turn with its speaker, its date and the turns beside it. */
function judgeTurns(): Figure[] {
  const ours = { five: [] as number[], ten: [] as number[], sessions: [] as number[], asNotes: [] as number[] };
  const theirs = { five: [] as number[], ten: [] as number[], sessions: [] as number[] };
  for (const { turns, queries } of readConversations()) {
    const index = createIndex();
    for (const document of toMemories(turns)) index.put(document);
    const sessions = createIndex();
    const bySession = new Map<string, Turn[]>();
    for (const turn of turns) bySession.set(turn.session, [...(bySession.get(turn.session) ?? []), turn]);
    for (const [session, own] of bySession) sessions.put(noteDocument(session, sessionText(own), 0));
    const mini = new MiniSearch({ fields: ['text'], processTerm });
    mini.addAll(turns.map(({ id, speaker, text }) => ({ id, text: `${speaker}: ${text}` })));
    const miniSessions = new MiniSearch({ fields: ['text'], processTerm });
    miniSessions.addAll([...bySession].map(([id, own]) => ({ id, text: sessionText(own) })));
    for (const { text, grades } of queries) {
      const inSessions = new Map(sessionsOf([...grades.keys()]).map((session) => [session, 1]));
      const found = keysOf(index.search(text, { limit: MOST_ANSWERED, newestFirst: true, groupedBy: SESSION_LABEL }));
      ours.five.push(recall(found, grades, 5));
      ours.ten.push(recall(found, grades, 10));
      ours.sessions.push(recall(sessionsOf(found), inSessions, 10));
      ours.asNotes.push(recall(keysOf(sessions.search(text, { limit: 10 })), inSessions, 10));
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
    { what: 'locomo, sessions of the turns, by words alone: recall@10', value: mean(ours.sessions), least: 0.96 },
    { what: 'locomo, sessions as notes: recall@10', value: mean(ours.asNotes) },
    { what: 'locomo, sessions: recall@10 of minisearch', value: mean(theirs.sessions) },
  ];
}

function keysOf(hits: readonly { readonly key: string }[]): string[] {
  return hits.map(({ key }) => key);
}

function sessionText(turns: readonly Turn[]): string {
  return [turns[0]!.createdAt, ...turns.map(({ speaker, text }) => `${speaker}: ${text}`)].join('\n');
}

import MiniSearch from 'minisearch';
import { createIndex } from '../../src/search/index.js';
import { noteDocument } from '../fakes/note-document.js';
import type { Figure } from './lib.js';
import {
  MEMORY_OPTIONS,
  gainAtTen,
  keysOf,
  mean,
  readCollection,
  readConversations,
  recall,
  recallOfSessions,
  sessionGrades,
  type Turn,
} from './meaning/judged.js';
import { processTerm, requireData } from './search-data.js';

export const question =
  'How good is keyword search, compared with minisearch with the same stems and stop words?';
export const measures = [
  'src/indexing/memory',
  'src/markdown',
  'src/model',
  'src/platform',
  'src/search',
];

export function answer(): Figure[] {
  requireData('ir', 'locomo-first5.json');
  return [
    ...judgeCollection('cranfield', 0.373),
    ...judgeCollection('cacm', 0.51),
    ...judgeTurns(),
  ];
}

function judgeCollection(name: string, least: number): Figure[] {
  const { texts, documents, queries } = readCollection(name);
  const ours = createIndex();
  for (const document of documents) ours.put(document);
  const theirs = new MiniSearch({
    fields: ['title', 'text'],
    processTerm,
    searchOptions: { boost: { title: 2 } },
  });
  theirs.addAll(texts);
  const score = (find: (query: string) => string[]) =>
    mean(queries.map(({ text, grades }) => gainAtTen(find(text), grades)));
  return [
    {
      what: `${name}, nDCG@10`,
      value: score((query) => keysOf(ours.search(query, { limit: 10 }))),
      least,
    },
    {
      what: `${name}, nDCG@10 of minisearch`,
      value: score((query) => theirs.search(query).map(({ id }) => String(id))),
    },
  ];
}

/**
 * Judges searches in conversations, where each turn is a memory with its speaker, date and
 * neighbours.
 */
function judgeTurns(): Figure[] {
  const ours = {
    five: [] as number[],
    ten: [] as number[],
    sessions: [] as number[],
    asNotes: [] as number[],
  };
  const theirs = { five: [] as number[], ten: [] as number[], sessions: [] as number[] };
  for (const { turns, documents, queries } of readConversations()) {
    const index = createIndex();
    for (const document of documents) index.put(document);
    const sessions = createIndex();
    const bySession = new Map<string, Turn[]>();
    for (const turn of turns)
      bySession.set(turn.session, [...(bySession.get(turn.session) ?? []), turn]);
    for (const [session, own] of bySession)
      sessions.put(noteDocument(session, sessionText(own), 0));
    const mini = new MiniSearch({ fields: ['text'], processTerm });
    mini.addAll(turns.map(({ id, speaker, text }) => ({ id, text: `${speaker}: ${text}` })));
    const miniSessions = new MiniSearch({ fields: ['text'], processTerm });
    miniSessions.addAll([...bySession].map(([id, own]) => ({ id, text: sessionText(own) })));
    for (const { text, grades } of queries) {
      const inSessions = sessionGrades(grades);
      const found = keysOf(index.search(text, MEMORY_OPTIONS));
      ours.five.push(recall(found, grades, 5));
      ours.ten.push(recall(found, grades, 10));
      ours.sessions.push(recallOfSessions(found, grades));
      ours.asNotes.push(recall(keysOf(sessions.search(text, { limit: 10 })), inSessions, 10));
      const others = mini.search(text).map(({ id }) => String(id));
      theirs.five.push(recall(others, grades, 5));
      theirs.ten.push(recall(others, grades, 10));
      theirs.sessions.push(
        recall(
          miniSessions.search(text).map(({ id }) => String(id)),
          inSessions,
          10,
        ),
      );
    }
  }
  return [
    { what: 'locomo, turns: recall@5', value: mean(ours.five), least: 0.63 },
    { what: 'locomo, turns: recall@5 of minisearch', value: mean(theirs.five) },
    { what: 'locomo, turns: recall@10', value: mean(ours.ten), least: 0.71 },
    { what: 'locomo, turns: recall@10 of minisearch', value: mean(theirs.ten) },
    {
      what: 'locomo, sessions of the turns, keyword: recall@10',
      value: mean(ours.sessions),
      least: 0.96,
    },
    { what: 'locomo, sessions as notes: recall@10', value: mean(ours.asNotes) },
    { what: 'locomo, sessions: recall@10 of minisearch', value: mean(theirs.sessions) },
  ];
}

function sessionText(turns: readonly Turn[]): string {
  return [turns[0]!.createdAt, ...turns.map(({ speaker, text }) => `${speaker}: ${text}`)].join(
    '\n',
  );
}

import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import MiniSearch from 'minisearch';
import * as fs from 'node:fs/promises';
import type { NoteSource } from '../../../src/indexing/notes/note-source.js';
import type { SearchService } from '../../../src/indexing/search-service.js';
import { UNLIMITED } from '../../../src/indexing/search-result.js';
import { stemEnglish } from '../../../src/search/text/english.js';
import { STOP_WORDS } from '../../../src/search/text/stop-words.js';
import { createPlainBm25 } from '../meaning/plain-bm25.js';
import type { NoteFile } from '../search-data.js';
import { createBlobs, createService, NO_LOG } from '../search-service.js';
import { titleOf } from '../typed-queries/sources.js';
import { withoutCode, type Corpus, type ReadNote } from './corpus.js';
import type { GroundLanguage } from './languages.js';

const HITS = 10;
/** What ours is compared with. */
export const ANCHORS = [
  'keyword',
  'BM25',
  'minisearch plain',
  'minisearch tuned',
  'minisearch prefix and fuzzy',
] as const;
export type Engine = 'hybrid' | (typeof ANCHORS)[number];
/** Those that depend on the code of this repository. */
export const OURS: ReadonlySet<Engine> = new Set(['hybrid', 'keyword']);

export interface EngineHit {
  readonly paths: readonly string[];
  readonly score: number;
}
export type Engines = Readonly<Record<Engine, (query: string) => Promise<readonly EngineHit[]>>>;

/** Opens all engines with the notes; ours is what a tool of the server calls. */
export async function openEngines(
  corpus: Corpus,
  language: GroundLanguage,
): Promise<{ engines: Engines; close: () => Promise<void> }> {
  const packed = await fs.readFile('assets/meaning.txt', 'utf8');
  const service = createService(NO_LOG, sourceOf(corpus.notes), createBlobs(), packed);
  service.start();
  await isReady(service);
  const ours = (mode: 'hybrid' | 'keyword') => async (query: string) => {
    const criteria = { query, folder: '', mode, tags: [], range: UNLIMITED, limit: HITS };
    const answer = await service.notes.search(criteria);
    const found = 'found' in answer ? answer.found : [];
    return found.map(({ path, also, score }) => ({ paths: [path, ...also], score }));
  };
  let opened: ReturnType<typeof peers> | undefined;
  const theirs = (name: keyof ReturnType<typeof peers>) => (query: string) => {
    opened ??= peers(corpus, language);
    return opened[name](query);
  };
  const engines = {
    hybrid: ours('hybrid'),
    keyword: ours('keyword'),
    BM25: theirs('BM25'),
    'minisearch plain': theirs('minisearch plain'),
    'minisearch tuned': theirs('minisearch tuned'),
    'minisearch prefix and fuzzy': theirs('minisearch prefix and fuzzy'),
  };
  return { engines, close: () => service.close() };
}

/** A date on which no note was written. */
const CHANGED = Date.UTC(2001, 8, 9);

function sourceOf(given: readonly NoteFile[]): NoteSource {
  const texts = new Map(given.map(({ path, text }) => [path, Buffer.from(text)]));
  const at = (path: string, { length }: Buffer) => ({ path, mtime: CHANGED, size: length });
  const notes = Array.from(texts, ([path, bytes]) => at(path, bytes));
  const folders = new Set(
    given.flatMap(({ path }) =>
      path
        .split('/')
        .slice(0, -1)
        .map((_, depth, parts) => parts.slice(0, depth + 1).join('/')),
    ),
  );
  return {
    list: () => Promise.resolve({ notes, files: [...texts.keys()], folders: [...folders] }),
    stat: (path) => Promise.resolve(texts.has(path) ? at(path, texts.get(path)!) : undefined),
    read: (path) => Promise.resolve(texts.get(path)?.toString()),
    readPassage: (path, { startByte, endByte }) =>
      Promise.resolve(texts.get(path)?.toString('utf8', startByte, endByte)),
    watch: { start: () => () => undefined },
  };
}

/** Resolves once all notes are indexed and have vectors. */
async function isReady(service: SearchService): Promise<void> {
  for (;;) {
    const { notes, embeddings } = await service.indexStatus('default');
    if (notes.ready && embeddings?.ready !== false) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const STEMMERS: Readonly<Record<GroundLanguage, (word: string) => string>> = {
  en: stemEnglish,
  de: stemGerman,
  ru: stemRussian,
  zh: (word) => (/^[a-z]+$/.test(word) ? stemEnglish(word) : word),
};

/** Splits texts without spaces into words, as somebody does who tunes a search for Chinese. */
function wordsIn(text: string, language: GroundLanguage): string[] {
  const runs = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (language !== 'zh') return runs;
  const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
  return runs.flatMap((run) =>
    /\p{Script=Han}/u.test(run)
      ? Array.from(segmenter.segment(run), ({ segment }) => segment)
      : [run],
  );
}

function peers({ notes }: Corpus, language: GroundLanguage) {
  const stops = new Set(language === 'zh' ? [] : STOP_WORDS[language].split(/\s+/));
  const split = (text: string) => wordsIn(text, language);
  const tokenize = language === 'zh' ? { tokenize: split } : {};
  const documents = notes.map(documentOf);
  const plain = new MiniSearch<NoteDocument>({ fields: ['file', 'text'], ...tokenize });
  const tuned = new MiniSearch<NoteDocument>({
    fields: ['title', 'file', 'folder', 'headings', 'text'],
    tokenize: split,
    processTerm: (term) => {
      const word = term.toLowerCase();
      return stops.has(word) ? null : STEMMERS[language](word);
    },
    searchOptions: { boost: { title: 3, file: 2, headings: 1.5 } },
  });
  const typed = new MiniSearch<NoteDocument>({
    fields: ['file', 'text'],
    ...tokenize,
    searchOptions: { boost: { file: 2 }, prefix: true, fuzzy: 0.2, maxFuzzy: 2 },
  });
  for (const mini of [plain, tuned, typed]) mini.addAll(documents);
  const bm25 = createPlainBm25(
    documents.map(({ id, text }) => ({ id, text: split(`${id}\n${text}`).join(' ') })),
  );
  const inMini = (mini: MiniSearch<NoteDocument>) => (query: string) =>
    Promise.resolve(
      mini
        .search(query)
        .slice(0, HITS)
        .map(({ id, score }) => ({ paths: [String(id)], score })),
    );
  return {
    BM25: (query: string) =>
      Promise.resolve(bm25(split(query).join(' ')).map((path) => ({ paths: [path], score: 0 }))),
    'minisearch plain': inMini(plain),
    'minisearch tuned': inMini(tuned),
    'minisearch prefix and fuzzy': inMini(typed),
  };
}

type NoteDocument = ReturnType<typeof documentOf>;

function documentOf({ path, title, text }: ReadNote) {
  const headings = [...withoutCode(text).matchAll(/^#{2,6} +(.+)$/gm)].map(([, line]) => line);
  return {
    id: path,
    title,
    file: titleOf(path),
    folder: path.slice(0, path.lastIndexOf('/') + 1),
    headings: headings.join('\n'),
    text,
  };
}

import type { Named } from '../model/lookup.js';
import { isHidden, isWithin, type VaultPath } from '../model/paths.js';
import type { State } from '../model/state.js';
import type { Trace } from '../model/trace.js';
import { explainNote, type Span } from '../search/query/highlight.js';
import { rankPaths } from '../search/query/path-search.js';
import { embedQuerySteps } from '../search/vectors/embed.js';
import { MIN_SIMILARITY, NEAREST_DOCS_LIMIT } from '../search/vectors/embedder.js';
import type { RemoteEmbedder } from '../search/vectors/embedding-server.js';
import type { EmbedderSource } from '../search/vectors/embedder-source.js';
import { memoryLabel, SESSION_LABEL } from '../search/documents/memory-documents.js';
import { tagLabel } from '../search/documents/labels.js';
import type { SearchHit, SemanticScores, SearchOptions } from '../search/query/search.js';
import type { Blobs } from '../platform/blobs.js';
import type { Clock } from '../platform/clock.js';
import type { Random } from '../platform/random.js';
import { Scheduler } from '../platform/scheduler.js';
import { openKeptIndex, type KeptIndex } from './persistent-index.js';
import { createMemoryIndex, isMemoryOf, type MemoryLog } from './memory/memory-index.js';
import { createNoteIndex, type Progress, type Stage } from './notes/note-index.js';
import type { NoteSource } from './notes/note-source.js';
import { createOwnMeaning, type OwnMeaning } from './notes/remote-embeddings.js';
import { runSliced } from '../platform/run-sliced.js';

export interface SearchServiceOptions {
  readonly log: MemoryLog;
  readonly notes: NoteSource;
  /** Where the indexes are kept on this device; without it they are made anew each time. */
  readonly blobs?: Blobs | undefined;
  /** Without it there is only search by word. */
  readonly meaning?: EmbedderSource | undefined;
  /** The folders whose notes must never be read, the data folder among them. */
  readonly skippedFolders: () => Promise<readonly VaultPath[]>;
  /** How long a search waits, in milliseconds, for notes to be found by their words, and by what they mean. */
  readonly patience: { readonly words: number; readonly meaning: number };
  readonly limits: SearchLimits;
  readonly clock: Clock;
  readonly random: Random;
  /** Gives the host its turn; without it work goes on without a pause. */
  readonly yieldToHost?: (() => Promise<void>) | undefined;
  /** As `yieldToHost`, for what nobody waits for; without it `yieldToHost` does. */
  readonly yieldToHostWhenIdle?: (() => Promise<void>) | undefined;
  readonly warn: (message: string) => void;
}

/** What a device can bear. */
export interface SearchLimits {
  /** In bytes; larger notes are known by their names alone. */
  readonly largestNote: number;
  readonly mostVectors: number;
  /** After so many milliseconds of work the host has its turn. */
  readonly workMs: number;
}

export const DESKTOP_LIMITS: SearchLimits = {
  largestNote: 64_000_000,
  mostVectors: 600_000,
  workMs: 8,
};
export const PHONE_LIMITS: SearchLimits = {
  largestNote: 8_000_000,
  mostVectors: 100_000,
  workMs: 4,
};

export const SEARCH_MODES = ['hybrid', 'keyword', 'semantic'] as const;

interface Range {
  readonly from: number;
  readonly to: number;
}

export interface NoteQuery {
  readonly query: string;
  /** Only notes in this folder. */
  readonly folder: VaultPath;
  readonly mode: (typeof SEARCH_MODES)[number];
  /** All of these. */
  readonly tags: readonly string[];
  /** When the notes were last changed. */
  readonly range: Range;
  readonly limit: number;
  /** The last word is still being typed. */
  readonly isTyping?: boolean;
  /** Aborted when nobody waits for the answer any more: the search is then rejected with its reason. */
  readonly signal?: AbortSignal;
}

export interface NoteHit {
  readonly path: VaultPath;
  readonly heading?: string | undefined;
  /** From 1. */
  readonly line: number;
  /** The part of the note's text to show, and in it the words that were asked for. */
  readonly excerpt: string;
  readonly matches: readonly Span[];
  readonly score: number;
  /** Such as `title, 2 headings; meaning`. */
  readonly why: string;
  /** Notes that were found, too, by nearly the same text: versions of this one, mostly. */
  readonly also: readonly VaultPath[];
}

/** What was found, and how far the index has come where it is not ready. */
interface Found<T> {
  readonly found: T;
  readonly progress: Progress | undefined;
}

interface MemoryQuery {
  readonly query: string;
  readonly workspaceId: string;
  readonly range: Range;
  readonly limit: number;
}

export interface Scored<T> {
  readonly item: T;
  readonly score: number;
}

/** How far a part of an index has come. What cannot be read is never done, but does not keep it from being ready. */
export interface Standing extends Progress {
  readonly ready: boolean;
}

/** How far the indexes have come. */
export interface IndexStatus {
  /** Whether anybody has asked for the notes since this program began, or the index was cleared. */
  readonly hasBegun: boolean;
  readonly notes: Standing;
  /** Undefined where there is only search by word. */
  readonly meaning: Standing | undefined;
  /** Of one workspace. */
  readonly memory: Standing;
  readonly skippedFolders: readonly VaultPath[];
  /** What is kept on this device, in bytes. */
  readonly keptBytes: number;
}

/** What the notes are indexed from, for whoever looks at each of them. */
export interface NoteAccess extends Pick<SearchServiceOptions, 'skippedFolders'> {
  readonly source: NoteSource;
  readonly largestNote: number;
  readonly scheduler: Scheduler;
}

/** Search over the notes of a vault and over its memory. Indexing begins with the first search, or by `start`. */
export interface SearchService {
  readonly start: () => void;
  /** The person has chosen other folders to be left out. */
  readonly lookAgain: () => void;
  /** Undefined where what was asked for cannot be told: `mode` is semantic, and nothing here knows what the query means. */
  readonly notes: (
    query: NoteQuery,
  ) => Promise<Found<readonly NoteHit[]> | { readonly problem: 'noMeaning' | 'notEnglish' }>;
  /** Files and folders by their names; folders end with a slash. */
  readonly names: (
    query: string,
    folder: VaultPath,
    limit: number,
  ) => Promise<Found<readonly VaultPath[]>>;
  readonly states: (query: MemoryQuery) => Promise<Found<readonly Scored<Named<State>>[]>>;
  readonly traces: (query: MemoryQuery) => Promise<Found<readonly Scored<Trace>[]>>;
  /** How far the notes have been read; undefined where they are, or nobody has begun. */
  readonly progress: () => Progress | undefined;
  /** Calls the listener when that may have changed, until the answered function is called. */
  readonly onProgress: (listener: () => void) => () => void;
  readonly access: NoteAccess;
  /** Begins nothing. `workspaceId`: whose memory. */
  readonly indexStatus: (workspaceId: string) => Promise<IndexStatus>;
  /** Makes the indexes anew and answers how far the notes are by then, which is not far. Where that goes on already, nothing more is done. */
  readonly rebuildIndex: (workspaceId: string) => Promise<Standing>;
  /** Drops the indexes and what is kept of them; the next search makes them anew. Answers how many bytes were kept. */
  readonly clearIndex: () => Promise<number>;
  /** Has a model of the person's own tell what notes mean, once it has been begun; none: the table alone does. */
  readonly useModel: (embedder: RemoteEmbedder | undefined) => Promise<OwnMeaning | undefined>;
  /** Keeps what was done. No call may follow. */
  readonly close: () => Promise<void>;
}

/** So many of the nearest are weighed where conditions will leave some out. */
const NEAREST_OF_MANY = 5000;
/** Of so many it is said that they were found by meaning. */
const TOLD_BY_MEANING = 20;
/** Notes that have gone since are left out, so a few more are asked for. */
const SPARE = 5;
/** A vector of the table takes so many; longer ones of another model take the room of several. */
const BYTES_OF_A_VECTOR = 192;
/** So long, in milliseconds, a rebuild is waited for until it is known how much there is to do. */
const ANEW_MS = 250;

export function createSearchService(options: SearchServiceOptions): SearchService {
  const { log, clock, random, meaning, patience, limits, warn } = options;
  const scheduler = new Scheduler(clock, options.yieldToHost, limits.workMs);
  const idleScheduler = new Scheduler(
    clock,
    options.yieldToHostWhenIdle ?? options.yieldToHost,
    limits.workMs,
  );
  const listeners = new Set<() => void>();
  let hasBegun = false;

  const tell = () => listeners.forEach((listener) => listener());
  const open = (name: string) =>
    openKeptIndex({
      blobs: options.blobs,
      name,
      random,
      warn,
      dimensions: meaning?.dimensions ?? 8,
      meaningId: meaning?.id ?? '',
    });
  const notes = createNoteIndex({
    source: options.notes,
    open: () => open('notes'),
    meaning,
    skippedFolders: options.skippedFolders,
    clock,
    warn,
    scheduler: idleScheduler,
    foreground: scheduler,
    largestNote: limits.largestNote,
    mostVectors: limits.mostVectors,
    changed() {
      tell();
      own?.lookAgain();
    },
  });
  let own: OwnMeaning | undefined;

  /** The model that is asked from now on; what another one has answered is not used any more. */
  async function useModel(embedder: RemoteEmbedder | undefined): Promise<OwnMeaning | undefined> {
    const before = own;
    own = undefined;
    await before?.close();
    own =
      embedder &&
      createOwnMeaning({
        embedder,
        scheduler: idleScheduler,
        clock,
        mostBytes: limits.mostVectors * BYTES_OF_A_VECTOR,
        changed: tell,
        open: (dimensions) =>
          openKeptIndex({
            blobs: options.blobs,
            name: 'own',
            random,
            warn,
            dimensions,
            meaningId: embedder.id,
          }),
        notes: {
          isReady: () => notes.progress('words') === undefined,
          kept: notes.kept,
          listing: notes.listing,
          read: (path) => options.notes.read(path),
        },
      });
    return own;
  }

  const memory = createMemoryIndex({
    log,
    open: () => open('memory'),
    meaning,
    mostVectors: limits.mostVectors,
    scheduler,
    clock,
  });

  function begin(stage: Stage): void {
    hasBegun = true;
    notes.catchUp(stage);
  }

  async function settle(stage: Stage): Promise<void> {
    begin(stage);
    await within(patience[stage === 'meaning' ? 'meaning' : 'words'], (isTooLong) =>
      notes.settled(stage, isTooLong),
    );
  }

  /** Hands a task the promise that ends its time. */
  async function within(
    ms: number,
    task: (isTooLong: Promise<void>) => Promise<void>,
  ): Promise<void> {
    let cancel: () => void = () => undefined;
    const isTooLong = new Promise<void>((resolve) => {
      if (ms !== Infinity) cancel = clock.after(ms, resolve);
    });
    await task(isTooLong).finally(() => cancel());
  }

  async function clearIndex(): Promise<number> {
    hasBegun = false;
    const [ofNotes, ofMemory] = await Promise.all([notes.clear(), memory.clear()]);
    return ofNotes + ofMemory;
  }

  let anew: Promise<void> | undefined;

  /** Resolves when it is known what there is to read. */
  async function beginAnew(workspaceId: string): Promise<void> {
    try {
      await clearIndex();
    } catch (error) {
      anew = undefined;
      throw error;
    }
    begin('words');
    memory.catchUp(workspaceId).catch(() => undefined); // whoever searches next hears of it
    const never = new Promise<void>(() => undefined);
    void notes.settled('words', never).then(() => (anew = undefined));
    await notes.settled('names', never);
  }

  function standingOf(stage: Stage): Standing {
    const progress = notes.progress(stage);
    return { ready: progress === undefined, ...(progress ?? notes.total()) };
  }

  /** How near the notes are to the query; words where nobody can tell. */
  async function meaningOf(
    { query, mode, folder, tags, range, isTyping }: NoteQuery,
    { vectors }: KeptIndex,
  ): Promise<SemanticScores | { problem: 'noMeaning' | 'notEnglish' } | undefined> {
    const isNarrow = tags.length > 0 || range.from !== -Infinity || range.to !== Infinity;
    const most = isNarrow ? NEAREST_OF_MANY : NEAREST_DOCS_LIMIT;
    const least = mode === 'semantic' ? 0 : MIN_SIMILARITY;
    const isAllowed = folder === '' ? undefined : (key: string) => key.startsWith(`${folder}/`);
    // A query that is being typed is not sent: that would be a request for each letter.
    const byOwn = isTyping ? undefined : await own?.nearest(query, { limit: most, minSimilarity: least, isAllowed });
    if (byOwn) return byOwn;
    if (mode === 'hybrid' && notes.progress('meaning') !== undefined) return undefined;
    if (!meaning) return { problem: 'noMeaning' };
    const vector = await runSliced(embedQuerySteps(meaning, query), { scheduler });
    return vector
      ? runSliced(vectors.nearestSteps(vector, { limit: most, minSimilarity: least, isAllowed }), { scheduler })
      : { problem: 'notEnglish' };
  }

  /** Folders of one name in other letter cases are one folder to some systems, but notes are found by the name as it is written. */
  const asWritten = (folder: VaultPath) =>
    notes.listing().folders.find((other) => other.toLowerCase() === folder.toLowerCase()) ?? folder;

  async function searchNotes(query: NoteQuery): ReturnType<SearchService['notes']> {
    const { mode, tags, range, limit, isTyping, signal } = query;
    await settle('words');
    const folder = asWritten(query.folder);
    if (mode === 'semantic' || (mode === 'hybrid' && patience.meaning > 0)) await settle('meaning');
    const kept = await notes.kept();
    const nearness = mode === 'keyword' ? undefined : await meaningOf({ ...query, folder }, kept);
    if (mode === 'semantic' && nearness && 'problem' in nearness) return nearness;
    const known = nearness && 'nearest' in nearness ? nearness : undefined;
    const scope: SearchOptions = {
      labels: tags.map(tagLabel),
      limit: limit + SPARE,
      semanticScores: known,
      isTyping,
      isDeduplicated: true,
      ...(folder !== '' && { keyPrefix: `${folder}/` }),
      ...(range.from !== -Infinity && { from: range.from }),
      ...(range.to !== Infinity && { to: range.to }),
    };
    const words = mode === 'semantic' ? '' : query.query;
    const hits = await runSliced(kept.index.searchSteps(words, scope), { scheduler, signal });
    const near = new Set(known?.nearest.slice(0, TOLD_BY_MEANING).map(({ key }) => key));
    const found: NoteHit[] = [];
    for (const hit of hits) {
      if (found.length === limit) break;
      signal?.throwIfAborted();
      const shown = await showNote(hit, query.query, near.has(hit.key));
      if (shown) found.push(shown);
      else notes.suspect(hit.key);
    }
    return { found, progress: notes.progress(mode === 'semantic' ? 'meaning' : 'words') };
  }

  /** Undefined where the note is not there any more, or is another by now. */
  async function showNote(
    { key, passage, score, isKeywordMatch: isByWord, language, duplicateKeys: also }: SearchHit,
    query: string,
    isNear: boolean,
  ): Promise<NoteHit | undefined> {
    const text = await options.notes.read(key).catch(() => undefined); // it is named when the index reads it again
    await scheduler.yieldIfDue();
    const explained =
      text === undefined ? undefined : explainNote(key, text, passage, query, undefined, language);
    if (text === undefined || !explained) return undefined;
    const [from, to] = explained.excerpt;
    return {
      path: key,
      line: explained.line,
      score,
      also,
      ...(explained.heading !== undefined && { heading: explained.heading }),
      excerpt: text.slice(from, to),
      matches: explained.matches.map(([start, end]): Span => [start - from, end - from]),
      why: [isByWord ? explained.why : '', isNear || !isByWord ? 'meaning' : '']
        .filter(Boolean)
        .join('; '),
    };
  }

  /** By whole words and by meaning; where nothing holds any of the words, by words that begin so. */
  async function searchMemory(
    { index, vectors }: KeptIndex,
    type: 'state' | 'trace',
    { query, workspaceId, range, limit }: MemoryQuery,
  ): Promise<readonly SearchHit[]> {
    const vector = meaning && (await runSliced(embedQuerySteps(meaning, query), { scheduler }));
    const most = range.from !== -Infinity || range.to !== Infinity ? NEAREST_OF_MANY : NEAREST_DOCS_LIMIT;
    const isAllowed = isMemoryOf(type, workspaceId);
    const near = vector && vectors.nearestSteps(vector, { limit: most, minSimilarity: MIN_SIMILARITY, isAllowed });
    const scope: SearchOptions = {
      labels: [memoryLabel(type, workspaceId)],
      limit,
      newestFirst: true,
      groupedBy: SESSION_LABEL,
      semanticScores: near && (await runSliced(near, { scheduler })),
      ...(range.from !== -Infinity && { from: range.from }),
      ...(range.to !== Infinity && { to: range.to }),
    };
    const hits = await runSliced(index.searchSteps(query, scope), { scheduler });
    return hits.some(({ isKeywordMatch: isByWord }) => isByWord)
      ? hits
      : runSliced(index.searchSteps(query, { ...scope, isTyping: true }), { scheduler });
  }

  return {
    useModel,
    start: () => begin('words'),
    lookAgain: () => notes.lookAgain(),
    notes: searchNotes,
    async names(query, given, limit) {
      await settle('names');
      const folder = asWritten(given);
      const { files, folders } = notes.listing();
      const skipped = await options.skippedFolders();
      const isOpen = (path: VaultPath) =>
        isWithin(path, folder) &&
        path.length > folder.length &&
        !isHidden(path) &&
        !skipped.some((other) => isWithin(path, other));
      const all = [...files.filter(isOpen), ...folders.filter(isOpen).map((path) => `${path}/`)];
      return { found: rankPaths(query, all, limit), progress: undefined };
    },
    async states(query) {
      const { kept, states } = await memory.catchUp(query.workspaceId);
      const hits = await searchMemory(kept, 'state', query);
      const found = hits.flatMap(({ key, score }) =>
        states.has(key) ? [{ item: states.get(key)!, score }] : [],
      );
      return { found, progress: undefined };
    },
    async traces(query) {
      const { kept, traces, left } = await memory.catchUp(query.workspaceId);
      const hits = await searchMemory(kept, 'trace', query);
      const placed = hits.flatMap(({ key, score }) =>
        traces.has(key) ? [{ entry: traces.get(key)!, score }] : [],
      );
      const found = await Promise.all(
        placed.map(async ({ entry, score }) =>
          (await log.readTraces([entry])).map((item): Scored<Trace> => ({ item, score })),
        ),
      );
      const total = traces.size;
      return {
        found: found.flat(),
        progress: left > 0 ? { done: total - left, total } : undefined,
      };
    },
    progress: () => (hasBegun ? notes.progress('words') : undefined),
    onProgress(listener) {
      const own = () => listener();
      listeners.add(own);
      return () => listeners.delete(own);
    },
    access: {
      source: options.notes,
      skippedFolders: options.skippedFolders,
      largestNote: limits.largestNote,
      scheduler,
    },
    async indexStatus(workspaceId) {
      const [ofMemory, keptMemory, keptNotes] = await Promise.all([
        memory.progress(workspaceId),
        memory.size(),
        notes.kept(),
      ]);
      return {
        hasBegun,
        notes: standingOf('words'),
        meaning: meaning && standingOf('meaning'),
        memory: { ready: ofMemory.done === ofMemory.total, ...ofMemory },
        skippedFolders: await options.skippedFolders(),
        keptBytes: keptNotes.size() + keptMemory,
      };
    },
    async rebuildIndex(workspaceId) {
      await within(ANEW_MS, (isTooLong) =>
        Promise.race([(anew ??= beginAnew(workspaceId)), isTooLong]),
      );
      return standingOf('words');
    },
    clearIndex,
    async close() {
      await Promise.all([own?.close(), notes.close(), memory.close()]);
    },
  };
}

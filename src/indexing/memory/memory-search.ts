import type { Named } from '../../model/lookup.js';
import type { Memory } from '../../model/memory.js';
import type { ProjectRecord } from '../../model/records/record.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import type { Clock } from '../../platform/clock.js';
import { runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { memoryLabel, SESSION_LABEL, withMonths, type MemoryType } from './memory-documents.js';
import {
  BY_WORDS,
  cosine,
  embedQuerySteps,
  mentionedDates,
  MIN_SIMILARITY,
  searchedTextsOf,
  type Embedder,
  type EmbedderSource,
  type Relevance,
  type SearchHit,
  type SearchIndex,
  type SearchOptions,
  type SemanticScores,
} from '../../search/index.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import { isUnlimited, nearestLimit, type SearchResult, type TimeRange } from '../search-result.js';
import type { CallSnapshot, MemoryIndex, MemoryLog } from './memory-index.js';
import { createKeyFilter, workspaceIdIn } from './memory-keys.js';

export interface MemoryQuery {
  readonly query: string;
  readonly workspaceIds: readonly string[];
  readonly range: TimeRange;
  readonly limit: number;
  /** True to read the query's operators as words. */
  readonly isLiteral?: boolean;
  /** The memory if the caller has just read it; otherwise a search for entities reads it. */
  readonly memory?: Memory;
}

export interface ScoredItem<T> {
  readonly item: T;
  /** See `SearchHit`. */
  readonly score: number;
}

export type FoundEntity = { readonly state: Named<State> } | { readonly record: ProjectRecord };

export interface TraceFilter {
  /** True for all traces; false for those that say something that nothing else says. */
  readonly isComplete?: boolean;
  /** Returns true for a trace to leave out, for which another one is found. */
  readonly isHidden?: (trace: Trace) => boolean;
}

export interface MemorySearchOptions {
  readonly index: MemoryIndex;
  readonly log: Pick<MemoryLog, 'tracesAt'>;
  readonly embedder: EmbedderSource | undefined;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
}

/** Time that a search waits for the embedder to open. After that, it searches by words only. */
const MAX_OPENING_MS = 1000;

/** Hits of several types, with what judges their texts. */
export interface EntitySearchResult extends MemorySearchResult<readonly ScoredItem<FoundEntity>[]> {
  readonly relevance: Relevance;
}

export interface MemorySearchResult<T> extends SearchResult<T> {
  /** True if the embedder is still opening, and the search did not wait for it. */
  readonly isByWordsOnly: boolean;
  /** Operators in the query, if nothing was found by them. */
  readonly unmatched: readonly string[];
}

export class MemorySearch {
  readonly #options: MemorySearchOptions;

  constructor(options: MemorySearchOptions) {
    this.#options = options;
  }

  /** Finds states and records that are not archived, in one order. */
  async searchEntities(
    query: MemoryQuery,
    types: readonly ('state' | 'record')[],
  ): Promise<EntitySearchResult> {
    const isOpen = await this.#openEmbedder();
    const { index, states, records } = await this.#options.index.catchUpEntities(
      query.workspaceIds,
      query.memory,
    );
    const hits = await this.#search(index, types, query);
    const found = hits.flatMap(({ key, score }): ScoredItem<FoundEntity>[] => {
      const state = states.flatMap((of) => of.get(key)?.read() ?? [])[0];
      if (state) return [{ item: { state }, score }];
      const record = records.flatMap((of) => of.get(key)?.read() ?? [])[0];
      return record ? [{ item: { record: record.item }, score }] : [];
    });
    const relevance = await this.#relevanceOf(query.query, index.index);
    const unmatched = unmatchedOperators(hits, query, index);
    return { found, progress: undefined, isByWordsOnly: !isOpen, unmatched, relevance };
  }

  async searchTraces(
    query: MemoryQuery,
    filter: TraceFilter = {},
  ): Promise<MemorySearchResult<readonly ScoredItem<Trace>[]>> {
    const isOpen = await this.#openEmbedder();
    const workspaces = new Map<string, CallSnapshot>();
    for (const id of query.workspaceIds)
      workspaces.set(id, await this.#options.index.catchUp(id, query.memory));
    const snapshots = [...workspaces.values()];
    const [snapshot] = snapshots;
    if (!snapshot) return { found: [], progress: undefined, isByWordsOnly: false, unmatched: [] };
    let limit = query.limit;
    let found = await this.#readTraces(snapshot.index, workspaces, query, filter);
    while (found.hits.length < query.limit && found.hasMore) {
      limit *= 2;
      found = await this.#readTraces(snapshot.index, workspaces, { ...query, limit }, filter);
    }
    const total = snapshots.reduce((sum, { traces }) => sum + traces.size, 0);
    const remaining = snapshots.reduce((sum, each) => sum + each.remaining, 0);
    const progress = remaining > 0 ? { done: total - remaining, total } : undefined;
    const hits = found.hits.slice(0, query.limit);
    const unmatched = unmatchedOperators(hits, query, snapshot.index);
    return { found: hits, progress, isByWordsOnly: !isOpen, unmatched };
  }

  /** Opens the embedder before anything is searched. */
  async warmUp(): Promise<void> {
    const { index, embedder, scheduler } = this.#options;
    await index.open();
    if (embedder) await runSliced(embedder.openSteps(), { scheduler });
  }

  /** Opens the embedder. Resolves to false if that takes long; it then opens in the background. */
  async #openEmbedder(): Promise<boolean> {
    const { index, embedder, scheduler, clock } = this.#options;
    await index.open(); // opens the embedder, too, if its table is on this device
    if (!embedder || embedder.isOpen()) return true;
    const deadline = clock.now() + MAX_OPENING_MS;
    for (const steps = embedder.openSteps(); !steps.next().done;) {
      if (clock.now() > deadline) {
        // the next search reports it
        void runSliced(embedder.openSteps(), { scheduler }).catch(() => undefined);
        return false;
      }
      await scheduler.yieldIfDue();
    }
    return true;
  }

  async #readTraces(
    index: PersistentIndex,
    workspaces: ReadonlyMap<string, CallSnapshot>,
    query: MemoryQuery,
    { isComplete = true, isHidden = () => false }: TraceFilter,
  ): Promise<{ hits: ScoredItem<Trace>[]; hasMore: boolean }> {
    const hits = await this.#search(index, ['trace'], query, isComplete ? 'trace' : 'notable');
    const found = hits.flatMap(({ key, score }) => {
      const entry = workspaces.get(workspaceIdIn(key))?.traces.get(key);
      return entry ? [{ entry, score }] : [];
    });
    const items = await this.#options.log.tracesAt(found.map(({ entry }) => entry));
    return {
      hits: found.flatMap(({ score }, at) => {
        const item = items[at];
        return item && !isHidden(item) ? [{ item, score }] : [];
      }),
      hasMore: hits.length >= query.limit,
    };
  }

  /** Searches by words and embeddings. If no word matches, the last may start a longer one. */
  async #search(
    { index, vectors }: PersistentIndex,
    types: readonly MemoryType[],
    { query, workspaceIds, range, limit, isLiteral = false }: MemoryQuery,
    traces: 'trace' | 'notable' = 'trace',
  ): Promise<readonly SearchHit[]> {
    const { scheduler, clock } = this.#options;
    const isAllowed = createKeyFilter(types, workspaceIds);
    const vector = isLiteral ? undefined : await this.#embedQuery(query, index);
    const isFiltered = !isUnlimited(range) || traces === 'notable';
    const nearest = { limit: nearestLimit(isFiltered), minSimilarity: MIN_SIMILARITY };
    const semanticScores: SemanticScores | undefined =
      vector &&
      (await runSliced(vectors.nearestSteps(vector, { ...nearest, isAllowed }), { scheduler }));
    const labels = types.flatMap((type) =>
      workspaceIds.map((id) => memoryLabel(type === 'trace' ? traces : type, id)),
    );
    const opened = await this.#embedder();
    const scope: SearchOptions = {
      ...(labels.length === 1 ? { labels } : { anyLabel: labels }),
      limit,
      isLiteral,
      newestFirst: true,
      groupedBy: SESSION_LABEL,
      mentionedDates: mentionedDates(query, clock.now()),
      semanticScores,
      weightOf: opened?.rarityOf,
      ...range,
    };
    const words = withMonths(query);
    const hits = await runSliced(index.searchSteps(words, scope), { scheduler });
    if (hits.some(({ isKeywordMatch }) => isKeywordMatch)) return hits;
    return runSliced(index.searchSteps(words, { ...scope, isTyping: true }), { scheduler });
  }

  async #embedder(): Promise<Embedder | undefined> {
    const { embedder, scheduler } = this.#options;
    return embedder?.isOpen() ? runSliced(embedder.openSteps(), { scheduler }) : undefined;
  }

  async #relevanceOf(query: string, index: SearchIndex): Promise<Relevance> {
    const embedder = await this.#embedder();
    const vector = await this.#embedQuery(query, index);
    if (!embedder) return BY_WORDS;
    const vectors = new Map<string, Int8Array>();
    const vectorOfWord = (word: string) => {
      const known = vectors.get(word) ?? embedder.vectorOf(word);
      vectors.set(word, known);
      return known;
    };
    return {
      rarityOf: embedder.rarityOf,
      similarityOf: (text) => (vector ? cosine(vector, embedder.vectorOf(text)) : 0),
      similarityOfWords: (a, b) => cosine(vectorOfWord(a), vectorOfWord(b)),
    };
  }

  async #embedQuery(query: string, index: SearchIndex): Promise<Int8Array | undefined> {
    const { embedder, scheduler } = this.#options;
    if (!embedder?.isOpen()) return undefined;
    const steps = embedQuerySteps(embedder, query, searchedTextsOf(index));
    return (await runSliced(steps, { scheduler }))?.vector;
  }
}

function unmatchedOperators(
  hits: readonly unknown[],
  { query, isLiteral = false }: MemoryQuery,
  { index }: PersistentIndex,
): string[] {
  return hits.length > 0 || isLiteral ? [] : index.operatorsIn(query);
}

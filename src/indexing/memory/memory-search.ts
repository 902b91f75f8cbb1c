import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import type { Clock } from '../../platform/clock.js';
import { runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { memoryLabel, SESSION_LABEL } from '../../search/documents/memory-documents.js';
import type { SearchHit } from '../../search/query/hits.js';
import type { SearchOptions } from '../../search/query/search.js';
import type { SemanticScores } from '../../search/vectors/semantic-scores.js';
import { mentionedDates } from '../../search/text/dates.js';
import type { SearchIndex } from '../../search/index.js';
import { embedQuerySteps, searchedTextsOf } from '../../search/vectors/embed.js';
import { MIN_SIMILARITY } from '../../search/vectors/embedder.js';
import type { EmbedderSource } from '../../search/vectors/embedder-source.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import { isUnlimited, nearestLimit, type SearchResult, type TimeRange } from '../search-result.js';
import type { MemoryIndex, MemoryLog, MemorySnapshot } from './memory-index.js';
import { createKeyFilter, workspaceOf } from './memory-keys.js';

export interface MemoryQuery {
  readonly query: string;
  /** Ids of the workspaces to search. */
  readonly workspaceIds: readonly string[];
  readonly range: TimeRange;
  readonly limit: number;
}

export interface ScoredItem<T> {
  readonly item: T;
  /** Relative to the best hit, which has 1. */
  readonly score: number;
}

export interface MemorySearchOptions {
  readonly index: MemoryIndex;
  readonly log: Pick<MemoryLog, 'readTraces'>;
  readonly embedder: EmbedderSource | undefined;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
}

/** Searches the states and calls of workspaces. */
export class MemorySearch {
  readonly #options: MemorySearchOptions;

  constructor(options: MemorySearchOptions) {
    this.#options = options;
  }

  /** Finds states that are not archived. */
  async searchStates(
    query: MemoryQuery,
  ): Promise<SearchResult<readonly ScoredItem<Named<State>>[]>> {
    const { index, states } = await this.#options.index.catchUpStates(query.workspaceIds);
    const hits = await this.#search(index, 'state', query);
    const found = hits.flatMap(({ key, score }) => {
      const item = states.flatMap((of) => of.get(key) ?? [])[0];
      return item ? [{ item, score }] : [];
    });
    return { found, progress: undefined };
  }

  /** Finds calls. `isHidden` excludes some of them, for which others are found. */
  async searchTraces(
    query: MemoryQuery,
    isHidden: (trace: Trace) => boolean = () => false,
  ): Promise<SearchResult<readonly ScoredItem<Trace>[]>> {
    const workspaces = new Map<string, MemorySnapshot>();
    for (const id of query.workspaceIds) workspaces.set(id, await this.#options.index.catchUp(id));
    const snapshots = [...workspaces.values()];
    const [snapshot] = snapshots;
    if (!snapshot) return { found: [], progress: undefined };
    let limit = query.limit;
    let found = await this.#readTraces(snapshot.index, workspaces, query, isHidden);
    while (found.hits.length < query.limit && found.hasMore) {
      limit *= 2;
      found = await this.#readTraces(snapshot.index, workspaces, { ...query, limit }, isHidden);
    }
    const total = snapshots.reduce((sum, { traces }) => sum + traces.size, 0);
    const remaining = snapshots.reduce((sum, each) => sum + each.remaining, 0);
    const progress = remaining > 0 ? { done: total - remaining, total } : undefined;
    return { found: relativeToBest(found.hits.slice(0, query.limit)), progress };
  }

  async #readTraces(
    index: PersistentIndex,
    workspaces: ReadonlyMap<string, MemorySnapshot>,
    query: MemoryQuery,
    isHidden: (trace: Trace) => boolean,
  ): Promise<{ hits: ScoredItem<Trace>[]; hasMore: boolean }> {
    const hits = await this.#search(index, 'trace', query);
    const read = hits.map(async ({ key, score }): Promise<ScoredItem<Trace>[]> => {
      const entry = workspaces.get(workspaceOf(key))?.traces.get(key);
      const items = entry ? await this.#options.log.readTraces([entry]) : [];
      return items.flatMap((item) => (isHidden(item) ? [] : [{ item, score }]));
    });
    return { hits: (await Promise.all(read)).flat(), hasMore: hits.length >= query.limit };
  }

  /**
   * Searches by whole words and by embeddings; if no hit contains any of the words, also by longer words that start with the
   * last one.
   */
  async #search(
    { index, vectors }: PersistentIndex,
    type: 'state' | 'trace',
    { query, workspaceIds, range, limit }: MemoryQuery,
  ): Promise<readonly SearchHit[]> {
    const { scheduler, clock } = this.#options;
    const isAllowed = createKeyFilter(type, workspaceIds);
    const vector = await this.#embedQuery(query, index);
    const nearest = { limit: nearestLimit(!isUnlimited(range)), minSimilarity: MIN_SIMILARITY };
    const semanticScores: SemanticScores | undefined =
      vector &&
      (await runSliced(vectors.nearestSteps(vector, { ...nearest, isAllowed }), { scheduler }));
    const labels = workspaceIds.map((id) => memoryLabel(type, id));
    const scope: SearchOptions = {
      ...(labels.length === 1 ? { labels } : { anyLabel: labels }),
      limit,
      newestFirst: true,
      groupedBy: SESSION_LABEL,
      mentionedDates: mentionedDates(query, clock.now()),
      semanticScores,
      ...(range.from !== -Infinity && { from: range.from }),
      ...(range.to !== Infinity && { to: range.to }),
    };
    const hits = await runSliced(index.searchSteps(query, scope), { scheduler });
    if (hits.some(({ isKeywordMatch }) => isKeywordMatch)) return hits;
    return runSliced(index.searchSteps(query, { ...scope, isTyping: true }), { scheduler });
  }

  async #embedQuery(query: string, index: SearchIndex): Promise<Int8Array | undefined> {
    const { embedder, scheduler } = this.#options;
    if (!embedder) return undefined;
    const steps = embedQuerySteps(embedder, query, searchedTextsOf(index));
    return (await runSliced(steps, { scheduler }))?.vector;
  }
}

/** Returns the hits with the score of the first one as 1. */
function relativeToBest<T>(hits: readonly ScoredItem<T>[]): ScoredItem<T>[] {
  const best = hits[0]?.score ?? 1;
  return best === 1 ? [...hits] : hits.map(({ item, score }) => ({ item, score: score / best }));
}

import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import { runSliced } from '../../platform/run-sliced.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { memoryLabel, SESSION_LABEL } from '../../search/documents/memory-documents.js';
import type { SearchHit } from '../../search/query/hits.js';
import type { SearchOptions } from '../../search/query/search.js';
import type { SemanticScores } from '../../search/vectors/semantic-scores.js';
import { embedQuerySteps } from '../../search/vectors/embed.js';
import { MIN_SIMILARITY } from '../../search/vectors/embedder.js';
import type { EmbedderSource } from '../../search/vectors/embedder-source.js';
import type { PersistentIndex } from '../persistence/persistent-index.js';
import { isUnlimited, nearestLimit, type SearchResult, type TimeRange } from '../search-result.js';
import type { MemoryIndex, MemoryLog } from './memory-index.js';
import { createKeyFilter } from './memory-keys.js';

export interface MemoryQuery {
  readonly query: string;
  readonly workspaceId: string;
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
}

/** Searches the states and calls of a workspace. */
export class MemorySearch {
  readonly #options: MemorySearchOptions;

  constructor(options: MemorySearchOptions) {
    this.#options = options;
  }

  /** Finds states that are not archived. */
  async searchStates(
    query: MemoryQuery,
  ): Promise<SearchResult<readonly ScoredItem<Named<State>>[]>> {
    const { index, states } = await this.#options.index.catchUp(query.workspaceId);
    const hits = await this.#search(index, 'state', query);
    const found = hits.flatMap(({ key, score }) => {
      const item = states.get(key);
      return item ? [{ item, score }] : [];
    });
    return { found, progress: undefined };
  }

  async searchTraces(query: MemoryQuery): Promise<SearchResult<readonly ScoredItem<Trace>[]>> {
    const { index, traces, remaining } = await this.#options.index.catchUp(query.workspaceId);
    const hits = await this.#search(index, 'trace', query);
    const read = hits.map(async ({ key, score }): Promise<ScoredItem<Trace>[]> => {
      const entry = traces.get(key);
      const items = entry ? await this.#options.log.readTraces([entry]) : [];
      return items.map((item) => ({ item, score }));
    });
    const found = (await Promise.all(read)).flat();
    const total = traces.size;
    const progress = remaining > 0 ? { done: total - remaining, total } : undefined;
    return { found, progress };
  }

  /**
   * Searches by whole words and by embeddings; if no hit contains any of the words, also by longer words that start with the
   * last one.
   */
  async #search(
    { index, vectors }: PersistentIndex,
    type: 'state' | 'trace',
    { query, workspaceId, range, limit }: MemoryQuery,
  ): Promise<readonly SearchHit[]> {
    const { scheduler } = this.#options;
    const isAllowed = createKeyFilter(type, workspaceId);
    const vector = await this.#embedQuery(query);
    const nearest = { limit: nearestLimit(!isUnlimited(range)), minSimilarity: MIN_SIMILARITY };
    const semanticScores: SemanticScores | undefined =
      vector &&
      (await runSliced(vectors.nearestSteps(vector, { ...nearest, isAllowed }), { scheduler }));
    const scope: SearchOptions = {
      labels: [memoryLabel(type, workspaceId)],
      limit,
      newestFirst: true,
      groupedBy: SESSION_LABEL,
      semanticScores,
      ...(range.from !== -Infinity && { from: range.from }),
      ...(range.to !== Infinity && { to: range.to }),
    };
    const hits = await runSliced(index.searchSteps(query, scope), { scheduler });
    if (hits.some(({ isKeywordMatch }) => isKeywordMatch)) return hits;
    return runSliced(index.searchSteps(query, { ...scope, isTyping: true }), { scheduler });
  }

  async #embedQuery(query: string): Promise<Int8Array | undefined> {
    const { embedder, scheduler } = this.#options;
    return embedder && runSliced(embedQuerySteps(embedder, query), { scheduler });
  }
}

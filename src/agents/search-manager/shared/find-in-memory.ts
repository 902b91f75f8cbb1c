import { isUnlimited, type TimeRange } from '../../../indexing/search-result.js';
import type { JsonObject } from '../../../model/event.js';
import { isNotable, type Trace } from '../../../model/trace.js';
import { BY_WORDS, type Relevance } from '../../../search/index.js';
import type { ToolCall } from '../../../toolkit/define-tool.js';
import { hasWords, unfinishedIndex } from '../../shared/search-inputs.js';
import type { Services } from '../../services.js';
import { groupHits, type EntityHit } from './memory-hits.js';
import { entitiesInRange, tracesInRange } from './memory-in-range.js';
import { isOfArchivedState } from './memory-scope.js';

export interface MemoryRequest {
  /** Without words, finds everything in the range, newest first. */
  readonly query: string;
  readonly range: TimeRange;
  readonly limit: number;
  readonly types: readonly ('state' | 'record')[];
  /** True to find traces: all of them if `types` is empty, else those that add something. */
  readonly hasTraces: boolean;
}

/** Hits of a search, the best first. */
export interface FoundInMemory {
  readonly entities: readonly EntityHit[];
  readonly traces: readonly Trace[];
  readonly relevance: Relevance;
  readonly isEmpty: boolean;
  readonly progress: JsonObject | undefined;
  readonly isByWordsOnly: boolean;
  /** The query's operators, if they matched nothing and were then read as words. */
  readonly unmatched: readonly string[];
}

type Call = Pick<ToolCall<Services>, 'services' | 'memory' | 'sessionId'>;

/** Share of the best state's or record's score that others need to be found. */
const MIN_SCORE = 0.35;
/** Several states of one piece of work become one hit, so more of them are searched for. */
const OVERFETCH_FACTOR = 3;
const NOTHING = {
  found: [],
  progress: undefined,
  isByWordsOnly: false,
  unmatched: [],
  relevance: BY_WORDS,
};

/** Finds states, records and traces in workspaces. */
export async function findInMemory(
  call: Call,
  workspaceIds: readonly string[],
  request: MemoryRequest,
): Promise<FoundInMemory> {
  return hasWords(request.query)
    ? searchByWords(call, workspaceIds, request)
    : listRange(call, workspaceIds, request);
}

async function searchByWords(
  call: Call,
  workspaceIds: readonly string[],
  request: MemoryRequest,
): Promise<FoundInMemory> {
  const found = await searchOnce(call, workspaceIds, request, false);
  if (!found.isEmpty || found.unmatched.length === 0) return found;
  const asWords = await searchOnce(call, workspaceIds, request, true);
  return { ...asWords, unmatched: found.unmatched };
}

async function searchOnce(
  call: Call,
  workspaceIds: readonly string[],
  { query, range, limit, types, hasTraces }: MemoryRequest,
  isLiteral: boolean,
): Promise<FoundInMemory> {
  const { memory } = call;
  const search = call.services.search.memory;
  const criteria = { query, workspaceIds, range, limit, isLiteral, memory };
  const filter = { isHidden: hiddenTraces(call, types), isComplete: types.length === 0 };
  const wide = { ...criteria, limit: limit * OVERFETCH_FACTOR };
  const entities = types.length > 0 ? await search.searchEntities(wide, types) : NOTHING;
  const traces = hasTraces ? await search.searchTraces(criteria, filter) : NOTHING;
  const best = entities.found[0]?.score ?? 0;
  const good = entities.found.filter(({ score }) => score >= MIN_SCORE * best);
  return {
    entities: groupHits(memory, good, {
      query,
      isDated: !isUnlimited(range),
      hasStates: types.includes('state'),
    }),
    traces: traces.found.map(({ item }) => item),
    relevance: entities.relevance,
    isEmpty: entities.found.length + traces.found.length === 0,
    progress: unfinishedIndex(entities.progress, traces.progress),
    isByWordsOnly: entities.isByWordsOnly || traces.isByWordsOnly,
    unmatched: types.length > 0 ? entities.unmatched : traces.unmatched,
  };
}

async function listRange(
  call: Call,
  workspaceIds: readonly string[],
  { range, limit, types, hasTraces }: MemoryRequest,
): Promise<FoundInMemory> {
  const { memory, services } = call;
  const isHidden = hiddenTraces(call, types);
  const entities = entitiesInRange(memory, workspaceIds, range, types).map((item): EntityHit =>
    'state' in item
      ? { state: item.state, isNamed: true, earlier: 0, records: [] }
      : { record: item.record, insteadOf: [] },
  );
  const traces = hasTraces
    ? await tracesInRange(services.log, workspaceIds, range, { limit, isHidden })
    : [];
  return { ...NOTHING, entities, traces, isEmpty: entities.length + traces.length === 0 };
}

/** True for traces of archived states and, next to other hits, for own calls and minor ones. */
function hiddenTraces(
  { memory, sessionId }: Call,
  types: readonly string[],
): (trace: Trace) => boolean {
  const isOwnCall = (trace: Trace) => trace.kind === undefined && trace.sessionId === sessionId;
  return (trace) =>
    (types.length > 0 && (isOwnCall(trace) || !isNotable(trace))) ||
    isOfArchivedState(memory, trace);
}

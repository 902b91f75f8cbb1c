import * as z from 'zod';
import { clip } from '../../model/refusal.js';
import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import { shortId } from '../../model/text/short-id.js';
import { TRACE_KINDS, type Trace } from '../../model/trace.js';
import { explainHit, matchingTexts } from '../../search/query/highlight.js';
import { ALL_WORKSPACES, isAllWorkspaces, workspaceFailures } from '../../toolkit/context.js';
import { createGarden } from '../shared/example-calls.js';
import { dateFailures, dateRange, parseDateRange } from '../shared/date-range.js';
import { nonEmptyText } from '../shared/inputs.js';
import {
  hasWords,
  toSingleLine,
  queryFailures,
  roundScore,
  unfinishedIndex,
} from '../shared/search-inputs.js';
import type { ScoredItem } from '../../indexing/memory/memory-search.js';
import { defineTool } from '../services.js';
import {
  countElsewhere,
  isOfArchivedState,
  memoryScope,
  workspaceNames,
} from './shared/memory-scope.js';

const NOTHING = { found: [], progress: undefined, isByWordsOnly: false };

const BY_WORDS_ONLY = 'Searched by words only, as search by meaning is still starting.';

const beds = {
  name: 'Beds drawn',
  conversationContext: 'Drew three beds by the wall.',
  activeTask: 'Choose plants',
  activeFiles: ['Garden/Beds.md'],
  nextSteps: ['Ask Ana for seedlings'],
};

export const searchMemory = defineTool({
  name: 'searchMemory',
  title: 'Search memory',
  access: 'read',
  usesWorkspace: ({ workspaceId }) => workspaceId === undefined,
  action: {
    resource: 'search',
    name: 'search',
    when: { resource: 'memory' },
    aliases: [{ action: undefined, when: { resource: 'memory' } }],
  },
  description: 'Search saved states (except archived ones) and past tool calls.',
  input: z.strictObject({
    query: nonEmptyText,
    workspaceId: nonEmptyText.optional().describe('Id or name; "all" for every workspace'),
    memoryTypes: z.array(z.enum(['states', 'traces'])).default(['states', 'traces']),
    dateRange: dateRange.optional(),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  output: z.array(
    z.object({
      id: z.string().optional().describe('For getMemory'),
      content: z.string(),
      type: z.enum(['state', 'trace']).optional().describe('Only if both types are searched'),
      name: z.string().optional(),
      workspace: z.string().optional().describe('Only in a search of all workspaces'),
      tool: z.string().optional(),
      kind: z.enum(TRACE_KINDS).optional(),
      context: z.string().optional().describe('Why the call was made'),
      score: z.number(),
      createdAt: z.string().describe('Day of a state, minute of a call'),
    }),
  ),
  failures: {
    ...workspaceFailures,
    ...dateFailures,
    ...queryFailures,
  },
  examples: [
    {
      title: 'Find a state by its next steps',
      before: [
        { tool: 'createState', params: beds },
        { tool: 'createState', params: { ...beds, name: 'Beds, first sketch' } },
      ],
      params: {
        query: 'seedlings drawn',
        workspaceId: 'default',
        memoryTypes: ['states'],
        limit: 1,
      },
      answer: {
        success: true,
        data: [
          {
            name: 'Beds drawn',
            content: 'Drew three beds by the wall. · Ask Ana for seedlings',
            score: 1,
          },
        ],
      },
    },
    {
      title: 'Tool calls in a period',
      before: [{ tool: 'createState', params: beds }],
      params: {
        query: 'beds',
        workspaceId: 'default',
        memoryTypes: ['traces'],
        dateRange: { start: '2020-01-01', end: '2199-12-31' },
      },
      answer: { success: true, data: [{ tool: 'createState' }] },
    },
    {
      title: 'In every workspace',
      before: [{ tool: 'createState', params: beds }, createGarden],
      params: { query: 'seedlings', workspaceId: 'all', memoryTypes: ['states'] },
      answer: {
        success: true,
        data: [{ name: 'Beds drawn', workspace: 'Default' }],
      },
    },
    {
      title: 'No result in the date range',
      before: [{ tool: 'createState', params: beds }],
      params: { query: 'beds', workspaceId: 'default', dateRange: { end: '2021-12-31' } },
      answer: { success: true, data: [] },
    },
  ],
  async run(
    { query, workspaceId, memoryTypes, dateRange: given, limit },
    { services: { search }, memory, workspace, fail, addIndexState, addNotice },
  ) {
    if (!hasWords(query)) fail('emptyQuery');
    const range = parseDateRange(given, fail);
    const isAll = isAllWorkspaces(workspaceId);
    const scope = memoryScope(memory, isAll ? undefined : workspace.id);
    const withStates = memoryTypes.includes('states');
    let found = await searchIn(scope.searched);
    if (found.isEmpty && scope.archived.length > 0) found = await searchIn(scope.archived);
    addIndexState(found.progress);
    if (found.isByWordsOnly) addNotice(BY_WORDS_ONLY);
    const elsewhere =
      withStates &&
      (await countElsewhere(search.memory, memory, {
        query,
        range,
        workspaceIds: scope.others,
        memory,
      }));
    if (elsewhere)
      addNotice(`${elsewhere}. Pass workspaceId "${ALL_WORKSPACES}" to search all workspaces.`);
    const shown: ShownParts = {
      hasTypes: memoryTypes.length > 1,
      names: isAll ? workspaceNames(memory) : undefined,
    };
    const quota = splitLimit(limit, found.states.length, found.traces.length);
    const rows = [
      ...found.states.slice(0, quota.states).map((hit) => stateRow(query, hit, shown)),
      ...found.traces.slice(0, quota.traces).map((hit) => traceRow(query, hit, shown)),
    ];
    return rows.sort((a, b) => b.score - a.score); // stable: at equal scores states come first

    async function searchIn(workspaceIds: readonly string[]) {
      const criteria = { query, workspaceIds, range, limit, memory };
      // A state is one hit, without the call that has saved it.
      const isHidden = (trace: Trace) =>
        (withStates && trace.stateId !== undefined) || isOfArchivedState(memory, trace);
      const states = withStates ? await search.memory.searchStates(criteria) : NOTHING;
      const traces = memoryTypes.includes('traces')
        ? await search.memory.searchTraces(criteria, isHidden)
        : NOTHING;
      return {
        states: states.found,
        traces: traces.found,
        isEmpty: states.found.length + traces.found.length === 0,
        progress: unfinishedIndex(states.progress, traces.progress),
        isByWordsOnly: states.isByWordsOnly || traces.isByWordsOnly,
      };
    }
  },
});

/**
 * Splits the limit into two halves, one for states and one for traces, so that traces never crowd
 * out states. A type may also use what the other leaves.
 */
function splitLimit(
  limit: number,
  states: number,
  traces: number,
): { states: number; traces: number } {
  const half = Math.ceil(limit / 2);
  const forStates = Math.min(states, Math.max(half, limit - traces));
  return { states: forStates, traces: Math.min(traces, limit - forStates) };
}

/** Parts of a hit that are left out if all hits have the same. */
interface ShownParts {
  readonly hasTypes: boolean;
  /** Display names of workspaces by id, if hits are to name theirs. */
  readonly names: ReadonlyMap<string, string> | undefined;
}

function stateRow(
  query: string,
  { item: { item: state, displayName }, score }: ScoredItem<Named<State>>,
  { hasTypes, names }: ShownParts,
) {
  const { activeTask, description, conversationContext, nextSteps, activeFiles, tags } = state;
  const texts = [
    activeTask,
    description,
    conversationContext,
    ...nextSteps,
    ...activeFiles,
    ...(tags ?? []),
  ];
  return {
    content: matchingExcerpt(texts, query),
    ...(hasTypes && { type: 'state' }),
    name: displayName,
    ...(names && { workspace: names.get(state.workspaceId) }),
    score: roundScore(score),
    createdAt: state.createdAt.slice(0, 'YYYY-MM-DD'.length),
  };
}

function traceRow(
  query: string,
  { item, score }: ScoredItem<Trace>,
  { hasTypes, names }: ShownParts,
) {
  const { ref, tool, kind, input, outcome, isSuccess, goal, memory, files = [], createdAt } = item;
  const context = goal || memory;
  const parts = kind === undefined && isSuccess ? [input] : [input, outcome, ...files];
  return {
    ...(ref !== undefined && { id: shortId(ref) }),
    content: excerptOf(parts.filter(Boolean).join(SEPARATOR), query),
    ...(hasTypes && { type: 'trace' }),
    tool,
    ...(kind && { kind }),
    ...(names && { workspace: names.get(item.workspaceId) }),
    ...(context && { context: clip(context, MAX_EXCERPT_LENGTH) }),
    score: roundScore(score),
    createdAt: toMinute(createdAt),
  };
}

/** About 30 tokens, so that many hits fit into an answer. */
const MAX_EXCERPT_LENGTH = 120;

const SEPARATOR = ' · ';

/** Returns an excerpt of the texts that contain words of the query; of all texts if none does. */
function matchingExcerpt(given: readonly (string | undefined)[], query: string): string {
  const texts = given.flatMap((each) => each || []);
  const matching = matchingTexts(texts, query);
  return excerptOf((matching.length > 0 ? matching : texts).join(SEPARATOR), query);
}

function excerptOf(text: string, query: string): string {
  const passage = [{ name: 'text', text, weight: 1 }];
  return toSingleLine(text, explainHit(passage, query, MAX_EXCERPT_LENGTH).excerpt);
}

/** Shortens an ISO time to minutes. */
function toMinute(time: string): string {
  return time.replace(/:\d\d(?:\.\d+)?Z$/, 'Z');
}

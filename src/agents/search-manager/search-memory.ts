import * as z from 'zod';
import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import { TRACE_KINDS, type Trace } from '../../model/trace.js';
import { explainHit } from '../../search/query/highlight.js';
import { resolveWorkspace, workspaceFailures } from '../../toolkit/context.js';
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
  action: { resource: 'search', name: 'search', when: { resource: 'memory' } },
  description: "Search a workspace's saved states (except archived ones) and past tool calls.",
  input: z.strictObject({
    query: nonEmptyText,
    workspaceId: nonEmptyText.describe('Workspace id or name'),
    memoryTypes: z.array(z.enum(['states', 'traces'])).default(['states', 'traces']),
    dateRange: dateRange.optional(),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  output: z.array(
    z.object({
      content: z.string(),
      type: z.enum(['state', 'trace']),
      name: z.string().optional(),
      tool: z.string().optional(),
      kind: z.enum(TRACE_KINDS).optional(),
      context: z.string().optional(),
      score: z.number(),
      createdAt: z.string(),
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
        data: [{ type: 'state', name: 'Beds drawn', context: 'Choose plants' }],
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
      answer: { success: true, data: [{ type: 'trace', tool: 'createState' }] },
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
    { services: { search }, memory, fail, addIndexState },
  ) {
    if (!hasWords(query)) fail('emptyQuery');
    const range = parseDateRange(given, fail);
    const { id } = resolveWorkspace(memory, workspaceId);
    const criteria = { query, workspaceId: id, range, limit };
    const states = memoryTypes.includes('states')
      ? await search.memory.searchStates(criteria)
      : undefined;
    const traces = memoryTypes.includes('traces')
      ? await search.memory.searchTraces(criteria)
      : undefined;
    addIndexState(unfinishedIndex(states?.progress, traces?.progress));
    const [stateHits, traceHits] = [states?.found ?? [], traces?.found ?? []];
    const quota = splitLimit(limit, stateHits.length, traceHits.length);
    const rows = [
      ...stateHits.slice(0, quota.states).map((hit) => stateRow(query, hit)),
      ...traceHits.slice(0, quota.traces).map((hit) => traceRow(query, hit)),
    ];
    return rows.sort((a, b) => b.score - a.score); // stable: at equal scores states come first
  },
});

/**
 * Splits the limit into two halves, one for states and one for traces, so that traces never crowd out states. A type may also
 * use what the other leaves.
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

function stateRow(
  query: string,
  { item: { item: state, displayName }, score }: ScoredItem<Named<State>>,
) {
  const { description, conversationContext, activeTask, nextSteps, activeFiles, tags, createdAt } =
    state;
  const text = [description, conversationContext, ...nextSteps, ...activeFiles, ...(tags ?? [])]
    .filter(Boolean)
    .join(' · ');
  return {
    content: excerpt(text, query),
    type: 'state',
    name: displayName,
    context: activeTask,
    score: roundScore(score),
    createdAt,
  };
}

function traceRow(query: string, { item, score }: ScoredItem<Trace>) {
  const { tool, kind, input, outcome, isSuccess, goal, memory, files = [], createdAt } = item;
  const context = goal || memory;
  const parts = kind === undefined && isSuccess ? [input] : [input, outcome, ...files];
  const content = excerpt(parts.filter(Boolean).join(' · '), query);
  return {
    content,
    type: 'trace',
    tool,
    ...(kind && { kind }),
    ...(context && { context }),
    score: roundScore(score),
    createdAt,
  };
}

function excerpt(text: string, query: string): string {
  return toSingleLine(text, explainHit([{ name: 'text', text, weight: 1 }], query).excerpt);
}

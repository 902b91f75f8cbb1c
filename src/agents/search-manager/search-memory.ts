import * as z from 'zod';
import type { Named } from '../../model/lookup.js';
import type { State } from '../../model/state.js';
import { TRACE_KINDS, type Trace } from '../../model/trace.js';
import { explain } from '../../search/query/highlight.js';
import { resolveWorkspace, workspaceFailures } from '../../toolkit/context.js';
import { dateFailures, dateRange, readDateRange } from '../shared/date-range.js';
import { filledText } from '../shared/inputs.js';
import {
  hasWord,
  indexState,
  inOneLine,
  queryFailures,
  roundScore,
} from '../shared/search-inputs.js';
import type { Scored } from '../../indexing/search-service.js';
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
  description: 'Search the states (archived ones aside) and past tool calls of a workspace.',
  input: z.strictObject({
    query: filledText,
    workspaceId: filledText.describe('Workspace id or name'),
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
      title: 'Find a state by something in its next steps',
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
      title: 'What was done on a day',
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
      title: 'Nothing that old',
      before: [{ tool: 'createState', params: beds }],
      params: { query: 'beds', workspaceId: 'default', dateRange: { end: '2021-12-31' } },
      answer: { success: true, data: [] },
    },
  ],
  async run(
    { query, workspaceId, memoryTypes, dateRange: given, limit },
    { services: { search }, memory, fail, say },
  ) {
    if (!hasWord(query)) fail('noWord');
    const range = readDateRange(given, fail);
    const { id } = resolveWorkspace(memory, workspaceId);
    const asked = { query, workspaceId: id, range, limit };
    const states = memoryTypes.includes('states') ? await search.states(asked) : undefined;
    const traces = memoryTypes.includes('traces') ? await search.traces(asked) : undefined;
    say(indexState(states?.progress, traces?.progress));
    const [stateHits, traceHits] = [states?.found ?? [], traces?.found ?? []];
    const quota = shareOut(limit, stateHits.length, traceHits.length);
    const rows = [
      ...stateHits.slice(0, quota.states).map((hit) => stateRow(query, hit)),
      ...traceHits.slice(0, quota.traces).map((hit) => traceRow(query, hit)),
    ];
    return rows.sort((a, b) => b.score - a.score); // stable: of equals the state comes first
  },
});

/** Half for each type; what one leaves over goes to the other. So traces, however many, never crowd out states. */
function shareOut(
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
  { item: { item: state, displayName }, score }: Scored<Named<State>>,
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

function traceRow(query: string, { item, score }: Scored<Trace>) {
  const { tool, kind, input, outcome, isSuccess, goal, memory, files = [], createdAt } = item;
  const context = goal || memory;
  const told = kind === undefined && isSuccess ? [input] : [input, outcome, ...files];
  const content = excerpt(told.filter(Boolean).join(' · '), query);
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
  return inOneLine(text, explain([{ name: 'text', text, weight: 1 }], query).excerpt);
}

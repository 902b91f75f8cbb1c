import * as z from 'zod';
import { allStates } from '../../model/find.js';
import type { State } from '../../model/state.js';
import type { Trace } from '../../model/trace.js';
import { excerpt } from '../../search/excerpt.js';
import { rank, type Field, type Ranked } from '../../search/rank.js';
import { wordsOf } from '../../search/words.js';
import { resolveWorkspace, workspaceFailures } from '../../toolkit/context.js';
import { dateFailures, dateRange, isInRange, readDateRange } from '../date-range.js';
import { filledText } from '../inputs.js';
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
  description: 'Search the states (archived ones aside) and past tool calls of a workspace.',
  input: z.strictObject({
    query: filledText,
    workspaceId: filledText.describe('Workspace id or name'),
    memoryTypes: z.array(z.enum(['states', 'traces'])).default(['states', 'traces']),
    dateRange: dateRange.optional().describe('{start, end}: ISO dates, inclusive'),
    limit: z.number().int().min(1).max(200).default(20),
  }),
  output: z.array(
    z.object({
      ...{ content: z.string(), type: z.enum(['state', 'trace']), name: z.string().optional(), tool: z.string().optional() },
      ...{ context: z.string().optional(), score: z.number(), createdAt: z.string() },
    }),
  ),
  failures: {
    ...workspaceFailures,
    ...dateFailures,
    noWord: { error: 'The query holds no word to search for.', advice: 'Give one or more words, such as "token refresh".' },
  },
  examples: [
    {
      title: 'Find a state by something in its next steps',
      before: [
        { tool: 'createState', params: beds },
        { tool: 'createState', params: { ...beds, name: 'Beds, first sketch' } },
      ],
      params: { query: 'seedlings drawn', workspaceId: 'default', memoryTypes: ['states'], limit: 1 },
      answer: { success: true, data: [{ type: 'state', name: 'Beds drawn', context: 'Choose plants' }] },
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
  async run({ query, workspaceId, memoryTypes, dateRange: given, limit }, { services: { log }, memory, fail }) {
    if (wordsOf(query).length === 0) fail('noWord');
    const range = readDateRange(given, fail);
    const { id } = resolveWorkspace(memory, workspaceId);
    const states = memoryTypes.includes('states')
      ? allStates(memory, id).filter(({ item }) => !item.isArchived && isInRange(item.createdAt, range))
      : [];
    const entries = memoryTypes.includes('traces') ? (await log.traceEntries(id)).filter(({ h }) => isInRange(h.slice(0, 24), range)) : [];
    const stateHits = rank(query, states, ({ item, shownName }) => stateFields(item, shownName));
    // Every earlier search for these words holds them too, and tells nothing.
    const traces = (await log.readTraces(entries)).filter(({ tool }) => tool !== 'searchMemory');
    const traceHits = rank(query, traces, traceFields);
    const quota = shareOut(limit, stateHits.length, traceHits.length);
    const rows = [
      ...stateHits.slice(0, quota.states).map(({ item, score }) => stateRow(query, item.item, item.shownName, score)),
      ...traceHits.slice(0, quota.traces).map((hit) => traceRow(query, hit)),
    ];
    return rows.sort((a, b) => b.score - a.score); // stable: of equals the state comes first
  },
});

/** Half for each type; what one leaves over goes to the other. So traces, however many, never crowd out states. */
function shareOut(limit: number, states: number, traces: number): { states: number; traces: number } {
  const half = Math.ceil(limit / 2);
  const forStates = Math.min(states, Math.max(half, limit - traces));
  return { states: forStates, traces: Math.min(traces, limit - forStates) };
}

function stateFields({ description, tags, activeTask, nextSteps, conversationContext, activeFiles }: State, name: string): Field[] {
  return [
    { text: name, weight: 3 },
    { text: [description, ...(tags ?? []), activeTask].join('\n'), weight: 2 },
    { text: [conversationContext, ...nextSteps, ...activeFiles].join('\n'), weight: 1 },
  ];
}

function traceFields({ tool, agent, input, outcome, memory, goal, constraints }: Trace): Field[] {
  return [
    { text: `${tool}\n${agent}\n${input}`, weight: 2 },
    { text: [outcome, memory, goal, constraints].join('\n'), weight: 1 },
  ];
}

function stateRow(query: string, state: State, name: string, score: number) {
  const { description, conversationContext, activeTask, nextSteps, activeFiles, tags, createdAt } = state;
  const content = excerpt(
    [description, conversationContext, ...nextSteps, ...activeFiles, ...(tags ?? [])].filter(Boolean).join(' · '),
    query,
  );
  return { content, type: 'state', name, context: activeTask, score: roundScore(score), createdAt };
}

function traceRow(query: string, { item, score }: Ranked<Trace>) {
  const { tool, input, outcome, isSuccess, goal, memory, createdAt } = item;
  const context = goal || memory;
  const content = excerpt(isSuccess ? input : `${input} · ${outcome}`, query);
  return { content, type: 'trace', tool, ...(context && { context }), score: roundScore(score), createdAt };
}

function roundScore(score: number): number {
  return Math.round(score * 1000) / 1000;
}

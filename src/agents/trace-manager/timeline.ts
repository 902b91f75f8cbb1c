import * as z from 'zod';
import { lookupState } from '../../model/lookup.js';
import { TRACE_KINDS, type TraceKind } from '../../model/trace.js';
import { readDateRange } from '../shared/date-range.js';
import { saveDraft, saveOutline } from '../shared/example-calls.js';
import { filledText } from '../shared/inputs.js';
import { stateFailures, stateNamed } from '../shared/lookups.js';
import { LOOK_FAR, momentsAround, stampOf, type Moment } from './shared/timeline-page.js';
import { defineTool } from '../services.js';

const MOST = 100;

const learnt = {
  tool: 'logTrace',
  params: { kind: 'observation', content: 'Chapter two repeats chapter one.', files: ['Two.md'] },
};
const checked = {
  tool: 'logTrace',
  params: { kind: 'quality_gate', content: 'Spelling', outcome: 'passed' },
};

export const timeline = defineTool({
  name: 'timeline',
  title: 'Timeline',
  access: 'read',
  action: { resource: 'trace', name: 'timeline' },
  description:
    'What happened in the workspace around a point: states, tool calls and logged traces, oldest first.',
  input: z.strictObject({
    around: filledText.optional().describe("ISO time or a state's name; default: now"),
    before: z.number().int().min(0).max(MOST).default(10),
    after: z.number().int().min(0).max(MOST).default(10),
    kinds: z
      .array(z.enum(['state', ...TRACE_KINDS]))
      .min(1)
      .optional(),
    session: filledText.optional().describe('Only calls and traces of it'),
  }),
  output: z.array(
    z.object({
      kind: z.enum(['state', ...TRACE_KINDS]),
      createdAt: z.string(),
      content: z.string(),
      name: z.string().optional().describe('Of a state'),
      tool: z.string().optional().describe('Of a call of these tools'),
      outcome: z.string().optional(),
      files: z.array(z.string()).optional(),
      goal: z.string().optional(),
      session: z.string().optional(),
    }),
  ),
  failures: {
    ...stateFailures,
    nowhere: {
      error: '"{around}" is neither a time nor a state.',
      advice: 'Give a time like "2026-11-20T09:30:00Z", or a state from listStates.{hint}',
    },
  },
  examples: [
    {
      title: 'How a state came about',
      before: [saveOutline, learnt, saveDraft, checked],
      params: { around: 'Draft one', before: 1, after: 0, kinds: ['state', 'observation'] },
      answer: {
        success: true,
        data: [
          { kind: 'observation', content: 'Chapter two repeats chapter one.', files: ['Two.md'] },
        ],
      },
    },
    {
      title: 'From a state on',
      before: [saveOutline, learnt, saveDraft, checked],
      params: { around: 'Draft one', after: 2, before: 0, kinds: ['state', 'quality_gate'] },
      answer: {
        success: true,
        data: [
          { kind: 'state', name: 'Draft one', content: 'Draft' },
          { kind: 'quality_gate', content: 'Spelling', outcome: 'passed' },
        ],
      },
    },
    {
      title: 'What one conversation has done',
      before: [learnt],
      params: { session: 'another' },
      answer: { success: true, data: [] },
    },
  ],
  async run(
    { around, before, after, kinds, session },
    { services: { log, search }, memory, workspace, fail, say },
  ) {
    const isWantedKind = (kind: 'state' | TraceKind) => !kinds || kinds.includes(kind);
    const { moments, isCutOff } = await momentsAround(
      { log, memory, pause: search.access.pause },
      {
        workspaceId: workspace.id,
        around: point(),
        before,
        after,
        withStates: isWantedKind('state') && session === undefined,
        withTraces: TRACE_KINDS.some(isWantedKind),
        isWanted: ({ kind = 'tool_call', sessionId }) =>
          isWantedKind(kind) && (session === undefined || sessionId === session),
      },
    );
    if (isCutOff)
      say({
        notice: `Only the nearest ${LOOK_FAR} were looked through. Move around to look further.`,
      });
    return moments.map(rowOf);

    /** As the log's clock writes it. */
    function point(): string | undefined {
      if (around === undefined) return undefined;
      const found = lookupState(memory, workspace.id, around);
      if (!('hint' in found)) return stampOf(stateNamed(memory, workspace.id, around, fail));
      const { from } = readDateRange({ start: around }, () =>
        fail('nowhere', { around, hint: found.hint }),
      );
      return new Date(from).toISOString();
    }
  },
});

function rowOf(moment: Moment) {
  if ('state' in moment) {
    const { item, displayName } = moment.state;
    return {
      kind: 'state',
      createdAt: item.createdAt,
      name: displayName,
      content: item.description ?? item.activeTask,
    };
  }
  const { kind, createdAt, tool, input, outcome, isSuccess, files, goal, sessionId } = moment.trace;
  const shown = kind === undefined && isSuccess ? '' : outcome;
  return {
    kind: kind ?? 'tool_call',
    createdAt,
    content: input,
    ...(kind === undefined && { tool }),
    ...(shown !== '' && { outcome: shown }),
    ...(files && { files }),
    ...(goal && { goal }),
    session: sessionId,
  };
}

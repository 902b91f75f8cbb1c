import * as z from 'zod';
import { lookupState } from '../../model/lookup.js';
import { TRACE_KINDS, type TraceKind } from '../../model/trace.js';
import type { ActionAlias } from '../../toolkit/define-tool.js';
import { parseDateRange } from '../shared/date-range.js';
import { saveDraft, saveOutline } from '../shared/example-calls.js';
import { nonEmptyText } from '../shared/inputs.js';
import { stateFailures, requireState } from '../shared/lookups.js';
import { MAX_SCANNED_ITEMS, readTimeline, timestampOf } from './shared/timeline-page.js';
import { timelineRow, toTimelineRow } from './shared/timeline-row.js';
import { defineTool } from '../services.js';

const MAX_ROWS_PER_SIDE = 100;

const observation = {
  tool: 'logTrace',
  params: { kind: 'observation', content: 'Chapter two repeats chapter one.', files: ['Two.md'] },
};
const qualityGate = {
  tool: 'logTrace',
  params: { kind: 'quality_gate', content: 'Spelling', outcome: 'passed' },
};

/** Returns an alias that takes the kind of the rows as `resource`. */
const kindAlias = (action: string): ActionAlias => ({
  action,
  when: { resource: undefined },
  convert: ({ resource, ...params }) => ({ ...params, kinds: [resource ?? ''] }),
});

export const timeline = defineTool({
  name: 'timeline',
  title: 'Timeline',
  access: 'read',
  usesWorkspace: () => true,
  action: {
    resource: 'memory',
    name: 'timeline',
    aliases: [kindAlias('timeline'), kindAlias('list'), { action: 'list' }],
  },
  description: 'Show what happened around a time, oldest first.',
  input: z.strictObject({
    around: nonEmptyText.optional().describe("ISO time or a state's name; default: now"),
    before: z.number().int().min(0).max(MAX_ROWS_PER_SIDE).default(10),
    after: z.number().int().min(0).max(MAX_ROWS_PER_SIDE).default(10),
    kinds: z
      .array(z.enum(['state', ...TRACE_KINDS]))
      .min(1)
      .optional(),
    session: nonEmptyText.optional(),
  }),
  output: z.array(timelineRow),
  failures: {
    ...stateFailures,
    unknownPoint: {
      error: '"{around}" is neither a time nor a state.',
      advice: 'Pass a time like "2026-11-20T09:30:00Z", or a state from listStates.{hint}',
    },
  },
  examples: [
    {
      title: 'What led to a state',
      before: [saveOutline, observation, saveDraft, qualityGate],
      params: { around: 'Draft one', before: 1, after: 0, kinds: ['state', 'observation'] },
      data: [
        { kind: 'observation', content: 'Chapter two repeats chapter one.', files: ['Two.md'] },
      ],
    },
    {
      title: 'What followed a state',
      before: [saveOutline, observation, saveDraft, qualityGate],
      params: { around: 'Draft one', after: 2, before: 0, kinds: ['state', 'quality_gate'] },
      data: [
        { kind: 'state', name: 'Draft one', content: 'Draft' },
        { kind: 'quality_gate', content: 'Spelling', outcome: 'passed' },
      ],
    },
    {
      title: 'One session only',
      before: [observation],
      params: { session: 'another' },
      data: [],
    },
  ],
  async run({ around, before, after, kinds, session }, call) {
    const { memory, workspace, fail, addNotice } = call;
    const isWantedKind = (kind: 'state' | TraceKind) => !kinds || kinds.includes(kind);
    const { items, isTruncated } = await readTimeline(call, {
      workspaceId: workspace.id,
      around: resolvePoint(),
      before,
      after,
      withStates: isWantedKind('state') && session === undefined,
      withTraces: TRACE_KINDS.some(isWantedKind),
      isWanted: ({ kind = 'tool_call', sessionId }) =>
        isWantedKind(kind) && (session === undefined || sessionId === session),
    });
    if (isTruncated)
      addNotice(
        `Only the nearest ${MAX_SCANNED_ITEMS} entries were searched. Change "around" to search further.`,
      );
    return items.map(toTimelineRow);

    /** Returns `around` as a hybrid clock stamp; undefined means the present. */
    function resolvePoint(): string | undefined {
      if (around === undefined) return undefined;
      const found = lookupState(memory, workspace.id, around);
      if (!('hint' in found)) return timestampOf(requireState(memory, workspace.id, around, fail));
      const { from } = parseDateRange({ start: around }, () =>
        fail('unknownPoint', { around, hint: found.hint }),
      );
      return new Date(from).toISOString();
    }
  },
});

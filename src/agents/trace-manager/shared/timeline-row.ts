import * as z from 'zod';
import { shortId, stateRef } from '../../../model/text/short-id.js';
import { TRACE_KINDS } from '../../../model/trace.js';
import type { TimelineItem } from './timeline-page.js';

/** A state or trace as tools list it. `getMemory` returns the rest by its id. */
export const timelineRow = z.object({
  id: z.string().optional().describe('For getMemory'),
  kind: z.enum(['state', ...TRACE_KINDS]),
  createdAt: z.string(),
  content: z.string(),
  name: z.string().optional().describe('Name of a state'),
  tool: z.string().optional().describe('Tool of a tool call'),
  outcome: z.string().optional(),
  files: z.array(z.string()).optional(),
  goal: z.string().optional(),
  session: z.string().optional(),
});

export function toTimelineRow(timelineItem: TimelineItem): z.output<typeof timelineRow> {
  if ('state' in timelineItem) {
    const { item, displayName } = timelineItem.state;
    return {
      id: shortId(stateRef(item.id)),
      kind: 'state',
      createdAt: item.createdAt,
      name: displayName,
      content: item.description ?? item.activeTask,
    };
  }
  const { ref, kind, createdAt, tool, input, outcome, isSuccess, files, goal, sessionId } =
    timelineItem.trace;
  const shown = kind === undefined && isSuccess ? '' : outcome;
  return {
    ...(ref !== undefined && { id: shortId(ref) }),
    kind: kind ?? 'tool_call',
    createdAt,
    content: input,
    ...(kind === undefined && { tool }),
    ...(shown !== '' && { outcome: shown }),
    ...(files && { files: [...files] }),
    ...(goal && { goal }),
    session: sessionId,
  };
}

import { shortId, stateRef } from '../../../model/text/short-id.js';
import type { TimelineItem } from './timeline-page.js';

/** A state or trace as tools list it. `getMemory` returns the rest by its id. */
export interface ListedTimelineItem {
  readonly id?: string;
  readonly kind: string;
  readonly createdAt: string;
  readonly content: string;
  readonly name?: string;
  readonly tool?: string;
  readonly outcome?: string;
  readonly files?: readonly string[];
  readonly goal?: string;
  readonly session?: string;
}

export function toTimelineRow(timelineItem: TimelineItem): ListedTimelineItem {
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
    ...(files && { files }),
    ...(goal && { goal }),
    session: sessionId,
  };
}

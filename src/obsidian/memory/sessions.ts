import type { Trace } from '../../model/trace.js';
import { checkpointTitle, isCaptured } from '../checkpoints/captured-trace.js';
import type { ConversationNames } from '../conversation-names.js';
import { callTitle } from '../calls/call-sentence.js';

/** The calls of one conversation, newest first. */
export interface CallSession {
  readonly id: string;
  readonly calls: readonly Trace[];
}

/** Groups calls by session; sessions and calls newest first. */
export function groupSessions(calls: readonly Trace[]): CallSession[] {
  const sessions = new Map<string, Trace[]>();
  for (const call of calls) {
    const session = sessions.get(call.sessionId);
    if (session) session.push(call);
    else sessions.set(call.sessionId, [call]);
  }
  return [...sessions].map(([id, its]) => ({ id, calls: its }));
}

export function failedAmong(calls: readonly Trace[]): number {
  return calls.filter(({ isSuccess }) => !isSuccess).length;
}

/** Maximum number of calls that a title names. */
const MAX_NAMED_CALLS = 3;

/** Names calls by their last conversation or goal, else the last task captured, else a summary. */
export function purposeOf(calls: readonly Trace[], names: ConversationNames): string {
  const purposes = calls.map(({ sessionId, goal }) => names.get(sessionId) ?? goal);
  const told = purposes.find(Boolean);
  if (told !== undefined) return told;
  const captured = calls.find(isCaptured);
  if (captured) return checkpointTitle(captured, names);
  const counts = new Map<string, number>();
  for (const call of calls) {
    const title = callTitle(call);
    counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  const titles = [...counts].map(([title, count]) => (count > 1 ? `${title} ×${count}` : title));
  const isLong = titles.length > MAX_NAMED_CALLS;
  return titles.slice(0, MAX_NAMED_CALLS).join(' · ') + (isLong ? ' …' : '');
}

import type { Trace } from '../../model/trace.js';

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

/** Returns the purpose of calls, which is the last goal given, or else the tools with their number of calls. */
export function purposeOf(calls: readonly Trace[]): string {
  const told = calls.find(({ goal }) => goal)?.goal;
  if (told) return told;
  const counts = new Map<string, number>();
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return [...counts].map(([tool, count]) => (count > 1 ? `${tool} ×${count}` : tool)).join(', ');
}

import type { Trace } from '../../model/trace.js';

/** The calls of one conversation, newest first. */
export interface Session {
  readonly id: string;
  readonly calls: readonly Trace[];
}

/** Calls by their conversation; both in the order in which they came, newest first. */
export function groupSessions(calls: readonly Trace[]): Session[] {
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

/** What calls were for: the goal that was told last, else the tools by name, each with how often it was called. */
export function purposeOf(calls: readonly Trace[]): string {
  const told = calls.find(({ goal }) => goal)?.goal;
  if (told) return told;
  const counts = new Map<string, number>();
  for (const { tool } of calls) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return [...counts].map(([tool, count]) => (count > 1 ? `${tool} ×${count}` : tool)).join(', ');
}

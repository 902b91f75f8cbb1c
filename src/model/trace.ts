import type { JsonObject, LogEvent } from './event.js';
import { stampTime } from './event.js';

/** What one tool call was: kept short, secrets taken out, see `toolkit/trace.ts`. */
export interface Trace {
  readonly workspaceId: string;
  /** The conversation in which the call was made: an address, not a thing. */
  readonly sessionId: string;
  /** The name of the program that made it; absent for what was done in the app itself. */
  readonly client?: string | undefined;
  readonly agent: string;
  readonly tool: string;
  /** The parameters as JSON, cut to fit. */
  readonly input: string;
  /** `ok`, or the error, cut to fit. */
  readonly outcome: string;
  readonly isSuccess: boolean;
  readonly memory?: string | undefined;
  readonly goal?: string | undefined;
  readonly constraints?: string | undefined;
  readonly createdAt: string;
}

/** The data of a `trace.new` event. */
export function traceData(trace: Omit<Trace, 'createdAt'>): JsonObject {
  const { workspaceId, sessionId, client, agent, tool, input, outcome, isSuccess, memory, goal, constraints } = trace;
  return {
    ...{ ws: workspaceId, session: sessionId, agent, tool, input, outcome, ok: isSuccess },
    ...(client && { client }),
    ...(memory && { memory }),
    ...(goal && { goal }),
    ...(constraints && { constraints }),
  };
}

/** The trace that an event carries; undefined for any other event. */
export function traceOf(event: LogEvent): Trace | undefined {
  const { d } = event;
  if (event.t !== 'trace.new' || typeof d['ws'] !== 'string' || typeof d['tool'] !== 'string') return undefined;
  const text = (key: string) => (typeof d[key] === 'string' ? d[key] : '');
  return {
    ...{ workspaceId: d['ws'], sessionId: text('session'), agent: text('agent'), tool: d['tool'] },
    ...(text('client') && { client: text('client') }),
    ...{ input: text('input'), outcome: text('outcome'), isSuccess: d['ok'] === true },
    ...{ memory: text('memory'), goal: text('goal'), constraints: text('constraints'), createdAt: stampTime(event) },
  };
}

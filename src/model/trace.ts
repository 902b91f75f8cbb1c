import type { JsonObject, LogEvent } from './event.js';
import { CALL_KEY, stampTime } from './event.js';

/** What an agent may tell of that it has done or learnt elsewhere. */
export const TRACE_KINDS = [
  'observation',
  'execution',
  'quality_gate',
  'error_pattern',
  'tool_call',
  'delegation',
] as const;

export type TraceKind = (typeof TRACE_KINDS)[number];

/** What one tool call was, or what an agent tells of: secrets taken out, a call kept short, see `toolkit/trace.ts`. */
export interface Trace {
  readonly workspaceId: string;
  /** The conversation in which the call was made: an address, not a thing. */
  readonly sessionId: string;
  /** The name of the program that made it; absent for what was done in the app itself. */
  readonly client?: string | undefined;
  readonly agent: string;
  readonly tool: string;
  /** Of what an agent tells of: what it was. Absent where this is the trace of a call itself. */
  readonly kind?: TraceKind | undefined;
  /** The parameters as JSON, cut to fit; of what an agent tells of, its own words. */
  readonly input: string;
  /** `ok`, or the error, cut to fit; of what an agent tells of, its own words, or nothing. */
  readonly outcome: string;
  readonly isSuccess: boolean;
  readonly memory?: string | undefined;
  readonly goal?: string | undefined;
  readonly constraints?: string | undefined;
  /** Of what an agent tells of: vault paths. */
  readonly files?: readonly string[] | undefined;
  /** The idempotency key that it was written with. */
  readonly key?: string | undefined;
  readonly createdAt: string;
}

/** The data of a `trace.new` event. */
export function traceData(trace: Omit<Trace, 'createdAt'>): JsonObject {
  const {
    workspaceId,
    sessionId,
    client,
    agent,
    tool,
    input,
    outcome,
    isSuccess,
    memory,
    goal,
    constraints,
    kind,
    files,
    key,
  } = trace;
  return {
    ...(key !== undefined && { [CALL_KEY]: key }),
    ws: workspaceId,
    session: sessionId,
    agent,
    tool,
    input,
    outcome,
    ok: isSuccess,
    ...(kind && { kind }),
    ...(files && files.length > 0 && { files: [...files] }),
    ...(client && { client }),
    ...(memory && { memory }),
    ...(goal && { goal }),
    ...(constraints && { constraints }),
  };
}

/** The trace that an event carries; undefined for any other event. */
export function traceOf(event: LogEvent): Trace | undefined {
  const { d } = event;
  if (event.t !== 'trace.new' || typeof d['ws'] !== 'string' || typeof d['tool'] !== 'string')
    return undefined;
  const text = (key: string) => (typeof d[key] === 'string' ? d[key] : '');
  const kind = TRACE_KINDS.find((known) => known === d['kind']);
  const files = Array.isArray(d['files'])
    ? d['files'].filter((path) => typeof path === 'string')
    : [];
  return {
    workspaceId: d['ws'],
    sessionId: text('session'),
    agent: text('agent'),
    tool: d['tool'],
    ...(text('client') && { client: text('client') }),
    ...(kind && { kind }),
    ...(files.length > 0 && { files }),
    ...(CALL_KEY in d && { key: text(CALL_KEY) }),
    input: text('input'),
    outcome: text('outcome'),
    isSuccess: d['ok'] === true,
    memory: text('memory'),
    goal: text('goal'),
    constraints: text('constraints'),
    createdAt: stampTime(event),
  };
}

import type { JsonObject, LogEvent } from './event.js';
import {
  checkpointData,
  readCheckpoint,
  wholeCheckpointText,
  type Checkpoint,
} from './text/checkpoint.js';
import { CALL_KEY, SESSION_TYPE, stampTime } from './event.js';
import type { PathMoves } from './moves/path-moves.js';
import { traceRef } from './text/short-id.js';
import { textsIn } from './text/json-fields.js';

/** Kinds of records that an agent logs about work outside these tools. */
export const LOGGED_KINDS = [
  'observation',
  'execution',
  'quality_gate',
  'error_pattern',
  'tool_call',
  'delegation',
] as const;

/** A checkpoint is captured from an AI app's session, without an agent. */
export const TRACE_KINDS = [...LOGGED_KINDS, 'checkpoint'] as const;

export type TraceKind = (typeof TRACE_KINDS)[number];

/** Kinds whose content is worth reading without a question. */
const LESSONS = new Set<string | undefined>(['error_pattern', 'quality_gate', 'observation']);

/** A shortened tool call or logged record, without secrets (see `redact`). */
export interface Trace {
  /** See `traceRef`; absent until the log has stored the trace. */
  readonly ref?: string;
  readonly workspaceId: string;
  /** Id of the conversation, which is an entity only if it is one of the chat. */
  readonly sessionId: string;
  /** Name of the calling program; absent for calls made in the app itself. */
  readonly client?: string | undefined;
  readonly toolset: string;
  readonly tool: string;
  /** Absent for a tool call. */
  readonly kind?: TraceKind | undefined;
  /** Parameters of a call as shortened JSON, or the text of a logged record or checkpoint. */
  readonly input: string;
  /** `ok` or the shortened error of a call, or the outcome of a logged record, possibly empty. */
  readonly outcome: string;
  readonly isSuccess: boolean;
  readonly memory?: string | undefined;
  readonly goal?: string | undefined;
  readonly constraints?: string | undefined;
  /** Vault paths of a logged record. */
  readonly files?: readonly string[] | undefined;
  /** Id of the state that the call saved. */
  readonly stateId?: string | undefined;
  /** Present if `kind` is `checkpoint`; `input` is its text, and `files` are those it names. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Idempotency key of the write. */
  readonly key?: string | undefined;
  readonly createdAt: string;
}

export function isLesson({ kind }: Pick<Trace, 'kind'>): boolean {
  return LESSONS.has(kind);
}

/** Toolset with which agents write files. */
const FILE_TOOLSET = 'storageManager';

/**
 * Returns true if a trace says what no state or record says: what an agent logged, a checkpoint, or
 * a written file. Everything else is work on the memory itself, such as a search, or has failed.
 */
export function isNotable(trace: Trace): boolean {
  if (trace.kind !== undefined) return trace.isSuccess || isLesson(trace);
  return trace.isSuccess && trace.toolset === FILE_TOOLSET && trace.tool.endsWith('Write');
}

export function traceData(trace: Omit<Trace, 'createdAt'>): JsonObject {
  const {
    workspaceId,
    sessionId,
    client,
    toolset,
    tool,
    input,
    outcome,
    isSuccess,
    memory,
    goal,
    constraints,
    kind,
    files,
    stateId,
    checkpoint,
    key,
  } = trace;
  return {
    ...(key !== undefined && { [CALL_KEY]: key }),
    ws: workspaceId,
    session: sessionId,
    toolset,
    tool,
    input: checkpoint ? '' : input, // derived from the checkpoint, as are the files
    outcome,
    ok: isSuccess,
    ...(kind && { kind }),
    ...(checkpoint && { checkpoint: checkpointData(checkpoint) }),
    ...(!checkpoint && files && files.length > 0 && { files: [...files] }),
    ...(stateId !== undefined && { state: stateId }),
    ...(client && { client }),
    ...(memory && { memory }),
    ...(goal && { goal }),
    ...(constraints && { constraints }),
  };
}

/** Fields that the data of a session omits, since they are the same for all. */
const SESSION_FIELDS = { toolset: 'capture', tool: 'checkpoint', kind: 'checkpoint', ok: true };

/**
 * Returns the trace in a trace, a pin or a version of a session, if valid. Without `moves`, its
 * paths are those of then.
 */
export function traceOf(event: LogEvent, moves?: PathMoves): Trace | undefined {
  const { t } = event;
  const d: JsonObject = t === SESSION_TYPE ? { ...SESSION_FIELDS, ...event.d } : event.d;
  if (
    (t !== 'trace.new' && t !== 'pin.new' && t !== SESSION_TYPE) ||
    typeof d['ws'] !== 'string' ||
    typeof d['tool'] !== 'string'
  )
    return undefined;
  const text = (key: string) => (typeof d[key] === 'string' ? d[key] : '');
  const kind = TRACE_KINDS.find((known) => known === d['kind']);
  const placed = (paths: readonly string[]) =>
    moves ? paths.map((path) => moves.resolve(path, event.h)) : [...paths];
  const read = kind === 'checkpoint' ? readCheckpoint(d['checkpoint']) : undefined;
  const checkpoint = read && {
    ...read,
    written: placed(read.written),
    read: placed(read.read),
  };
  const files = checkpoint
    ? [...checkpoint.written, ...checkpoint.read]
    : placed(textsIn(d['files']));
  return {
    ref: traceRef(event),
    workspaceId: d['ws'],
    sessionId: text('session'),
    toolset: text('toolset'),
    tool: d['tool'],
    ...(text('client') && { client: text('client') }),
    ...(kind && { kind }),
    ...(files.length > 0 && { files }),
    ...(typeof d['state'] === 'string' && { stateId: d['state'] }),
    ...(CALL_KEY in d && { key: text(CALL_KEY) }),
    ...(checkpoint && { checkpoint }),
    input: checkpoint ? wholeCheckpointText(checkpoint) : text('input'),
    outcome: text('outcome'),
    isSuccess: d['ok'] === true,
    memory: text('memory'),
    goal: text('goal'),
    constraints: text('constraints'),
    createdAt: stampTime(event),
  };
}

import type { JsonObject } from '../model/event.js';
import { fileNameOf, isAbsolutePath, OUTSIDE_PREFIX } from '../model/paths.js';
import type { Trace, TraceKind } from '../model/trace.js';
import { truncateToBytes } from '../model/text/truncate.js';
import { createFolderRedactor, redact, redactJson } from '../redaction/index.js';
import type { Answer } from './answer.js';

export const MAX_INPUT_BYTES = 1024;
export const MAX_OUTCOME_BYTES = 300;
const MAX_CONTEXT_BYTES = 1024;
const MAX_CLIENT_BYTES = 100;

interface TraceOrigin extends Pick<Trace, 'toolset' | 'tool' | 'workspaceId' | 'sessionId'> {
  readonly client: string | undefined;
  readonly context: JsonObject;
}

/** Redacts secrets and truncates texts. */
export function traceOfCall(
  call: TraceOrigin & {
    readonly params: JsonObject;
    readonly answer: Answer;
    readonly stateId?: string | undefined;
  },
): Omit<Trace, 'createdAt'> {
  const { params, answer, stateId } = call;
  const shown = JSON.parse(JSON.stringify(params, withoutFolders)) as JsonObject;
  return {
    ...originOf(call),
    isSuccess: answer.success,
    input: truncateToBytes(JSON.stringify(redactJson(shown)), MAX_INPUT_BYTES),
    outcome: truncateToBytes(
      redact(answer.success ? 'ok' : (answer.error ?? 'failed')),
      MAX_OUTCOME_BYTES,
    ),
    ...(stateId !== undefined && { stateId }),
  };
}

/** Redacts secrets. */
export function traceOfLogEntry(
  entry: TraceOrigin & {
    readonly kind: TraceKind;
    readonly content: string;
    readonly outcome: string;
    readonly files: readonly string[];
    readonly key: string | undefined;
  },
): Omit<Trace, 'createdAt'> {
  const { kind, content, outcome, files, key } = entry;
  return {
    ...originOf(entry),
    kind,
    key,
    isSuccess: true,
    input: redact(content),
    outcome: redact(outcome),
    files: files.map(redact),
  };
}

function originOf({ toolset, tool, workspaceId, sessionId, client, context }: TraceOrigin) {
  const note = (key: string) =>
    typeof context[key] === 'string'
      ? truncateToBytes(redact(context[key]), MAX_CONTEXT_BYTES)
      : '';
  return {
    workspaceId,
    sessionId,
    toolset,
    tool,
    ...(client && { client: truncateToBytes(client, MAX_CLIENT_BYTES) }),
    memory: note('memory'),
    goal: note('goal'),
    constraints: note('constraints'),
  };
}

/** A tool that writes its own trace when a call to it succeeds. */
export interface SelfTraced {
  readonly isSelfTraced: true;
}

export function isSelfTraced(tool: object): tool is SelfTraced {
  return 'isSelfTraced' in tool && tool.isSelfTraced === true;
}

/** Reduces an absolute path to its last part: a device's folders are not part of the memory. */
function withoutFolders(_: string, value: unknown): unknown {
  return typeof value === 'string' && isAbsolutePath(value)
    ? `${OUTSIDE_PREFIX}${fileNameOf(value)}`
    : value;
}

/** Redacts paths in these vault folders. */
export function redactFolders<T extends Omit<Trace, 'createdAt'>>(
  trace: T,
  folders: readonly string[],
): T {
  if (folders.length === 0) return trace;
  const hide = createFolderRedactor(folders);
  const notes = (['memory', 'goal', 'constraints'] as const).flatMap((key) =>
    trace[key] ? [[key, hide(trace[key])]] : [],
  );
  return {
    ...trace,
    input: hide(trace.input),
    outcome: hide(trace.outcome),
    ...(trace.files && { files: trace.files.map(hide) }),
    ...(Object.fromEntries(notes) as Partial<T>),
  };
}

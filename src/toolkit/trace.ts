import type { JsonObject } from '../model/event.js';
import type { Trace, TraceKind } from '../model/trace.js';
import type { Answer } from './answer.js';

const INPUT_LIMIT = 1024;
const OUTCOME_LIMIT = 300;
const CONTEXT_LIMIT = 1024;
const CLIENT_LIMIT = 100;

/** What looks like a secret, whatever it is called: keys of known makes, bearer tokens, private keys, `password=...`. */
const SECRETS = [
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:gh[pousr]|github_pat|glpat|xox[abprs]|npm|hf)[-_][A-Za-z0-9_-]{16,}/g,
  /\bAKIA[0-9A-Z]{16}\b/g,
  /\bAIza[0-9A-Za-z_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /\bBearer\s+[A-Za-z0-9._~+/-]{8,}=*/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];
const NAMED_SECRET =
  /(["']?(?:password|passwd|secret|token|api[-_]?key|authorization)["']?\s*[:=]\s*["']?)[^\s"',;}]{4,}/gi;

/** Where a trace comes from. */
interface Origin {
  readonly agent: string;
  readonly tool: string;
  readonly workspaceId: string;
  readonly sessionId: string;
  readonly client: string | undefined;
  readonly context: JsonObject;
}

/** What is kept of a call: short, and without anything that looks like a secret. */
export function traceOfCall(
  call: Origin & { readonly params: JsonObject; readonly answer: Answer },
): Omit<Trace, 'createdAt'> {
  const { params, answer } = call;
  return {
    ...originOf(call),
    isSuccess: answer.success,
    input: cut(redact(JSON.stringify(params)), INPUT_LIMIT),
    outcome: cut(redact(answer.success ? 'ok' : (answer.error ?? 'failed')), OUTCOME_LIMIT),
  };
}

/** What is kept of what an agent tells of: its words, but for what looks like a secret. */
export function traceOfTold(
  told: Origin & {
    readonly kind: TraceKind;
    readonly content: string;
    readonly outcome: string;
    readonly files: readonly string[];
    readonly key: string | undefined;
  },
): Omit<Trace, 'createdAt'> {
  const { kind, content, outcome, files, key } = told;
  return {
    ...originOf(told),
    kind,
    key,
    isSuccess: true,
    input: redact(content),
    outcome: redact(outcome),
    files: files.map(redact),
  };
}

function originOf({ agent, tool, workspaceId, sessionId, client, context }: Origin) {
  const note = (key: string) =>
    typeof context[key] === 'string' ? cut(redact(context[key]), CONTEXT_LIMIT) : '';
  return {
    workspaceId,
    sessionId,
    agent,
    tool,
    ...(client && { client: cut(client, CLIENT_LIMIT) }),
    memory: note('memory'),
    goal: note('goal'),
    constraints: note('constraints'),
  };
}

/** A tool that, where a call of it succeeds, has itself written the trace that there is to be. */
export interface SelfTraced {
  readonly isSelfTraced: true;
}

export function isSelfTraced(tool: object): tool is SelfTraced {
  return 'isSelfTraced' in tool && tool.isSelfTraced === true;
}

export function redact(text: string): string {
  return SECRETS.reduce((rest, secret) => rest.replace(secret, '[secret]'), text).replace(
    NAMED_SECRET,
    '$1[secret]',
  );
}

/** The trace without what lies in these folders of the vault: from such a path on, what follows up to a quote or the end of the line. */
export function withoutFolders<T extends Omit<Trace, 'createdAt'>>(
  trace: T,
  folders: readonly string[],
): T {
  if (folders.length === 0) return trace;
  const names = folders.map((folder) => folder.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  // Not by looking behind: the web view of older phones cannot.
  const paths = new RegExp(
    `(^|[^\\p{L}\\p{N}_-])(?:${names.join('|')})(?:/[^"\\n]*|(?=["\\n]|$))`,
    'giu',
  );
  const hide = (text: string) => text.replace(paths, '$1[excluded]');
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

/** The beginning of a text, at most `limit` bytes of UTF-8, never half a character. */
function cut(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, limit - 3)).replace(/\uFFFD+$/, '')}…`;
}

import { isJsonObject, type Json, type JsonObject } from '../event.js';
import { numberIn, objectsIn, textAt, textsIn } from './json-fields.js';
import { namesTask } from './user-message.js';

/** Where a session of an AI app was, from its transcript; texts are short and without secrets. */
export interface Checkpoint {
  /** The user's last request; empty if no message asks for anything by itself. */
  readonly request: string;
  /** A request before it, on which it may depend. */
  readonly earlier: string;
  /** The user's last message, such as "yes"; empty if it is the request. */
  readonly message: string;
  /** The first paragraph of the agent's last answer. */
  readonly answer: string;
  /** The message that it answers; empty if that is the request. */
  readonly answered: string;
  /** True if nothing has happened since the agent has finished its answer. */
  readonly isFinished: boolean;
  /** True if a file was written or a command was run. */
  readonly hasWorked: boolean;
  /** The client has ended the session, its process is gone, or it is running, if known. */
  readonly client?: 'ended' | 'gone' | 'running' | undefined;
  /** Time of the last change. */
  readonly changedAt?: string | undefined;
  /** The files written last, newest first: vault paths, or paths with a prefix like `project:`. */
  readonly written: readonly string[];
  readonly writtenCount: number;
  /** The files read last but not written, newest first. */
  readonly read: readonly string[];
  readonly readCount: number;
  /** The commands that failed last, newest first. */
  readonly failed: readonly string[];
  /** The commands that succeeded last, newest first. */
  readonly passed: readonly string[];
  /** The agent's own to-do list. */
  readonly todos: readonly { readonly text: string; readonly isDone: boolean }[];
  /** Id of the newest state when the session started. */
  readonly fromState?: string | undefined;
  /** True if a program has led the session, not a person. */
  readonly isUnattended?: boolean | undefined;
}

/** A session whose end is unknown counts as running until it was silent for this long. */
const SILENCE_MS = 10 * 60 * 1000;

export type SessionStatus = 'finished' | 'interrupted' | 'running';

/**
 * Returns the status as of `now`; times are milliseconds since 1970. A session that its client has
 * ended is finished, even with an open request.
 */
export function sessionStatus(
  { isFinished, client }: Pick<Checkpoint, 'isFinished' | 'client'>,
  changedAt: number,
  now: number,
): SessionStatus {
  if (isFinished || client === 'ended') return 'finished';
  if (client !== undefined) return client === 'running' ? 'running' : 'interrupted';
  return now - changedAt < SILENCE_MS ? 'running' : 'interrupted';
}

/** Returns the task of a session, or `''`. A word or two count only if work has followed. */
export function taskOf({ request, message, hasWorked }: Checkpoint): string {
  if (request !== '') return request;
  return hasWorked && namesTask(message) ? message : '';
}

/** Returns true if nothing in the checkpoint helps to continue. */
export function isEmptyCheckpoint(checkpoint: Checkpoint): boolean {
  const { request, message, answer, writtenCount, readCount } = checkpoint;
  return request === '' && message === '' && answer === '' && writtenCount + readCount === 0;
}

/** Returns the data without empty fields and without `running`, which is true only then. */
export function checkpointData(checkpoint: Checkpoint): JsonObject {
  const { request, earlier, message, answer, answered, isFinished, hasWorked } = checkpoint;
  const { client, changedAt, fromState, isUnattended } = checkpoint;
  const { written, writtenCount, read, readCount, failed, passed, todos } = checkpoint;
  return {
    ...(request && { request }),
    ...(earlier && { earlier }),
    ...(message && { message }),
    ...(answer && { answer }),
    ...(answered && { answered }),
    ...(isFinished && { isFinished }),
    ...(hasWorked && { hasWorked }),
    ...(client !== undefined && client !== 'running' && { client }),
    ...(changedAt !== undefined && { changedAt }),
    ...(writtenCount > 0 && { written: [...written], writtenCount }),
    ...(readCount > 0 && { read: [...read], readCount }),
    ...(failed.length > 0 && { failed: [...failed] }),
    ...(passed.length > 0 && { passed: [...passed] }),
    ...(todos.length > 0 && { todos: todos.map(({ text, isDone }) => ({ text, isDone })) }),
    ...(fromState !== undefined && { fromState }),
    ...(isUnattended && { isUnattended }),
  };
}

/** Returns a checkpoint from its data, if any. Fields of a wrong type count as empty. */
export function readCheckpoint(value: Json | undefined): Checkpoint | undefined {
  if (!isJsonObject(value)) return undefined;
  const text = (key: string) => textAt(value, key);
  const count = (key: string) => numberIn(value, key) ?? 0;
  const todos = objectsIn(value['todos']);
  const [written, read] = [textsIn(value['written']), textsIn(value['read'])];
  const client = (['ended', 'gone'] as const).find((known) => known === value['client']);
  const changedAt = text('changedAt');
  return {
    request: text('request'),
    earlier: text('earlier'),
    message: text('message'),
    answer: text('answer'),
    answered: text('answered'),
    isFinished: value['isFinished'] === true,
    hasWorked: value['hasWorked'] === true,
    client,
    changedAt: Number.isFinite(Date.parse(changedAt)) ? changedAt : undefined,
    written,
    writtenCount: Math.max(count('writtenCount'), written.length),
    read,
    readCount: Math.max(count('readCount'), read.length),
    failed: textsIn(value['failed']),
    passed: textsIn(value['passed']),
    todos: todos.flatMap((todo) =>
      typeof todo['text'] === 'string'
        ? [{ text: todo['text'], isDone: todo['isDone'] === true }]
        : [],
    ),
    fromState: text('fromState') || undefined,
    isUnattended: value['isUnattended'] === true || undefined,
  };
}

/** Returns the last answer if it is one to this message, else `''`. */
export function answerTo({ request, answer, answered }: Checkpoint, message: string): string {
  return message !== '' && message === (answered || request) ? answer : '';
}

/** Returns one line per field that is not empty. An answer follows what it answers. */
export function checkpointText(checkpoint: Checkpoint): string {
  const { earlier, message, answered } = checkpoint;
  const { written, writtenCount, read, readCount, failed, passed, todos } = checkpoint;
  const task = taskOf(checkpoint);
  const other = [task, message, earlier].includes(answered) ? '' : answered;
  const lines = [
    ['Task', task],
    ['Last answer', answerTo(checkpoint, task)],
    ['Last message', message === task ? '' : message],
    ['Last answer', message === task ? '' : answerTo(checkpoint, message)],
    ['Files written', written.join(', '), writtenCount],
    ['Failed commands', failed.join('; ')],
    ['To do', todos.map(({ text, isDone }) => `[${isDone ? 'x' : ' '}] ${text}`).join('; ')],
    ['Before', earlier],
    ['Last answer, to that', answerTo(checkpoint, earlier)],
    ['Answered', other],
    ['Last answer, to that', answerTo(checkpoint, other)],
    ['Files read', read.join(', '), readCount],
    ['Successful commands', passed.join('; ')],
  ] as const;
  return lines
    .filter(([, text]) => text !== '')
    .map(([label, text, count]) => `${label}${count === undefined ? '' : ` (${count})`}: ${text}`)
    .join('\n');
}

import { numberIn, objectsIn, textAt, textsIn } from './json-fields.js';
import { isJsonObject, type Json, type JsonObject } from '../event.js';

/**
 * A summary of where a session of an AI app was, extracted from its transcript without a model. It
 * contains no secrets.
 */
export interface Checkpoint {
  /** The user's last message, shortened. */
  readonly task: string;
  /** The first paragraph of the agent's last answer, shortened. */
  readonly answer: string;
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
  readonly fromState?: string;
}

/** Returns true if there is nothing in the checkpoint from which somebody could continue. */
export function isEmptyCheckpoint({ task, answer, writtenCount, readCount }: Checkpoint): boolean {
  return task === '' && answer === '' && writtenCount + readCount === 0;
}

/**
 * Returns a checkpoint as the value of `checkpoint` in a `trace.new` event. Empty fields are left
 * out.
 */
export function checkpointData(checkpoint: Checkpoint): JsonObject {
  const { task, answer, written, writtenCount, read, readCount, failed, passed, todos, fromState } =
    checkpoint;
  return {
    ...(task && { task }),
    ...(answer && { answer }),
    ...(writtenCount > 0 && { written: [...written], writtenCount }),
    ...(readCount > 0 && { read: [...read], readCount }),
    ...(failed.length > 0 && { failed: [...failed] }),
    ...(passed.length > 0 && { passed: [...passed] }),
    ...(todos.length > 0 && { todos: todos.map(({ text, isDone }) => ({ text, isDone })) }),
    ...(fromState !== undefined && { fromState }),
  };
}

/**
 * Returns the checkpoint in the data of a `trace.new` event; undefined if there is none. Fields of
 * a wrong type count as empty.
 */
export function readCheckpoint(value: Json | undefined): Checkpoint | undefined {
  if (!isJsonObject(value)) return undefined;
  const text = (key: string) => textAt(value, key);
  const count = (key: string) => numberIn(value, key) ?? 0;
  const todos = objectsIn(value['todos']);
  const [written, read] = [textsIn(value['written']), textsIn(value['read'])];
  return {
    task: text('task'),
    answer: text('answer'),
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
    ...(text('fromState') && { fromState: text('fromState') }),
  };
}

/**
 * Returns a checkpoint as text for people, agents and search, one line per field that is not empty.
 */
export function checkpointText(checkpoint: Checkpoint): string {
  const { task, answer, written, writtenCount, read, readCount, failed, passed, todos } =
    checkpoint;
  const lines = [
    ['Task', task],
    ['Last answer', answer],
    [`Files written (${writtenCount})`, written.join(', ')],
    [`Files read (${readCount})`, read.join(', ')],
    ['Failed commands', failed.join('; ')],
    ['Successful commands', passed.join('; ')],
    ['To do', todos.map(({ text, isDone }) => `[${isDone ? 'x' : ' '}] ${text}`).join('; ')],
  ] as const;
  return lines
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${text}`)
    .join('\n');
}

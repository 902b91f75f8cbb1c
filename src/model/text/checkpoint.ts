import { isJsonObject, type Json, type JsonObject } from '../event.js';
import { numberIn, objectsIn, textAt, textsIn } from './json-fields.js';
import { shortenMiddle } from './truncate.js';

/** A message that the person typed, and what came of it. */
export interface Turn {
  /** Id of the message in the app's transcript; empty if it has none. */
  readonly id: string;
  /** As it was typed; empty for work that began before any known message. */
  readonly message: string;
  /** The agent's last answer; empty unless the turn changed something or is the last. */
  readonly answer: string;
  /** True if the message began a task; otherwise it belongs to the task before it. */
  readonly isTask: boolean;
}

/** A command that failed, and the end of what it printed. */
export interface FailedCommand {
  readonly command: string;
  readonly error: string;
}

/** What a session of an AI app leaves behind, from its transcript; without secrets. */
export interface Checkpoint {
  /** The first turn and the newest ones, the newest last. */
  readonly turns: readonly Turn[];
  readonly turnCount: number;
  /** True if nothing has happened since the agent has finished its answer. */
  readonly isFinished: boolean;
  /** True if a file was written or a command was run. */
  readonly hasWorked: boolean;
  /** The client has ended the session, its process is gone, or it is running, if known. */
  readonly client?: 'ended' | 'gone' | 'running' | undefined;
  /** The model that answered last. */
  readonly model?: string | undefined;
  /** Time of the last change. */
  readonly changedAt?: string | undefined;
  /** The files written last, newest first: vault paths, or paths with a prefix like `project:`. */
  readonly written: readonly string[];
  readonly writtenCount: number;
  /** The files read last but not written, newest first. */
  readonly read: readonly string[];
  readonly readCount: number;
  /** The commands that failed last, newest first. */
  readonly failed: readonly FailedCommand[];
  /** The commands that passed last after one had failed, newest first. */
  readonly passed: readonly string[];
  /** The agent's own to-do list. */
  readonly todos: readonly { readonly text: string; readonly isDone: boolean }[];
  /** Id of the newest state when the session started. */
  readonly fromState?: string | undefined;
  /** True if a program has led the session, not a person. */
  readonly isUnattended?: boolean | undefined;
  /** Name of the worktree in which the session began; absent in the linked folder itself. */
  readonly worktree?: string | undefined;
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

/**
 * Returns the task of a session, undefined if no message is known, the person's messages to it
 * afterwards (`then`), and the task before, or `''`.
 */
export function currentWork({ turns }: Pick<Checkpoint, 'turns'>) {
  const at = Math.max(
    0,
    turns.findLastIndex(({ isTask }) => isTask),
  );
  const before = turns.slice(0, at).findLast(({ isTask }) => isTask);
  return { task: turns[at], then: turns.slice(at + 1), before: before?.message ?? '' };
}

/** Returns the message with which the task of a session began, on one line, or `''`. */
export function taskOf(checkpoint: Pick<Checkpoint, 'turns'>): string {
  return onOneLine(currentWork(checkpoint).task?.message ?? '');
}

/** Returns the last answer to what the session works on, or `''`. */
export function lastAnswerOf(checkpoint: Pick<Checkpoint, 'turns'>): string {
  const { task, then } = currentWork(checkpoint);
  return [task, ...then].findLast((turn) => turn?.answer)?.answer ?? '';
}

/** Returns true if nothing in the checkpoint helps to continue. */
export function isEmptyCheckpoint({ turns, writtenCount, readCount }: Checkpoint): boolean {
  return writtenCount + readCount === 0 && turns.every((turn) => !turn.message && !turn.answer);
}

/** Returns the data without empty fields and without `running`, which is true only then. */
export function checkpointData(checkpoint: Checkpoint): JsonObject {
  const { turns, turnCount, isFinished, hasWorked } = checkpoint;
  const { client, model, changedAt, fromState, isUnattended, worktree } = checkpoint;
  const { written, writtenCount, read, readCount, failed, passed, todos } = checkpoint;
  return {
    ...(turns.length > 0 && { turns: turns.map(turnData), turnCount }),
    ...(isFinished && { isFinished }),
    ...(hasWorked && { hasWorked }),
    ...(client !== undefined && client !== 'running' && { client }),
    ...(model && { model }),
    ...(changedAt !== undefined && { changedAt }),
    ...(writtenCount > 0 && { written: [...written], writtenCount }),
    ...(readCount > 0 && { read: [...read], readCount }),
    ...(failed.length > 0 && { failed: failed.map((each) => ({ ...each })) }),
    ...(passed.length > 0 && { passed: [...passed] }),
    ...(todos.length > 0 && { todos: todos.map(({ text, isDone }) => ({ text, isDone })) }),
    ...(fromState !== undefined && { fromState }),
    ...(isUnattended && { isUnattended }),
    ...(worktree !== undefined && { worktree }),
  };
}

function turnData({ id, message, answer, isTask }: Turn): JsonObject {
  return {
    ...(id && { id }),
    ...(message && { message }),
    ...(answer && { answer }),
    ...(isTask && { isTask }),
  };
}

/** Returns a checkpoint from its data, if any. Fields of a wrong type count as empty. */
export function readCheckpoint(value: Json | undefined): Checkpoint | undefined {
  if (!isJsonObject(value)) return undefined;
  const text = (key: string) => textAt(value, key);
  const count = (key: string) => numberIn(value, key) ?? 0;
  const [written, read] = [textsIn(value['written']), textsIn(value['read'])];
  const client = (['ended', 'gone'] as const).find((known) => known === value['client']);
  const changedAt = text('changedAt');
  const turns = objectsIn(value['turns']).map((turn): Turn => ({
    id: textAt(turn, 'id'),
    message: textAt(turn, 'message'),
    answer: textAt(turn, 'answer'),
    isTask: turn['isTask'] === true,
  }));
  return {
    turns,
    turnCount: Math.max(count('turnCount'), turns.length),
    isFinished: value['isFinished'] === true,
    hasWorked: value['hasWorked'] === true,
    client,
    model: text('model') || undefined,
    changedAt: Number.isFinite(Date.parse(changedAt)) ? changedAt : undefined,
    written,
    writtenCount: Math.max(count('writtenCount'), written.length),
    read,
    readCount: Math.max(count('readCount'), read.length),
    failed: objectsIn(value['failed']).flatMap((run) => {
      const command = textAt(run, 'command');
      return command === '' ? [] : [{ command, error: textAt(run, 'error') }];
    }),
    passed: textsIn(value['passed']),
    todos: objectsIn(value['todos']).flatMap((todo) =>
      typeof todo['text'] === 'string'
        ? [{ text: todo['text'], isDone: todo['isDone'] === true }]
        : [],
    ),
    fromState: text('fromState') || undefined,
    isUnattended: value['isUnattended'] === true || undefined,
    worktree: text('worktree') || undefined,
  };
}

/** Limits of `checkpointText`: of a message and of an answer in UTF-16 units, of messages. */
const SHOWN_MESSAGE = { start: 500, end: 100 };
const SHOWN_ANSWER = { start: 600, end: 0 };
const MAX_SHOWN_MESSAGES = 3;
const MAX_SHOWN_COMMANDS = 5;

/** Returns what helps to go on, one line per field that is not empty. */
export function checkpointText(checkpoint: Checkpoint): string {
  const { task, then, before } = currentWork(checkpoint);
  const last = then.slice(-MAX_SHOWN_MESSAGES);
  const answered = [task, ...then].findLast((turn) => turn?.answer);
  const fixed = new Set(checkpoint.passed);
  const failed = checkpoint.failed.filter(({ command }) => !fixed.has(command));
  const said = (label: string, turn: Turn): LabelledText[] => [
    [label, onOneLine(shortenMiddle(turn.message, SHOWN_MESSAGE))],
    ['Last answer', turn === answered ? onOneLine(shortenMiddle(turn.answer, SHOWN_ANSWER)) : ''],
  ];
  return linesOf([
    ...(task ? said('Task', task) : []),
    ...last.flatMap((turn) => said('Then', turn)),
    ...filesOf('written', checkpoint),
    ['Failed commands', failed.slice(0, MAX_SHOWN_COMMANDS).map(failedText).join('; ')],
    ['To do', todoText(checkpoint)],
    ['Before', onOneLine(shortenMiddle(before, SHOWN_MESSAGE))],
    ...filesOf('read', checkpoint),
    ['Passed after that', checkpoint.passed.slice(0, MAX_SHOWN_COMMANDS).join('; ')],
  ]);
}

/** Returns all that a checkpoint holds, a paragraph for each turn. */
export function wholeCheckpointText(checkpoint: Checkpoint): string {
  const { turns, turnCount, failed, passed } = checkpoint;
  const left = turnCount - turns.length;
  const paragraphs = turns.map(({ message, answer, isTask }, at) => {
    const omitted = at === 1 && left > 0 ? `(${left} messages are not kept.)\n\n` : '';
    const label = isTask ? 'Task' : 'Then';
    return `${omitted}${[...(message ? [`${label}: ${message}`] : []), ...(answer ? [`Answer: ${answer}`] : [])].join('\n\n')}`;
  });
  const rest = linesOf([
    ...filesOf('written', checkpoint),
    ['Failed commands', failed.map(failedText).join('; ')],
    ['Passed after that', passed.join('; ')],
    ['To do', todoText(checkpoint)],
    ...filesOf('read', checkpoint),
  ]);
  return [...paragraphs, rest].filter((text) => text !== '').join('\n\n');
}

type LabelledText = readonly [label: string, text: string];

function linesOf(texts: readonly LabelledText[]): string {
  const shown = texts.filter(([, text]) => text !== '');
  return shown.map(([label, text]) => `${label}: ${text}`).join('\n');
}

function filesOf(kind: 'written' | 'read', checkpoint: Checkpoint): LabelledText[] {
  const count = checkpoint[`${kind}Count`];
  return [[`Files ${kind} (${count})`, checkpoint[kind].join(', ')]];
}

export function failedText({ command, error }: FailedCommand): string {
  return error === '' ? command : `${command} (${error})`;
}

function todoText({ todos }: Checkpoint): string {
  return todos.map(({ text, isDone }) => `[${isDone ? 'x' : ' '}] ${text}`).join('; ');
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

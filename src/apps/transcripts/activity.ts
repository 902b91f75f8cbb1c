import { truncate } from '../../model/text/truncate.js';
import { redact } from '../../model/text/redact.js';

/** A file that a session has touched. */
export interface TouchedFile {
  /** As the client has written it: absolute, or relative to its working directory. */
  readonly path: string;
  readonly isWritten: boolean;
  /** Id of the tool call by which the file was first touched. */
  readonly call: string;
}

/** A shell command of a session. */
export interface CommandRun {
  readonly call: string;
  readonly command: string;
  /** Undefined while it runs. */
  readonly isSuccess?: boolean;
}

/** An entry of the agent's own to-do list. */
export interface Todo {
  readonly id: string;
  readonly text: string;
  readonly isDone: boolean;
}

/** What a session has done so far, without secrets. Each list has the latest entry last. */
export interface Activity {
  /** The last message of the user. */
  readonly task: string;
  /** The first paragraph of the agent's last answer. */
  readonly answer: string;
  readonly files: readonly TouchedFile[];
  readonly commands: readonly CommandRun[];
  readonly todos: readonly Todo[];
}

export const NO_ACTIVITY: Activity = { task: '', answer: '', files: [], commands: [], todos: [] };

const MAX_TASK_CHARACTERS = 600;
const MAX_ANSWER_CHARACTERS = 600;
const MAX_COMMAND_CHARACTERS = 200;
const MAX_TODO_CHARACTERS = 200;
const MAX_PATH_CHARACTERS = 1000;
const MAX_FILES = 2000;
const MAX_COMMANDS = 40;
const MAX_TODOS = 50;
/** Characters of a text in which secrets are searched for. The rest is dropped. */
const MAX_REDACTED_CHARACTERS = 20_000;

/**
 * Collects the activity of a session from the lines of its transcript. Receiving a line twice
 * changes nothing.
 */
export class ActivityRecorder {
  #task: string;
  #answer: string;
  readonly #files: Map<string, TouchedFile>;
  readonly #commands: Map<string, CommandRun>;
  #todos: Map<string, Todo>;

  /** @param before The activity up to the first line. */
  constructor(before: Activity = NO_ACTIVITY) {
    this.#task = before.task;
    this.#answer = before.answer;
    this.#files = new Map(before.files.map((file) => [file.path, file]));
    this.#commands = new Map(before.commands.map((run) => [run.call, run]));
    this.#todos = new Map(before.todos.map((todo) => [todo.id, todo]));
  }

  setTask(text: string): void {
    this.#task = shorten(text, MAX_TASK_CHARACTERS) || this.#task;
  }

  setAnswer(text: string): void {
    this.#answer = shorten(firstParagraph(text), MAX_ANSWER_CHARACTERS) || this.#answer;
  }

  touchFile(path: unknown, isWritten: boolean, call: string): void {
    if (typeof path !== 'string' || path === '' || path.length > MAX_PATH_CHARACTERS) return;
    const known = this.#files.get(path);
    const file = { path, isWritten: isWritten || known?.isWritten === true };
    this.#files.delete(path);
    this.#files.set(path, { ...file, call: known?.call ?? call });
    keepNewest(this.#files, MAX_FILES);
  }

  startCommand(call: string, command: unknown): void {
    if (typeof command !== 'string' || this.#commands.has(call)) return;
    this.#commands.set(call, { call, command: shorten(command, MAX_COMMAND_CHARACTERS) });
    keepNewest(this.#commands, MAX_COMMANDS);
  }

  /** Records how a tool call ended. A file that only a failed call has named was not touched. */
  endCall(call: string, isSuccess: boolean): void {
    const run = this.#commands.get(call);
    if (run) this.#commands.set(call, { ...run, isSuccess });
    if (isSuccess) return;
    for (const file of this.#files.values()) if (file.call === call) this.#files.delete(file.path);
  }

  setTodos(todos: readonly { id?: string; text: string; isDone: boolean }[]): void {
    this.#todos = new Map();
    for (const [index, { id = String(index), text, isDone }] of todos.entries())
      this.setTodo(id, { text, isDone });
  }

  /** Adds an entry of the to-do list, or changes one. */
  setTodo(id: string, { text, isDone }: { text?: string; isDone?: boolean }): void {
    const known = this.#todos.get(id);
    const shown = text === undefined ? known?.text : shorten(text, MAX_TODO_CHARACTERS);
    if (!shown) return;
    this.#todos.set(id, { id, text: shown, isDone: isDone ?? known?.isDone ?? false });
    keepNewest(this.#todos, MAX_TODOS);
  }

  activity(): Activity {
    return {
      task: this.#task,
      answer: this.#answer,
      files: [...this.#files.values()],
      commands: [...this.#commands.values()],
      todos: [...this.#todos.values()],
    };
  }
}

function keepNewest<V>(map: Map<string, V>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return;
    map.delete(key);
  }
}

function firstParagraph(text: string): string {
  return (
    text
      .slice(0, MAX_REDACTED_CHARACTERS)
      .trim()
      .split(/\n\s*\n/, 1)[0] ?? ''
  );
}

/** Returns a text on one line, without secrets and with at most this many characters. */
export function shorten(text: string, limit: number): string {
  const line = redact(text.slice(0, MAX_REDACTED_CHARACTERS)).replace(/\s+/g, ' ').trim();
  return truncate(line, limit);
}

import { isAbsolutePath } from '../../model/paths.js';
import { truncate } from '../../model/text/truncate.js';
import { redact } from '../../redaction/index.js';
import { isRequest } from '../../model/text/user-message.js';

export interface TouchedFile {
  /** As the client has written it: absolute, or relative to its working directory. */
  readonly path: string;
  readonly isWritten: boolean;
  /** Id of the tool call that touched the file first. */
  readonly call: string;
}

export interface CommandRun {
  readonly call: string;
  readonly command: string;
  /** Folder in which it was run, if known. */
  readonly folder?: string;
  /** True if it can only have read. */
  readonly isRead?: boolean;
  /** Undefined while it runs. */
  readonly isSuccess?: boolean;
}

export interface Todo {
  readonly id: string;
  readonly text: string;
  readonly isDone: boolean;
}

/**
 * What a session has done so far, without secrets, latest entries last. A stretch of work begins
 * with the first message of the user after a finished answer.
 */
export interface Activity {
  /** The first request (`isRequest`) of the last stretch that has one. */
  readonly request: string;
  /** The last long request before it, or the last one if none was long. */
  readonly earlier: string;
  /** Last message of the user. */
  readonly message: string;
  /** First paragraph of the agent's last answer. */
  readonly answer: string;
  /** The request that it answers, or else the message. */
  readonly answered: string;
  /** True if nothing has happened since the agent has finished its answer. */
  readonly isFinished: boolean;
  /** True if the request belongs to the current stretch. */
  readonly isRequested: boolean;
  /** True if the agent has called tools since the last message. */
  readonly isWorked: boolean;
  readonly files: readonly TouchedFile[];
  readonly commands: readonly CommandRun[];
  readonly todos: readonly Todo[];
}

export const NO_ACTIVITY: Activity = {
  request: '',
  earlier: '',
  message: '',
  answer: '',
  answered: '',
  isFinished: false,
  isRequested: false,
  isWorked: false,
  files: [],
  commands: [],
  todos: [],
};

type Talk = Omit<Activity, 'files' | 'commands' | 'todos'>;

const MAX_MESSAGE_CHARACTERS = 600;
/** A request this long hardly depends on others, and an answer says something. */
const LONG_CHARACTERS = 80;
const MAX_ANSWER_CHARACTERS = 600;
const MAX_COMMAND_CHARACTERS = 200;
const MAX_TODO_CHARACTERS = 200;
const MAX_PATH_CHARACTERS = 1000;
const MAX_FILES = 2000;
const MAX_COMMANDS = 40;
const MAX_TODOS = 50;
/** Searching for secrets is slow, so the rest of a text is dropped. */
const MAX_REDACTED_CHARACTERS = 20_000;

/** Collects activity from the entries of a transcript; an entry twice changes nothing. */
export class ActivityRecorder {
  #talk: Talk;
  readonly #files: Map<string, TouchedFile>;
  readonly #commands: Map<string, CommandRun>;
  #todos: Map<string, Todo>;
  #count = 0;
  /** Folder in which the client works now; empty if unknown. */
  folder = '';

  /** @param before The activity up to the first line. */
  constructor(before: Activity = NO_ACTIVITY) {
    const { files, commands, todos, ...talk } = before;
    this.#talk = talk;
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#commands = new Map(commands.map((run) => [run.call, run]));
    this.#todos = new Map(todos.map((todo) => [todo.id, todo]));
  }

  /** Number of records. */
  get count(): number {
    return this.#count;
  }

  setMessage(text: string): void {
    this.#count++;
    const message = shorten(text, MAX_MESSAGE_CHARACTERS);
    if (message === '') return;
    const { isFinished, isRequested, message: last } = this.#talk;
    this.#talk = { ...this.#talk, isFinished: false };
    if (message === last) return;
    const isWaiting = isFinished || !isRequested;
    this.#talk = { ...this.#talk, message, isRequested: !isWaiting, isWorked: false };
    if (isWaiting && isRequest(message)) this.#setRequest(message);
  }

  #setRequest(request: string): void {
    const { request: last, earlier } = this.#talk;
    const isShort = last.length < LONG_CHARACTERS;
    const isKept = last === '' || (isShort && earlier.length >= LONG_CHARACTERS);
    this.#talk = { ...this.#talk, request, earlier: isKept ? earlier : last, isRequested: true };
  }

  /**
   * Some texts only announce what the agent does next. A short reply to a message that asks for
   * nothing, such as thanks, does not replace the answer to a request.
   */
  setAnswer(text: string, isFinished = true): void {
    const answer = shorten(firstParagraph(text), MAX_ANSWER_CHARACTERS);
    if (answer === '') return;
    this.#count++;
    const { request, message, answered, isRequested, isWorked } = this.#talk;
    this.#talk = { ...this.#talk, isFinished };
    const isReply = !isRequested && !isWorked && answer.length < LONG_CHARACTERS;
    if (isReply && answered !== '' && answered === request) return;
    this.#talk = { ...this.#talk, answer, answered: request || message };
  }

  setWorking(): void {
    this.#count++;
    this.#talk = { ...this.#talk, isFinished: false, isWorked: true };
  }

  /** A stopped agent has no finished answer, even if it has said something. */
  setStopped(): void {
    this.#count++;
    this.#talk = { ...this.#talk, isFinished: false };
  }

  touchFile(name: unknown, isWritten: boolean, call: string): void {
    this.setWorking();
    if (typeof name !== 'string' || name === '' || name.length > MAX_PATH_CHARACTERS) return;
    const isWhole = this.folder === '' || isAbsolutePath(name);
    const whole = isWhole ? name : `${this.folder}/${name.replace(/^(?:\.[\\/])+/, '')}`;
    const path = whole.replace(/[^\\/]*$/, redact); // folders stay, because they are compared
    const known = this.#files.get(path);
    const file = { path, isWritten: isWritten || known?.isWritten === true };
    this.#files.delete(path);
    this.#files.set(path, { ...file, call: known?.call ?? call });
    keepNewest(this.#files, MAX_FILES);
  }

  startCommand(call: string, command: unknown, isRead = false): void {
    this.setWorking();
    if (typeof command !== 'string' || this.#commands.has(call)) return;
    const run = { call, command: shorten(command, MAX_COMMAND_CHARACTERS) };
    const folder = this.folder === '' ? {} : { folder: this.folder };
    this.#commands.set(call, { ...run, ...folder, ...(isRead && { isRead }) });
    keepNewest(this.#commands, MAX_COMMANDS);
  }

  /** Records how a call ended, if unknown. A file named only by a failed call was not touched. */
  endCall(call: string, isSuccess: boolean): void {
    this.setWorking();
    const run = this.#commands.get(call);
    if (run && run.isSuccess === undefined) this.#commands.set(call, { ...run, isSuccess });
    if (isSuccess) return;
    for (const file of this.#files.values()) if (file.call === call) this.#files.delete(file.path);
  }

  setTodos(todos: readonly { id?: string; text: string; isDone: boolean }[]): void {
    this.#todos = new Map();
    for (const [index, { id = String(index), text, isDone }] of todos.entries())
      this.setTodo(id, { text, isDone });
  }

  /** Adds or changes an entry. */
  setTodo(id: string, { text, isDone }: { text?: string; isDone?: boolean }): void {
    this.#count++;
    const known = this.#todos.get(id);
    const shown = text === undefined ? known?.text : shorten(text, MAX_TODO_CHARACTERS);
    if (!shown) return;
    this.#todos.set(id, { id, text: shown, isDone: isDone ?? known?.isDone ?? false });
    keepNewest(this.#todos, MAX_TODOS);
  }

  activity(): Activity {
    return {
      ...this.#talk,
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

/** Returns a text on one line, without secrets and truncated. */
export function shorten(text: string, limit: number): string {
  const line = redact(text.slice(0, MAX_REDACTED_CHARACTERS)).replace(/\s+/g, ' ').trim();
  return truncate(line, limit);
}

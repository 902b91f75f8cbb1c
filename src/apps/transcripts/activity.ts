import { isAbsolutePath } from '../../model/paths.js';
import { asks, spokenPart } from '../../model/text/answer.js';
import { shortenMiddle, truncate, type MiddleLimit } from '../../model/text/truncate.js';
import { redact } from '../../redaction/index.js';

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
  /** The end of what a failed one has printed. */
  readonly error?: string;
}

export interface Todo {
  readonly id: string;
  readonly text: string;
  readonly isDone: boolean;
}

/** A message that the person typed, and what followed until the next one; without secrets. */
export interface ActivityTurn {
  /** Id of the message in the transcript; empty if it has none. */
  readonly id: string;
  /** Empty for work that began before any known message. */
  readonly message: string;
  /** The agent's last text that says something, from where it begins to. */
  readonly answer: string;
  /** True if the message belongs to the turn before: sent or chosen during it, or after a stop. */
  readonly isPart: boolean;
  /** True if the answer asks for an answer. */
  readonly isQuestion: boolean;
  /** The files that were written, as in `TouchedFile`. */
  readonly wrote: readonly string[];
  /** True if a command was run that may have changed something. */
  readonly hasRun: boolean;
  /** The first words of such commands; undefined if an earlier version stored the turn. */
  readonly programs?: readonly string[];
}

/** What a session has done so far, without secrets, latest entries last. */
export interface Activity {
  /** The first turn and the newest ones. */
  readonly turns: readonly ActivityTurn[];
  /** Number of all turns. */
  readonly turnCount: number;
  /** True if nothing has happened since the agent has finished its answer. */
  readonly isFinished: boolean;
  /** The model that answered last; empty if unknown. */
  readonly model: string;
  readonly files: readonly TouchedFile[];
  readonly commands: readonly CommandRun[];
  readonly todos: readonly Todo[];
}

export const NO_ACTIVITY: Activity = {
  turns: [],
  turnCount: 0,
  isFinished: false,
  model: '',
  files: [],
  commands: [],
  todos: [],
};

const NO_TURN: ActivityTurn = {
  id: '',
  message: '',
  answer: '',
  isPart: false,
  isQuestion: false,
  wrote: [],
  hasRun: false,
};

const MAX_TURNS = 200;
/** Limits of a text that is longer: what is kept of its beginning and of its end. */
const MESSAGE_LIMIT: MiddleLimit = { start: 700, end: 300 };
const LAST_ANSWER_LIMIT: MiddleLimit = { start: 1500, end: 500 };
const ANSWER_LIMIT: MiddleLimit = { start: 300, end: 0 };
const MAX_MODEL_CHARACTERS = 100;
const MAX_WRITTEN_IN_TURN = 100;
const MAX_PROGRAMS_IN_TURN = 20;
const MAX_COMMAND_CHARACTERS = 200;
const MAX_ERROR_CHARACTERS = 200;
const MAX_TODO_CHARACTERS = 200;
const MAX_PATH_CHARACTERS = 1000;
const MAX_FILES = 2000;
const MAX_COMMANDS = 200;
const MAX_TODOS = 50;
/** Searching for secrets is slow, so the rest of a text is dropped. */
const MAX_REDACTED_CHARACTERS = 20_000;

/** Collects activity from the entries of a transcript; an entry twice changes nothing. */
export class ActivityRecorder {
  #turns: ActivityTurn[];
  #turnCount: number;
  #isFinished: boolean;
  /** True if the session was finished before the last message. */
  #wasFinished = false;
  /** The last message, if it was taken back. */
  #command: ActivityTurn | undefined;
  #model: string;
  readonly #files: Map<string, TouchedFile>;
  readonly #commands: Map<string, CommandRun>;
  #todos: Map<string, Todo>;
  #count = 0;
  /** The current turn's last text that says something; empty if it has been taken in. */
  #said = '';
  /** True from a stop to the next message. */
  #isStopped = false;
  /** Folder in which the client works now; empty if unknown. */
  folder = '';

  /** @param before The activity up to the first line. */
  constructor(before: Activity = NO_ACTIVITY) {
    const { turns, turnCount, isFinished, model, files, commands, todos } = before;
    this.#turns = [...turns];
    this.#turnCount = turnCount;
    this.#isFinished = isFinished;
    this.#model = model;
    this.#files = new Map(files.map((file) => [file.path, file]));
    this.#commands = new Map(commands.map((run) => [run.call, run]));
    this.#todos = new Map(todos.map((todo) => [todo.id, todo]));
  }

  /** Number of records. */
  get count(): number {
    return this.#count;
  }

  /** Begins a turn, unless the message is that of a turn in which nothing has happened yet. */
  setMessage(text: string, { id = '', isPart = false } = {}): void {
    this.#count++;
    const message = withoutSecrets(text, MESSAGE_LIMIT);
    if (message === '') return;
    this.#command = undefined;
    this.#wasFinished = this.#isFinished;
    this.#isFinished = false;
    this.#settle();
    const last = this.#turns.at(-1);
    if (last?.message === message && !hasFollowed(last)) return;
    if (last) this.#change({ answer: shortenMiddle(last.answer, ANSWER_LIMIT) });
    // what says less than the stopped message only corrects it
    const isCorrection =
      this.#isStopped && last !== undefined && message.length < last.message.length;
    this.#turns.push({ ...NO_TURN, id, message, isPart: isPart || isCorrection });
    this.#isStopped = false;
    this.#turnCount++;
    if (this.#turns.length > MAX_TURNS) this.#turns.splice(1, 1);
  }

  /** Takes back a last message that was a command to the app, unless the agent acts on it. */
  dropCommand(): void {
    this.#settle();
    const last = this.#turns.at(-1);
    if (!last?.message.startsWith('/') || hasFollowed(last)) return;
    this.#turns.pop();
    this.#turnCount--;
    this.#command = last;
    this.#isFinished = this.#wasFinished;
  }

  #restoreCommand(): void {
    if (!this.#command) return;
    this.#turns.push(this.#command);
    this.#turnCount++;
    this.#command = undefined;
  }

  /** Some texts only announce what the agent does next. */
  setAnswer(text: string, isFinished = true): void {
    if (text.trim() === '') return;
    this.#restoreCommand();
    this.#count++;
    this.#isFinished = isFinished;
    if (spokenPart(text) !== '' || (this.#said === '' && this.#turn().answer === ''))
      this.#said = text;
  }

  /** Takes in the turn's last answer. Looking for secrets in each of them would take long. */
  #settle(): void {
    const text = this.#said;
    if (text === '') return;
    this.#said = '';
    const answer = withoutSecrets(spokenPart(text) || text, LAST_ANSWER_LIMIT);
    this.#change({ answer, isQuestion: asks(text) });
  }

  setModel(model: string): void {
    if (model !== '') this.#model = shorten(model, MAX_MODEL_CHARACTERS);
  }

  setWorking(): void {
    this.#restoreCommand();
    this.#count++;
    this.#isFinished = false;
  }

  /** A stopped agent has no finished answer, even if it has said something. */
  setStopped(): void {
    this.setWorking();
    this.#isStopped = true;
  }

  /** Returns the current turn. */
  #turn(): ActivityTurn {
    if (this.#turns.length === 0) {
      this.#turns.push(NO_TURN);
      this.#turnCount++;
    }
    return this.#turns.at(-1) ?? NO_TURN;
  }

  #setWrote(paths: readonly string[]): void {
    this.#change({ wrote: [...new Set(paths)].slice(-MAX_WRITTEN_IN_TURN) });
  }

  #setRun(command: string): void {
    const [program = ''] = command.split(' ');
    const programs = new Set([...(this.#turn().programs ?? []), program]);
    this.#change({ hasRun: true, programs: [...programs].slice(0, MAX_PROGRAMS_IN_TURN) });
  }

  #change(more: Partial<ActivityTurn>): void {
    const turn = this.#turn();
    this.#turns[this.#turns.length - 1] = { ...turn, ...more };
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
    if (isWritten) this.#setWrote([...this.#turn().wrote, path]);
    keepNewest(this.#files, MAX_FILES);
  }

  startCommand(call: string, command: unknown, isRead = false): void {
    this.setWorking();
    if (typeof command !== 'string' || this.#commands.has(call)) return;
    const run = { call, command: shorten(command, MAX_COMMAND_CHARACTERS) };
    const folder = this.folder === '' ? {} : { folder: this.folder };
    this.#commands.set(call, { ...run, ...folder, ...(isRead && { isRead }) });
    if (!isRead) this.#setRun(run.command);
    keepNewest(this.#commands, MAX_COMMANDS);
  }

  /**
   * Records how a call ended, if unknown. A file named only by a failed call was not touched.
   * `output` is what the call has printed.
   */
  endCall(call: string, isSuccess: boolean, output = ''): void {
    this.setWorking();
    const run = this.#commands.get(call);
    const error = isSuccess ? '' : lastPart(output, MAX_ERROR_CHARACTERS);
    if (run && run.isSuccess === undefined)
      this.#commands.set(call, { ...run, isSuccess, ...(error !== '' && { error }) });
    if (isSuccess) return;
    for (const file of this.#files.values()) {
      if (file.call !== call) continue;
      this.#files.delete(file.path);
      this.#setWrote(this.#turn().wrote.filter((path) => path !== file.path));
    }
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
    this.#settle();
    return {
      turns: [...this.#turns],
      turnCount: this.#turnCount,
      isFinished: this.#isFinished,
      model: this.#model,
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

/** True if the agent has done or said anything in a turn. */
function hasFollowed({ answer, wrote, hasRun }: ActivityTurn): boolean {
  return answer !== '' || wrote.length > 0 || hasRun;
}

/** Returns a text as it is, without secrets, or its beginning and its end. */
function withoutSecrets(text: string, limit: MiddleLimit): string {
  const whole = text.trim();
  if (whole.length <= MAX_REDACTED_CHARACTERS) return shortenMiddle(redact(whole), limit);
  const start = redact(whole.slice(0, MAX_REDACTED_CHARACTERS));
  const end = redact(whole.slice(-MAX_REDACTED_CHARACTERS));
  return shortenMiddle(`${start}\n${end}`, limit);
}

/** Returns the end of a text on one line, without secrets. */
function lastPart(text: string, limit: number): string {
  const line = redact(text.slice(-MAX_REDACTED_CHARACTERS)).replace(/\s+/g, ' ').trim();
  return shortenMiddle(line, { start: 0, end: limit });
}

/** Returns a text on one line, without secrets and truncated. */
function shorten(text: string, limit: number): string {
  const line = redact(text.slice(0, MAX_REDACTED_CHARACTERS)).replace(/\s+/g, ' ').trim();
  return truncate(line, limit);
}

import {
  checkpointData,
  currentWork,
  type Checkpoint,
  type FailedCommand,
  type Turn,
} from '../model/text/checkpoint.js';
import { shortenMiddle } from '../model/text/truncate.js';
import { fileNameOf } from '../model/paths.js';
import { redact } from '../redaction/index.js';
import type { Activity, ActivityTurn } from '../apps/transcripts/activity.js';
import { isExcluded, type CaptureLevel } from './consent.js';
import { absolutePath, storedPath, type PathFolders } from './stored-path.js';
import { tasksIn } from './tasks.js';

/** Besides the first turn and the one that began the task. */
const MAX_NEWEST_TURNS = 60;
const MAX_WRITTEN = 200;
const MAX_READ = 20;
const MAX_FAILED = 20;
const MAX_PASSED = 10;
const MAX_TODOS = 20;
/** In UTF-8, as JSON. */
export const MAX_CHECKPOINT_BYTES = 24 * 1024;
/** UTF-16 units of an answer that are kept if nothing more is wanted. */
const FIRST_OF_ANSWER = { start: 300, end: 0 };

/** Absolute paths of this system. */
export interface SessionFolders extends PathFolders {
  /** Folder to which the client's relative paths refer. */
  readonly working: string;
  readonly home: string;
  /** Names of the folders at the root of the disk; what begins otherwise is no absolute path. */
  readonly roots: readonly string[];
  /** Folders whose files a checkpoint does not name. */
  readonly excluded: readonly string[];
}

/** Facts about a session that are not in its activity. */
export type SessionFacts = Pick<
  Checkpoint,
  'client' | 'changedAt' | 'fromState' | 'isUnattended' | 'worktree'
>;

/**
 * The checkpoint contains no absolute path of this device. With the level `task`, it has only the
 * messages of the current task, and the beginning of the last answer.
 */
export function buildCheckpoint(
  activity: Activity,
  folders: SessionFolders,
  facts: SessionFacts = {},
  level: CaptureLevel = 'all',
): Checkpoint {
  const hide = (text: string) => withoutFolders(text, folders);
  const touched = [...activity.files]
    .reverse()
    .map(({ path, isWritten }) => ({ path: absolutePath(path, folders.working), isWritten }))
    .filter(({ path }) => !isExcluded({ excludedFolders: folders.excluded }, path))
    .map(({ path, isWritten }) => ({ path: redact(storedPath(path, folders)), isWritten }));
  const written = unique(touched.filter((file) => file.isWritten).map(({ path }) => path));
  const read = unique(touched.map(({ path }) => path)).filter((path) => !written.includes(path));
  const runs = activity.commands.map((run) => ({ ...run, command: hide(run.command) }));
  const firstFailed = runs.findIndex(({ isSuccess }) => isSuccess === false);
  const failed = new Map<string, FailedCommand>();
  for (const { command, error = '', isSuccess } of [...runs].reverse())
    if (isSuccess === false && !failed.has(command))
      failed.set(command, { command, error: hide(error) });
  const last = new Map(runs.map(({ command, isSuccess }) => [command, isSuccess]));
  const passed = (firstFailed < 0 ? [] : runs.slice(firstFailed))
    .filter(({ command, isSuccess }) => isSuccess === true && last.get(command) === true)
    .map(({ command }) => command);
  const turns = keptTurns(activity.turns).map((turn) => ({
    ...turn,
    message: hide(turn.message),
    answer: hide(turn.answer),
  }));
  const checkpoint: Checkpoint = {
    ...facts,
    turns,
    turnCount: activity.turnCount,
    isFinished: activity.isFinished,
    model: activity.model || undefined,
    hasWorked: written.length > 0 || activity.commands.some(({ isRead }) => isRead !== true),
    written: written.slice(0, MAX_WRITTEN),
    writtenCount: written.length,
    read: read.slice(0, MAX_READ),
    readCount: read.length,
    failed: [...failed.values()].slice(0, MAX_FAILED),
    passed: unique(passed.reverse()).slice(0, MAX_PASSED),
    todos: activity.todos
      .slice(-MAX_TODOS)
      .map(({ text, isDone }) => ({ text: hide(text), isDone })),
  };
  return fitted(level === 'task' ? onlyTask(checkpoint) : checkpoint);
}

/** Keeps of the answers those that end a turn in which something was changed, and the last one. */
function keptTurns(turns: readonly ActivityTurn[]): Turn[] {
  const tasks = tasksIn(turns);
  const last = turns.findLastIndex(({ answer }) => answer !== '');
  const task = tasks.lastIndexOf(true);
  return turns.flatMap(({ id, message, answer, wrote, hasRun }, at): Turn[] => {
    if (at > 0 && at !== task && at < turns.length - MAX_NEWEST_TURNS) return [];
    const isKept = wrote.length > 0 || hasRun || at === last;
    return [{ id, message, answer: isKept ? answer : '', isTask: tasks[at] === true }];
  });
}

function onlyTask(checkpoint: Checkpoint): Checkpoint {
  const { task, then } = currentWork(checkpoint);
  const own = task ? [task, ...then] : [];
  const last = own.findLast(({ answer }) => answer !== '');
  const turns = own.map((turn) => ({
    ...turn,
    answer: turn === last ? shortenMiddle(turn.answer, FIRST_OF_ANSWER) : '',
  }));
  return { ...checkpoint, turns };
}

/** Drops what helps least until the checkpoint is small enough. */
function fitted(checkpoint: Checkpoint): Checkpoint {
  const bytesOf = (value: Checkpoint) =>
    new TextEncoder().encode(JSON.stringify(checkpointData(value))).length;
  const { turns } = checkpoint;
  const last = turns.findLastIndex(({ answer }) => answer !== '');
  const short = turns.map((turn, at) => (at === last ? turn : { ...turn, answer: '' }));
  const isTooLarge = () => bytesOf(fit) > MAX_CHECKPOINT_BYTES;
  let fit = checkpoint;
  for (const less of [{ passed: [] }, { turns: short }, { read: [] }])
    if (isTooLarge()) fit = { ...fit, ...less };
  const kept = new Set([short[0], currentWork(fit).task, short[last], short.at(-1)]);
  for (const turn of short) {
    if (!isTooLarge()) break;
    if (!kept.has(turn)) fit = { ...fit, turns: fit.turns.filter((each) => each !== turn) };
  }
  while (fit.written.length > 0 && isTooLarge())
    fit = { ...fit, written: fit.written.slice(0, fit.written.length >> 1) };
  return fit;
}

/** At least two parts after a place where a path can begin. */
const ABSOLUTE_PATH =
  /(^|[\s"'`(=,:;[<>|&])((?:file:\/\/)?(?:~|[A-Za-z]:)?[\\/](?:[^\s"'`)\]<>|&;,\\/]+[\\/])+[^\s"'`)\]<>|&;,\\/]*)/g;

/** Makes paths in the project relative, and reduces other absolute paths to names. */
export function withoutFolders(
  text: string,
  folders: Pick<SessionFolders, 'project' | 'vault' | 'home' | 'roots'>,
): string {
  const named = [...folders.project, ...folders.vault, folders.home]
    .filter((folder) => folder.length > 1)
    .sort((a, b) => b.length - a.length);
  let hidden = text;
  for (const folder of named) {
    const short = folder === folders.home ? '~' : '';
    const found = new RegExp(
      `${escaped(folder)}(?:([\\\\/])|(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}]))`,
      'gu',
    );
    hidden = hidden.replace(found, (_, separator: string | undefined) =>
      separator === undefined ? short || '.' : short && `${short}${separator}`,
    );
  }
  return hidden.replace(ABSOLUTE_PATH, (whole: string, before: string, path: string) =>
    isOnDisk(path, folders.roots) ? `${before}…/${fileNameOf(path)}` : whole,
  );
}

/** Returns true if a text with slashes is a path, not the route of a server or an escape. */
function isOnDisk(path: string, roots: readonly string[]): boolean {
  if (!path.startsWith('/')) return /^(?:file:|~|[A-Za-z]:)/.test(path);
  return roots.includes(path.split('/')[1] ?? '');
}

/** Returns a text for a pattern that matches it. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

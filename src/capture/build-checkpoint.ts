import type { Checkpoint } from '../model/text/checkpoint.js';
import { fileNameOf, isAbsolutePath, OUTSIDE_PREFIX, PROJECT_PREFIX } from '../model/paths.js';
import { redact } from '../redaction/index.js';
import type { Activity } from '../apps/transcripts/activity.js';
import { isExcluded, isInFolder } from './consent.js';

const MAX_FILES = 20;
const MAX_COMMANDS = 5;
const MAX_TODOS = 20;

/** Absolute paths of this system. */
export interface SessionFolders {
  /** All paths of the project's folder: the one that the client names, and its real path. */
  readonly project: readonly string[];
  /** Folder to which the client's relative paths refer. */
  readonly working: string;
  /** All paths of the vault's folder. */
  readonly vault: readonly string[];
  readonly home: string;
  /** Folders whose files a checkpoint does not name. */
  readonly excluded: readonly string[];
}

/** Facts about a session that are not in its activity. */
export type SessionFacts = Pick<Checkpoint, 'client' | 'changedAt' | 'fromState' | 'isUnattended'>;

/** The checkpoint contains no absolute path of this device. */
export function buildCheckpoint(
  activity: Activity,
  folders: SessionFolders,
  facts: SessionFacts = {},
): Checkpoint {
  const hide = (text: string) => withoutFolders(text, folders);
  const touched = [...activity.files]
    .reverse()
    .map(({ path, isWritten }) => ({ path: absolute(path, folders.working), isWritten }))
    .filter(({ path }) => !isExcluded({ excludedFolders: folders.excluded }, path))
    .map(({ path, isWritten }) => ({ path: redact(storedPath(path, folders)), isWritten }));
  const written = unique(touched.filter((file) => file.isWritten).map(({ path }) => path));
  const read = unique(touched.map(({ path }) => path)).filter((path) => !written.includes(path));
  const last = new Map(activity.commands.map(({ command, isSuccess }) => [command, isSuccess]));
  const commands = (isSuccess: boolean) =>
    unique(
      [...activity.commands]
        .reverse()
        .filter((run) => run.isSuccess === isSuccess && last.get(run.command) === isSuccess)
        .map(({ command }) => hide(command)),
    ).slice(0, MAX_COMMANDS);
  const shown = written.slice(0, MAX_FILES);
  const { request, message, answered, isFinished } = activity;
  return {
    ...facts,
    request: hide(request),
    earlier: hide(activity.earlier),
    message: hide(message === request ? '' : message),
    answer: hide(activity.answer),
    answered: hide(answered === request ? '' : answered),
    isFinished,
    hasWorked: written.length > 0 || activity.commands.some(({ isRead }) => isRead !== true),
    written: shown,
    writtenCount: written.length,
    read: read.slice(0, MAX_FILES - shown.length),
    readCount: read.length,
    failed: commands(false),
    passed: commands(true),
    todos: activity.todos
      .slice(-MAX_TODOS)
      .map(({ text, isDone }) => ({ text: hide(text), isDone })),
  };
}

function absolute(path: string, working: string): string {
  if (isAbsolutePath(path)) return path;
  return `${working}/${path.replace(/^(?:\.[\\/])+/, '')}`;
}

/** Returns a path in the project or vault, or else only a name. */
function storedPath(path: string, { project, vault }: SessionFolders): string {
  const inProject = relativePath(path, project);
  if (inProject !== undefined) return `${PROJECT_PREFIX}${inProject}`;
  return relativePath(path, vault) ?? `${OUTSIDE_PREFIX}${fileNameOf(path)}`;
}

function relativePath(path: string, folders: readonly string[]): string | undefined {
  const folder = folders.find((each) => isInFolder(path, each));
  const inner = folder && path.slice(folder.length + 1).replaceAll('\\', '/');
  return inner === undefined || inner === '' || inner.split('/').includes('..') ? undefined : inner;
}

/** At least two parts after a place where a path can begin. */
const ABSOLUTE_PATH =
  /(^|[\s"'`(=,:;[<>|&])((?:file:\/\/)?(?:~|[A-Za-z]:)?[\\/](?:[^\s"'`)\]<>|&;,\\/]+[\\/])+[^\s"'`)\]<>|&;,\\/]*)/g;

/** Makes paths in the project relative, and reduces other absolute paths to names. */
function withoutFolders(text: string, folders: SessionFolders): string {
  const named = [...folders.project, ...folders.vault, folders.home]
    .filter((folder) => folder.length > 1)
    .sort((a, b) => b.length - a.length);
  let hidden = text;
  for (const folder of named)
    hidden = hidden
      .replaceAll(`${folder}/`, folder === folders.home ? '~/' : '')
      .replaceAll(`${folder}\\`, folder === folders.home ? '~\\' : '')
      .replaceAll(folder, folder === folders.home ? '~' : '.');
  return hidden.replace(
    ABSOLUTE_PATH,
    (_, before: string, path: string) => `${before}…/${fileNameOf(path)}`,
  );
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

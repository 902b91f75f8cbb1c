import type { Activity, CommandRun } from '../../apps/transcripts/activity.js';
import { isExcluded, plainPath, type CaptureSettings } from '../../capture/consent.js';
import type { NodeModules } from '../modules.js';
import { realPath } from '../real-path.js';
import { movedExclusionFinder } from './moved-exclusions.js';

/** Matches a quoted text, or a word with escaped spaces. */
const WORDS = /"[^"\n]+"|'[^'\n]+'|(?:\\.|[^\s"'`;|&<>()=])+/g;
/** Matches how a command changes its folder. */
const CHANGES = /\b(?:cd|pushd|-C)\s+("[^"\n]+"|'[^'\n]+'|(?:\\.|[^\s"'`;|&<>()])+)/g;
const HIDDEN = '[excluded]';

/**
 * Omits files in excluded folders and commands that name one, and hides texts that do. Relative
 * paths may refer to any of `folders`, which are absolute.
 */
export async function withoutExcluded(
  node: NodeModules,
  settings: CaptureSettings,
  activity: Activity,
  folders: readonly string[],
): Promise<Activity> {
  const excluded = settings.excludedFolders;
  if (excluded.length === 0) return activity;
  const isMoved = movedExclusionFinder(node, settings);

  async function isHidden(path: string, from: readonly string[]): Promise<boolean> {
    const typed = path.replace(/^~(?=[\\/]|$)/, node.os.homedir());
    const paths = from.map((folder) => node.path.resolve(folder, typed));
    if (paths.some((each) => isExcluded(settings, each))) return true;
    const real = await Promise.all(paths.map((each) => realPath(node, each)));
    if (real.some((each) => isExcluded(settings, each))) return true;
    return (await Promise.all([...paths, ...real].map(isMoved))).includes(true);
  }
  function hasPath(text: string): boolean {
    const plain = text.replaceAll('\\ ', ' ').normalize('NFC').toLowerCase();
    return excluded.some((folder) => plain.includes(plainPath(folder)));
  }
  async function isHiddenCommand({ command, folder }: CommandRun): Promise<boolean> {
    if (hasPath(command)) return true;
    const own = folder === undefined ? folders : [folder, ...folders];
    const changes = [...command.matchAll(CHANGES)].map(([, path = '']) => unquoted(path));
    const from = [
      ...own,
      ...changes.flatMap((path) => own.map((each) => node.path.resolve(each, path))),
    ];
    const words = new Set(command.match(WORDS));
    const hidden = [...words].map((word) => isHidden(unquoted(word).replace(/^[-\w]+=/, ''), from));
    return (await Promise.all(hidden)).includes(true);
  }
  async function shownText(text: string): Promise<string> {
    if (hasPath(text)) return HIDDEN;
    let shown = text;
    for (const word of new Set(text.match(WORDS)))
      if (/[\\/]/.test(word) && (await isHidden(unquoted(word).replace(/[.,:;!?]+$/, ''), folders)))
        shown = shown.replaceAll(word, HIDDEN);
    return shown;
  }

  const turns = activity.turns.map(async (turn) => ({
    ...turn,
    message: await shownText(turn.message),
    answer: await shownText(turn.answer),
  }));
  const commands = await without(activity.commands, isHiddenCommand);
  const shownCommands = commands.map(async (run) =>
    run.error === undefined ? run : { ...run, error: await shownText(run.error) },
  );
  const todos = activity.todos.map(async (todo) => ({ ...todo, text: await shownText(todo.text) }));
  return {
    ...activity,
    turns: await Promise.all(turns),
    files: await without(activity.files, ({ path }) => isHidden(path, folders)),
    commands: await Promise.all(shownCommands),
    todos: await Promise.all(todos),
  };
}

function unquoted(word: string): string {
  return word.replace(/^(["'])(.*)\1$/, '$2').replace(/\\(.)/g, '$1');
}

async function without<T>(
  items: readonly T[],
  isLeftOut: (item: T) => Promise<boolean>,
): Promise<readonly T[]> {
  const leftOut = await Promise.all(items.map(isLeftOut));
  return items.filter((_, index) => !leftOut[index]);
}

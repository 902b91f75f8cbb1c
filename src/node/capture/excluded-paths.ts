import type { Activity, CommandRun } from '../../apps/transcripts/activity.js';
import { escaped } from '../../capture/build-checkpoint.js';
import { isExcluded, plainPath } from '../../capture/consent.js';
import type { NodeModules } from '../modules.js';
import { realPath } from '../real-path.js';

/** Matches a quoted text, or a word with escaped spaces. */
const WORDS = /"[^"\n]+"|'[^'\n]+'|(?:\\.|[^\s"'`;|&<>()=])+/g;
/** Matches how a command changes its folder. */
const CHANGES = /\b(?:cd|pushd|-C)\s+("[^"\n]+"|'[^'\n]+'|(?:\\.|[^\s"'`;|&<>()])+)/g;
const HIDDEN = '[excluded]';

/**
 * Omits files in excluded folders and commands that name one, and hides texts that do. Relative
 * paths may refer to any of `folders`, which are absolute. `locate` returns the paths of excluded
 * folders, also of those that were moved, if one of its paths leads there.
 */
export async function withoutExcluded(
  node: NodeModules,
  locate: (paths: readonly string[]) => Promise<readonly string[]>,
  activity: Activity,
  folders: readonly string[],
): Promise<{ readonly activity: Activity; readonly excluded: readonly string[] }> {
  const { turns, files, commands, todos } = activity;

  function pathsAt(typed: string, from = folders): string[] {
    const path = typed.replace(/^~(?=[\\/]|$)/, node.os.homedir());
    return from.map((folder) => node.path.resolve(folder, path));
  }
  function pathsOfRun({ command, folder }: CommandRun): string[] {
    const own = folder === undefined ? folders : [folder, ...folders];
    const changes = [...command.matchAll(CHANGES)].map(([, path = '']) => unquoted(path));
    const from = [...own, ...changes.flatMap((path) => pathsAt(path, own))];
    const words = command.match(WORDS) ?? [];
    return words.flatMap((word) => pathsAt(unquoted(word).replace(/^[-\w]+=/, ''), from));
  }
  function pathsOfWord(word: string): string[] {
    return /[\\/]/.test(word) ? pathsAt(unquoted(word).replace(/[.,:;!?]+$/, '')) : [];
  }
  const texts = [
    ...turns.flatMap(({ message, answer }) => [message, answer]),
    ...commands.map(({ error = '' }) => error),
    ...todos.map(({ text }) => text),
  ];
  const paths = new Set([
    ...files.flatMap(({ path }) => pathsAt(path)),
    ...commands.flatMap(pathsOfRun),
    ...texts.flatMap((text) => text.match(WORDS) ?? []).flatMap(pathsOfWord),
  ]);
  const real = new Map<string, string>();
  await Promise.all([...paths].map(async (path) => real.set(path, await realPath(node, path))));
  const excluded = await locate([...paths, ...real.values()]);
  const settings = { excludedFolders: excluded };
  const names = excluded.map(
    (path) => new RegExp(`${escaped(plainPath(path))}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`, 'u'),
  );

  function isHidden(path: string): boolean {
    return isExcluded(settings, path) || isExcluded(settings, real.get(path) ?? path);
  }
  function hasPath(text: string): boolean {
    const plain = text.replaceAll('\\ ', ' ').replaceAll('\\', '/').normalize('NFC').toLowerCase();
    return names.some((name) => name.test(plain));
  }
  function shownText(text: string): string {
    if (hasPath(text)) return HIDDEN;
    const words = new Set(text.match(WORDS));
    return [...words]
      .filter((word) => pathsOfWord(word).some(isHidden))
      .reduce((shown, word) => shown.replaceAll(word, HIDDEN), text);
  }
  const shown = {
    ...activity,
    turns: turns.map((turn) => ({
      ...turn,
      message: shownText(turn.message),
      answer: shownText(turn.answer),
    })),
    files: files.filter(({ path }) => !pathsAt(path).some(isHidden)),
    commands: commands
      .filter((run) => !hasPath(run.command) && !pathsOfRun(run).some(isHidden))
      .map((run) => (run.error === undefined ? run : { ...run, error: shownText(run.error) })),
    todos: todos.map((todo) => ({ ...todo, text: shownText(todo.text) })),
  };
  return { activity: shown, excluded };
}

function unquoted(word: string): string {
  return word.replace(/^(["'])(.*)\1$/, '$2').replace(/\\(.)/g, '$1');
}

import type { AppHooks } from '../../../apps/ai-app.js';
import { findApp, idsWith, type AppWith } from '../../../apps/index.js';
import { Refusal } from '../../../model/refusal.js';
import type { NodeModules, Platform } from '../../modules.js';
import type { ClientConfig } from '../clients.js';
import { editFile, partText, readConfigData, repairsOf } from '../config-text.js';
import { onlyOwnHooks, ownHooks, programOfHooks, removeHooks, setHooks } from './hook-config.js';
import { hookSettings } from './hook-settings.js';
import { isSameText, readBackups, readParsed, refuseVariables, type FilePlan } from '../plan.js';

export interface HookPlan extends FilePlan {
  readonly app: AppWith<'hooks'>;
}

/**
 * Plans the hooks of a client. `command` is Node with the program that it runs. Throws a `Refusal`
 * if the client has no hooks, the file cannot be edited safely, or the client would expand a part
 * of the command as a variable.
 */
export async function planHooks(
  modules: NodeModules,
  config: ClientConfig,
  command: readonly string[],
  platform: Platform,
  withTools: boolean,
): Promise<HookPlan> {
  const { id, title } = config.app;
  const app = findApp('hooks', id);
  if (!app)
    throw new Refusal(
      `${title} has no hooks that Savepoint can use. --hooks is for ${idsWith('hooks').join(', ')}. Nothing was done.`,
    );
  refuseVariables(config, command);
  const { file, before, data } = await readHookFile(modules, config, app);
  const settings = hookSettings(app, shellCommand(app, command, platform), withTools);
  const { format } = app.hooks;
  const isLeft = (event: string) => !(event in settings);
  const hasLeft = ownHooks(data).some(({ event }) => isLeft(event));
  const after = editFile(file, () => {
    const kept = hasLeft ? removeHooks(before ?? '', format, isLeft) : (before ?? '');
    return setHooks(kept, format, settings);
  });
  const changeKind = programOfHooks(data) === undefined ? 'add' : 'update';
  const repairs = repairsOf(before ?? '', format, 'hooks');
  const change = after === before ? 'none' : changeKind;
  return { app, file, change, before, after, shown: shownOf(format), repairs };
}

/**
 * Plans to remove the hooks of a client; undefined if it has none of this program. Restores a
 * backup byte for byte if the file is exactly that plus the hooks; deletes the file if it contains
 * nothing else. Throws the same errors as `planHooks`.
 */
export async function planHookRemoval(
  modules: NodeModules,
  config: ClientConfig,
): Promise<HookPlan | undefined> {
  const app = findApp('hooks', config.app.id);
  if (!app) return undefined;
  const { file, before, data } = await readHookFile(modules, config, app);
  const program = programOfHooks(data);
  if (before === undefined || program === undefined) return undefined;
  const { format } = app.hooks;
  const plan = { app, file, change: 'remove', before, shown: shownOf(format) } as const;
  const backups = [...(await readBackups(modules, file)), undefined];
  for (const settings of [false, true].map((withTools) => hookSettings(app, program, withTools)))
    for (const text of backups.filter((each) => !hasHooks(each, format)))
      if (isSameText(() => setHooks(text ?? '', format, settings), before))
        return { ...plan, after: text };
  return { ...plan, after: editFile(file, () => removeHooks(before, format)) };
}

const shownOf = (format: AppHooks['format']) => (text: string) =>
  partText(text, format, onlyOwnHooks);

function hasHooks(text: string | undefined, format: AppHooks['format']): boolean {
  const read = readConfigData(text ?? '', format);
  return 'data' in read && programOfHooks(read.data) !== undefined;
}

/** Reads the file with the user's hooks. Throws a `Refusal` if it cannot be read or parsed. */
export function readHookFile(
  modules: NodeModules,
  config: ClientConfig,
  { hooks }: Pick<AppWith<'hooks'>, 'hooks'>,
) {
  const named = modules.path.join(config.folder, hooks.file);
  return readParsed(modules, config, named, (text) => readConfigData(text, hooks.format));
}

/** Returns a command for the shell in which the client runs hooks. */
function shellCommand(
  { hooks }: AppWith<'hooks'>,
  command: readonly string[],
  platform: Platform,
): string {
  if (platform !== 'win32') return command.map(posixQuoted).join(' ');
  const quoted = command.map((part) => `"${part.replaceAll('\\', '/')}"`).join(' ');
  return `${hooks.windowsPrefix ?? ''}${quoted}`;
}

/** Returns the words of a command of `shellCommand`. */
export function shellWords(command: string): string[] {
  const words = command.match(/(?:'[^']*'|"[^"]*"|\\'|[^\s'"])+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"|\\(')/g, (_, ...parts: (string | undefined)[]) =>
      parts.slice(0, 3).join(''),
    ),
  );
}

function posixQuoted(part: string): string {
  return /^[\w/.:@%+,-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`;
}

import { envValue } from '../environment.js';
import type { NodeModules, Platform, ProcessEnv } from '../modules.js';

/** The parts of the environment that decide where a user's commands are. */
interface Shell {
  readonly platform: Platform;
  readonly env: ProcessEnv;
  readonly home: string;
}

/** Marks the files of `installShellCommand`; no other file is overwritten or removed. */
const MARK = 'Starts the installed Savepoint.';

/** Set by that file: commands in messages may begin with `savepoint`. */
export const COMMAND_VARIABLE = 'SAVEPOINT_COMMAND';

/** Writes a script to one of the user's folders on PATH. Returns its path, if one is usable. */
export async function installShellCommand(
  node: NodeModules,
  shell: Shell,
  launcher: string,
): Promise<string | undefined> {
  const text = scriptFor(shell, launcher);
  for (const file of commandFiles(node, shell)) {
    const before = await readOwn(node, file);
    if (before === undefined) continue;
    if (before === text) return file;
    const isWritten = await node.fs.writeFile(file, text, { mode: 0o755 }).then(
      () => true,
      () => false, // the folder does not exist, or the user may not write there
    );
    if (isWritten) return file;
  }
  return undefined;
}

/** Removes the command. Returns the paths of the removed files. */
export async function removeShellCommand(
  node: NodeModules,
  shell: Shell,
  isDryRun = false,
): Promise<string[]> {
  const removed: string[] = [];
  for (const file of commandFiles(node, shell)) {
    if (((await readOwn(node, file)) ?? '') === '') continue;
    if (!isDryRun) await node.fs.rm(file, { force: true });
    removed.push(file);
  }
  return removed;
}

/** Returns where the command may be, best first: in the user's own folders on PATH. */
function commandFiles({ path }: NodeModules, { platform, env, home }: Shell): string[] {
  const isWindows = platform === 'win32';
  const local = envValue(env, 'LOCALAPPDATA') ?? path.join(home, 'AppData', 'Local');
  const folders = isWindows
    ? [path.join(local, 'Microsoft', 'WindowsApps')]
    : [path.join(home, '.local', 'bin'), path.join(home, 'bin')];
  const onPath = (envValue(env, isWindows ? 'Path' : 'PATH') ?? envValue(env, 'PATH') ?? '')
    .split(isWindows ? ';' : ':')
    .filter((folder) => folder !== '')
    .map((folder) => path.resolve(folder));
  return folders
    .filter((folder) => onPath.includes(path.resolve(folder)))
    .map((folder) => path.join(folder, isWindows ? 'savepoint.cmd' : 'savepoint'));
}

/** Returns the text of our file; empty if there is no file, undefined if it is another's. */
async function readOwn({ fs }: NodeModules, file: string): Promise<string | undefined> {
  if (!(await fs.lstat(file).catch(() => undefined))) return '';
  const text = await fs.readFile(file, 'utf8').catch(() => '');
  return text.includes(MARK) ? text : undefined;
}

function scriptFor({ platform, env }: Shell, launcher: string): string {
  if (platform === 'win32') {
    // cmd.exe reads the file in a code page of its own, so the user's name must not be in it.
    const local = envValue(env, 'LOCALAPPDATA');
    const isLocal = local !== undefined && launcher.startsWith(`${local}\\`);
    const path = (isLocal ? launcher.slice(local.length) : launcher).replaceAll('%', '%%');
    return `@rem ${MARK}\r\n@set ${COMMAND_VARIABLE}=1\r\n@node "${isLocal ? '%LOCALAPPDATA%' : ''}${path}" %*\r\n`;
  }
  return `#!/bin/sh\n# ${MARK}\n${COMMAND_VARIABLE}=1 exec node '${launcher.replaceAll("'", `'\\''`)}' "$@"\n`;
}

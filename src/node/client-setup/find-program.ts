import { errorCode, type NodeModules } from '../modules.js';

type Modules = Pick<NodeModules, 'fs' | 'path'>;

const DEFAULT_CONFIG_FOLDER = `.obsidian`;

/**
 * Returns the program that is installed as a plugin in the vault, or `running` if there is none. Searches all settings folders,
 * but prefers `.obsidian`.
 */
export async function findProgram(
  { fs, path }: Modules,
  vault: string,
  running: string,
): Promise<string> {
  const names = await fs.readdir(vault).catch((error: unknown) => {
    if (errorCode(error) === undefined) throw error;
    return [];
  });
  const folders = names
    .filter((name) => name.startsWith('.'))
    .sort((a, b) => Number(b === DEFAULT_CONFIG_FOLDER) - Number(a === DEFAULT_CONFIG_FOLDER));
  for (const name of folders) {
    const file = path.join(vault, name, 'plugins', 'savepoint', 'main.js');
    if ((await fs.stat(file).catch(() => undefined))?.isFile()) return file;
  }
  return running;
}

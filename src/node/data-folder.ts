import { isHidden, readVaultPath, type VaultPath } from '../model/paths.js';
import type { NodeModules } from './modules.js';

export const DATA_FOLDER: VaultPath = 'Savepoint';

/**
 * The folder of the vault that holds the memory: as the plugin's settings in that vault say, where it is installed, else the usual
 * one. Of several settings folders the one that was written last counts.
 */
export async function readDataFolder({ fs, path }: Pick<NodeModules, 'fs' | 'path'>, vault: string): Promise<VaultPath> {
  const names = await fs.readdir(vault).catch((): string[] => []);
  const files = names.filter((name) => name.startsWith('.')).map((name) => path.join(vault, name, 'plugins', 'savepoint', 'data.json'));
  const found = await Promise.all(files.map(async (file) => ({ file, at: (await fs.stat(file).catch(() => undefined))?.mtimeMs ?? 0 })));
  const [latest] = found.filter(({ at }) => at > 0).sort((a, b) => b.at - a.at);
  return (latest && folderIn(await fs.readFile(latest.file, 'utf8').catch(() => ''))) ?? DATA_FOLDER;
}

function folderIn(settings: string): VaultPath | undefined {
  try {
    const data: unknown = JSON.parse(settings);
    const typed = typeof data === 'object' && data !== null && 'dataFolder' in data ? data.dataFolder : undefined;
    if (typeof typed !== 'string') return undefined;
    const read = readVaultPath(typed);
    return 'path' in read && read.path !== '' && !isHidden(read.path) ? read.path : undefined;
  } catch {
    return undefined; // a sync service is writing it, or it is damaged
  }
}

import { isJsonObject, type JsonObject } from '../model/event.js';
import { isHidden, readVaultPath, type VaultPath } from '../model/paths.js';
import type { NodeModules } from './modules.js';

const DATA_FOLDER: VaultPath = 'Savepoint';

type Disk = Pick<NodeModules, 'fs' | 'path'>;

/** The folder of the vault that holds the memory: as the plugin's settings in that vault say, else the usual one. */
export async function readDataFolder(node: Disk, vault: string): Promise<VaultPath> {
  return folderOf((await readSettings(node, vault))['dataFolder']) ?? DATA_FOLDER;
}

/** The folders whose notes are not searched, as the plugin's settings say. */
export async function readExcludedFolders(node: Disk, vault: string): Promise<VaultPath[]> {
  const { excludedFolders: typed } = await readSettings(node, vault);
  return Array.isArray(typed) ? typed.flatMap((folder) => folderOf(folder) ?? []) : [];
}

/** What the person allows programs outside of the app, as the plugin's settings say. */
export async function readClientPolicy(node: Disk, vault: string): Promise<{ isReadOnly: boolean; readOnlyClients: string[] }> {
  const { isReadOnly, readOnlyClients: typed } = await readSettings(node, vault);
  return { isReadOnly: isReadOnly === true, readOnlyClients: Array.isArray(typed) ? typed.filter((name) => typeof name === 'string') : [] };
}

/** Empty where the plugin is not installed. Of several settings folders the one that was written last counts. */
async function readSettings({ fs, path }: Disk, vault: string): Promise<JsonObject> {
  const names = await fs.readdir(vault).catch((): string[] => []);
  const files = names.filter((name) => name.startsWith('.')).map((name) => path.join(vault, name, 'plugins', 'savepoint', 'data.json'));
  const found = await Promise.all(files.map(async (file) => ({ file, at: (await fs.stat(file).catch(() => undefined))?.mtimeMs ?? 0 })));
  const [latest] = found.filter(({ at }) => at > 0).sort((a, b) => b.at - a.at);
  return latest ? parseSettings(await fs.readFile(latest.file, 'utf8').catch(() => '')) : {};
}

function parseSettings(text: string): JsonObject {
  try {
    const data: unknown = JSON.parse(text);
    return isJsonObject(data) ? data : {};
  } catch {
    return {}; // a sync service is writing it, or it is damaged
  }
}

function folderOf(typed: unknown): VaultPath | undefined {
  if (typeof typed !== 'string') return undefined;
  const read = readVaultPath(typed);
  return 'path' in read && read.path !== '' && !isHidden(read.path) ? read.path : undefined;
}

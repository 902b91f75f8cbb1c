import { isJsonObject, type Json, type JsonObject } from '../model/event.js';
import { isHidden, readVaultPath, type VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import type { NodeModules } from './modules.js';

const DATA_FOLDER: VaultPath = 'Savepoint';

type Disk = Pick<NodeModules, 'fs' | 'path' | 'timers'>;

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
export async function readClientPolicy(node: Disk, vault: string) {
  const { isReadOnly, otherClients, writingClients, askingClients, readOnlyClients } = await readSettings(node, vault);
  return {
    isReadOnly: isReadOnly === true,
    otherClients: (['ask', 'read'] as const).find((access) => access === otherClients) ?? ('write' as const),
    writingClients: namesIn(writingClients),
    askingClients: namesIn(askingClients),
    readOnlyClients: namesIn(readOnlyClients),
  };
}

function namesIn(typed: Json | undefined): string[] {
  return Array.isArray(typed) ? typed.filter((name) => typeof name === 'string') : [];
}

/** Which of the agents that can be switched are on everywhere, and which nowhere, as the plugin's settings say. */
export async function readAgentSwitches(node: Disk, vault: string): Promise<Record<string, boolean>> {
  const { furtherAgents: chosen } = await readSettings(node, vault);
  const entries = isJsonObject(chosen) ? Object.entries(chosen) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean'));
}

/** So often, and with so many milliseconds between, a file is read that is being written just now. */
const TRIES = 5;
const BETWEEN_MS = 100;

/**
 * Empty where the plugin is not installed. Of several settings folders the one that was written last counts. Throws a `Refusal` where
 * they cannot be read: they may name another data folder, or forbid what is asked for.
 */
async function readSettings({ fs, path, timers }: Disk, vault: string): Promise<JsonObject> {
  const names = await fs.readdir(vault).catch((): string[] => []);
  const files = names.filter((name) => name.startsWith('.')).map((name) => path.join(vault, name, 'plugins', 'savepoint', 'data.json'));
  const found = await Promise.all(files.map(async (file) => ({ file, at: (await fs.stat(file).catch(() => undefined))?.mtimeMs ?? 0 })));
  const [latest] = found.filter(({ at }) => at > 0).sort((a, b) => b.at - a.at);
  if (!latest) return {};
  for (let tries = 1; ; tries++) {
    const data = parseSettings(await fs.readFile(latest.file, 'utf8').catch(() => ''));
    if (data) return data;
    if (tries === TRIES) throw new Refusal(unreadable(latest.file));
    await new Promise((resolve) => timers.setTimeout(resolve, BETWEEN_MS));
  }
}

function unreadable(file: string): string {
  return `The settings of Savepoint in this vault cannot be read, and they say what is allowed: ${file} is damaged. Open the vault in Obsidian and set them again, or put the file back from a backup; then try again.`;
}

function parseSettings(text: string): JsonObject | undefined {
  try {
    const data: unknown = JSON.parse(text);
    return isJsonObject(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function folderOf(typed: unknown): VaultPath | undefined {
  if (typeof typed !== 'string') return undefined;
  const read = readVaultPath(typed);
  return 'path' in read && read.path !== '' && !isHidden(read.path) ? read.path : undefined;
}

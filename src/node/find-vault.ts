import type { NodeModules } from './modules.js';
import { createPluginSettings } from './ports/plugin-settings.js';
import { isFolder } from './real-path.js';

/** Obsidian's settings folder in a vault, unless the user has renamed it. */
export const SETTINGS_FOLDER = `.obsidian`;

/**
 * Returns why a folder (an absolute path) cannot serve as a vault, a sentence without a next step,
 * and the vault around it, if any. Undefined for a vault, and for what is not a folder.
 */
export async function findVaultProblem(
  node: NodeModules,
  folder: string,
): Promise<{ readonly problem: string; readonly enclosing: string | undefined } | undefined> {
  if (!(await isFolder(node, folder)) || (await isVault(node, folder))) return undefined;
  return {
    problem: `This folder is not an Obsidian vault: ${folder}.`,
    enclosing: await findEnclosingVault(node, folder),
  };
}

/** Returns true for a folder with Obsidian's settings, the plugin, or the plugin's data folder. */
async function isVault(node: NodeModules, folder: string): Promise<boolean> {
  const { fs, path } = node;
  const hasFolder = (...parts: string[]) => isFolder(node, path.join(folder, ...parts));
  const names = await fs.readdir(folder).catch((): string[] => []);
  if (names.includes(SETTINGS_FOLDER) && (await hasFolder(SETTINGS_FOLDER))) return true;
  // The settings folder may have another name.
  for (const name of names.filter((each) => each.startsWith('.')))
    if (await hasFolder(name, 'plugins', 'savepoint')) return true;
  const { dataFolder } = await createPluginSettings(node, folder).read();
  return names.includes(dataFolder) && (await hasFolder(dataFolder));
}

async function findEnclosingVault(node: NodeModules, folder: string): Promise<string | undefined> {
  const { fs, path } = node;
  let at = await fs.realpath(folder).catch(() => folder);
  for (let parent = path.dirname(at); parent !== at; parent = path.dirname(at)) {
    if (await isVault(node, parent)) return parent;
    at = parent;
  }
  return undefined;
}

import type { VaultPath } from '../model/paths.js';
import { createFolderFiles } from '../node/ports/folder-files.js';
import { openPluginSettings } from '../node/ports/plugin-settings.js';
import type { Files } from '../platform/files.js';
import type { ProgramHost } from './program.js';

export interface VaultFolder {
  /** The absolute path of the vault. */
  readonly folder: string;
  readonly files: Files;
  /** The vault folder that contains the memory. */
  readonly dataFolder: VaultPath;
}

/** Opens the files of a vault, without its log or indexes. Throws a `Refusal` if it does not exist. */
export async function openVaultFolder(program: ProgramHost, vault: string): Promise<VaultFolder> {
  const folder = program.node.path.resolve(vault);
  const files = createFolderFiles(program.node, folder);
  await files.list('');
  return { folder, files, dataFolder: await openPluginSettings(program.node, folder).dataFolder() };
}

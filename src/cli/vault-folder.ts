import type { VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import { missingVaultText } from '../node/environment.js';
import { findVaultProblem, SETTINGS_FOLDER } from '../node/find-vault.js';
import { findKnownVault } from '../node/known-vault.js';
import { createFolderFiles } from '../node/ports/folder-files.js';
import { createPluginSettings } from '../node/ports/plugin-settings.js';
import { isFolder } from '../node/real-path.js';
import { shellQuoted } from '../node/shell-quoted.js';
import type { Files } from '../platform/files.js';
import { stateFolderOf, type ProgramHost } from './program.js';
import { UsageError } from './usage-error.js';

export interface VaultFolder {
  /** An absolute path. */
  readonly folder: string;
  readonly files: Files;
  /** The vault folder that contains the memory. */
  readonly dataFolder: VaultPath;
}

/** Value of `--create`, which allows any folder; undefined for a command without this option. */
export type CreateOption = boolean | undefined;

/** Throws a `Refusal` if the folder is missing, or is no vault and `create` is not set. */
export async function openVaultFolder(
  program: ProgramHost,
  vault: string,
  create?: CreateOption,
): Promise<VaultFolder> {
  const folder = program.node.path.resolve(vault);
  const files = createFolderFiles(program.node, folder);
  await requireVault(program, folder, create);
  await files.list('');
  const { dataFolder } = await createPluginSettings(program.node, folder).read();
  return { folder, files, dataFolder };
}

/** Returns the vault that `mcp` would serve here. Throws a `UsageError` if none is known. */
export async function requireKnownVault(
  program: ProgramHost,
  state: string | undefined,
): Promise<string> {
  const { node, env, platform } = program;
  const found = await findKnownVault(node, {
    env,
    platform,
    stateFolder: stateFolderOf(program, state),
    folder: node.path.resolve(),
    advice: 'Pass --vault DIR, the folder that contains your notes, or set SAVEPOINT_VAULT to it.',
  });
  if ('vault' in found) return found.vault;
  throw new UsageError(found.problem);
}

/** Throws a `Refusal` if the folder (an absolute path) is not a vault, unless `create` is true. */
export async function requireVault(
  { node, env }: Pick<ProgramHost, 'node' | 'env'>,
  folder: string,
  create: CreateOption,
): Promise<void> {
  const missing = missingVaultText(node, env, folder);
  if (missing !== undefined && !(await isFolder(node, folder)))
    throw new Refusal(`${missing} Check the path, or connect the disk that it is on.`);
  if (create === true) return;
  const found = await findVaultProblem(node, folder);
  if (!found) return;
  const { problem, enclosing } = found;
  const advice =
    enclosing === undefined
      ? `Pass the folder that contains ${SETTINGS_FOLDER} as --vault`
      : `It is inside the vault ${enclosing}; pass --vault ${shellQuoted(enclosing)}`;
  const createAdvice = create === undefined ? '' : ', or add --create to use this folder anyway';
  throw new Refusal(`${problem} ${advice}${createAdvice}.`);
}

import type { AppFiles, InstalledPackage } from '../../../apps/ai-app.js';
import type { JsonObject } from '../../../model/event.js';
import { expandedValue } from '../../environment.js';
import { findVaultProblem } from '../../find-vault.js';
import { failed, passed, type HealthCheck } from '../../../apps/health-check.js';
import { findKnownVault } from '../../known-vault.js';
import type { NodeModules } from '../../modules.js';
import { isFolder } from '../../real-path.js';
import type { ClientConfig, HostEnvironment } from '../clients.js';
import { readConfigData } from '../config-text.js';

/** Returns this program's packages in the clients, each with the client's title. */
export async function findPackages(
  node: NodeModules,
  configs: readonly ClientConfig[],
): Promise<{ readonly title: string; readonly installed: InstalledPackage }[]> {
  const found = configs.map(async (config) => {
    const { title, findPackage } = config.app;
    const installed = await findPackage?.(filesOf(node, config));
    return installed ? [{ title, installed }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Checks the version and the vault of each of this program's packages in the clients. */
export async function checkPackages(
  node: NodeModules,
  host: HostEnvironment,
  configs: readonly ClientConfig[],
  stateFolder: string,
): Promise<HealthCheck[]> {
  const found = (await findPackages(node, configs)).map(({ title, installed }) =>
    checkPackage(node, host, title, installed, stateFolder),
  );
  return Promise.all(found);
}

async function checkPackage(
  node: NodeModules,
  { env, platform }: HostEnvironment,
  name: string,
  installed: InstalledPackage,
  stateFolder: string,
): Promise<HealthCheck> {
  const version = installed.version || 'unknown';
  const vault = expandedValue(installed.vault);
  const here = { env, platform, stateFolder, folder: node.path.resolve() };
  const found = vault === undefined ? await findKnownVault(node, here) : { vault };
  if ('problem' in found)
    return failed(name, `version ${version}. ${found.problem}`, 'follow that message');
  const problem = (await isFolder(node, found.vault))
    ? (await findVaultProblem(node, found.vault))?.problem
    : `There is no folder "${found.vault}".`;
  if (problem === undefined) return passed(name, `version ${version}, for ${found.vault}`);
  return failed(
    name,
    `version ${version}. ${problem}`,
    'set its vault to the folder of your notes',
  );
}

/** Returns functions that read the files in a folder of a client or a project. */
export function filesOf(
  { fs, path }: NodeModules,
  { folder }: Pick<ClientConfig, 'folder'>,
): AppFiles {
  const text = (name: string) => fs.readFile(path.join(folder, name), 'utf8').catch(() => '');
  return {
    text,
    async fields(name, format = 'jsonc') {
      const read = readConfigData(await text(name), format);
      return 'data' in read ? (read.data as JsonObject) : {};
    },
    names: (name) => fs.readdir(path.join(folder, name)).catch((): string[] => []),
  };
}

import { isJsonObject } from '../../../model/event.js';
import { envValue } from '../../environment.js';
import { findVaultProblem } from '../../find-vault.js';
import { failed, passed, type HealthCheck } from '../../health-check.js';
import { findKnownVault } from '../../known-vault.js';
import type { NodeModules } from '../../modules.js';
import { CLIENT_FACTS, type ClientId } from '../client-facts.js';
import type { ClientConfig, HostEnvironment } from '../clients.js';
import { readConfigData, type Fields } from '../config-text.js';

type Modules = Pick<NodeModules, 'fs' | 'path'>;

/** A package of this program in a client. */
interface InstalledPackage {
  readonly client: ClientId;
  readonly version: string;
  /** The vault in the settings of the package; undefined if the user has set none. */
  readonly vault: string | undefined;
}

const NAME = 'savepoint';
const PLUGIN = new RegExp(`^${NAME}@`);

/**
 * Checks the packages of this program in the clients: which version each has, and which vault it
 * uses.
 */
export async function checkPackages(
  node: NodeModules,
  host: HostEnvironment,
  configs: readonly ClientConfig[],
  stateFolder: string,
): Promise<HealthCheck[]> {
  const checks: HealthCheck[] = [];
  for (const config of configs) {
    const installed = await findPackage(node, config);
    if (installed) checks.push(await checkPackage(node, host, installed, stateFolder));
  }
  return checks;
}

async function checkPackage(
  node: NodeModules,
  { env, platform }: HostEnvironment,
  { client, version, vault }: InstalledPackage,
  stateFolder: string,
): Promise<HealthCheck> {
  const name = CLIENT_FACTS[client].title;
  const here = { env, platform, stateFolder, folder: node.path.resolve() };
  const found = vault === undefined ? await findKnownVault(node, here) : { vault };
  if ('problem' in found)
    return failed(name, `version ${version}. ${found.problem}`, 'follow that message');
  const isFolder = (await node.fs.stat(found.vault).catch(() => undefined))?.isDirectory() === true;
  const problem = isFolder
    ? (await findVaultProblem(node, found.vault))?.problem
    : `There is no folder "${found.vault}".`;
  if (problem === undefined) return passed(name, `version ${version}, for ${found.vault}`);
  return failed(
    name,
    `version ${version}. ${problem}`,
    'set its vault to the folder of your notes',
  );
}

/** Returns the package in a client; undefined if it has none, or none that is enabled. */
async function findPackage(
  modules: Modules,
  config: ClientConfig,
): Promise<InstalledPackage | undefined> {
  switch (config.client) {
    case 'claude-code':
      return findClaudePlugin(modules, config);
    case 'codex':
      return findCodexPlugin(modules, config);
    case 'gemini':
      return findGeminiExtension(modules, config);
    default:
      return undefined;
  }
}

async function findClaudePlugin(
  modules: Modules,
  { file, markers }: ClientConfig,
): Promise<InstalledPackage | undefined> {
  const { path } = modules;
  const folder = markers.at(-1) ?? path.dirname(file);
  const settings = await readFields(modules, path.join(folder, 'settings.json'));
  const id = enabledPlugin(fieldsAt(settings, 'enabledPlugins'), (value) => value === true);
  if (id === undefined) return undefined;
  const list = await readFields(modules, path.join(folder, 'plugins', 'installed_plugins.json'));
  const installs = fieldsAt(list, 'plugins')[id];
  const version = Array.isArray(installs) ? textAt(asFields(installs[0]), 'version') : undefined;
  const options = fieldsAt(fieldsAt(fieldsAt(settings, 'pluginConfigs'), id), 'options');
  return { client: 'claude-code', version: version ?? 'unknown', vault: textAt(options, 'vault') };
}

async function findCodexPlugin(
  modules: Modules,
  { file }: ClientConfig,
): Promise<InstalledPackage | undefined> {
  const { fs, path } = modules;
  const config = await readFields(modules, file, 'toml');
  const id = enabledPlugin(
    fieldsAt(config, 'plugins'),
    (value) => asFields(value)['enabled'] !== false,
  );
  if (id === undefined) return undefined;
  const [, marketplace = ''] = id.split('@');
  const folder = path.join(path.dirname(file), 'plugins', 'cache', marketplace, NAME);
  const versions = await fs.readdir(folder).catch((): string[] => []);
  return { client: 'codex', version: versions.sort().at(-1) ?? 'unknown', vault: undefined };
}

async function findGeminiExtension(
  modules: Modules,
  { file }: ClientConfig,
): Promise<InstalledPackage | undefined> {
  const { fs, path } = modules;
  const folder = path.join(path.dirname(file), 'extensions', NAME);
  const manifest = await readFields(modules, path.join(folder, 'gemini-extension.json'));
  const version = textAt(manifest, 'version');
  if (version === undefined) return undefined;
  const settings = await fs.readFile(path.join(folder, '.env'), 'utf8').catch(() => '');
  const line = /^SAVEPOINT_VAULT=(["']?)(.*)\1$/m.exec(settings)?.[2];
  return { client: 'gemini', version, vault: envValue({ line }, 'line') };
}

function enabledPlugin(
  plugins: Fields,
  isEnabled: (value: unknown) => boolean,
): string | undefined {
  return Object.keys(plugins).find((id) => PLUGIN.test(id) && isEnabled(plugins[id]));
}

/** Returns the fields of a file; none if it is missing or damaged, which is its client's affair. */
async function readFields(
  { fs }: Modules,
  file: string,
  format: 'jsonc' | 'toml' = 'jsonc',
): Promise<Fields> {
  const read = readConfigData(await fs.readFile(file, 'utf8').catch(() => ''), format);
  return 'data' in read ? read.data : {};
}

function fieldsAt(fields: Fields, key: string): Fields {
  return asFields(fields[key]);
}

function asFields(value: unknown): Fields {
  return isJsonObject(value) ? value : {};
}

function textAt(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

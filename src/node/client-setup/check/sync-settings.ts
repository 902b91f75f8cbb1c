import { isJsonObject } from '../../../model/event.js';
import { isLeftOutBySync } from '../../../storage/index.js';
import { SETTINGS_FOLDER } from '../../find-vault.js';
import { failed, passed, type HealthCheck } from '../../../apps/health-check.js';
import type { NodeModules } from '../../modules.js';
import { parseJson } from '../../../model/text/json-fields.js';

const NAME = 'Obsidian Sync';

/** Checks Obsidian's Sync settings in the vault (an absolute path). Empty if Sync is not in use. */
export async function checkObsidianSync(node: NodeModules, vault: string): Promise<HealthCheck[]> {
  const { fs, path } = node;
  const read = (name: string) =>
    fs.readFile(path.join(vault, SETTINGS_FOLDER, name), 'utf8').then(parseJson, () => undefined);
  const corePlugins = await read('core-plugins.json');
  const sync = await read('sync.json');
  if (!isJsonObject(sync) || !isOn(corePlugins)) return [];
  const { vaultId, allowTypes } = sync;
  if (typeof vaultId !== 'string' || vaultId === '' || !Array.isArray(allowTypes)) return [];
  const plugins = await read('community-plugins.json');
  const isLeftOut = isLeftOutBySync({
    vaultId,
    allowTypes,
    path: vault,
    names: await fs.readdir(vault).catch((): string[] => []),
    plugins: Array.isArray(plugins) ? plugins.map(String) : [],
  });
  if (!isLeftOut) return [passed(NAME, 'is connected to this vault')];
  return [
    failed(
      NAME,
      'does not include the memory on this device, so it stays here.',
      'turn on "Sync all other types" in Obsidian under Settings, Sync, Selective sync',
    ),
  ];
}

/** `core-plugins.json` is a record of switches, and was a list of the enabled plugins. */
function isOn(corePlugins: unknown): boolean {
  if (Array.isArray(corePlugins)) return corePlugins.includes('sync');
  return isJsonObject(corePlugins) && corePlugins['sync'] === true;
}

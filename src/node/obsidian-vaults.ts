import { objectIn, objectsIn, parseJsonObject, textIn } from '../model/text/json-fields.js';
import { envValue } from './environment.js';
import type { NodeModules, Platform, ProcessEnv } from './modules.js';
import { realFolder } from './real-path.js';

/** The file in which Obsidian keeps the list of the vaults that it has opened. */
const LIST_FILE = 'obsidian.json';

/** Returns the real paths of the vaults that Obsidian lists on this device and that exist. */
export async function findObsidianVaults(
  node: NodeModules,
  env: ProcessEnv,
  platform: Platform,
): Promise<string[]> {
  const { fs, path } = node;
  const vaults = new Set<string>();
  for (const folder of settingsFolders(node, env, platform)) {
    const text = await fs.readFile(path.join(folder, LIST_FILE), 'utf8').catch(() => '');
    for (const listed of listedPaths(text)) {
      const real = await realFolder(node, listed);
      if (real !== undefined) vaults.add(real);
    }
  }
  return [...vaults];
}

/** Returns folders in which Obsidian may keep its settings: several, by installation, on Linux. */
function settingsFolders({ path, os }: NodeModules, env: ProcessEnv, platform: Platform): string[] {
  const home = os.homedir();
  if (platform === 'win32')
    return [
      path.join(envValue(env, 'APPDATA') ?? path.join(home, 'AppData', 'Roaming'), 'obsidian'),
    ];
  if (platform === 'darwin') return [path.join(home, 'Library', 'Application Support', 'obsidian')];
  return [
    path.join(envValue(env, 'XDG_CONFIG_HOME') ?? path.join(home, '.config'), 'obsidian'),
    path.join(home, '.var', 'app', 'md.obsidian.Obsidian', 'config', 'obsidian'),
    path.join(home, 'snap', 'obsidian', 'current', '.config', 'obsidian'),
  ];
}

function listedPaths(text: string): string[] {
  const vaults = objectsIn(Object.values(objectIn(parseJsonObject(text), 'vaults') ?? {}));
  return vaults.flatMap((vault) => textIn(vault, 'path') ?? []);
}

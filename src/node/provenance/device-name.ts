import { MAX_DEVICE_NAME_LENGTH, toVisibleLine } from '../../model/states/provenance.js';
import { cutText } from '../../model/text/truncate.js';
import { envValue } from '../environment.js';
import type { NodeModules } from '../modules.js';

const FILE_NAME = 'device-name';

/**
 * Returns the name that the owner gave this device, from the environment variable
 * `SAVEPOINT_DEVICE` or else from the settings of the app; undefined if there is none.
 * `deviceFolder` is the folder outside the vault for this device's data about it.
 */
export async function readCustomDeviceName(
  { fs, path }: Pick<NodeModules, 'fs' | 'path'>,
  deviceFolder: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const stored = await fs.readFile(path.join(deviceFolder, FILE_NAME), 'utf8').catch(() => '');
  const names = [envValue(env, 'SAVEPOINT_DEVICE') ?? '', stored].map(toVisibleLine);
  const name = names.find((each) => each !== '');
  return name && cutText(name, MAX_DEVICE_NAME_LENGTH);
}

/**
 * Stores the name from the app's settings, so that the command line can read it. Undefined removes
 * the name.
 */
export async function writeCustomDeviceName(
  { fs, path }: Pick<NodeModules, 'fs' | 'path'>,
  deviceFolder: string,
  name: string | undefined,
): Promise<void> {
  const file = path.join(deviceFolder, FILE_NAME);
  if (name === undefined) return fs.rm(file, { force: true });
  await fs.mkdir(deviceFolder, { recursive: true, mode: 0o700 });
  await fs.writeFile(file, `${name}\n`, { mode: 0o600 });
}

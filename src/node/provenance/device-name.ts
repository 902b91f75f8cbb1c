import { MAX_DEVICE_NAME_LENGTH, toVisibleLine } from '../../model/states/provenance.js';
import { cutText } from '../../model/text/truncate.js';
import { envValue } from '../environment.js';
import type { NodeModules, ProcessEnv } from '../modules.js';

const FILE_NAME = 'device-name';

/**
 * Returns the owner's name for this device from `SAVEPOINT_DEVICE`, else from the app's settings.
 * `deviceFolder` is the folder outside the vault for this device's data about it.
 */
export async function readCustomDeviceName(
  { fs, path }: NodeModules,
  deviceFolder: string,
  env: ProcessEnv,
): Promise<string | undefined> {
  const stored = await fs.readFile(path.join(deviceFolder, FILE_NAME), 'utf8').catch(() => '');
  const names = [envValue(env, 'SAVEPOINT_DEVICE') ?? '', stored].map(toVisibleLine);
  const name = names.find((each) => each !== '');
  return name && cutText(name, MAX_DEVICE_NAME_LENGTH);
}

/** Stores the name from the app's settings for the command line. Undefined removes it. */
export async function writeCustomDeviceName(
  { fs, path }: NodeModules,
  deviceFolder: string,
  name: string | undefined,
): Promise<void> {
  const file = path.join(deviceFolder, FILE_NAME);
  if (name === undefined) return fs.rm(file, { force: true });
  await fs.mkdir(deviceFolder, { recursive: true, mode: 0o700 });
  await fs.writeFile(file, `${name}\n`, { mode: 0o600 });
}

import { confirmedIn, type DeviceStore } from '../storage/index.js';
import type { NodeModules } from './modules.js';
import { createJsonFile } from './ports/json-file.js';

/**
 * Returns the port DeviceStore that app and program share. Writers of this device are only ever
 * appended, without a lock, because saves wait for that. Those of all vaults are in one file, which
 * a moved vault does not lose.
 */
export function createDeviceStoreFile(
  node: NodeModules,
  { stateFolder, deviceFolder }: { readonly stateFolder: string; readonly deviceFolder: string },
): DeviceStore {
  const { fs, path } = node;
  const ownFile = path.join(stateFolder, 'device-writers');
  const file = createJsonFile(node, path.join(deviceFolder, 'devices.json'));
  return {
    async load() {
      const own = await fs.readFile(ownFile, 'utf8').catch(() => '');
      return { own: new Set(own.split('\n')), confirmed: confirmedIn(await file.read()) };
    },
    async addOwn(writer) {
      await fs.mkdir(stateFolder, { recursive: true, mode: 0o700 });
      await fs.appendFile(ownFile, `\n${writer}`, { mode: 0o600 }); // after a torn line too
    },
    async update(change) {
      await file.update((stored) => Object.fromEntries(change(confirmedIn(stored))));
      // composed from what was confirmed before
      await fs.rm(path.join(deviceFolder, 'briefs'), { recursive: true, force: true });
    },
  };
}

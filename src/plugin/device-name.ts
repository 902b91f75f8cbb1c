import type { App } from 'obsidian';
import { writeCustomDeviceName } from '../node/provenance/device-name.js';
import { vaultDeviceFolder } from '../node/serve/vault-server.js';
import { createWindowRandom } from '../obsidian/host/browser-ports.js';
import { chooseDeviceName, readDevice } from '../obsidian/host/device.js';
import type { SettingsHost } from '../obsidian/settings/host.js';
import { openDisk } from './disk.js';

/** Returns the setting for this device's name. On desktop, the command line uses the same name. */
export function createDeviceNameSetting(app: App): SettingsHost['customDeviceName'] {
  const random = createWindowRandom();
  return {
    get: () => readDevice(app, random).customName ?? '',
    async set(name) {
      chooseDeviceName(app, random, name);
      const disk = await openDisk(app);
      if (!disk) return;
      const { node, vault } = disk;
      const { env, platform } = node.process;
      const folder = await vaultDeviceFolder(node, { vault, env, platform });
      await writeCustomDeviceName(node, folder, name);
    },
  };
}

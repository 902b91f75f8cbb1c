import { Platform, type App } from 'obsidian';
import { createEntityId, type Random } from '../../platform/random.js';

const KEY = 'savepoint-device';

/** What tells this device from the person's others, for this vault: made once, kept on the device, never in the vault. */
export interface Device {
  /** Names what is kept here for this vault: a vault that was copied begins anew. */
  readonly id: string;
  /** What it is called in the log. */
  readonly name: string;
}

export function readDevice(app: App, random: Random): Device {
  const held: unknown = app.loadLocalStorage(KEY);
  if (isDevice(held)) return held;
  const id = createEntityId(random);
  const device: Device = { id, name: `${platformName()}-${id.slice(0, 4)}` };
  app.saveLocalStorage(KEY, device);
  return device;
}

function platformName(): string {
  if (Platform.isIosApp) return 'ios';
  if (Platform.isAndroidApp) return 'android';
  if (Platform.isMacOS) return 'mac';
  return Platform.isWin ? 'windows' : Platform.isLinux ? 'linux' : 'app';
}

function isDevice(value: unknown): value is Device {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('name' in value))
    return false;
  return (
    typeof value.id === 'string' &&
    /^[a-z0-9]{16}$/.test(value.id) &&
    typeof value.name === 'string'
  );
}

import { Platform, type App } from 'obsidian';
import { createEntityId, type Random } from '../../platform/random.js';

const DEVICE_KEY = 'savepoint-device';

/** Identifies this device for this vault. Created once, and stored outside the vault. */
export interface Device {
  /** Identifies this device's data about the vault. A copied vault gets another id. */
  readonly id: string;
  /** The name of the device in the log. */
  readonly name: string;
  /** The name that its owner gave the device. */
  readonly customName?: string;
}

export function readDevice(app: App, random: Random): Device {
  const stored: unknown = app.loadLocalStorage(DEVICE_KEY);
  if (isDevice(stored)) return stored;
  const id = createEntityId(random);
  const device: Device = { id, name: `${platformName()}-${id.slice(0, 4)}` };
  app.saveLocalStorage(DEVICE_KEY, device);
  return device;
}

/** Stores the name that the owner gave this device; undefined removes it. */
export function chooseDeviceName(app: App, random: Random, customName: string | undefined): void {
  const { id, name } = readDevice(app, random);
  const device: Device = { id, name, ...(customName !== undefined && { customName }) };
  app.saveLocalStorage(DEVICE_KEY, device);
}

/** Returns the word for this system with which the names of its devices begin. */
export function platformName(): string {
  if (Platform.isIosApp) return 'ios';
  if (Platform.isAndroidApp) return 'android';
  if (Platform.isMacOS) return 'mac';
  if (Platform.isWin) return 'windows';
  return Platform.isLinux ? 'linux' : 'app';
}

function isDevice(value: unknown): value is Device {
  if (typeof value !== 'object' || value === null || !('id' in value) || !('name' in value))
    return false;
  return (
    typeof value.id === 'string' &&
    /^[a-z0-9]{16}$/.test(value.id) &&
    typeof value.name === 'string' &&
    (!('customName' in value) || typeof value.customName === 'string')
  );
}

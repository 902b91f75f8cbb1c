import type { App } from 'obsidian';
import * as z from 'zod';
import type { CaptureSettings } from '../../capture/consent.js';
import { createStore } from '../store.js';
import type { DeviceCapture } from './device-capture.js';

const CAPTURE_KEY = 'savepoint-capture';
/** Stands for the vault's folder on a device that shows no paths. */
const VAULT = '/vault';

const settingsShape = z
  .object({
    excludedFolders: z.array(z.string()).catch([]).default([]),
    pausedUntil: z.iso.datetime().optional().catch(undefined),
  })
  .catch({ excludedFolders: [] });

/**
 * Stores what the user allows this device to capture with the app's own data of the device. No AI
 * apps are captured here.
 */
export function createLocalCapture(
  app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>,
): DeviceCapture {
  const stored = settingsShape.parse(app.loadLocalStorage(CAPTURE_KEY) ?? {});
  const { pausedUntil, excludedFolders } = stored;
  const settings = createStore<CaptureSettings>({
    links: [],
    excludedFolders,
    ...(pausedUntil !== undefined && { pausedUntil }),
  });
  return {
    vault: VAULT,
    settings,
    read: () => Promise.resolve(settings.get()),
    update(change) {
      const { links: _, ...changed } = change(settings.get());
      app.saveLocalStorage(CAPTURE_KEY, changed);
      settings.set({ links: [], ...changed });
      return Promise.resolve();
    },
  };
}

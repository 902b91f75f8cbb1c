import type { App } from 'obsidian';
import * as z from 'zod';
import { withGaps, type CaptureSettings } from '../../capture/consent.js';
import { createStore } from '../store.js';
import type { DeviceCapture } from './device-capture.js';

const CAPTURE_KEY = 'savepoint-capture';
/** Stands for the vault's folder on a device that shows no paths. */
const VAULT = '/vault';

const settingsShape = z
  .object({
    excludedFolders: z.array(z.string()).catch([]).default([]),
    pausedUntil: z.iso.datetime().optional().catch(undefined),
    gaps: z
      .array(
        z.object({
          kind: z.enum(['pause', 'folder', 'project']),
          of: z.string(),
          from: z.number(),
          to: z.number().optional(),
        }),
      )
      .catch([])
      .default([]),
  })
  .catch({ excludedFolders: [], gaps: [] });

/** Stores on the device what the user allows it to capture. No AI apps are captured here. */
export function createLocalCapture(
  app: Pick<App, 'loadLocalStorage' | 'saveLocalStorage'>,
): DeviceCapture {
  const stored = settingsShape.parse(app.loadLocalStorage(CAPTURE_KEY) ?? {});
  const { pausedUntil, excludedFolders, gaps } = stored;
  const settings = createStore<CaptureSettings>({
    links: [],
    excludedFolders,
    gaps: gaps.map(({ to, ...gap }) => ({ ...gap, ...(to !== undefined && { to }) })),
    ...(pausedUntil !== undefined && { pausedUntil }),
  });
  return {
    vault: VAULT,
    settings,
    read: () => Promise.resolve(settings.get()),
    update(change) {
      const before = settings.get();
      const { links: _, ...changed } = withGaps(before, change(before), Date.now());
      app.saveLocalStorage(CAPTURE_KEY, changed);
      settings.set({ links: [], ...changed });
      return Promise.resolve();
    },
  };
}

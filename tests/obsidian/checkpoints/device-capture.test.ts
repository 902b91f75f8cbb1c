import { expect, it } from 'vitest';
import { PAUSE_MS } from '../../../src/capture/consent.js';
import {
  captureObstacle,
  setPaused,
  setVaultExcluded,
} from '../../../src/obsidian/checkpoints/device-capture.js';
import { createLocalCapture } from '../../../src/obsidian/checkpoints/local-capture.js';

/** Returns the app's storage of a device, as it is kept between two starts. */
function createStorage(): Parameters<typeof createLocalCapture>[0] {
  const held = new Map<string, unknown>();
  return {
    loadLocalStorage: (key: string) => held.get(key) ?? null,
    saveLocalStorage: (key: string, value: unknown) => void held.set(key, value),
  };
}

const PLACE = { rootFolder: '/', isPrivate: false, excludedFolders: [], now: 1000 };

it('a pause lasts an hour, and survives a restart', async () => {
  const storage = createStorage();
  await setPaused(createLocalCapture(storage), true, PLACE.now);
  const capture = createLocalCapture(storage);
  expect(captureObstacle(capture, PLACE)).toBe('paused');
  expect(captureObstacle(capture, { ...PLACE, now: PLACE.now + PAUSE_MS })).toBeUndefined();
  await setPaused(capture, false, PLACE.now);
  expect(captureObstacle(createLocalCapture(storage), PLACE)).toBeUndefined();
});

it('a vault can be excluded and included', async () => {
  const storage = createStorage();
  await setVaultExcluded(createLocalCapture(storage), true);
  const capture = createLocalCapture(storage);
  expect(captureObstacle(capture, { ...PLACE, rootFolder: 'Thesis' })).toBe('excluded');
  await setVaultExcluded(capture, false);
  expect(captureObstacle(capture, PLACE)).toBeUndefined();
});

it('an excluded folder excludes the workspaces inside it', () => {
  const capture = createLocalCapture(createStorage());
  const obstacle = (rootFolder: string) =>
    captureObstacle(capture, { ...PLACE, rootFolder, excludedFolders: ['Private'] });
  expect(['private/Diary', 'Private', 'Privateer', '/'].map(obstacle)).toEqual([
    'excluded',
    'excluded',
    undefined,
    undefined,
  ]);
});

it('a private conversation is not captured', () => {
  const capture = createLocalCapture(createStorage());
  expect(captureObstacle(capture, { ...PLACE, isPrivate: true })).toBe('private');
});

it('damaged settings of a device count as empty', () => {
  const storage = createStorage();
  storage.saveLocalStorage('savepoint-capture', { excludedFolders: 7, pausedUntil: 'soon' });
  expect(createLocalCapture(storage).settings.get()).toEqual({
    links: [],
    excludedFolders: [],
    gaps: [],
  });
});

import { expect, it } from 'vitest';
import { createCaptureSettingsFile } from '../../../src/node/capture/capture-settings-file.js';
import { checkCapture } from '../../../src/node/capture/check-capture.js';
import { logHookFailure } from '../../../src/node/capture/failure-log.js';
import { createFolder, node } from '../folders.js';

const NOW = Date.parse('2026-11-24T10:00:00Z');

it('says nothing if nothing is paused and no hook has failed', async () => {
  expect(await checkCapture(node, createFolder(), NOW)).toEqual([]);
});

it('reports a pause and the last failure', async () => {
  const state = createFolder();
  const pausedUntil = '2026-11-24T11:00:00.000Z';
  const settings = { links: [], excludedFolders: [], pausedUntil };
  await createCaptureSettingsFile(node, state).update(() => settings);
  await logHookFailure(node, state, '2026-11-22T09:00:00.000Z', 'turn: old');
  const paused = { name: 'capture', isOk: true, text: `paused until ${pausedUntil}`, fix: '' };
  expect(await checkCapture(node, state, NOW)).toEqual([paused]);
  await logHookFailure(node, state, '2026-11-24T09:00:00.000Z', 'turn: no vault');
  expect(await checkCapture(node, state, NOW)).toEqual([
    paused,
    {
      name: 'hooks',
      isOk: false,
      text: 'failed at 2026-11-24T09:00:00.000Z turn: no vault',
      fix: 'follow that message',
    },
  ]);
});

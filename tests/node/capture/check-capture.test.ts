import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CaptureSettingsFile } from '../../../src/node/capture/capture-settings-file.js';
import { checkCapture } from '../../../src/node/capture/check-capture.js';
import { logHookFailure } from '../../../src/node/capture/failure-log.js';
import { createFolder, node } from '../folders.js';

const NOW = Date.parse('2026-11-24T10:00:00Z');

it('says nothing if no project is linked and no hook has failed', async () => {
  expect(await checkCapture(node, createFolder(), NOW)).toEqual([]);
});

it('reports links to folders that are no vault, a pause, and the last failure', async () => {
  const [state, vault] = [createFolder(), createFolder()];
  mkdirSync(join(vault, '.obsidian'));
  const link = {
    project: 'key',
    folder: '/app',
    vault,
    workspaceId: 'ws',
    workspaceName: 'App',
    isCaptured: true,
  };
  const pausedUntil = '2026-11-24T11:00:00.000Z';
  await new CaptureSettingsFile(node, state).update(() => ({
    links: [link, { ...link, project: 'other', vault: '/none', isCaptured: false }],
    excludedFolders: [],
    pausedUntil,
  }));
  await logHookFailure(node, state, '2026-11-22T09:00:00.000Z', 'turn: old');
  const checks = [
    {
      name: 'link',
      isOk: true,
      text: '/app is linked to "App"; capture is on',
      fix: '',
    },
    {
      name: 'link',
      isOk: false,
      text: '/app is linked to "App"; capture is off. There is no folder "/none".',
      fix: 'run "savepoint link" or "savepoint unlink" in it',
    },
    { name: 'capture', isOk: true, text: `paused until ${pausedUntil}`, fix: '' },
  ];
  expect(await checkCapture(node, state, NOW)).toEqual(checks);
  await logHookFailure(node, state, '2026-11-24T09:00:00.000Z', 'turn: no vault');
  expect(await checkCapture(node, state, NOW)).toEqual([
    ...checks,
    {
      name: 'hooks',
      isOk: false,
      text: 'failed at 2026-11-24T09:00:00.000Z turn: no vault',
      fix: 'follow that message',
    },
  ]);
});

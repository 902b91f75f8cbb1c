import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCaptureSettingsFile } from '../../../src/node/capture/capture-settings-file.js';
import { temporaryFolder } from '../../fakes/program.js';
import { node } from '../folders.js';

const EMPTY = { links: [], excludedFolders: [] };

it('loses no change of programs that write at the same time', async () => {
  const folder = temporaryFolder('state');
  const names = Array.from({ length: 10 }, (_, index) => `/folder ${index}`);
  await Promise.all(
    names.map((name) =>
      createCaptureSettingsFile(node, folder).update((settings) => ({
        ...settings,
        excludedFolders: [...settings.excludedFolders, name],
      })),
    ),
  );
  const { excludedFolders } = await createCaptureSettingsFile(node, folder).read();
  expect([...excludedFolders].sort()).toEqual(names);
  expect(readdirSync(join(folder, 'capture'))).toEqual(['settings.json']);
});

it('links nothing and changes nothing if any of the file is damaged', async () => {
  const folder = temporaryFolder('state');
  const file = createCaptureSettingsFile(node, folder);
  expect(await file.read()).toEqual(EMPTY);
  expect(await file.problem()).toBeUndefined();
  mkdirSync(join(folder, 'capture'));
  const path = join(folder, 'capture', 'settings.json');
  for (const text of [
    '',
    '{"links',
    '[]',
    '{"links":[{"project":"x"}],"excludedFolders":[]}',
    '{"links":[],"excludedFolders":[5]}',
    '{"links":[],"excludedFolders":[],"pausedUntil":"soon"}',
    '{"links":[],"excludedFolders":[],"gaps":[{"kind":"pause"}]}',
  ]) {
    writeFileSync(path, text);
    expect(await file.read()).toEqual({ ...EMPTY, isDamaged: true });
    await expect(file.update((settings) => settings)).rejects.toThrow('are damaged, so nothing is');
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(await file.problem()).toContain(path);
  }
});

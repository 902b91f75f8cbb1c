import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  readCustomDeviceName,
  writeCustomDeviceName,
} from '../../../src/node/provenance/device-name.js';
import { createFolder, node } from '../folders.js';

it('the device has the stored name until that is removed', async () => {
  const folder = join(createFolder(), 'vault');
  expect(await readCustomDeviceName(node, folder, {})).toBeUndefined();
  await writeCustomDeviceName(node, folder, 'Ana’s laptop');
  expect(await readCustomDeviceName(node, folder, {})).toBe('Ana’s laptop');
  expect(readFileSync(join(folder, 'device-name'), 'utf8')).toBe('Ana’s laptop\n');
  expect(statSync(join(folder, 'device-name')).mode & 0o777).toBe(0o600);
  await writeCustomDeviceName(node, folder, undefined);
  await writeCustomDeviceName(node, folder, undefined);
  expect(await readCustomDeviceName(node, folder, {})).toBeUndefined();
});

it('the environment variable replaces the stored name unless it is empty', async () => {
  const folder = createFolder();
  await writeCustomDeviceName(node, folder, 'Laptop');
  expect(await readCustomDeviceName(node, folder, { SAVEPOINT_DEVICE: 'Server' })).toBe('Server');
  expect(await readCustomDeviceName(node, folder, { SAVEPOINT_DEVICE: ' ' })).toBe('Laptop');
});

it('a name is shown without invisible characters and in at most 40 characters', async () => {
  const folder = createFolder();
  writeFileSync(join(folder, 'device-name'), `\u202E${'😀'.repeat(50)}\n\n`);
  expect(await readCustomDeviceName(node, folder, {})).toBe('😀'.repeat(40));
});

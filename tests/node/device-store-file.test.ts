import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDeviceStoreFile } from '../../src/node/device-store-file.js';
import { deviceStoreContract } from '../contracts/device-store.js';
import { WRITER_A, WRITER_B } from '../fakes/events.js';
import { temporaryFolder } from '../fakes/program.js';
import { node } from './folders.js';

function createPlaces() {
  const stateFolder = join(temporaryFolder('state'), 'new');
  return { stateFolder, deviceFolder: join(stateFolder, '0123456789abcdef') };
}

describe('the devices in the state folder', () => {
  deviceStoreContract(() => {
    const places = createPlaces();
    const again = () => createDeviceStoreFile(node, places);
    return { store: again(), again };
  });

  it.skipIf(process.platform === 'win32')('are readable for this user only', async () => {
    const { stateFolder, deviceFolder } = createPlaces();
    const store = createDeviceStoreFile(node, { stateFolder, deviceFolder });
    await store.addOwn(WRITER_A);
    await store.update(() => new Map([[WRITER_B, { device: 'laptop', at: '' }]]));
    const paths = [join(stateFolder, 'device-writers'), join(deviceFolder, 'devices.json')];
    expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o600]);
  });

  it('trust nobody if the list is damaged, and know own writers after a torn one', async () => {
    const places = createPlaces();
    mkdirSync(places.deviceFolder, { recursive: true });
    writeFileSync(join(places.deviceFolder, 'devices.json'), '{"bbbbbbbbbbbb":{"device":"lap');
    const store = createDeviceStoreFile(node, places);
    await store.addOwn(WRITER_A);
    appendFileSync(join(places.stateFolder, 'device-writers'), '\nbbbbb');
    await store.addOwn(WRITER_B);
    const { own, confirmed } = await store.load();
    expect([own.has(WRITER_A), own.has(WRITER_B)]).toEqual([true, true]);
    expect(confirmed.size).toBe(0);
  });
});

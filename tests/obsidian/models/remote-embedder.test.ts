import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createRemoteEmbedderConfig,
  type RemoteEmbedderConfig,
} from '../../../src/obsidian/models/remote-embedder.js';
import type { Savepoint } from '../../../src/obsidian/savepoint.js';
import { createStore } from '../../../src/obsidian/store.js';
import { startEmbeddingServer, type TestEmbeddingServer } from '../../fakes/embedding-server.js';
import { createTestVault } from '../../fakes/test-vault.js';

let server: TestEmbeddingServer;
beforeEach(async () => {
  server = await startEmbeddingServer();
});
afterEach(() => server.close());

/** The app's device storage and secrets. */
function deviceWith(stored: Record<string, unknown> = {}) {
  const secrets: Record<string, string> = {};
  const app = {
    loadLocalStorage: (key: string): unknown => stored[key] ?? null,
    saveLocalStorage(key: string, value: unknown) {
      stored[key] = value;
    },
    secretStorage: {
      getSecret: (id: string) => secrets[id] ?? null,
      setSecret(id: string, value: string) {
        secrets[id] = value;
      },
    },
  };
  return { app, stored, secrets };
}

async function opened(
  device: ReturnType<typeof deviceWith>,
): Promise<{ model: RemoteEmbedderConfig; stop: () => void; reports: unknown[] }> {
  const vault = createTestVault();
  vault.files.put('Car.md', 'The automobile needs new tyres.');
  await vault.data('searchContent', { query: 'tyres', mode: 'keyword', rootFolder: '/' });
  const reports: unknown[] = [];
  const savepoint = createStore({ services: vault.toolkit.host.services } as unknown as
    Savepoint | undefined);
  const app = device.app as unknown as Parameters<typeof createRemoteEmbedderConfig>[0]['app'];
  const model = createRemoteEmbedderConfig({
    app,
    savepoint,
    clock: vault.clock,
    report: (error) => reports.push(error),
    fetchLike: () => Promise.resolve(fetch),
  });
  return { model, stop: model.start(), reports };
}

const phaseOf = (model: RemoteEmbedderConfig) => model.embeddings.get()?.status().phase;

describe('the remote embedder settings', () => {
  it('send nothing by default', async () => {
    const { model, stop, reports } = await opened(deviceWith());
    expect(model.settings.get()).toMatchObject({ isOn: false, model: '' });
    await expect(model.test()).rejects.toThrow('Enter an address and a model first.');
    expect(model.embeddings.get()).toBeUndefined();
    expect([server.requests, reports]).toEqual([[], []]);
    stop();
  });

  it('are stored on the device, with the key in its secrets', async () => {
    const device = deviceWith();
    const { model, stop } = await opened(device);
    const { protocol, address, model: name, key } = server.openai;
    model.setKey(key);
    model.change({ protocol, address, model: name });
    expect(await model.test()).toBe(8);
    await expect.poll(() => phaseOf(model)).toBe('stopped');
    model.change({ isOn: true });
    await expect.poll(() => phaseOf(model)).toBe('ready');
    expect(model.embeddings.get()?.status().sent.notes).toBe(1);
    model.change({ isOn: false });
    expect(phaseOf(model)).toBe('stopped');
    expect(Object.values(device.stored)).toEqual([{ protocol, address, model: name, isOn: false }]);
    expect([Object.values(device.secrets), JSON.stringify(device.stored)]).toEqual([
      [key],
      expect.not.stringContaining(key),
    ]);
    stop();
  });

  it('stay on after a restart', async () => {
    const { protocol, address, model: name } = server.ollama;
    const { model, stop } = await opened(
      deviceWith({ 'savepoint-own-model': { protocol, address, model: name, isOn: true } }),
    );
    await expect.poll(() => phaseOf(model)).toBe('ready');
    stop();
  });

  it.each([
    null,
    'x',
    {},
    { protocol: 'smtp', address: '', model: '' },
    { protocol: 'ollama', address: 1, model: 'm' },
  ])('are the defaults if %j is stored', async (settings) => {
    const { model, stop } = await opened(deviceWith({ 'savepoint-own-model': settings }));
    expect(model.settings.get()).toMatchObject({ isOn: false, model: '', protocol: 'ollama' });
    stop();
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  RemoteEmbeddings,
  RemoteEmbeddingsStatus,
} from '../../../src/indexing/notes/remote-embeddings.js';
import { createRemoteEmbedder } from '../../../src/indexing/notes/embedding-server.js';
import { startEmbeddingServer, type TestEmbeddingServer } from '../../fakes/embedding-server.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createTestVault, type TestVault, type TestVaultOptions } from '../../fakes/test-vault.js';

const NOTES = {
  'Car.md': 'The automobile needs new tyres.',
  'Garden/Flowers.md': 'Every rose by the wall.',
  'Garden/Shed.md': 'The roof of the shed leaks.',
};

let server: TestEmbeddingServer;
let embeddings: RemoteEmbeddings | undefined;
beforeEach(async () => {
  server = await startEmbeddingServer();
});
afterEach(async () => {
  await embeddings?.close();
  await server.close();
});

function vaultWith(notes: Record<string, string>, options: TestVaultOptions = {}): TestVault {
  const vault = createTestVault(options);
  for (const [path, text] of Object.entries(notes)) vault.files.put(path, text);
  return vault;
}

/** Indexes the notes, and sets the embedder without starting it. */
async function connected(vault: TestVault): Promise<RemoteEmbeddings> {
  await paths(vault, 'anything', 'keyword');
  embeddings = await vault.toolkit.host.services.search.useEmbedder(
    createRemoteEmbedder(server.ollama, (input, init) => fetch(input, init)),
  );
  if (!embeddings) throw new Error('There is no embedder');
  return embeddings;
}

async function ended(remote: RemoteEmbeddings): Promise<RemoteEmbeddingsStatus> {
  for (let round = 0; round < 500 && remote.status().phase === 'working'; round++)
    await new Promise((resolve) => void setTimeout(resolve, 5));
  return remote.status();
}

const paths = async (vault: TestVault, query: string, mode = 'semantic') =>
  ((await vault.data('searchContent', { query, mode, rootFolder: '/' })) as { path: string }[]).map(
    ({ path }) => path,
  );

const sentTexts = () => server.requests.flat().filter((text) => text !== 'length');

describe('RemoteEmbeddings', () => {
  it('estimates what it would send, and sends nothing before it starts', async () => {
    const remote = await connected(vaultWith(NOTES));
    expect(await remote.estimate()).toEqual({
      notes: 3,
      texts: 3,
      tokens: expect.any(Number) as number,
    });
    expect(remote.status()).toMatchObject({ phase: 'stopped', done: 0, total: 3 });
    expect(server.requests).toEqual([]);
  });

  it('finds notes by vectors of the server, in any language', async () => {
    const vault = vaultWith(NOTES);
    const remote = await connected(vault);
    remote.start();
    expect(await ended(remote)).toMatchObject({
      phase: 'ready',
      done: 3,
      total: 3,
      sent: { notes: 3, texts: 3 },
    });
    expect((await paths(vault, 'Mein Fahrzeug'))[0]).toBe('Car.md');
    expect((await paths(vault, 'Haus', 'hybrid'))[0]).toBe('Garden/Shed.md');
    expect(await remote.estimate()).toEqual({ notes: 0, texts: 0, tokens: 0 });
  });

  it('never sends excluded notes', async () => {
    const remote = await connected(vaultWith(NOTES, { excluded: ['Garden'] }));
    remote.start();
    await ended(remote);
    expect(sentTexts()).toEqual([expect.stringContaining('automobile')]);
  });

  it('sends only changed notes', async () => {
    const vault = vaultWith(NOTES);
    const remote = await connected(vault);
    remote.start();
    await ended(remote);
    server.requests.length = 0;
    vault.clock.advance(5000);
    vault.files.put('Garden/Shed.md', 'A tomato in the shed.');
    await vault.files.remove('Car.md');
    await paths(vault, 'shed', 'keyword');
    vault.clock.advance(20_000);
    expect(await ended(remote)).toMatchObject({ phase: 'ready', done: 2, total: 2 });
    expect(sentTexts()).toEqual([expect.stringContaining('A tomato in the shed.')]);
    expect(await paths(vault, 'car')).not.toContain('Car.md');
  });

  it('continues after a restart', async () => {
    const blobs = createMemoryBlobs();
    const vault = vaultWith(NOTES, { blobs });
    const remote = await connected(vault);
    remote.start();
    await ended(remote);
    await vault.toolkit.host.services.search.close();
    server.requests.length = 0;
    const again = createTestVault({ blobs, files: vault.files, seed: 2 });
    again.files.put('New.md', 'Another rose.');
    const next = await connected(again);
    next.start();
    expect(await ended(next)).toMatchObject({ phase: 'ready', done: 4 });
    expect(sentTexts()).toEqual([expect.stringContaining('Another rose.')]);
  });

  it('can be stopped while the server does not respond, and restarted', async () => {
    const remote = await connected(vaultWith(NOTES));
    server.answerWith = 'silence';
    remote.start();
    expect(remote.status().phase).toBe('working');
    remote.stop();
    remote.start();
    server.answerWith = undefined;
    expect(await ended(remote)).toMatchObject({ phase: 'ready', done: 3 });
  });

  it('retries after a failure, using the built-in table in the meantime', async () => {
    const vault = vaultWith(NOTES);
    const remote = await connected(vault);
    server.answerWith = { status: 503, body: 'loading model' };
    remote.start();
    expect(await ended(remote)).toMatchObject({
      phase: 'failed',
      error: expect.stringContaining('loading model') as string,
    });
    expect((await paths(vault, 'vehicle expenses'))[0]).toBe('Car.md');
    server.answerWith = undefined;
    vault.clock.advance(30_000);
    expect(await ended(remote)).toMatchObject({ phase: 'ready', done: 3, error: undefined });
  });

  it('falls back to the built-in table if the server fails', async () => {
    const vault = vaultWith(NOTES);
    const remote = await connected(vault);
    remote.start();
    await ended(remote);
    server.answerWith = { status: 500, body: '' };
    expect((await paths(vault, 'vehicle expenses'))[0]).toBe('Car.md');
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OwnMeaning, OwnStatus } from '../../../src/indexing/notes/remote-embeddings.js';
import { createRemoteEmbedder } from '../../../src/search/vectors/embedding-server.js';
import { startEmbeddingServer, type TestEmbeddingServer } from '../../fakes/embedding-server.js';
import { createMemoryBlobs } from '../../fakes/memory-blobs.js';
import { createTestVault, type TestVault, type TestVaultOptions } from '../../fakes/test-vault.js';

const NOTES = {
  'Car.md': 'The automobile needs new tyres.',
  'Garden/Flowers.md': 'Every rose by the wall.',
  'Garden/Shed.md': 'The roof of the shed leaks.',
};

let server: TestEmbeddingServer;
let own: OwnMeaning | undefined;
beforeEach(async () => {
  server = await startEmbeddingServer();
});
afterEach(async () => {
  await own?.close();
  await server.close();
});

function vaultWith(notes: Record<string, string>, options: TestVaultOptions = {}): TestVault {
  const vault = createTestVault(options);
  for (const [path, text] of Object.entries(notes)) vault.files.put(path, text);
  return vault;
}

/** The notes are read, and the model is known, but not begun. */
async function connected(vault: TestVault): Promise<OwnMeaning> {
  await paths(vault, 'anything', 'keyword');
  own = await vault.toolset.host.services.search.useModel(
    createRemoteEmbedder(server.ollama, (input, init) => fetch(input, init)),
  );
  if (!own) throw new Error('There is no model');
  return own;
}

async function ended(meaning: OwnMeaning): Promise<OwnStatus> {
  for (let round = 0; round < 500 && meaning.status().phase === 'working'; round++)
    await new Promise((resolve) => void setTimeout(resolve, 5));
  return meaning.status();
}

const paths = async (vault: TestVault, query: string, mode = 'semantic') =>
  ((await vault.data('searchContent', { query, mode, rootFolder: '/' })) as { path: string }[]).map(
    ({ path }) => path,
  );

const sentTexts = () => server.requests.flat().filter((text) => text !== 'length');

describe("a model of the person's own", () => {
  it('sends nothing before it is begun, and tells what would be sent', async () => {
    const meaning = await connected(vaultWith(NOTES));
    expect(await meaning.ahead()).toEqual({
      notes: 3,
      texts: 3,
      tokens: expect.any(Number) as number,
    });
    expect(meaning.status()).toMatchObject({ phase: 'stopped', done: 0, total: 3 });
    expect(server.requests).toEqual([]);
  });

  it('finds notes by what it says that they mean, in any language', async () => {
    const vault = vaultWith(NOTES);
    const meaning = await connected(vault);
    meaning.begin();
    expect(await ended(meaning)).toMatchObject({
      phase: 'ready',
      done: 3,
      total: 3,
      sent: { notes: 3, texts: 3 },
    });
    expect((await paths(vault, 'Mein Fahrzeug'))[0]).toBe('Car.md');
    expect((await paths(vault, 'Haus', 'hybrid'))[0]).toBe('Garden/Shed.md');
    expect(await meaning.ahead()).toEqual({ notes: 0, texts: 0, tokens: 0 });
  });

  it('leaves excluded notes alone', async () => {
    const meaning = await connected(vaultWith(NOTES, { excluded: ['Garden'] }));
    meaning.begin();
    await ended(meaning);
    expect(sentTexts()).toEqual([expect.stringContaining('automobile')]);
  });

  it('sends what has changed, and that alone', async () => {
    const vault = vaultWith(NOTES);
    const meaning = await connected(vault);
    meaning.begin();
    await ended(meaning);
    server.requests.length = 0;
    vault.clock.advance(5000);
    vault.files.put('Garden/Shed.md', 'A tomato in the shed.');
    await vault.files.remove('Car.md');
    await paths(vault, 'shed', 'keyword');
    vault.clock.advance(20_000);
    expect(await ended(meaning)).toMatchObject({ phase: 'ready', done: 2, total: 2 });
    expect(sentTexts()).toEqual([expect.stringContaining('A tomato in the shed.')]);
    expect(await paths(vault, 'car')).not.toContain('Car.md');
  });

  it('goes on after a start where it was left off', async () => {
    const blobs = createMemoryBlobs();
    const vault = vaultWith(NOTES, { blobs });
    const meaning = await connected(vault);
    meaning.begin();
    await ended(meaning);
    await vault.toolset.host.services.search.close();
    server.requests.length = 0;
    const again = createTestVault({ blobs, files: vault.files, seed: 2 });
    again.files.put('New.md', 'Another rose.');
    const next = await connected(again);
    next.begin();
    expect(await ended(next)).toMatchObject({ phase: 'ready', done: 4 });
    expect(sentTexts()).toEqual([expect.stringContaining('Another rose.')]);
  });

  it('can be stopped while the server is silent, and begun again', async () => {
    const meaning = await connected(vaultWith(NOTES));
    server.answerWith = 'silence';
    meaning.begin();
    expect(meaning.status().phase).toBe('working');
    meaning.stop();
    meaning.begin();
    server.answerWith = undefined;
    expect(await ended(meaning)).toMatchObject({ phase: 'ready', done: 3 });
  });

  it('says why it failed, tries again by itself, and leaves the search to the table meanwhile', async () => {
    const vault = vaultWith(NOTES);
    const meaning = await connected(vault);
    server.answerWith = { status: 503, body: 'loading model' };
    meaning.begin();
    expect(await ended(meaning)).toMatchObject({
      phase: 'failed',
      error: expect.stringContaining('loading model') as string,
    });
    expect((await paths(vault, 'vehicle expenses'))[0]).toBe('Car.md');
    server.answerWith = undefined;
    vault.clock.advance(30_000);
    expect(await ended(meaning)).toMatchObject({ phase: 'ready', done: 3, error: undefined });
  });

  it('answers by the table where the server has gone since', async () => {
    const vault = vaultWith(NOTES);
    const meaning = await connected(vault);
    meaning.begin();
    await ended(meaning);
    server.answerWith = { status: 500, body: '' };
    expect((await paths(vault, 'vehicle expenses'))[0]).toBe('Car.md');
  });
});

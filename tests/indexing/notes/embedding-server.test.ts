import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRemoteEmbedder } from '../../../src/indexing/notes/embedding-server.js';
import { startEmbeddingServer, type TestEmbeddingServer } from '../../fakes/embedding-server.js';

let server: TestEmbeddingServer;
beforeAll(async () => {
  server = await startEmbeddingServer();
});
afterAll(() => server.close());
beforeEach(() => (server.answerWith = undefined));

const never = new AbortController().signal;
const send: typeof fetch = (input, init) => fetch(input, init);

describe.each(['ollama', 'openai'] as const)('an embedder for %s', (protocol) => {
  const embed = (texts: readonly string[], changed = {}, signal = never) =>
    createRemoteEmbedder({ ...server[protocol], ...changed }, send).embed(texts, signal);

  it('returns unit vectors in order, and the number of tokens', async () => {
    const { vectors, tokens } = await embed(['a car', 'a rose and a house', 'nothing']);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [126, 0, 0, 13, 0, 0, 0, 0],
      [0, 90, 90, 9, 0, 0, 0, 0],
      [0, 0, 0, 127, 0, 0, 0, 0],
    ]);
    expect(tokens).toBe(8);
  });

  it('has an id that depends on the model and the address', () => {
    const ids = [{}, { model: 'other' }, { address: 'http://other' }].map(
      (changed) => createRemoteEmbedder({ ...server[protocol], ...changed }, send).id,
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('explains that a model is unknown', async () => {
    await expect(embed(['x'], { model: 'mistyped' })).rejects.toThrow(
      'does not have the model "mistyped"',
    );
  });

  it('explains that the server cannot be reached', async () => {
    await expect(embed(['x'], { address: 'http://127.0.0.1:9' })).rejects.toThrow(
      'Cannot reach the embeddings server at http://127.0.0.1:9',
    );
  });

  it.each([
    ['', 200],
    ['<html></html>', 200],
    ['{}', 200],
    ['{"embeddings":[[1,"2"]],"data":[{"embedding":[null]}]}', 200],
    ['{"embeddings":[[1],[2]],"data":[{"embedding":[1]},{"embedding":[2]}]}', 200],
    ['{"embeddings":[[]],"data":[{"embedding":[]}]}', 200],
  ])('rejects the response %j', async (body, status) => {
    server.answerWith = { status, body };
    await expect(embed(['x'])).rejects.toThrow('did not return embeddings');
  });

  it.each([
    [429, 'is rate-limiting requests. It returned: "slow down"'],
    [500, 'returned an error (500). It returned: "slow down"'],
  ])('explains the status %i', async (status, words) => {
    server.answerWith = { status, body: 'slow\ndown' };
    await expect(embed(['x'])).rejects.toThrow(words);
  });

  it('stops when the signal aborts', async () => {
    server.answerWith = 'silence';
    const controller = new AbortController();
    const asked = embed(['x'], {}, controller.signal);
    controller.abort();
    await expect(asked).rejects.toThrow('abort');
  });
});

it('an embedder explains that a key was rejected', async () => {
  const embedder = createRemoteEmbedder({ ...server.openai, key: 'wrong' }, send);
  await expect(embedder.embed(['x'], never)).rejects.toThrow('rejected the key');
});

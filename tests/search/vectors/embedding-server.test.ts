import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRemoteEmbedder } from '../../../src/search/vectors/embedding-server.js';
import { startEmbeddingServer, type TestEmbeddingServer } from '../../fakes/embedding-server.js';

let server: TestEmbeddingServer;
beforeAll(async () => {
  server = await startEmbeddingServer();
});
afterAll(() => server.close());
beforeEach(() => (server.answerWith = undefined));

const never = new AbortController().signal;
const ask: typeof fetch = (input, init) => fetch(input, init);

describe.each(['ollama', 'openai'] as const)('an embedder that speaks as %s does', (protocol) => {
  const embed = (texts: readonly string[], changed = {}, signal = never) =>
    createRemoteEmbedder({ ...server[protocol], ...changed }, ask).embed(texts, signal);

  it('answers unit vectors in the order of the texts, and what was counted', async () => {
    const { vectors, tokens } = await embed(['a car', 'a rose and a house', 'nothing']);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [126, 0, 0, 13, 0, 0, 0, 0],
      [0, 90, 90, 9, 0, 0, 0, 0],
      [0, 0, 0, 127, 0, 0, 0, 0],
    ]);
    expect(tokens).toBe(8);
  });

  it('changes its id with the model and the address', () => {
    const ids = [{}, { model: 'other' }, { address: 'http://other' }].map(
      (changed) => createRemoteEmbedder({ ...server[protocol], ...changed }, ask).id,
    );
    expect(new Set(ids).size).toBe(3);
  });

  it('says in words that a model is not known', async () => {
    await expect(embed(['x'], { model: 'mistyped' })).rejects.toThrow(
      'does not know the model "mistyped"',
    );
  });

  it('says in words that nobody is there', async () => {
    await expect(embed(['x'], { address: 'http://127.0.0.1:9' })).rejects.toThrow(
      'does not answer at http://127.0.0.1:9',
    );
  });

  it.each([
    ['', 200],
    ['<html></html>', 200],
    ['{}', 200],
    ['{"embeddings":[[1,"2"]],"data":[{"embedding":[null]}]}', 200],
    ['{"embeddings":[[1],[2]],"data":[{"embedding":[1]},{"embedding":[2]}]}', 200],
    ['{"embeddings":[[]],"data":[{"embedding":[]}]}', 200],
  ])('tells that %j are no embeddings', async (body, status) => {
    server.answerWith = { status, body };
    await expect(embed(['x'])).rejects.toThrow('gives no embeddings');
  });

  it.each([
    [429, 'gets too many requests. It said: "slow down"'],
    [500, 'refused (500). It said: "slow down"'],
  ])('says in words what status %i means', async (status, words) => {
    server.answerWith = { status, body: 'slow\ndown' };
    await expect(embed(['x'])).rejects.toThrow(words);
  });

  it('breaks off where that is asked for', async () => {
    server.answerWith = 'silence';
    const controller = new AbortController();
    const asked = embed(['x'], {}, controller.signal);
    controller.abort();
    await expect(asked).rejects.toThrow('abort');
  });
});

it('tells that a key is not accepted', async () => {
  const embedder = createRemoteEmbedder({ ...server.openai, key: 'wrong' }, ask);
  await expect(embedder.embed(['x'], never)).rejects.toThrow('does not accept the key');
});

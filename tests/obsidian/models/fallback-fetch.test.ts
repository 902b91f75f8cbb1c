import { expect, it, vi } from 'vitest';
import { createFallbackFetch } from '../../../src/obsidian/models/fallback-fetch.js';

vi.mock('obsidian', () => import('../../host/obsidian/utilities.js'));

/** A transport that follows a script of responses and `fetch` failures, and counts its requests. */
function transport(...script: ('answers' | 'fails')[]) {
  const ask: typeof fetch = () =>
    script[count++] === 'answers'
      ? Promise.resolve(new Response('ok'))
      : Promise.reject(new TypeError('Failed to fetch'));
  let count = 0;
  return { ask, count: () => count };
}

const url = 'https://models.example/v1/chat';

it('the fallback is remembered for a server that blocks CORS requests', async () => {
  const [web, node] = [transport('fails'), transport('answers', 'answers')];
  const fetchLike = createFallbackFetch({ web: web.ask, node: node.ask });
  expect([await (await fetchLike(url)).text(), await (await fetchLike(url)).text()]).toEqual([
    'ok',
    'ok',
  ]);
  expect([web.count(), node.count()]).toEqual([1, 2]);
});

it('the fallback is not used for a server that allows web pages', async () => {
  const [web, node] = [transport('answers', 'fails'), transport('answers')];
  const fetchLike = createFallbackFetch({ web: web.ask, node: node.ask });
  await fetchLike(url);
  await expect(fetchLike(url)).rejects.toThrow('Failed to fetch');
  expect(node.count()).toBe(0);
});

it('the fallback is not used after an abort', async () => {
  const [web, node, stop] = [transport('fails'), transport('answers'), new AbortController()];
  const fetchLike = createFallbackFetch({ web: web.ask, node: node.ask });
  stop.abort();
  await expect(fetchLike(url, { signal: stop.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(node.count()).toBe(0);
});

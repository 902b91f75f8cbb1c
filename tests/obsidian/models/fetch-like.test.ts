import { expect, it, vi } from 'vitest';
import { createFetchLike } from '../../../src/obsidian/models/fetch-like.js';

vi.mock('obsidian', () => import('../../host/obsidian/utilities.js'));

/** A transport that answers, or fails as `fetch` does, as the script says; and how often it was asked. */
function transport(...script: ('answers' | 'fails')[]) {
  const ask: typeof fetch = () =>
    script[count++] === 'answers'
      ? Promise.resolve(new Response('ok'))
      : Promise.reject(new TypeError('Failed to fetch'));
  let count = 0;
  return { ask, count: () => count };
}

const url = 'https://models.example/v1/chat';

it('goes another way where a server lets no web page in, and goes that way from then on', async () => {
  const [web, node] = [transport('fails'), transport('answers', 'answers')];
  const fetchLike = createFetchLike({ web: web.ask, node: node.ask });
  expect([await (await fetchLike(url)).text(), await (await fetchLike(url)).text()]).toEqual([
    'ok',
    'ok',
  ]);
  expect([web.count(), node.count()]).toEqual([1, 2]);
});

it('sends nothing twice to a server that has let web pages in', async () => {
  const [web, node] = [transport('answers', 'fails'), transport('answers')];
  const fetchLike = createFetchLike({ web: web.ask, node: node.ask });
  await fetchLike(url);
  await expect(fetchLike(url)).rejects.toThrow('Failed to fetch');
  expect(node.count()).toBe(0);
});

it('does not go another way once it was stopped', async () => {
  const [web, node, stop] = [transport('fails'), transport('answers'), new AbortController()];
  const fetchLike = createFetchLike({ web: web.ask, node: node.ask });
  stop.abort();
  await expect(fetchLike(url, { signal: stop.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
  expect(node.count()).toBe(0);
});

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createNodeFetch } from '../../../src/node/ports/node-fetch.js';
import { node } from '../folders.js';

const nodeFetch = createNodeFetch(node);
const closing: (() => void)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

it('nodeFetch sends method, headers and body, and returns the response', async () => {
  const url = await serve((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () =>
      response
        .writeHead(201, { 'x-was': `${request.method} ${request.headers['x-key'] as string}` })
        .end(Buffer.concat(pieces)),
    );
  });
  const answer = await nodeFetch(url, { method: 'POST', headers: { 'X-Key': 'k' }, body: 'grüße' });
  expect([answer.status, answer.headers.get('x-was'), await answer.text()]).toEqual([
    201,
    'POST k',
    'grüße',
  ]);
});

it('nodeFetch streams each piece as it arrives', async () => {
  let finish: () => void = () => undefined;
  const url = await serve((_, response) => {
    response.write('one');
    finish = () => response.end('two');
  });
  const reader = (await nodeFetch(url)).body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('one');
  finish();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('two');
});

it('nodeFetch aborts the request before and after the response starts', async () => {
  let ended = 0;
  const url = await serve((request, response) => {
    request.once('close', () => ended++);
    if (request.url === '/v1/streams') response.write('one');
  });
  const [silent, streaming] = [new AbortController(), new AbortController()];
  const waiting = nodeFetch(url, { signal: silent.signal });
  const body = (await nodeFetch(`${url}/streams`, { signal: streaming.signal })).body!.getReader();
  await body.read();
  await sleep(20);
  silent.abort();
  streaming.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  await expect(body.read()).rejects.toThrow();
  await expect.poll(() => ended).toBe(2);
});

it('nodeFetch fails like fetch if no server answers', async () => {
  const url = await serve(() => undefined);
  closing.splice(0).forEach((close) => close());
  await expect(nodeFetch(url)).rejects.toThrow(TypeError);
});

it('nodeFetch follows no redirects, which would leak the key', async () => {
  const url = await serve((_, response) =>
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  );
  expect((await nodeFetch(url)).status).toBe(302);
});

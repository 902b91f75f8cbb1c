import { chmodSync, existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  startHttpServer,
  type HttpServer,
  type HttpServerOptions,
} from '../../../src/node/serve/http-server.js';
import type { Answer } from '../../../src/toolkit/answer.js';
import { callTool, type CallRequest } from '../../../src/toolkit/call-tool.js';
import { tokenIn } from '../../fakes/program.js';
import { createTestVault, stateNamed } from '../../fakes/test-vault.js';
import { createFolder, node } from '../folders.js';

const open: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function startServer(
  more: Partial<
    Pick<
      HttpServerOptions<unknown>,
      'folder' | 'port' | 'tokenFile' | 'origins' | 'bodyTimeoutMs' | 'headerTimeoutMs'
    >
  > = {},
  hold: (call: CallRequest, answer: () => Promise<Answer>) => Promise<Answer> = (_, answer) =>
    answer(),
  signals: AbortSignal[] = [],
) {
  const vault = createTestVault();
  const { toolkit } = vault;
  const folder = join(createFolder(), 'http');
  const reports: unknown[] = [];
  const asked: { client: string | undefined; sessionId: string }[] = [];
  const report = (error: unknown) => reports.push(error);
  const server = await startHttpServer(node, {
    toolkit,
    folder,
    port: 0,
    report,
    mcp: {
      version: '1',
      vaultName: 'Test',
      surface: 'full',
      toolsets: undefined,
      after: () => () => undefined,
      report,
      stateText: () => Promise.resolve(''),
      briefText: () => Promise.resolve(''),
      call(call, signal) {
        signals.push(signal);
        asked.push({ client: call.defaults.client, sessionId: call.defaults.sessionId });
        return hold(call, () => callTool(toolkit, call));
      },
    },
    ...more,
  });
  open.push(server);
  const token = existsSync(server.tokenFile) ? tokenIn(server.tokenFile) : '';
  return { server, folder, vault, reports, asked, token, port: Number(new URL(server.url).port) };
}

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request with just these headers. */
function send(
  port: number,
  headers: Record<string, string>,
  body?: string,
  path = '/mcp',
  method = 'POST',
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (piece: Buffer) => (text += piece.toString()));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

const saving = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'createState', arguments: stateNamed('Plan') },
});

const right = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

describe('a request with a token', () => {
  it('is answered at the IP address and at localhost', async () => {
    const { port, token, vault, asked } = await startServer();
    for (const host of ['127.0.0.1', 'localhost']) {
      const { status, text } = await send(
        port,
        { ...right(token), host: `${host}:${port}` },
        saving,
      );
      expect([status, text]).toEqual([200, expect.stringContaining('success') as string]);
    }
    expect(await vault.data('listStates')).toMatchObject([{ name: 'Plan' }]);
    expect(asked).toMatchObject([{ client: 'default' }, { client: 'default' }]);
    expect(asked[0]?.sessionId).toBe(asked[1]?.sessionId);
  });

  it.each([
    ['application/json, text/event-stream', 'text/event-stream'],
    ['text/event-stream', 'text/event-stream'],
    ['*/*', 'text/event-stream'],
    [undefined, 'text/event-stream'],
    ['application/json', 'application/json'],
    ['Application/JSON; q=0.9', 'application/json'],
  ])('that accepts %s gets %s', async (accept, type) => {
    const { port, token } = await startServer();
    const { accept: _, ...others } = right(token);
    const listing = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    for (const given of [null, '{"limit":"5"}', { limit: null }]) {
      const { status, headers, text } = await send(
        port,
        accept === undefined ? others : { ...others, accept },
        JSON.stringify({ ...listing, params: { name: 'listStates', arguments: given } }),
      );
      expect([status, headers['content-type']]).toEqual([200, type]);
      const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
      expect(JSON.parse(data)).toMatchObject({
        id: 1,
        result: { structuredContent: { success: true, data: [] } },
      });
    }
  });

  it.each([{ cursor: null }, null])(
    'that lists the tools with params %j gets them',
    async (params) => {
      const { port, token } = await startServer();
      const listing = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
      const { text } = await send(port, { ...right(token), accept: 'application/json' }, listing);
      expect(JSON.parse(text)).toHaveProperty('result.tools.0');
    },
  );

  it('gets no CORS headers', async () => {
    const { port, token } = await startServer();
    for (const method of ['POST', 'OPTIONS', 'GET', 'DELETE']) {
      const { headers } = await send(
        port,
        right(token),
        method === 'POST' ? saving : undefined,
        '/mcp',
        method,
      );
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('gets a session per client, identified by its token', async () => {
    const { port, token, server, asked } = await startServer();
    const other = 'ab'.repeat(32);
    writeFileSync(server.tokenFile, `default ${token}\nother ${other}\n`);
    await send(port, right(token), saving);
    await send(port, right(other), saving);
    expect(asked.map(({ client }) => client)).toEqual(['default', 'other']);
    expect(asked[0]?.sessionId).not.toBe(asked[1]?.sessionId);
  });

  it('is refused as soon as its token is removed from the file', async () => {
    const { port, token, server } = await startServer();
    expect((await send(port, right(token), saving)).status).toBe(200);
    writeFileSync(server.tokenFile, '# none\n');
    expect((await send(port, right(token), saving)).status).toBe(401);
  });

  it('is accepted only from an allowed origin', async () => {
    const { port, token } = await startServer({ origins: ['http://localhost:5173'] });
    expect(
      (await send(port, { ...right(token), origin: 'http://localhost:5173' }, saving)).status,
    ).toBe(200);
    expect(
      (await send(port, { ...right(token), origin: 'http://localhost:5174' }, saving)).status,
    ).toBe(403);
  });
});

describe('a request is rejected without effect', () => {
  type Change = (
    port: number,
    token: string,
  ) => { headers?: Record<string, string>; path?: string; body?: string };
  const cases: [string, number, Change][] = [
    ['with a foreign Host', 403, (port) => ({ headers: { host: `evil.example:${port}` } })],
    [
      'with a Host that starts like ours',
      403,
      (port) => ({ headers: { host: `127.0.0.1.evil.example:${port}` } }),
    ],
    [
      'with our Host at another port',
      403,
      (port) => ({ headers: { host: `127.0.0.1:${port + 1}` } }),
    ],
    ['with our Host and no port', 403, () => ({ headers: { host: '127.0.0.1' } })],
    ['with a foreign Origin', 403, () => ({ headers: { origin: 'https://evil.example' } })],
    [
      'with an Origin that starts like ours',
      403,
      (port) => ({ headers: { origin: `http://127.0.0.1.evil.example:${port}` } }),
    ],
    [
      'with the Origin http://127.0.0.1.evil.example',
      403,
      () => ({ headers: { origin: 'http://127.0.0.1.evil.example' } }),
    ],
    ['with the Origin null', 403, () => ({ headers: { origin: 'null' } })],
    [
      'with a foreign Origin, before its token is checked',
      403,
      () => ({ headers: { origin: 'https://evil.example', authorization: '' } }),
    ],
    ['without a token', 401, () => ({ headers: { authorization: '' } })],
    ['with a wrong token', 401, () => ({ headers: { authorization: `Bearer ${'0'.repeat(64)}` } })],
    [
      'with a prefix of the token',
      401,
      (_, token) => ({ headers: { authorization: `Bearer ${token.slice(0, 63)}` } }),
    ],
    [
      'with the token and a suffix',
      401,
      (_, token) => ({ headers: { authorization: `Bearer ${token}0` } }),
    ],
    [
      'with the token in another scheme',
      401,
      (_, token) => ({ headers: { authorization: `Basic ${token}` } }),
    ],
    [
      'with the token in the URL',
      400,
      (_, token) => ({ headers: { authorization: '' }, path: `/mcp?token=${token}` }),
    ],
    ['with another path', 404, () => ({ path: '/' })],
    ['with a path that contains ..', 404, () => ({ path: '/mcp/../mcp' })],
    [
      'with a form as its body',
      415,
      () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
    ['with plain text as its body', 415, () => ({ headers: { 'content-type': 'text/plain' } })],
    [
      'with a type that starts like JSON',
      415,
      () => ({ headers: { 'content-type': 'application/json-x' } }),
    ],
    ['with a body that is not JSON', 400, () => ({ body: '{"jsonrpc":' })],
  ];

  it.each(cases)('%s (%i)', async (_, status, change) => {
    const { port, token, vault, asked } = await startServer();
    const { headers = {}, path, body = saving } = change(port, token);
    const answer = await send(port, { ...right(token), ...headers }, body, path);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain(token);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: { message: expect.any(String) as string },
    });
    expect(asked).toEqual([]);
    expect(await vault.data('listStates')).toEqual([]);
  });

  it('with a body over 100 MB, before all of it has arrived', async () => {
    const { port, token, asked } = await startServer();
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
    const answer = await exchange(
      port,
      `${head}Content-Type: application/json\r\nContent-Length: ${100 * 1024 * 1024 + 1}\r\n\r\n{`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413[^]*The message is over 10 MB\./);
    expect(asked).toEqual([]);
  });

  it('with two Hosts, one of them ours', async () => {
    const { port, token, asked } = await startServer();
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.example\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n`;
    const answer = await exchange(
      port,
      `${head}Content-Type: application/json\r\nContent-Length: ${saving.length}\r\n\r\n${saving}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[03]/);
    expect(asked).toEqual([]);
  });

  it('with a body that does not arrive', async () => {
    const { port, token, asked } = await startServer({ bodyTimeoutMs: 100 });
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
    const answer = await exchange(
      port,
      `${head}Content-Type: application/json\r\nContent-Length: ${saving.length}\r\n\r\n{"json`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 408/);
    expect(asked).toEqual([]);
  });

  it('if its headers never arrive', async () => {
    const { port } = await startServer({ headerTimeoutMs: 100 });
    expect(await exchange(port, `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`)).toMatch(
      /^HTTP\/1\.1 408/,
    );
  });
});

/**
 * Opens connections, waits until the server has accepted or closed them, and returns the number of
 * closed ones.
 */
async function openSockets(port: number, count: number, bytes = '') {
  const sockets = Array.from({ length: count }, () => connectSocket(port, '127.0.0.1'));
  let [connected, closed] = [0, 0];
  for (const socket of sockets) {
    socket.on('connect', () => connected++);
    socket.on('error', () => undefined).on('close', () => closed++);
    socket.resume();
    if (bytes !== '') socket.write(bytes);
  }
  await expect.poll(() => connected + closed).toBeGreaterThanOrEqual(count);
  return {
    closed: () => closed,
    closeAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('the limit of connections', () => {
  const headOf = (port: number, token: string) =>
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;
  const requestOf = (port: number, token: string) =>
    `${headOf(port, token)}Content-Length: ${saving.length}\r\n\r\n${saving}`;

  it('keeps at most 64, and silent ones lock nobody out', async () => {
    const { port, token } = await startServer({ headerTimeoutMs: 600_000 });
    const silent = await openSockets(port, 80);
    await expect.poll(silent.closed).toBe(80 - 64);
    expect((await send(port, right(token), saving)).status).toBe(200);
    await expect.poll(silent.closed).toBe(80 - 63);
    silent.closeAll();
  });

  it('closes an idle connection before it refuses a new one', async () => {
    const { port, token, server, asked } = await startServer();
    const other = 'ab'.repeat(32);
    writeFileSync(server.tokenFile, `default ${token}\nother ${other}\n`);
    const idle = await openSockets(port, 56, requestOf(port, token));
    await expect.poll(() => asked.length).toBe(56);
    const own = await openSockets(port, 1, requestOf(port, token));
    await expect.poll(() => asked.length).toBe(57);
    await expect.poll(idle.closed).toBe(1);
    const otherIdle = await openSockets(port, 8, requestOf(port, other));
    await expect.poll(() => asked.length).toBe(65);
    expect((await send(port, right(other), saving)).status).toBe(200);
    await expect.poll(idle.closed).toBe(2);
    for (const each of [idle, own, otherIdle]) each.closeAll();
  });

  it('leaves room for other clients than one with many connections', async () => {
    const held: (() => void)[] = [];
    const { port, token, server, asked } = await startServer({}, async ({ defaults }, answer) => {
      if (defaults.client === 'default') await new Promise<void>((resolve) => held.push(resolve));
      return answer();
    });
    const other = 'ab'.repeat(32);
    writeFileSync(server.tokenFile, `default ${token}\nother ${other}\n`);
    const busy = await openSockets(port, 56, requestOf(port, token));
    await expect.poll(() => asked.length).toBe(56);
    expect(await send(port, right(token), saving)).toMatchObject({
      status: 429,
      text: expect.stringContaining('Too many connections.') as string,
    });
    expect((await send(port, right(other), saving)).status).toBe(200);
    expect(busy.closed()).toBe(0);
    for (const each of held) each();
    busy.closeAll();
  });

  it('refuses a new connection if all others have requests in progress', async () => {
    const held: (() => void)[] = [];
    const { port, token, server, asked } = await startServer({}, async (_, answer) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return answer();
    });
    const other = 'ab'.repeat(32);
    writeFileSync(server.tokenFile, `default ${token}\nother ${other}\n`);
    const busy = await openSockets(port, 56, requestOf(port, token));
    await expect.poll(() => asked.length).toBe(56);
    const otherBusy = await openSockets(port, 8, requestOf(port, other));
    await expect.poll(() => asked.length).toBe(64);
    await expect(send(port, right(token), saving)).rejects.toThrow(/ECONNRESET|socket hang up/);
    expect(busy.closed() + otherBusy.closed()).toBe(0);
    for (const each of held) each();
    busy.closeAll();
    otherBusy.closeAll();
  });
});

/** Sends raw bytes and returns what arrives until the server closes the connection. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1');
    let text = '';
    socket.on('data', (piece) => (text += piece.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.write(bytes);
  });
}

describe('the HTTP server', () => {
  it('answers a message over 10 MB with an error that has its id, on the same connection', async () => {
    const { port, token, asked } = await startServer({ bodyTimeoutMs: 60_000 });
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n`;
    const large = JSON.stringify({
      method: 'tools/call',
      params: { name: 'createState', arguments: { name: 'x'.repeat(11 * 1024 * 1024) } },
      jsonrpc: '2.0',
      id: 'large',
    });
    const answer = await exchange(
      port,
      `${head}Content-Length: ${large.length}\r\n\r\n${large}` +
        `${head}Connection: close\r\nContent-Length: ${saving.length}\r\n\r\n${saving}`,
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
    expect(answer).toMatch(
      /"id":"large","error":\{.*The message is over 10 MB\. Send less at once\./,
    );
    expect(asked).toHaveLength(1);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'does not allow the method %s',
    async (method) => {
      const { port, token, reports } = await startServer();
      const answer = await send(port, right(token), undefined, '/mcp', method);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
      expect(JSON.parse(answer.text)).toMatchObject({
        id: null,
        error: { message: 'Method not allowed. Use POST.' },
      });
      expect(reports).toEqual([]);
    },
  );

  it('does not allow the methods HEAD and CONNECT', async () => {
    const { port, token } = await startServer();
    expect((await send(port, right(token), undefined, '/mcp', 'HEAD')).status).toBe(405);
    const head = `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    expect(await exchange(port, head)).toMatch(/^HTTP\/1\.1 405 [^]*Allow: POST/);
  });

  it('publishes its address in a private file, and removes it on close', async () => {
    const { server, folder, token } = await startServer();
    const file = join(folder, 'http.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      url: server.url,
      tokenFile: server.tokenFile,
    });
    expect(readFileSync(file, 'utf8')).not.toContain(token);
    expect([folder, file, server.tokenFile].map((path) => lstatSync(path).mode & 0o777)).toEqual([
      0o700, 0o600, 0o600,
    ]);
    await server.close();
    expect(existsSync(file)).toBe(false);
    expect(existsSync(server.tokenFile)).toBe(true);
  });

  it('keeps the discovery file of a newer server', async () => {
    const { server, folder } = await startServer();
    const next = await startServer({ folder });
    await server.close();
    expect(JSON.parse(readFileSync(join(folder, 'http.json'), 'utf8'))).toMatchObject({
      url: next.server.url,
    });
  });

  it('accepts 100 concurrent requests per client', async () => {
    const held: (() => void)[] = [];
    let isHeld = true;
    const { port, token } = await startServer({}, async (_, answer) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
      return answer();
    });
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json, text/event-stream\r\n`;
    const one = (last: string) =>
      `${head}${last}Content-Type: application/json\r\nContent-Length: ${saving.length}\r\n\r\n${saving}`;
    const answers = exchange(port, one('').repeat(99) + one('Connection: close\r\n'));
    await expect.poll(() => held.length).toBe(100);
    expect(await send(port, right(token), saving)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
    });
    isHeld = false;
    for (const each of held) each();
    expect((await answers).match(/HTTP\/1\.1 200/g)).toHaveLength(100);
    expect((await send(port, right(token), saving)).status).toBe(200);
  });

  it('keeps existing tokens', async () => {
    const { server, folder, token } = await startServer();
    await server.close();
    const next = await startServer({ folder });
    expect(next.token).toBe(token);
  });

  it('refuses a token file that others may read, and a short token', async () => {
    const folder = createFolder();
    const tokenFile = join(folder, 'tokens');
    writeFileSync(tokenFile, `me ${'a'.repeat(64)}\n`);
    chmodSync(tokenFile, 0o644);
    await expect(startServer({ tokenFile })).rejects.toThrow('Others may read or enter');
    writeFileSync(tokenFile, 'me abc\n');
    chmodSync(tokenFile, 0o600);
    await expect(startServer({ tokenFile })).rejects.toThrow('Line 1 of');
  });

  it('reports a port that is in use', async () => {
    const { port } = await startServer();
    await expect(startServer({ port })).rejects.toThrow(`Port ${port} is already in use`);
  });

  it('aborts the call of a client that disconnects, and reports nothing', async () => {
    const asked: AbortSignal[] = [];
    const { port, token, reports } = await startServer(
      {},
      () => new Promise(() => undefined),
      asked,
    );
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'listStates', arguments: {}, _meta: meta },
    };
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'listStates',
    };
    const client = request({
      host: '127.0.0.1',
      port,
      path: '/mcp',
      method: 'POST',
      headers: { ...right(token), ...headers },
    });
    client.on('error', () => undefined);
    client.end(JSON.stringify(call));
    await expect.poll(() => asked.length).toBe(1);
    client.destroy();
    await expect.poll(() => asked[0]?.aborted).toBe(true);
    expect(reports).toEqual([]);
  });

  it('refuses a folder that others may enter', async () => {
    const folder = createFolder();
    chmodSync(folder, 0o755);
    await expect(startServer({ folder })).rejects.toThrow('Others may read or enter');
  });

  it('aborts requests in progress when it closes', async () => {
    const { server, port } = await startServer();
    const answer = exchange(port, `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close();
    expect(await answer).toBe('');
    await expect(send(port, {})).rejects.toThrow('ECONNREFUSED');
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bundleHost } from '../../scripts/host-page.mjs';

/**
 * The page's address is the same for every port, so a restarted browser finds what the page has
 * stored.
 */
const HOST_NAME = 'savepoint.localhost';

export const PAGE_ADDRESS = `http://${HOST_NAME}/`;

export interface PageServer {
  /** Browser flags that map the page's address to this server. */
  readonly flags: readonly string[];
  /** Address of this server for any browser, different for each server. */
  readonly address: string;
  close(): Promise<void>;
}

interface Served {
  readonly source: string;
  readonly styles: string;
  readonly connect: readonly string[];
}

/**
 * Serves the simulated Obsidian on the loopback. The page may connect only to this server and the
 * origins in `connect`; `source` and `styles` are the plugin's. The server keeps no process alive.
 */
export async function servePage({ source, styles, connect }: Served): Promise<PageServer> {
  const host = await bundleHost('browser-entry');
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'unsafe-eval'", // the app also evaluates a plugin's text
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    ['connect-src', "'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const page =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Vault</title><link rel="icon" href="data:,">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="app.css">' +
    '<link rel="stylesheet" href="plugin.css"></head><body><script src="host.js"></script><script src="plugin.js"></script></body></html>';
  const files = new Map([
    ['/', ['text/html', page]],
    ['/app.css', ['text/css', host.styles]],
    ['/plugin.css', ['text/css', styles]],
    // As a string: the host evaluates it. A script that the page waits for needs no request later.
    ['/plugin.js', ['text/javascript', `window.__pluginSource = ${JSON.stringify(source)};`]],
    ['/host.js', ['text/javascript', host.script]],
  ] as const);
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = files.get(url as '/') ?? ['text/plain', undefined];
    const headers = {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'cache-control': 'no-store',
    };
    response.writeHead(text === undefined ? 404 : 200, headers).end(text);
  });
  server.unref();
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(0, '127.0.0.1', resolve),
  );
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://${HOST_NAME}:${port}/`,
    flags: [`--host-resolver-rules=MAP ${HOST_NAME}:80 127.0.0.1:${port}`],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { Refusal } from '../../model/refusal.js';
import { errorCode } from '../modules.js';
import { createPrivateFolder } from '../ports/private-files.js';
import { createConnectionLimit } from './connection-limit.js';
import { publishDiscovery } from './discovery-file.js';
import {
  HttpRequestHandler,
  LOOPBACK_ADDRESS,
  MCP_PATH,
  type HttpRequestHandlerOptions,
  type HttpRequest,
  type HttpResponse,
} from './http-request-handler.js';
import { createTokenFile } from './http-tokens.js';
import type { ServeModules } from './modules.js';

export interface HttpServerOptions<S> extends Pick<
  HttpRequestHandlerOptions<S>,
  'toolkit' | 'mcp' | 'origins' | 'report'
> {
  /** The folder for the discovery file, below the vault's state folder (see `vaultStateFolder`). */
  readonly folder: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** The file with the clients' tokens; `http-tokens` in `folder` if absent. */
  readonly tokenFile?: string | undefined;
  /** Milliseconds within which the body of a request must arrive; 10,000 if absent. */
  readonly bodyTimeoutMs?: number;
  /** Milliseconds within which the headers of a request must arrive; 3,000 if absent. */
  readonly headerTimeoutMs?: number;
}

export interface HttpServer {
  readonly url: string;
  readonly tokenFile: string;
  /** Closes all connections at once. Resolves when the discovery file is removed. */
  close(): Promise<void>;
}

const DISCOVERY_FILE = 'http.json';
/** One client leaves room for others. */
const MAX_CONNECTIONS = { total: 64, perClient: 56 };
const MAX_HEADER_BYTES = 16 * 1024;
const KEEP_ALIVE_TIMEOUT_MS = 30_000;
const DEFAULT_BODY_TIMEOUT_MS = 10_000;
const DEFAULT_HEADER_TIMEOUT_MS = 3000;

const METHOD_NOT_ALLOWED =
  'HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/**
 * Serves MCP over HTTP to clients on this machine that send a token in the token file. Publishes
 * the address in `http.json` in `folder`. Throws a `Refusal` if the folder or the token file is not
 * private, the token file is malformed, or the port is in use or not permitted.
 */
export async function startHttpServer<S>(
  node: ServeModules,
  options: HttpServerOptions<S>,
): Promise<HttpServer> {
  const { path, http } = node;
  const { folder, report, bodyTimeoutMs = DEFAULT_BODY_TIMEOUT_MS } = options;
  const { headerTimeoutMs = DEFAULT_HEADER_TIMEOUT_MS } = options;
  await createPrivateFolder(node, folder);
  const tokenFile = options.tokenFile ?? path.join(folder, 'http-tokens');
  await createTokenFile(node, tokenFile);
  const settings = {
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: Math.min(headerTimeoutMs, 1000), // Node 16 needs none
  };
  const server = Object.assign(http.createServer(settings), {
    headersTimeout: headerTimeoutMs,
    requestTimeout: headerTimeoutMs + bodyTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  });
  const connections = createConnectionLimit(MAX_CONNECTIONS);
  server.on('connection', (socket) => connections.add(socket));
  // the method CONNECT has no response object
  server.on('connect', (_, socket) => socket.end(METHOD_NOT_ALLOWED));
  const port = await listen(server, options.port);
  const handler = new HttpRequestHandler(node, {
    ...options,
    bodyTimeoutMs,
    tokenFile,
    port,
    connections,
  });
  server.on('request', (request: HttpRequest, response: HttpResponse) => {
    handler.handle(request, response).catch(report);
  });
  server.on('error', report);
  const url = `http://${LOOPBACK_ADDRESS}:${port}${MCP_PATH}`;
  const discovery = JSON.stringify({ url, tokenFile });
  const unpublish = await publishDiscovery(node, path.join(folder, DISCOVERY_FILE), discovery);
  return {
    url,
    tokenFile,
    async close() {
      server.close();
      connections.closeAll();
      await Promise.all([handler.close(), unpublish()]).catch(report);
    },
  };
}

function listen(
  server: ReturnType<ServeModules['http']['createServer']>,
  port: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = ['EADDRINUSE', 'EACCES'].includes(errorCode(error) ?? '');
      reject(
        isTaken
          ? new Refusal(
              `Port ${port} is already in use or not permitted. Choose another port, or 0 for any free one.`,
            )
          : error,
      );
    });
    server.listen({ host: LOOPBACK_ADDRESS, port, exclusive: true }, () => {
      server.removeAllListeners('error');
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

import { MAX_MESSAGE_BYTES } from '../../bridge/framing.js';
import {
  createMcpHttpHandler,
  type McpHttpHandler,
  type McpOptions,
} from '../../bridge/mcp-server.js';
import type { Toolset } from '../../toolkit/toolset.js';
import type { NodeModules } from '../modules.js';
import { createTokenVerifier } from './http-tokens.js';

export type HttpModules = Pick<NodeModules, 'fs' | 'path' | 'os' | 'crypto' | 'timers' | 'http'>;
export type HttpRequest = InstanceType<NodeModules['http']['IncomingMessage']>;
export type HttpResponse = InstanceType<NodeModules['http']['ServerResponse']>;

export const LOOPBACK_ADDRESS = '127.0.0.1';
export const MCP_PATH = '/mcp';

const MAX_REQUESTS_PER_CLIENT = 100;
const BYTES_PER_MB = 1024 * 1024;

/** An error response. It is thrown before the request reaches the MCP handler. */
class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

interface HttpRequestHandlerOptions<S> {
  readonly toolset: Toolset<S>;
  readonly mcp: McpOptions;
  readonly tokenFile: string;
  /** The port on which the server listens. */
  readonly port: number;
  /** Origins of web pages that may call; none if absent. */
  readonly origins?: readonly string[];
  readonly bodyTimeoutMs: number;
  readonly report: (error: unknown) => void;
}

/** Checks each request (Host, Origin, path, token, limits) and passes it on to the MCP handler. */
export class HttpRequestHandler<S> {
  readonly #node: HttpModules;
  readonly #hosts: readonly string[];
  readonly #origins: ReadonlySet<string>;
  readonly #bodyTimeoutMs: number;
  readonly #report: (error: unknown) => void;
  readonly #clientOf: (token: string) => Promise<string | undefined>;
  readonly #mcp: McpHttpHandler;
  /** Session ids by client. Calls of a client that do not name a session share its id. */
  readonly #sessions = new Map<string, string>();
  /** Number of requests in progress, by client. */
  readonly #inProgress = new Map<string, number>();

  constructor(node: HttpModules, options: HttpRequestHandlerOptions<S>) {
    const { toolset, mcp, tokenFile, port, origins = [], bodyTimeoutMs, report } = options;
    this.#node = node;
    this.#hosts = [`${LOOPBACK_ADDRESS}:${port}`, `localhost:${port}`];
    this.#origins = new Set([...this.#hosts.map((host) => `http://${host}`), ...origins]);
    this.#bodyTimeoutMs = bodyTimeoutMs;
    this.#report = report;
    this.#clientOf = createTokenVerifier(node, tokenFile);
    this.#mcp = createMcpHttpHandler(toolset, mcp);
  }

  async handle(request: HttpRequest, response: HttpResponse): Promise<void> {
    let client: string | undefined;
    try {
      this.#checkTarget(request);
      const name = await this.#authenticate(request);
      const calls = this.#inProgress.get(name) ?? 0;
      if (calls >= MAX_REQUESTS_PER_CLIENT)
        throw new HttpError(429, 'Too many concurrent requests. Wait for responses.', {
          'retry-after': '1',
        });
      this.#inProgress.set(name, calls + 1);
      client = name;
      await this.#answer(request, response, name);
    } catch (error) {
      // A client that has disconnected is not an error.
      if (!(error instanceof HttpError) && !response.destroyed) this.#report(error);
      sendError(
        request,
        response,
        error instanceof HttpError
          ? error
          : new HttpError(500, 'Something went wrong in Savepoint. Try again.'),
      );
    } finally {
      if (client !== undefined)
        this.#inProgress.set(client, (this.#inProgress.get(client) ?? 1) - 1);
    }
  }

  close(): Promise<void> {
    return this.#mcp.close();
  }

  #checkTarget({ rawHeaders, headers, url = '' }: HttpRequest): void {
    // Node merges repeated headers in `headers`, and a proxy in front may have read another one of them.
    const count = (name: string) =>
      rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
    if (count('host') !== 1 || !this.#hosts.includes(headers.host ?? ''))
      throw new HttpError(
        403,
        `The Host header does not name this server. Use ${this.#hosts.join(' or ')}.`,
      );
    if (count('origin') > 0 && (count('origin') > 1 || !this.#origins.has(headers.origin ?? '')))
      throw new HttpError(403, 'Web pages may not call this server. Use an MCP client.');
    if (url.includes('?'))
      throw new HttpError(
        400,
        'The URL must not have a query. Send the token in the Authorization header, never in the URL.',
      );
    if (url !== MCP_PATH) throw new HttpError(404, `Not found. Use ${MCP_PATH}.`);
  }

  async #authenticate({ headers }: HttpRequest): Promise<string> {
    const [, token] = /^Bearer ([^\s]{1,200})$/i.exec(headers.authorization ?? '') ?? [];
    const client = token === undefined ? undefined : await this.#clientOf(token);
    if (client === undefined)
      throw new HttpError(
        401,
        'A token is required: send "Authorization: Bearer TOKEN" with a token from the token file.',
        { 'www-authenticate': 'Bearer realm="savepoint"' },
      );
    return client;
  }

  async #answer(request: HttpRequest, response: HttpResponse, name: string): Promise<void> {
    const body = request.method === 'POST' ? await this.#readJson(request) : undefined;
    const controller = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) controller.abort();
    });
    const sessionId = this.#sessions.get(name) ?? this.#node.crypto.randomUUID();
    this.#sessions.set(name, sessionId);
    const webRequest = new Request(`http://${this.#hosts[0]}${MCP_PATH}`, {
      method: request.method ?? 'GET',
      headers: protocolHeaders(request),
      signal: controller.signal,
    });
    await sendResponse(await this.#mcp.handle(webRequest, body, { name, sessionId }), response);
  }

  async #readJson(request: HttpRequest): Promise<unknown> {
    const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
    if (type !== 'application/json')
      throw new HttpError(
        415,
        'The content type is not JSON. Send the header Content-Type: application/json.',
      );
    const text = await readBody(this.#node, request, this.#bodyTimeoutMs);
    try {
      return JSON.parse(text);
    } catch {
      throw new HttpError(400, 'The body is not valid JSON. Send one JSON-RPC message.');
    }
  }
}

async function readBody(
  { timers }: HttpModules,
  request: HttpRequest,
  timeoutMs: number,
): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const timer = timers.setTimeout(
      () => reject(new HttpError(408, `The body did not arrive within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    request.once('close', () => timers.clearTimeout(timer));
    request.once('error', reject);
    request.on('data', (piece: Uint8Array) => {
      size += piece.length;
      if (size <= MAX_MESSAGE_BYTES) pieces.push(piece);
      else
        reject(
          new HttpError(
            413,
            `The body is over ${MAX_MESSAGE_BYTES / BYTES_PER_MB} MB. Send a smaller message.`,
          ),
        );
    });
    request.once('end', () => {
      timers.clearTimeout(timer);
      const decoder = new TextDecoder();
      const text = pieces.map((piece) => decoder.decode(piece, { stream: true })).join('');
      resolve(text + decoder.decode());
    });
  });
}

/** Returns the headers that MCP reads. */
function protocolHeaders({ headers }: HttpRequest): Record<string, string> {
  const isRead = (name: string) =>
    ['accept', 'content-type', 'last-event-id'].includes(name) || name.startsWith('mcp-');
  return Object.fromEntries(
    Object.entries(headers).filter(
      (header): header is [string, string] => typeof header[1] === 'string' && isRead(header[0]),
    ),
  );
}

/** Streams a response with back-pressure. */
async function sendResponse(answer: Response, response: HttpResponse): Promise<void> {
  const { connection: _, ...headers } = Object.fromEntries(answer.headers); // keep-alive is between the client and Node
  response.writeHead(answer.status, { ...headers, 'cache-control': 'no-store' });
  const reader = answer.body?.getReader();
  if (reader) {
    response.once('close', () => {
      reader.cancel().catch(() => undefined);
    });
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!response.write(next.value)) await drained(response);
    }
  }
  response.end();
}

function drained(response: HttpResponse): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['drain', 'close'] as const) response.once(event, () => resolve());
  });
}

/** Sends an error. Closes the connection if the rest of the body may be large or never end. */
function sendError(
  request: HttpRequest,
  response: HttpResponse,
  { status, message, headers }: HttpError,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const mustClose = status === 408 || status === 413;
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } });
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...headers,
    ...(mustClose && { connection: 'close' }),
  });
  response.end(body, () => {
    if (mustClose) request.destroy();
  });
}

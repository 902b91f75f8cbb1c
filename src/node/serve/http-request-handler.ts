import { parseJson } from '../../model/text/json-fields.js';
import { MAX_MESSAGE_BYTES } from '../../bridge/framing.js';
import { inAcceptedType, STREAMABLE_TYPES, withParams } from '../../bridge/lenient-messages.js';
import { MessageBuffer } from '../../platform/bytes/line-splitter.js';
import {
  createMcpHttpHandler,
  type McpHttpHandler,
  type McpOptions,
} from '../../bridge/mcp-server.js';
import type { Toolkit } from '../../toolkit/toolkit.js';
import type { ConnectionLimit } from './connection-limit.js';
import { createTokenVerifier } from './http-tokens.js';
import type { ServeModules } from './modules.js';

export type HttpRequest = InstanceType<ServeModules['http']['IncomingMessage']>;
export type HttpResponse = InstanceType<ServeModules['http']['ServerResponse']>;

export const LOOPBACK_ADDRESS = '127.0.0.1';
export const MCP_PATH = '/mcp';

const MAX_REQUESTS_PER_CLIENT = 100;
const BYTES_PER_MB = 1024 * 1024;
/** A longer message is read up to this size to find its id; then the connection is closed. */
const MAX_SCANNED_BYTES = 10 * MAX_MESSAGE_BYTES;

interface HttpErrorOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly id?: string | number | null;
  /** True to close the connection, because the rest of the body may be large or never end. */
  readonly mustClose?: boolean;
}

/** An error response. It is thrown before the request reaches the MCP handler. */
class HttpError extends Error {
  override readonly name = 'HttpError';
  constructor(
    readonly status: number,
    message: string,
    readonly options: HttpErrorOptions = {},
  ) {
    super(message);
  }
}

const TOO_MANY: HttpErrorOptions = { headers: { 'retry-after': '1' } };

export interface HttpRequestHandlerOptions<S> {
  readonly toolkit: Toolkit<S>;
  readonly mcp: McpOptions;
  readonly tokenFile: string;
  readonly port: number;
  readonly connections: ConnectionLimit;
  /** Origins of web pages that may call, such as `http://localhost:5173`; none if absent. */
  readonly origins?: readonly string[];
  readonly bodyTimeoutMs: number;
  readonly report: (error: unknown) => void;
}

/** Checks each request (Host, Origin, path, token, limits) and passes it on to the MCP handler. */
export class HttpRequestHandler<S> {
  readonly #node: ServeModules;
  readonly #options: HttpRequestHandlerOptions<S>;
  readonly #hosts: readonly string[];
  readonly #origins: ReadonlySet<string>;
  readonly #clientOf: (token: string) => Promise<string | undefined>;
  readonly #mcp: McpHttpHandler;
  /** Session ids by client. Calls of a client that do not name a session share its id. */
  readonly #sessions = new Map<string, string>();
  readonly #inProgress = new Map<string, number>();

  constructor(node: ServeModules, options: HttpRequestHandlerOptions<S>) {
    const { toolkit, mcp, tokenFile, port, origins = [] } = options;
    this.#node = node;
    this.#options = options;
    this.#hosts = [`${LOOPBACK_ADDRESS}:${port}`, `localhost:${port}`];
    this.#origins = new Set([...this.#hosts.map((host) => `http://${host}`), ...origins]);
    this.#clientOf = createTokenVerifier(node, tokenFile);
    this.#mcp = createMcpHttpHandler(toolkit, mcp);
  }

  async handle(request: HttpRequest, response: HttpResponse): Promise<void> {
    const { connections, report } = this.#options;
    let client: string | undefined;
    const requestEnded = connections.requestStarted(request.socket);
    try {
      this.#checkTarget(request);
      const name = await this.#authenticate(request);
      if (!connections.assign(request.socket, name))
        throw new HttpError(429, 'Too many connections. Close some, or send more over each.', {
          ...TOO_MANY,
          mustClose: true,
        });
      const calls = this.#inProgress.get(name) ?? 0;
      if (calls >= MAX_REQUESTS_PER_CLIENT)
        throw new HttpError(429, 'Too many concurrent requests. Wait for responses.', TOO_MANY);
      this.#inProgress.set(name, calls + 1);
      client = name;
      await this.#answer(request, response, name);
    } catch (error) {
      // A client that has disconnected is not an error.
      if (!(error instanceof HttpError) && !response.destroyed) report(error);
      sendError(
        request,
        response,
        error instanceof HttpError
          ? error
          : new HttpError(500, 'Something went wrong in Savepoint. Try again.'),
      );
    } finally {
      requestEnded();
      if (client !== undefined)
        this.#inProgress.set(client, (this.#inProgress.get(client) ?? 1) - 1);
    }
  }

  close(): Promise<void> {
    return this.#mcp.close();
  }

  #checkTarget({ rawHeaders, headers, method, url = '' }: HttpRequest): void {
    // Node merges repeated headers in `headers`, and a proxy in front may have read another one.
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
    if (method !== 'POST')
      throw new HttpError(405, 'Method not allowed. Use POST.', { headers: { allow: 'POST' } });
  }

  async #authenticate({ headers }: HttpRequest): Promise<string> {
    const [, token] = /^Bearer ([^\s]{1,200})$/i.exec(headers.authorization ?? '') ?? [];
    const client = token === undefined ? undefined : await this.#clientOf(token);
    if (client === undefined)
      throw new HttpError(
        401,
        'A token is required: send "Authorization: Bearer TOKEN" with a token from the token file.',
        { headers: { 'www-authenticate': 'Bearer realm="savepoint"' } },
      );
    return client;
  }

  async #answer(request: HttpRequest, response: HttpResponse, name: string): Promise<void> {
    const body = await this.#readJson(request);
    const controller = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) controller.abort();
    });
    const sessionId = this.#sessions.get(name) ?? this.#node.crypto.randomUUID();
    this.#sessions.set(name, sessionId);
    const webRequest = new Request(`http://${this.#hosts[0]}${MCP_PATH}`, {
      method: 'POST',
      headers: protocolHeaders(request),
      signal: controller.signal,
    });
    const answer = await this.#mcp.handle(webRequest, body, { name, sessionId });
    await sendResponse(await inAcceptedType(answer, request.headers.accept ?? ''), response);
  }

  async #readJson(request: HttpRequest): Promise<unknown> {
    const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
    if (type !== 'application/json')
      throw new HttpError(
        415,
        'The content type is not JSON. Send the header Content-Type: application/json.',
      );
    const text = await readBody(this.#node, request, this.#options.bodyTimeoutMs);
    const value = parseJson(text);
    if (value === undefined)
      throw new HttpError(400, 'The body is not valid JSON. Send one JSON-RPC message.');
    return withParams(value);
  }
}

/** Reads even a body over the limit to its end, so that the error can name the request. */
async function readBody(
  { timers }: ServeModules,
  request: HttpRequest,
  timeoutMs: number,
): Promise<string> {
  const message = new MessageBuffer(MAX_MESSAGE_BYTES);
  if (Number(request.headers['content-length']) > MAX_SCANNED_BYTES) throw tooLarge(null, true);
  return new Promise((resolve, reject) => {
    const timer = timers.setTimeout(() => {
      const text = `The body did not arrive within ${timeoutMs / 1000} s. Send it again.`;
      reject(new HttpError(408, text, { mustClose: true }));
    }, timeoutMs);
    request.once('close', () => timers.clearTimeout(timer));
    request.once('error', reject);
    request.on('data', (piece: Uint8Array) => {
      if (message.size <= MAX_SCANNED_BYTES) message.append(piece);
      else reject(tooLarge(null, true));
    });
    request.once('end', () => {
      timers.clearTimeout(timer);
      const frame = message.toFrame();
      if (frame.kind === 'line') resolve(frame.text);
      else reject(tooLarge(frame.id, false));
    });
  });
}

function tooLarge(id: string | number | null, mustClose: boolean): HttpError {
  const limit = `${MAX_MESSAGE_BYTES / BYTES_PER_MB} MB`;
  return new HttpError(413, `The message is over ${limit}. Send less at once.`, { id, mustClose });
}

/** Returns the headers that MCP reads; the client's own types are seen to when it is answered. */
function protocolHeaders({ headers }: HttpRequest): Record<string, string> {
  const isRead = (name: string) =>
    ['content-type', 'last-event-id'].includes(name) || name.startsWith('mcp-');
  const read = Object.entries(headers).filter(
    (header): header is [string, string] => typeof header[1] === 'string' && isRead(header[0]),
  );
  return { ...Object.fromEntries(read), accept: STREAMABLE_TYPES };
}

/** Streams a response with back-pressure. */
async function sendResponse(answer: Response, response: HttpResponse): Promise<void> {
  // keep-alive is between the client and Node
  const { connection: _, ...headers } = Object.fromEntries(answer.headers);
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

function sendError(request: HttpRequest, response: HttpResponse, error: HttpError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, message, options } = error;
  const { id = null, headers, mustClose } = options;
  const body = JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message } });
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

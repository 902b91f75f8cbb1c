import { createMcpFetch, type McpOptions } from '../../bridge/mcp-server.js';
import { MESSAGE_LIMIT } from '../../bridge/framing.js';
import { Refusal } from '../../model/refusal.js';
import type { Toolset } from '../../toolkit/toolset.js';
import { createTokenCheck, makeTokenFile } from './http-tokens.js';
import { errorCode, type NodeModules } from '../modules.js';
import { makeOwnFolder } from '../ports/own-files.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'os' | 'crypto' | 'timers' | 'http'>;
type Incoming = InstanceType<NodeModules['http']['IncomingMessage']>;
type Outgoing = InstanceType<NodeModules['http']['ServerResponse']>;

export interface HttpOptions<S> {
  readonly toolset: Toolset<S>;
  readonly mcp: McpOptions;
  /** Where this device keeps what belongs to the vault, see `vaultStateFolder`: what is published goes there. */
  readonly folder: string;
  /** 0: any that is free. */
  readonly port: number;
  /** The file with the clients' tokens; one of its own in `folder` where absent. */
  readonly tokenFile?: string | undefined;
  /** Addresses of web pages that may call, such as `http://localhost:5173`; none where absent. */
  readonly origins?: readonly string[];
  /** A request that has not come whole within this time is let go, in milliseconds; 10 seconds where absent. */
  readonly bodyLimit?: number;
  readonly report: (error: unknown) => void;
}

export interface HttpDoor {
  /** Where clients send their requests. */
  readonly url: string;
  readonly tokenFile: string;
  /** Ends it, at once: nobody is answered after this. Resolves when what was published is off the disk. */
  close(): Promise<void>;
}

const ADDRESS = '127.0.0.1';
const PATH = '/mcp';
const DISCOVERY = 'http.json';
const CONNECTIONS = 64;
/** More requests of one client than this at once are turned away. */
const CALLS_IN_HAND = 100;
const BODY_LIMIT = 10_000;

/** A request that is turned away: nothing behind the door has seen it. */
class Rejected extends Error {
  override readonly name = 'Rejected';
  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/**
 * Serves MCP over HTTP, to clients of this machine that know a token of the token file. Where it listens is told in `http.json`
 * in the folder. Throws a `Refusal` where the folder or the token file is not this user's alone.
 */
export async function openHttp<S>(node: Modules, options: HttpOptions<S>): Promise<HttpDoor> {
  const { fs, path, http } = node;
  const { folder, report, bodyLimit = BODY_LIMIT } = options;
  await makeOwnFolder(node, folder);
  const tokenFile = options.tokenFile ?? path.join(folder, 'http-tokens');
  await makeTokenFile(node, tokenFile);
  const limits = {
    headersTimeout: bodyLimit,
    requestTimeout: bodyLimit * 2,
    connectionsCheckingInterval: Math.min(bodyLimit, 1000),
  };
  const server = http.createServer({
    ...limits,
    maxHeaderSize: 16 * 1024,
    keepAliveTimeout: 30_000,
  });
  server.maxConnections = CONNECTIONS;
  const port = await listen(server, options.port);
  const door = createDoorway(node, options, tokenFile, port);
  server.on(
    'request',
    (request: Incoming, response: Outgoing) => void door.answer(request, response).catch(report),
  );
  server.on('error', report);
  const url = `http://${ADDRESS}:${port}${PATH}`;
  const file = path.join(folder, DISCOVERY);
  const published = JSON.stringify({ url, tokenFile });
  const draft = `${file}.${node.crypto.randomBytes(4).toString('hex')}`;
  await fs.writeFile(draft, published, { mode: 0o600 });
  await fs.rename(draft, file);

  /** Takes back what was published, unless a successor has published its own by now. */
  async function withdraw(): Promise<void> {
    const held = await fs.readFile(file, 'utf8').catch(() => '');
    if (held === published) await fs.rm(file, { force: true });
  }

  return {
    url,
    tokenFile,
    async close() {
      server.close();
      server.closeAllConnections();
      await Promise.all([door.close(), withdraw()]).catch(report);
    },
  };
}

function listen(
  server: ReturnType<NodeModules['http']['createServer']>,
  port: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = ['EADDRINUSE', 'EACCES'].includes(errorCode(error) ?? '');
      reject(
        isTaken
          ? new Refusal(
              `The port ${port} is taken, or not for you to use. Give another port, or 0 for any that is free.`,
            )
          : error,
      );
    });
    server.listen({ host: ADDRESS, port, exclusive: true }, () => {
      server.removeAllListeners('error');
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}

/** Who may come in, and what is asked then. */
function createDoorway<S>(
  node: Modules,
  { toolset, mcp, origins = [], bodyLimit = BODY_LIMIT, report }: HttpOptions<S>,
  tokenFile: string,
  port: number,
) {
  const hosts = [ADDRESS, 'localhost'].map((name) => `${name}:${port}`);
  const allowed = new Set([...hosts.map((host) => `http://${host}`), ...origins]);
  const clientOf = createTokenCheck(node, tokenFile);
  const fetch = createMcpFetch(toolset, mcp);
  /** The session of each client: calls of one client that name no session share it. */
  const sessions = new Map<string, string>();
  const inHand = new Map<string, number>();

  function checkPlace({ rawHeaders, headers, url = '' }: Incoming): void {
    // Repeated headers are folded in `headers`; what another program behind this one would read is then uncertain.
    const count = (name: string) =>
      rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === name).length;
    if (count('host') !== 1 || !hosts.includes(headers.host ?? ''))
      throw new Rejected(
        403,
        `The Host of the request is not this server. Use ${hosts.join(' or ')}.`,
      );
    if (count('origin') > 0 && (count('origin') > 1 || !allowed.has(headers.origin ?? '')))
      throw new Rejected(403, 'Web pages may not call this server. Use an MCP client.');
    if (url.includes('?'))
      throw new Rejected(
        400,
        'The address of the request has a query. Send the token in the header Authorization, never in the address.',
      );
    if (url !== PATH) throw new Rejected(404, `There is nothing here. Use ${PATH}.`);
  }

  async function authenticate({ headers }: Incoming): Promise<string> {
    const [, token] = /^Bearer ([^\s]{1,200})$/i.exec(headers.authorization ?? '') ?? [];
    const client = token === undefined ? undefined : await clientOf(token);
    if (client === undefined)
      throw new Rejected(
        401,
        'A token is needed: send "Authorization: Bearer TOKEN" with one of the token file.',
        {
          'www-authenticate': 'Bearer realm="savepoint"',
        },
      );
    return client;
  }

  async function answerClient(request: Incoming, response: Outgoing, name: string): Promise<void> {
    const body = request.method === 'POST' ? await readJson(request) : undefined;
    const controller = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) controller.abort(); // else nothing is left to stop
    });
    const sessionId = sessions.get(name) ?? node.crypto.randomUUID();
    sessions.set(name, sessionId);
    const url = `http://${hosts[0]}${PATH}`;
    const asked = new Request(url, {
      method: request.method ?? 'GET',
      headers: headersOf(request),
      signal: controller.signal,
    });
    await send(await fetch.answer(asked, body, { name, sessionId }), response);
  }

  async function readJson(request: Incoming): Promise<unknown> {
    const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
    if (type !== 'application/json')
      throw new Rejected(
        415,
        'The body is not said to be JSON. Send the header Content-Type: application/json.',
      );
    const text = await readBody(node, request, bodyLimit);
    try {
      return JSON.parse(text);
    } catch {
      throw new Rejected(400, 'The body is not valid JSON. Send one JSON-RPC message.');
    }
  }

  return {
    async answer(request: Incoming, response: Outgoing): Promise<void> {
      let name: string | undefined;
      try {
        checkPlace(request);
        const client = await authenticate(request);
        const calls = inHand.get(client) ?? 0;
        if (calls >= CALLS_IN_HAND)
          throw new Rejected(429, 'Too many requests at once. Wait for answers.', {
            'retry-after': '1',
          });
        inHand.set(client, calls + 1);
        name = client;
        await answerClient(request, response, client);
      } catch (error) {
        if (!(error instanceof Rejected) && !response.destroyed) report(error); // a client that has gone is no fault
        reject(
          request,
          response,
          error instanceof Rejected
            ? error
            : new Rejected(500, 'Savepoint ran into a fault of its own. Try again.'),
        );
      } finally {
        if (name !== undefined) inHand.set(name, (inHand.get(name) ?? 1) - 1);
      }
    },
    close: () => fetch.close(),
  };
}

/** The whole body as text. */
async function readBody({ timers }: Modules, request: Incoming, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const timer = timers.setTimeout(
      () =>
        reject(
          new Rejected(408, `The body did not come within ${limit / 1000} s. Send it at once.`),
        ),
      limit,
    );
    request.once('close', () => timers.clearTimeout(timer));
    request.once('error', reject);
    request.on('data', (piece: Uint8Array) => {
      size += piece.length;
      if (size <= MESSAGE_LIMIT) pieces.push(piece);
      else
        reject(
          new Rejected(
            413,
            `The body is over ${MESSAGE_LIMIT / 1024 / 1024} MB. Send less at once.`,
          ),
        );
    });
    request.once('end', () => {
      timers.clearTimeout(timer);
      const decoder = new TextDecoder();
      resolve(
        pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode(),
      );
    });
  });
}

/** The headers that the protocol reads. */
function headersOf({ headers }: Incoming): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' &&
      (['accept', 'content-type'].includes(name) ||
        name.startsWith('mcp-') ||
        name === 'last-event-id')
        ? [[name, value]]
        : [],
    ),
  );
}

/** Sends an answer on, piece by piece as it comes. */
async function send(answer: Response, response: Outgoing): Promise<void> {
  const { connection: _, ...headers } = Object.fromEntries(answer.headers); // whether it is kept is between the client and Node
  response.writeHead(answer.status, { ...headers, 'cache-control': 'no-store' });
  const reader = answer.body?.getReader();
  if (reader) {
    response.once('close', () => void reader.cancel().catch(() => undefined));
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!response.write(next.value)) await drained(response);
    }
  }
  response.end();
}

function drained(response: Outgoing): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['drain', 'close'] as const) response.once(event, () => resolve());
  });
}

/** Turns a request away. What still comes of it is thrown away; where that may be much or never end, so is the connection. */
function reject(
  request: Incoming,
  response: Outgoing,
  { status, message, headers }: Rejected,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const isEndless = status === 408 || status === 413;
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } });
  const kept = { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers };
  response.writeHead(status, { ...kept, ...(isEndless && { connection: 'close' }) });
  response.end(body, () => {
    if (isEndless) request.destroy();
  });
}

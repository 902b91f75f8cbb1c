import {
  connectLive,
  serveLive,
  type LiveAnswer,
  type LiveCall,
  type LiveConnection,
  type Prove,
} from '../../bridge/live-protocol.js';
import { Refusal } from '../../model/refusal.js';
import { errorCode, type NodeModules } from '../modules.js';
import { checkIsOwn, makeOwnFolder } from '../ports/own-files.js';
import { createStreamChannel } from './stream-channel.js';

/** Where the plugin listens while Obsidian has the vault open, for the same user's own programs only. */
export interface LiveSocket {
  /** Ends it, at once: nobody is answered after this. Resolves when nothing of it is left on the disk. */
  close(): Promise<void>;
}

interface Place {
  /** The folder, outside the vault, that this device keeps for the vault: both sides find it by where the vault is. */
  readonly folder: string;
  readonly platform: NodeJS.Platform;
  /** A short folder of the user's own, where the system has one: some systems allow sockets a path of 100 bytes only. */
  readonly runtimeFolder: string | undefined;
}

/** Where the two sides meet: `ownFolder` is what this device keeps for the vault, see `vaultStateFolder`. */
export function livePlace(
  { path }: Pick<NodeModules, 'path'>,
  ownFolder: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Place {
  const runtime = env['XDG_RUNTIME_DIR'] ?? '';
  // As its standard has it: what is empty or relative counts as not set.
  return {
    folder: path.join(ownFolder, 'live'),
    platform,
    runtimeFolder: path.isAbsolute(runtime) ? runtime : undefined,
  };
}

type Modules = Pick<NodeModules, 'fs' | 'path' | 'os' | 'net' | 'crypto' | 'timers'>;

const CONNECTIONS = 64;
const LONGEST_PATH = 100;
const DISCOVERY = 'live.json';

interface Discovery {
  readonly socket: string;
  readonly token: string;
}

/**
 * Begins to listen. The socket lies in a folder that only this user may enter and has a name that nobody can guess; where it is
 * and a token are told in a file that only this user may read. Throws a `Refusal` where the folder is not safe.
 */
export async function openLiveSocket(
  node: Modules,
  place: Place,
  call: (call: LiveCall, signal: AbortSignal) => Promise<LiveAnswer>,
  report: (error: unknown) => void,
): Promise<LiveSocket> {
  const { fs, path, crypto } = node;
  await makeOwnFolder(node, place.folder);
  await removeStale(node, place);
  const token = crypto.randomBytes(32).toString('hex');
  const socket = await socketPath(node, place);
  const server = await listen(node, place.platform, socket, (connection) => {
    const channel = createStreamChannel(connection, connection, node.timers, () =>
      connection.destroy(),
    );
    serveLive(
      channel,
      { prove: proverOf(crypto, token), nonce: () => crypto.randomBytes(32).toString('hex') },
      call,
    );
  });
  server.on('error', report);
  const file = path.join(place.folder, DISCOVERY);
  const draft = `${file}.${crypto.randomBytes(4).toString('hex')}`;
  const own: Discovery = { socket, token };
  await fs.writeFile(draft, JSON.stringify(own), { mode: 0o600 });
  await fs.rename(draft, file);
  return {
    close() {
      server.closeAll();
      return withdraw(node, place, own).catch(report);
    },
  };
}

/**
 * Connects to the plugin; undefined where nobody listens. Throws a `Refusal` where what is there is not this user's own.
 */
export async function findLive(node: Modules, place: Place): Promise<LiveConnection | undefined> {
  const { crypto, net, timers } = node;
  const found = await readDiscovery(node, place);
  if (!found) return undefined;
  const connection = net.connect(found.socket);
  const isConnected = await new Promise<boolean>((resolve) => {
    connection.once('connect', () => resolve(true));
    connection.once('error', () => resolve(false));
  });
  if (!isConnected) return undefined;
  const channel = createStreamChannel(connection, connection, timers, () => connection.destroy());
  const secrets = {
    prove: proverOf(crypto, found.token),
    nonce: () => crypto.randomBytes(32).toString('hex'),
  };
  return connectLive(channel, secrets).catch(() => undefined);
}

function proverOf(crypto: NodeModules['crypto'], token: string): Prove {
  return (question) => crypto.createHmac('sha256', token).update(question).digest('hex');
}

type Server = ReturnType<NodeModules['net']['createServer']>;
type Socket = ReturnType<NodeModules['net']['connect']>;

interface ClosableServer extends Server {
  /** Ends the server and every connection to it, synchronously. */
  closeAll(): void;
}

function listen(
  { net, fs }: Modules,
  platform: NodeJS.Platform,
  socket: string,
  welcome: (connection: Socket) => void,
): Promise<ClosableServer> {
  const connections = new Set<Socket>();
  const server = net.createServer((connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    connection.on('error', () => connection.destroy());
    welcome(connection);
  });
  server.maxConnections = CONNECTIONS;
  const closable = Object.assign(server, {
    closeAll() {
      server.close();
      for (const connection of connections) connection.destroy();
    },
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      // The folder keeps others out already; this is for systems that ask the socket itself.
      void (platform === 'win32' ? Promise.resolve() : fs.chmod(socket, 0o600)).then(
        () => resolve(closable),
        reject,
      );
    });
  });
}

async function socketPath(
  node: Modules,
  { folder, platform, runtimeFolder }: Place,
): Promise<string> {
  const { path, crypto } = node;
  const name = crypto.randomBytes(12).toString('hex');
  if (platform === 'win32') return `\\\\.\\pipe\\savepoint-${name}`;
  const own = runtimeFolder === undefined ? folder : path.join(runtimeFolder, 'savepoint');
  if (own !== folder) await makeOwnFolder(node, own);
  const socket = path.join(own, `${name}.sock`);
  if (new TextEncoder().encode(socket).length > LONGEST_PATH)
    throw new Refusal(
      `The folder "${own}" has too long a path for a socket. Set XDG_RUNTIME_DIR to a short folder of your own, and restart Obsidian.`,
    );
  return socket;
}

/** What an earlier run has left behind: its socket, where nobody answers there any more. */
async function removeStale(node: Modules, place: Place): Promise<void> {
  const left = await readDiscovery(node, place).catch(() => undefined);
  if (!left || place.platform === 'win32') return;
  const probe = node.net.connect(left.socket);
  const isThere = await new Promise<boolean>((resolve) => {
    probe.once('connect', () => resolve(true));
    probe.once('error', () => resolve(false));
  });
  probe.destroy();
  if (!isThere) await node.fs.rm(left.socket, { force: true });
}

/** Takes back what was published, unless a successor has published its own by now. */
async function withdraw(node: Modules, place: Place, own: Discovery): Promise<void> {
  const { fs, path } = node;
  if (place.platform !== 'win32') await fs.rm(own.socket, { force: true });
  const file = path.join(place.folder, DISCOVERY);
  const held = await fs.readFile(file, 'utf8').catch(() => '');
  if (held === JSON.stringify(own)) await fs.rm(file, { force: true });
}

/** What a running plugin has published; undefined where none has. Throws a `Refusal` where it may be another user's. */
async function readDiscovery(
  node: Modules,
  { folder, platform }: Place,
): Promise<Discovery | undefined> {
  const { fs, path } = node;
  const file = path.join(folder, DISCOVERY);
  try {
    for (const each of [folder, file]) await checkIsOwn(node, each);
    const found: unknown = JSON.parse(await fs.readFile(file, 'utf8'));
    if (!isDiscovery(found)) return undefined;
    if (platform !== 'win32') await checkIsOwn(node, found.socket);
    return found;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isDiscovery(value: unknown): value is Discovery {
  if (typeof value !== 'object' || value === null || !('socket' in value) || !('token' in value))
    return false;
  return typeof value.socket === 'string' && typeof value.token === 'string';
}

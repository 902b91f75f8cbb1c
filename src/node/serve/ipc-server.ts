import {
  connectLive,
  serveLive,
  type LiveAnswer,
  type LiveConnection,
  type LiveToolCall,
  type Secrets,
} from '../../bridge/live-protocol.js';
import { Refusal } from '../../model/refusal.js';
import { isText, parseJsonObject } from '../../model/text/json-fields.js';
import { errorCode, type NodeModules, type Platform, type ProcessEnv } from '../modules.js';
import { assertPrivate, createPrivateFolder } from '../ports/private-files.js';
import { publishDiscovery } from './discovery-file.js';
import type { ServeModules } from './modules.js';
import { createStreamChannel } from './stream-channel.js';

/** Serves programs of the same user on a local socket while Obsidian has the vault open. */
export interface IpcServer {
  /** Closes all connections. Resolves when the socket and the discovery file are removed. */
  close(): Promise<void>;
}

interface IpcLocation {
  /** The folder with the discovery file. Both sides derive it from the vault's path. */
  readonly folder: string;
  readonly platform: Platform;
  /** Folders for the socket, the best one first; the first whose path is short enough is used. */
  readonly socketFolders: readonly string[];
}

/**
 * Returns where client and server meet. `deviceFolder` is the vault's state folder (see
 * `vaultStateFolder`). The system's temporary folder comes last, because macOS empties it.
 */
export function ipcLocation(
  { path, os, crypto }: NodeModules,
  deviceFolder: string,
  env: ProcessEnv,
  platform: Platform,
): IpcLocation {
  const folder = path.join(deviceFolder, 'live');
  const runtime = env['XDG_RUNTIME_DIR'] ?? '';
  const id = crypto.createHash('sha256').update(folder).digest('hex').slice(0, 8);
  return {
    folder,
    platform,
    socketFolders: [
      // The XDG specification says to ignore an empty or relative path.
      ...(path.isAbsolute(runtime) ? [path.join(runtime, 'savepoint')] : []),
      folder,
      path.join(os.tmpdir(), `savepoint-${id}`),
    ],
  };
}

type Socket = ReturnType<ServeModules['net']['connect']>;

const MAX_CONNECTIONS = 64;
/** macOS allows 103 bytes, Linux 107. */
const MAX_SOCKET_PATH_BYTES = 103;
/** The folder keeps other users out, so the name only has to differ from that of another server. */
const SOCKET_NAME_BYTES = 4;
const DISCOVERY_FILE = 'live.json';

interface Discovery {
  readonly socket: string;
  readonly token: string;
  /** The version of the plugin that listens. */
  readonly version: string;
}

/**
 * Listens on a socket with a random name, in a folder that only this user may enter; on Windows, a
 * named pipe. Publishes its path and a token in a file that only this user may read. Throws a
 * `Refusal` if a folder is not private or the path is too long.
 */
export async function startIpcServer(
  node: ServeModules,
  { version, ...location }: IpcLocation & { readonly version: string },
  call: (call: LiveToolCall, signal: AbortSignal) => Promise<LiveAnswer>,
  report: (error: unknown) => void,
): Promise<IpcServer> {
  const { fs, path, crypto } = node;
  await createPrivateFolder(node, location.folder);
  await removeStaleSocket(node, location);
  const token = crypto.randomBytes(32).toString('hex');
  const socket = await createSocketPath(node, location);
  const server = await listen(node, location.platform, socket, (connection) => {
    const channel = createStreamChannel(connection, connection, node.timers, () =>
      connection.destroy(),
    );
    serveLive(channel, createSecrets(crypto, token), call);
  });
  server.on('error', report);
  const discovery: Discovery = { socket, token, version };
  const unpublish = await publishDiscovery(
    node,
    path.join(location.folder, DISCOVERY_FILE),
    JSON.stringify(discovery),
  );

  async function cleanUp(): Promise<void> {
    if (location.platform !== 'win32') await fs.rm(socket, { force: true });
    await unpublish();
  }

  return {
    close() {
      server.closeAll();
      return cleanUp().catch(report);
    },
  };
}

/**
 * Resolves to undefined without an answer. `onVersion` gets the version of the plugin. Throws a
 * `Refusal` if files may be another user's.
 */
export async function connectIpc(
  node: ServeModules,
  location: IpcLocation,
  onVersion: (version: string) => void = () => undefined,
): Promise<LiveConnection | undefined> {
  const discovery = await readDiscovery(node, location);
  if (!discovery) return undefined;
  const connection = node.net.connect(discovery.socket);
  if (!(await isConnected(connection))) return undefined;
  const channel = createStreamChannel(connection, connection, node.timers, () =>
    connection.destroy(),
  );
  const secrets = createSecrets(node.crypto, discovery.token);
  const connected = await connectLive(channel, secrets).catch(() => undefined);
  if (connected) onVersion(discovery.version);
  return connected;
}

function createSecrets(crypto: NodeModules['crypto'], token: string): Secrets {
  return {
    prove: (question) => crypto.createHmac('sha256', token).update(question).digest('hex'),
    nonce: () => crypto.randomBytes(32).toString('hex'),
  };
}

function isConnected(connection: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    connection.once('connect', () => resolve(true));
    connection.once('error', () => resolve(false));
  });
}

function listen(
  { net, fs }: ServeModules,
  platform: Platform,
  socket: string,
  onConnection: (connection: Socket) => void,
) {
  const connections = new Set<Socket>();
  const server = net.createServer((connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
    connection.on('error', () => connection.destroy());
    onConnection(connection);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const closable = Object.assign(server, {
    closeAll() {
      server.close();
      for (const connection of connections) connection.destroy();
    },
  });
  return new Promise<typeof closable>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, () => {
      server.off('error', reject);
      // The folder already excludes other users; some systems check the socket itself.
      const restricted = platform === 'win32' ? Promise.resolve() : fs.chmod(socket, 0o600);
      restricted.then(() => resolve(closable), reject);
    });
  });
}

/** Returns the path of a new socket, in a folder that only this user may enter. */
async function createSocketPath(node: ServeModules, location: IpcLocation): Promise<string> {
  const name = node.crypto.randomBytes(SOCKET_NAME_BYTES).toString('hex');
  const socket = socketPath(node, location, name);
  if (location.platform !== 'win32') await createPrivateFolder(node, node.path.dirname(socket));
  return socket;
}

/** Throws a `Refusal` if the path is too long in every folder. */
export function socketPath(
  { path }: NodeModules,
  { platform, socketFolders }: IpcLocation,
  name: string,
): string {
  if (platform === 'win32') return `\\\\.\\pipe\\savepoint-${name}`;
  const socket = socketFolders
    .map((folder) => path.join(folder, `${name}.sock`))
    .find((file) => new TextEncoder().encode(file).length <= MAX_SOCKET_PATH_BYTES);
  if (socket !== undefined) return socket;
  throw new Refusal(
    `The path of the folder "${socketFolders.at(-1) ?? ''}" is too long for a socket. Set XDG_RUNTIME_DIR to a folder of your own with a short path, and restart Obsidian.`,
  );
}

/** Removes the socket of an earlier run if no server listens on it. */
async function removeStaleSocket(node: ServeModules, location: IpcLocation): Promise<void> {
  const discovery = await readDiscovery(node, location).catch(() => undefined);
  if (!discovery || location.platform === 'win32') return;
  const probe = node.net.connect(discovery.socket);
  const hasListener = await isConnected(probe);
  probe.destroy();
  if (!hasListener) await node.fs.rm(discovery.socket, { force: true });
}

/** Returns undefined if missing or invalid. Throws a `Refusal` if it may be another user's. */
async function readDiscovery(
  node: ServeModules,
  { folder, platform }: IpcLocation,
): Promise<Discovery | undefined> {
  const { fs, path } = node;
  const file = path.join(folder, DISCOVERY_FILE);
  try {
    await assertPrivate(node, folder);
    await assertPrivate(node, file);
    const { socket, token, version } = parseJsonObject(await fs.readFile(file, 'utf8')) ?? {};
    if (!isText(socket) || !isText(token) || !isText(version)) return undefined;
    if (platform !== 'win32') await assertPrivate(node, socket);
    return { socket, token, version };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

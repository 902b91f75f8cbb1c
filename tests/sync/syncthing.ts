import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterThisTest, pairFolder, until } from './pair.js';

/** Installs Syncthing if it is absent. Returns why it is unavailable, or undefined. */
export function whySyncthingIsAbsent(): string | undefined {
  if (isThere()) return undefined;
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'Syncthing is not installed, and only root on Debian can install it';
  const options = {
    timeout: 180_000,
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const;
  try {
    execFileSync('apt-get', ['update', '-q'], options);
    execFileSync(
      'apt-get',
      ['install', '-q', '-y', '--no-install-recommends', 'syncthing'],
      options,
    );
  } catch (error) {
    return `Syncthing could not be installed by apt-get (${error instanceof Error ? error.message : String(error)})`;
  }
  return isThere() ? undefined : 'apt-get has run, but there is still no syncthing';
}

function isThere(): boolean {
  try {
    execFileSync('syncthing', ['--version'], { timeout: 20_000, stdio: 'ignore' });
    return true;
  } catch {
    return false; // not installed
  }
}

/** Configuration of one of the two instances. */
export interface Peer {
  readonly id: string;
  readonly home: string;
  readonly vault: string;
  readonly listen: number;
  readonly gui: number;
}

export const FOLDER_ID = 'vault';
const API_KEY = 'savepoint-sync-test';

/** Creates a home with its own keys. The ports are free at the time of the call. */
export async function createPeer(name: string): Promise<Peer> {
  const home = pairFolder(`home-${name}`);
  execFileSync(
    'syncthing',
    ['generate', '--home', home, '--no-default-folder', '--skip-port-probing'],
    {
      timeout: 60_000,
      stdio: 'ignore',
    },
  );
  const id = /<device id="([A-Z0-9-]+)"/.exec(readFileSync(join(home, 'config.xml'), 'utf8'))?.[1];
  if (id === undefined) throw new Error('Syncthing has made no device id');
  const [listen, gui] = await freePorts(2);
  return { id, home, vault: pairFolder(`vault-${name}`), listen: listen!, gui: gui! };
}

/** Loopback only: no discovery, relays, NAT, reports or upgrades. */
export function writeConfig(own: Peer, peers: readonly Peer[]): void {
  const no = (names: string) => names.split(' ').map((name) => `<${name}>false</${name}>`);
  const device = ({ id, listen }: Peer) =>
    `<device id="${id}" compression="never"><address>tcp://127.0.0.1:${listen}</address></device>`;
  const lines = [
    '<configuration version="36">',
    `<folder id="${FOLDER_ID}" path="${own.vault}" type="sendreceive" rescanIntervalS="5" fsWatcherEnabled="true" fsWatcherDelayS="1">`,
    ...peers.map(({ id }) => `<device id="${id}"/>`),
    '<maxConflicts>10</maxConflicts><minDiskFree unit="%">0</minDiskFree><versioning type="simple"><param key="keep" val="5"/></versioning>',
    '</folder>',
    ...peers.map(device),
    `<gui enabled="true" tls="false"><address>127.0.0.1:${own.gui}</address><apikey>${API_KEY}</apikey></gui>`,
    `<options><listenAddress>tcp://127.0.0.1:${own.listen}</listenAddress><reconnectionIntervalS>1</reconnectionIntervalS>`,
    ...no(
      'globalAnnounceEnabled localAnnounceEnabled relaysEnabled natEnabled startBrowser crashReportingEnabled announceLANAddresses',
    ),
    '<urAccepted>-1</urAccepted><autoUpgradeIntervalH>0</autoUpgradeIntervalH><stunKeepaliveStartS>0</stunKeepaliveStartS>',
    '<minHomeDiskFree unit="%">0</minHomeDiskFree></options>',
    '</configuration>',
  ];
  writeFileSync(join(own.home, 'config.xml'), lines.join('\n'));
}

/** A running instance, controlled by its REST API. */
export interface Syncthing {
  get<T>(path: string): Promise<T>;
  post(path: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an instance, and resolves once it responds. It ends with the test or the test process. */
export async function startSyncthing({ home, gui }: Peer): Promise<Syncthing> {
  // Without STMONITORED, Syncthing runs in a child process, which would outlive this one.
  const env = { ...process.env, HOME: home, STNOUPGRADE: '1', STMONITORED: '1' };
  const args = [
    '--pdeathsig',
    'KILL',
    'syncthing',
    'serve',
    '--home',
    home,
    '--no-browser',
    '--no-restart',
  ];
  const child = spawn('setpriv', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (output = (output + piece.toString()).slice(-4000)));
  const closed = once(child, 'close');

  async function request(method: string, path: string): Promise<Response> {
    const signal = AbortSignal.timeout(10_000);
    const answer = await fetch(`http://127.0.0.1:${gui}/rest/${path}`, {
      method,
      headers: { 'X-API-Key': API_KEY },
      signal,
    });
    if (!answer.ok)
      throw new Error(`Syncthing answers ${answer.status} to ${path}: ${await answer.text()}`);
    return answer;
  }

  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const patience = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await closed;
    clearTimeout(patience);
  }

  afterThisTest(stop);
  const answers = () =>
    request('GET', 'system/ping').then(
      () => true,
      () => false,
    );
  await until(answers, 30, () => `Syncthing does not answer\n${output}`);
  return {
    get: async <T>(path: string) => (await (await request('GET', path)).json()) as T,
    post: async (path) => void (await request('POST', path)),
    stop,
  };
}

/** Opens all ports at once, so that none is returned twice. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

import { partsOf } from '../../apps/index.js';
import { Refusal } from '../../model/refusal.js';
import { envValue } from '../environment.js';
import type { NodeModules, ProcessEnv } from '../modules.js';
import { findExecutable } from './check/find-executable.js';
import type { HostEnvironment } from './clients.js';

/** Folders in which package managers keep a stable link to the current version. */
const STABLE_LINK_FOLDERS = [
  '/opt/homebrew/bin',
  '/usr/local/bin',
  '/home/linuxbrew/.linuxbrew/bin',
  '/usr/bin',
];

/** Folders of package managers, relative to the home folder. */
const BIN_FOLDERS = ['.local/bin', '.volta/bin', '.bun/bin', '.npm-global/bin'];

/** As in package.json. */
export const NEEDED_NODE = '22.13';

/** Returns one sentence if a version of Node is older than the supported ones; else nothing. */
export function nodeAdvice(version: string): string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = NEEDED_NODE.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return [];
  return [
    `Node ${version} runs this program, and it is tested with Node ${NEEDED_NODE} and later: update Node.`,
  ];
}

/**
 * Returns Node's absolute path, because an app not started from a shell lacks the shell's PATH.
 * Prefers a stable link to the Node of this process, because it survives updates. Throws a
 * `Refusal` if Node is not found, and in Flatpak's sandbox.
 */
export async function findNode(node: NodeModules, host: HostEnvironment): Promise<string> {
  refuseInFlatpak(host);
  const { fs, path } = node;
  const program = host.platform === 'win32' ? 'node.exe' : 'node';
  const isNode = path.basename(host.execPath).toLowerCase() === program;
  const realpath = (file: string) => fs.realpath(file).catch(() => undefined);
  const stableLinks = STABLE_LINK_FOLDERS.map((folder) => path.join(folder, program));
  if (isNode) {
    const running = await realpath(host.execPath);
    for (const file of host.platform === 'win32' ? [] : stableLinks)
      if ((await realpath(file)) === running) return file;
    return host.execPath;
  }
  const onPath = await findExecutable(node, host, program);
  if (onPath !== undefined) return onPath;
  for (const file of [...stableLinks, ...(await commonLocations(node, host, program))])
    if ((await realpath(file)) !== undefined) return file;
  throw new Refusal(
    `Node was not found on this machine. Install it from nodejs.org (version ${NEEDED_NODE} or later), then try again; ` +
      'Claude Desktop does not need it with the file savepoint.mcpb.',
  );
}

/** Throws a `Refusal` in a sandbox from which no program of this machine can be started. */
export function refuseInFlatpak({ env }: HostEnvironment): void {
  if (env['FLATPAK_ID'] === undefined) return;
  throw new Refusal(
    'Obsidian runs in the sandbox of Flatpak, where it cannot start programs of this machine. To connect or check an AI app, run "node main.js connect" or "node main.js doctor" in the folder of the plugin, in a terminal.',
  );
}

/** Returns the paths that installers and version managers use, newest version first. */
async function commonLocations(
  node: NodeModules,
  { platform, env, home }: HostEnvironment,
  program: string,
): Promise<string[]> {
  const { path } = node;
  const localAppData = envValue(env, 'LOCALAPPDATA');
  const nvmLink = envValue(env, 'NVM_SYMLINK');
  if (platform === 'win32')
    return [
      envValue(env, 'ProgramFiles'),
      localAppData && path.join(localAppData, 'Programs'),
      nvmLink && path.dirname(nvmLink),
    ]
      .filter((folder) => folder !== undefined)
      .map((folder) => path.join(folder, 'nodejs', program));
  const folders = [path.join(home, '.volta', 'bin'), ...(await nvmFolders(node, env, home))];
  return folders.map((folder) => path.join(folder, program));
}

/** Returns the folders with the versions of Node that nvm has installed, newest first. */
async function nvmFolders(
  { fs, path }: NodeModules,
  env: ProcessEnv,
  home: string,
): Promise<string[]> {
  const nvm = envValue(env, 'NVM_DIR') ?? path.join(home, '.nvm');
  const versions = path.join(nvm, 'versions', 'node');
  const names = await fs.readdir(versions).catch((): string[] => []);
  const newest = names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  return newest.map((name) => path.join(versions, name, 'bin'));
}

/** Returns the folders in which package managers put programs on this platform. */
export async function binFolders(
  node: NodeModules,
  { platform, env, home }: HostEnvironment,
): Promise<string[]> {
  const { path } = node;
  if (platform === 'win32') {
    const appData = envValue(env, 'APPDATA');
    const localAppData = envValue(env, 'LOCALAPPDATA');
    return [
      appData && path.join(appData, 'npm'),
      localAppData && path.join(localAppData, 'pnpm'),
      envValue(env, 'NVM_SYMLINK'),
      path.join(home, '.local', 'bin'),
    ].filter((folder) => folder !== undefined);
  }
  const inHome = [...BIN_FOLDERS, ...partsOf('acp').flatMap(({ binFolder }) => binFolder ?? [])];
  return [
    ...STABLE_LINK_FOLDERS,
    ...inHome.map((folder) => path.join(home, folder)),
    ...(await nvmFolders(node, env, home)),
  ];
}

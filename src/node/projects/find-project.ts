import type { NamedFolder } from '../../apps/ai-app.js';
import { appOfClient, partsOf } from '../../apps/index.js';
import type { ClientLocation } from '../../bridge/projects.js';
import type { NodeModules } from '../modules.js';
import { mainRemote, readRepository } from './git-remote.js';

type Modules = Pick<NodeModules, 'fs' | 'callbackFs' | 'path' | 'os' | 'crypto'>;

/** The process that serves a client. */
export interface ClientProcess {
  /** The vault's folder. */
  readonly vault: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
}

/** Identity and folder of a project; see `ClientProject`. */
export interface FoundProject {
  readonly key: string;
  readonly folder?: string;
}

/**
 * Returns the project of a client: the first of the folder that the call names, the client's
 * variable, its roots, and the working directory that is a project. The vault's folder, the home
 * folder and the root of a drive are none. A project is identified by its git remote if it has one,
 * otherwise by its real path.
 */
export async function findProject(
  node: Modules,
  client: ClientProcess,
  location: ClientLocation,
): Promise<FoundProject | undefined> {
  const excluded = await realPaths(node, [client.vault, node.os.homedir()]);
  const named = location.named && (await projectAtNamed(node, location.named, excluded));
  if (named) return named;
  for (const folder of foldersOf(node, client, location)) {
    const project = await projectAt(node, folder, excluded);
    if (project) return project;
  }
  return undefined;
}

/**
 * Returns the project that contains a folder which the user or a client has named. Unlike
 * `findProject`, it accepts a vault's own folder. Returns undefined for the home folder, the root
 * of a drive and a missing folder.
 */
export async function projectOfFolder(
  node: Modules,
  folder: string,
): Promise<Required<FoundProject> | undefined> {
  return projectAt(node, folder, await realPaths(node, [node.os.homedir()]));
}

/**
 * Returns the keys under which the project of a folder may be known, the most specific first. A
 * folder that is in no repository also belongs to the projects of the folders that contain it.
 */
export async function projectKeysOf(
  node: Modules,
  folder: string,
): Promise<{ readonly keys: readonly string[]; readonly folder: string } | undefined> {
  const project = await projectOfFolder(node, folder);
  if (!project) return undefined;
  const keys = [project.key];
  if (project.key === keyOf(node, 'path', project.folder)) {
    const { path } = node;
    for (let at = project.folder; path.dirname(at) !== at; at = path.dirname(at))
      keys.push(keyOf(node, 'path', path.dirname(at)));
  }
  return { keys, folder: project.folder };
}

/** Returns the folders in which the client may be working, the most reliable first. */
function foldersOf(
  { path }: Pick<NodeModules, 'path'>,
  { env, platform }: ClientProcess,
  { client, roots }: ClientLocation,
): string[] {
  // Apps also set the variables of others.
  const own = appOfClient(client)?.projectVariable;
  const root = roots.flatMap((uri) => pathOfUri(uri, platform) ?? []).slice(0, 1);
  const folders = [
    ...(own === undefined ? [] : [env[own] ?? '']),
    ...root,
    ...partsOf('projectVariable').map((name) => env[name] ?? ''),
    workingDirectory(path),
    // It differs from the working directory if a program has changed that, and is stale if a
    // program was started elsewhere.
    env['PWD'] ?? '',
  ];
  return folders.filter((folder) => path.isAbsolute(folder));
}

/** Returns the working directory of this process; empty if it no longer exists. */
function workingDirectory(path: NodeModules['path']): string {
  try {
    return path.resolve();
  } catch {
    return '';
  }
}

async function projectAtNamed(
  node: Modules,
  { folder, remotes }: NamedFolder,
  excluded: readonly string[],
): Promise<FoundProject | undefined> {
  const here = node.path.isAbsolute(folder) ? await projectAt(node, folder, excluded) : undefined;
  const remote = mainRemote(remotes);
  return remote === undefined ? here : { ...here, key: keyOf(node, 'remote', remote) };
}

async function projectAt(
  node: Modules,
  folder: string,
  excluded: readonly string[],
): Promise<Required<FoundProject> | undefined> {
  const real = await realFolder(node, folder);
  if (real === undefined || excluded.includes(real) || node.path.dirname(real) === real)
    return undefined;
  const repository = await readRepository(node, real);
  // A repository of the whole vault or home folder contains many projects.
  if (!repository || excluded.includes(repository.root))
    return { key: keyOf(node, 'path', real), folder: real };
  const { root, remotes } = repository;
  const remote = mainRemote(remotes);
  const key = remote === undefined ? keyOf(node, 'path', root) : keyOf(node, 'remote', remote);
  return { key, folder: root };
}

async function realFolder(
  { fs }: Pick<NodeModules, 'fs'>,
  folder: string,
): Promise<string | undefined> {
  try {
    const real = await fs.realpath(folder);
    return (await fs.stat(real)).isDirectory() ? real : undefined;
  } catch {
    return undefined; // it does not exist on this device, or this user cannot reach it
  }
}

async function realPaths(
  { fs }: Pick<NodeModules, 'fs'>,
  folders: readonly string[],
): Promise<string[]> {
  const real = await Promise.all(folders.map((folder) => fs.realpath(folder).catch(() => folder)));
  return [...folders, ...real];
}

/** Returns a hash, because a remote may contain secrets and a path is nobody else's business. */
function keyOf({ crypto }: Pick<NodeModules, 'crypto'>, kind: string, identity: string): string {
  return crypto.createHash('sha256').update(`${kind}\n${identity}`).digest('hex').slice(0, 32);
}

/** Returns the path of a `file:` URI; undefined for any other URI. */
function pathOfUri(uri: string, platform: NodeJS.Platform): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { protocol, hostname, pathname } = new URL(uri);
  if (protocol !== 'file:' || (hostname !== '' && hostname !== 'localhost')) return undefined;
  try {
    const path = decodeURIComponent(pathname);
    return platform === 'win32' ? path.replace(/^\//, '').replaceAll('/', '\\') : path;
  } catch {
    return undefined;
  }
}

import type { NamedFolder } from '../../apps/ai-app.js';
import { appOfClient, partsOf } from '../../apps/index.js';
import type { ClientLocation } from '../../bridge/projects.js';
import type { NodeModules, Platform, ProcessEnv } from '../modules.js';
import { realFolder } from '../real-path.js';
import { normalizedRemotes, readHostAliases, readRepository } from './git-remote.js';

/** The process that serves a client. */
export interface ClientProcess {
  readonly vault: string;
  readonly env: ProcessEnv;
  readonly platform: Platform;
}

/** A folder in which a client works, or a repository elsewhere that the client names. */
export interface FoundProject {
  /** Hash of the main git remote or, if there is none, of the path. */
  readonly key: string;
  /** Most reliable first. Hashed, because a remote may contain secrets, and a path is private. */
  readonly keys: readonly string[];
  /** Those of the keys that are git remotes, which copies of the project have, too. */
  readonly remoteKeys: readonly string[];
  /** Absent if the project is elsewhere. */
  readonly place?: ProjectPlace;
}

/** Where a project is on this device. All paths are real ones. */
export interface ProjectPlace {
  /** The folder that was named. */
  readonly named: string;
  /** The folder of the repository that contains it; otherwise the same folder. */
  readonly folder: string;
  /** See `Repository`; undefined without a repository. */
  readonly gitFolder: string | undefined;
  /** See `firstCommit`. */
  readonly firstCommit: () => Promise<string | undefined>;
}

/**
 * Returns the first project among the folder that the call names, the client's variable, its roots,
 * and the working directory. The vault's folder, the home folder and a drive's root are none.
 */
export async function findProject(
  node: NodeModules,
  client: ClientProcess,
  location: ClientLocation,
): Promise<FoundProject | undefined> {
  const vaults = [client.vault];
  const named = location.named && (await projectAtNamed(node, location.named, vaults));
  if (named) return named;
  for (const folder of foldersOf(node, client, location)) {
    const project = await projectOfFolder(node, folder, vaults);
    if (project) return project;
  }
  return undefined;
}

/** Returns undefined for a vault, the home folder, a drive's root, and a missing folder. */
export async function projectOfFolder(
  node: NodeModules,
  typed: string,
  vaults: readonly string[],
): Promise<LocalProject | undefined> {
  const excluded = await realPaths(node, [...vaults, node.os.homedir()]);
  const named = await realFolder(node, typed);
  if (named === undefined || excluded.includes(named) || node.path.dirname(named) === named)
    return undefined;
  const found = await readRepository(node, named);
  // A repository of the whole vault or home folder contains many projects.
  const repository = found && !excluded.includes(found.root) ? found : undefined;
  const { root: folder = named, gitFolder, remotes = {} } = repository ?? {};
  let commit: Promise<string | undefined> | undefined;
  const place = {
    named,
    folder,
    gitFolder,
    // reading it may take long, so it is read once, and only if it is needed
    firstCommit: () => (commit ??= readFirstCommit(node, folder, gitFolder)),
  };
  return describe(node, place, remotes);
}

async function readFirstCommit(
  node: NodeModules,
  folder: string,
  gitFolder: string | undefined,
): Promise<string | undefined> {
  if (gitFolder === undefined) return undefined;
  return (await import('../git/first-commit.js')).firstCommit(node, folder, gitFolder);
}

export type LocalProject = FoundProject & { readonly place: ProjectPlace };

async function describe(
  node: NodeModules,
  place: ProjectPlace,
  remotes: NamedFolder['remotes'],
): Promise<LocalProject> {
  const { path } = node;
  const { folder, gitFolder = folder } = place;
  const remoteKeys = await remoteKeysOf(node, remotes);
  // Worktrees have the path of the folder that was cloned.
  const main = path.basename(gitFolder) === '.git' ? path.dirname(gitFolder) : folder;
  const [pathKey = '', gitKey = ''] = pathKeysOf(node, main, gitFolder);
  const entities = await Promise.all(
    [...new Set([folder, gitFolder])].map((at) => entityKey(node, at)),
  );
  const keys = [pathKey, gitKey, ...entities.flat(), ...remoteKeys];
  return { key: remoteKeys[0] ?? pathKey, keys, remoteKeys, place };
}

export function pathKeysOf(
  node: NodeModules,
  folder: string,
  gitFolder = node.path.join(folder, '.git'),
): string[] {
  return [hashKey(node, 'path', folder), hashKey(node, 'git', gitFolder)];
}

/** Returns a key that survives renaming; none if missing. The birth time tells reused ids apart. */
export async function entityKey({ fs }: NodeModules, folder: string): Promise<string[]> {
  const stats = await fs.stat(folder, { bigint: true }).catch(() => undefined);
  return stats ? [`${stats.dev}:${stats.ino}:${stats.birthtimeNs}`] : [];
}

async function remoteKeysOf(node: NodeModules, remotes: NamedFolder['remotes']): Promise<string[]> {
  if (Object.keys(remotes).length === 0) return [];
  const urls = normalizedRemotes(remotes, await readHostAliases(node));
  return urls.map((url) => hashKey(node, 'remote', url));
}

/** Returns the folders in which the client may be working, the most reliable first. */
function foldersOf(
  { path }: NodeModules,
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
    // Unlike the working directory, it ignores chdir, and is stale after a start elsewhere.
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
  node: NodeModules,
  { folder, remotes }: NamedFolder,
  vaults: readonly string[],
): Promise<FoundProject | undefined> {
  const here = node.path.isAbsolute(folder)
    ? await projectOfFolder(node, folder, vaults)
    : undefined;
  if (here) return here;
  const remoteKeys = await remoteKeysOf(node, remotes);
  const [key] = remoteKeys;
  return key === undefined ? undefined : { key, keys: remoteKeys, remoteKeys };
}

async function realPaths({ fs }: NodeModules, folders: readonly string[]): Promise<string[]> {
  const real = await Promise.all(folders.map((folder) => fs.realpath(folder).catch(() => folder)));
  return [...folders, ...real];
}

/** Returns a key of a project; of the kind `git`, that of the folder that worktrees share. */
export function hashKey(
  { crypto }: NodeModules,
  kind: 'path' | 'git' | 'remote',
  identity: string,
): string {
  return crypto.createHash('sha256').update(`${kind}\n${identity}`).digest('hex').slice(0, 32);
}

/** Returns undefined for any URI but a `file:` one. */
function pathOfUri(uri: string, platform: Platform): string | undefined {
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

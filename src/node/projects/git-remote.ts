import type { NodeModules } from '../modules.js';
import { commonFolder, findRepository, readText } from '../git/git-head.js';

const MAX_CONFIG_BYTES = 1024 * 1024;

/** The git repository that contains a folder. */
export interface Repository {
  /** The folder that is checked out. */
  readonly root: string;
  /** URLs of the remotes by name. */
  readonly remotes: Readonly<Record<string, string>>;
}

/**
 * Returns the git repository that contains a folder; undefined if there is none. Reads only the
 * repository's files.
 */
export async function readRepository(
  node: Pick<NodeModules, 'fs' | 'callbackFs' | 'path'>,
  folder: string,
): Promise<Repository | undefined> {
  const found = await findRepository(node, folder);
  if (!found) return undefined;
  const common = await commonFolder(node, found.own);
  const config = await readText(node, node.path.join(common, 'config'), MAX_CONFIG_BYTES);
  return { root: found.root, remotes: remotesIn(config ?? '') };
}

/**
 * Returns the URLs of the remotes in a git configuration, by name. The first URL of a remote
 * counts.
 */
function remotesIn(config: string): Record<string, string> {
  const remotes = new Map<string, string>();
  let name: string | undefined;
  for (const line of config.split('\n')) {
    const section = /^\s*\[\s*([^\s\]"]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (section) name = section[1]?.toLowerCase() === 'remote' ? section[2] : undefined;
    const [, url] = /^\s*url\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (name !== undefined && url && !remotes.has(name))
      remotes.set(name, url.replace(/^"(.*)"$/, '$1'));
  }
  return Object.fromEntries(remotes);
}

/**
 * Returns the remote that identifies a repository, in a form that is the same for each way to reach
 * it: `host/path`, without protocol, user, port and the suffix `.git`. It is the remote `origin` or
 * else the first by name; undefined if there is none.
 */
export function mainRemote(remotes: Readonly<Record<string, string>>): string | undefined {
  const [first] = Object.keys(remotes).sort();
  const url = remotes['origin'] ?? (first === undefined ? undefined : remotes[first]);
  return url === undefined ? undefined : normalizeRemote(url);
}

function normalizeRemote(url: string): string | undefined {
  const [, host, path] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:]*)(?::\d+)?\/*(.*)$/i.exec(
    url,
  ) ??
    /^(?:[^@/\\]*@)?([^:/\\]{2,}):\/*(.*)$/.exec(url) ?? ['', '', url];
  const place = path
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/\/+$/, '');
  return place === '' ? undefined : `${host.toLowerCase()}/${place}`;
}

import type { NodeModules } from '../modules.js';
import { configValues, MAX_CONFIG_BYTES } from '../git/config.js';
import { commonFolder, findRepository, readText } from '../git/git-head.js';
import { realPath } from '../real-path.js';

export interface Repository {
  /** The folder that is checked out. */
  readonly root: string;
  /** The real folder with the branches and objects; `.git` if the repository lacks this one. */
  readonly gitFolder: string;
  /** URLs of the remotes by name. */
  readonly remotes: Readonly<Record<string, string>>;
}

/** Returns the repository around a folder (a real path), if there is one, from its files alone. */
export async function readRepository(
  node: NodeModules,
  folder: string,
): Promise<Repository | undefined> {
  const found = await findRepository(node, folder);
  if (!found) return undefined;
  const { root, own } = found;
  const common = await commonFolder(node, own);
  const config = (await readText(node, node.path.join(common, 'config'), MAX_CONFIG_BYTES)) ?? '';
  const isOwn = await belongsTo(node, { root, own, common }, config);
  const gitFolder = isOwn ? await realPath(node, common) : node.path.join(root, '.git');
  return { root, gitFolder, remotes: remotesIn(config) };
}

/** Checks that a repository names the folder too: any folder could claim to be its worktree. */
async function belongsTo(
  node: NodeModules,
  { root, own, common }: { readonly root: string; readonly own: string; readonly common: string },
  config: string,
): Promise<boolean> {
  const { path } = node;
  const pointer = path.join(root, '.git');
  const real = await realPath(node, own);
  if (own === pointer) return own === common && real === own;
  if (own === common) {
    // a submodule
    const [tree] = configValues(config, 'core', 'worktree');
    return tree !== undefined && (await realPath(node, path.resolve(own, tree))) === root;
  }
  const worktrees = path.join(await realPath(node, common), 'worktrees');
  const named = await readText(node, path.join(own, 'gitdir'), MAX_CONFIG_BYTES);
  const back = await realPath(node, path.resolve(own, (named ?? '').trim()));
  return path.dirname(real) === worktrees && back === pointer;
}

/** Returns the URLs in a git configuration by remote. The first URL of a remote counts. */
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
 * Returns the remotes as `host/path`, the same for each way to reach them: without protocol, user,
 * port and `.git`, with `aliases` resolved. The first one, `origin` or else the first by name,
 * identifies the repository.
 */
export function normalizedRemotes(
  remotes: Readonly<Record<string, string>>,
  aliases: ReadonlyMap<string, string>,
): string[] {
  const names = Object.keys(remotes).sort(
    (a, b) => Number(b === 'origin') - Number(a === 'origin'),
  );
  const urls = names.flatMap((name) => normalizeRemote(remotes[name] ?? '', aliases) ?? []);
  return [...new Set(urls)];
}

/** Hosts that large services offer in addition, for networks that let only HTTPS through. */
const OTHER_HOSTS: Readonly<Record<string, string>> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};

function normalizeRemote(url: string, aliases: ReadonlyMap<string, string>): string | undefined {
  const [, host, path] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:]*)(?::\d+)?\/*(.*)$/i.exec(
    url,
  ) ??
    /^(?:[^@/\\]*@)?([^:/\\]{2,}):\/*(.*)$/.exec(url) ?? ['', '', url];
  const place = path
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
    .replace(/\/+$/, '');
  const name = host.toLowerCase();
  const known = aliases.get(name) ?? name;
  return place === '' ? undefined : `${OTHER_HOSTS[known] ?? known}/${place}`;
}

/** Returns the hosts behind the aliases in this user's configuration of ssh. */
export async function readHostAliases(node: NodeModules): Promise<ReadonlyMap<string, string>> {
  const file = node.path.join(node.os.homedir(), '.ssh', 'config');
  const config = (await readText(node, file, MAX_CONFIG_BYTES)) ?? '';
  const aliases = new Map<string, string>();
  let names: string[] = [];
  for (const line of config.split('\n')) {
    const [, key = '', value = ''] = /^\s*(\w+)(?:\s+|\s*=\s*)"?(.*?)"?\s*$/.exec(line) ?? [];
    const word = key.toLowerCase();
    if (word === 'host') names = value.toLowerCase().split(/\s+/);
    else if (word === 'match') names = [];
    else if (word === 'hostname' && !value.includes('%'))
      for (const name of names) if (!aliases.has(name)) aliases.set(name, value.toLowerCase());
  }
  return aliases;
}

import { isCommitId, type GitHead } from '../../model/states/provenance.js';
import type { NodeModules } from '../modules.js';
import { openRegularFile, settled, type Stats } from '../open-regular-file.js';

type Modules = Pick<NodeModules, 'fs' | 'callbackFs' | 'path'>;

/** Maximum size of `HEAD`, a ref, or the `.git` file of a worktree. */
const MAX_POINTER_BYTES = 4096;
/** Maximum size of `packed-refs`, which has a line for each ref. */
const MAX_PACKED_REFS_BYTES = 16 * 1024 * 1024;
/** Maximum length of a chain of refs that point to each other. */
const MAX_REF_DEPTH = 5;

/**
 * The folders of a repository. In a worktree, they differ: its own folder has `HEAD`, but the
 * branches are in the common one.
 */
interface GitFolders {
  readonly own: string;
  readonly common: string;
}

/**
 * Returns what is checked out in the git repository that contains a folder. Reads only the
 * repository's files. Returns undefined if there is no repository, if it stores its refs in the
 * format `reftable`, or if its files are damaged.
 */
export async function readGitHead(node: Modules, folder: string): Promise<GitHead | undefined> {
  const { own } = (await findRepository(node, folder)) ?? {};
  const text = own && (await readPointer(node, node.path.join(own, 'HEAD')));
  if (own === undefined || text === undefined) return undefined;
  if (isCommitId(text)) return { head: text };
  const ref = refIn(text);
  if (ref === undefined) return undefined;
  const folders = { own, common: await commonFolder(node, own) };
  const head = await resolveRef(node, folders, ref);
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
  if (head === undefined && branch === undefined) return undefined;
  return { ...(head !== undefined && { head }), ...(branch !== undefined && { branch }) };
}

/**
 * Returns the closest enclosing repository: the folder that is checked out, and the folder with its
 * `HEAD`. Undefined if there is none.
 */
export async function findRepository(
  node: Modules,
  folder: string,
): Promise<{ readonly root: string; readonly own: string } | undefined> {
  const { callbackFs, path } = node;
  const folders = withParents(path, folder);
  const places = folders.map((each) => path.join(each, '.git'));
  // All at once, because in most cases none of them exists.
  const infos = await Promise.all(
    places.map((place) =>
      settled<Stats>((done) => callbackFs.stat(place, done)).catch(() => undefined),
    ),
  );
  const index = infos.findIndex((info) => info !== undefined);
  const [root, place] = [folders[index], places[index]];
  if (root === undefined || place === undefined) return undefined;
  if (infos[index]?.isDirectory()) return { root, own: place };
  const [, target] = /^gitdir: (.+)$/.exec((await readPointer(node, place)) ?? '') ?? [];
  return target === undefined ? undefined : { root, own: path.resolve(root, target) };
}

function withParents(path: Modules['path'], folder: string): string[] {
  const folders = [folder];
  for (let parent = path.dirname(folder); parent !== folders.at(-1); parent = path.dirname(parent))
    folders.push(parent);
  return folders;
}

/** Returns the folder with the branches, which a worktree shares with its repository. */
export async function commonFolder(node: Modules, own: string): Promise<string> {
  const common = await readPointer(node, node.path.join(own, 'commondir'));
  return common === undefined ? own : node.path.resolve(own, common);
}

async function resolveRef(
  node: Modules,
  folders: GitFolders,
  ref: string,
  depth = 1,
): Promise<string | undefined> {
  const { path } = node;
  const text =
    (await readPointer(node, path.join(folders.common, ref))) ??
    (await readPointer(node, path.join(folders.own, ref)));
  if (text === undefined) return packedRef(node, folders.common, ref);
  if (isCommitId(text)) return text;
  const next = refIn(text);
  return next !== undefined && depth < MAX_REF_DEPTH
    ? resolveRef(node, folders, next, depth + 1)
    : undefined;
}

async function packedRef(node: Modules, common: string, ref: string): Promise<string | undefined> {
  const text = await readText(node, node.path.join(common, 'packed-refs'), MAX_PACKED_REFS_BYTES);
  const line = text?.split('\n').find((each) => each.trimEnd().endsWith(` ${ref}`));
  const id = line?.slice(0, line.indexOf(' '));
  return id !== undefined && isCommitId(id) ? id : undefined;
}

/**
 * Returns the ref that a symbolic ref names; undefined for any other text, and for a ref that would
 * lead out of the folder.
 */
function refIn(text: string): string | undefined {
  const [, ref] = /^ref: (refs\/[^\p{C}\\]+)$/u.exec(text) ?? [];
  const isSafe = ref?.split('/').every((part) => part !== '' && !part.startsWith('.'));
  return isSafe ? ref : undefined;
}

async function readPointer(node: Modules, file: string): Promise<string | undefined> {
  return (await readText(node, file, MAX_POINTER_BYTES))?.trim();
}

/** Returns the text of a file; undefined if it does not exist, is too large, or cannot be read. */
export async function readText(
  node: Modules,
  file: string,
  maxBytes: number,
): Promise<string | undefined> {
  const opened = await openRegularFile(node, file).catch(() => undefined);
  if (!opened) return undefined;
  try {
    let bytes = await opened.read(0, MAX_POINTER_BYTES);
    if (bytes.length === MAX_POINTER_BYTES) {
      const size = (await opened.size()) ?? Infinity;
      if (size > maxBytes) return undefined;
      bytes = await opened.read(0, size);
    }
    return new TextDecoder().decode(bytes);
  } catch {
    return undefined; // a repository that cannot be read is like none
  } finally {
    opened.close();
  }
}

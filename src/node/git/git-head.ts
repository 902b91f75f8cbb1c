import { isCommitId, type GitHead } from '../../model/states/provenance.js';
import { isSameStamp, stampOf, type FileStamp } from '../kept-file.js';
import type { NodeModules } from '../modules.js';
import { openRegularFile, settled, type Stats } from '../open-regular-file.js';

/** Limit for `HEAD`, a ref, or the `.git` file of a worktree. */
const MAX_POINTER_BYTES = 4096;
/** Limit for `packed-refs`, which has a line for each ref. */
const MAX_PACKED_REFS_BYTES = 16 * 1024 * 1024;
/** Maximum length of a chain of refs that point to each other. */
const MAX_REF_DEPTH = 5;

/** In a worktree these differ: its own folder has `HEAD`, the common one has the branches. */
interface GitFolders {
  readonly own: string;
  readonly common: string;
}

/** Files that were read, with their stamps from before; undefined for one that does not exist. */
type SeenFiles = Map<string, FileStamp | undefined>;

/**
 * Returns what is checked out in the repository around a folder, from its files alone. Undefined
 * without a repository, with refs in the format `reftable`, or with damaged files.
 */
export async function readGitHead(
  node: NodeModules,
  folder: string,
  seen?: SeenFiles,
): Promise<GitHead | undefined> {
  const { own } = (await findRepository(node, folder)) ?? {};
  const text = own && (await readPointer(node, node.path.join(own, 'HEAD'), seen));
  if (own === undefined || text === undefined) return undefined;
  if (isCommitId(text)) return { head: text };
  const ref = refIn(text);
  if (ref === undefined) return undefined;
  const folders = { own, common: await commonFolder(node, own) };
  const head = await resolveRef(node, folders, ref, seen);
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : undefined;
  if (head === undefined && branch === undefined) return undefined;
  return { ...(head !== undefined && { head }), ...(branch !== undefined && { branch }) };
}

/** After this, looks for a repository that was created around the known one, or around none. */
const LOOK_AGAIN_AFTER_MS = 60_000;

/** Caches `readGitHead` for `locate`'s folder until a file that it read or the folder changes. */
export function keepGitHead(
  node: NodeModules,
  locate: () => Promise<string>,
): () => Promise<GitHead | undefined> {
  let kept: { head: GitHead | undefined; seen: SeenFiles; at: number } | undefined;
  const isCurrent = async ({ seen, at }: NonNullable<typeof kept>) => {
    if (Math.abs(Date.now() - at) > LOOK_AGAIN_AFTER_MS) return false;
    const now = await Promise.all([...seen.keys()].map((file) => stampOf(node, file)));
    return [...seen.values()].every(
      (before, index) => before === now[index] || isSameStamp(before, now[index]),
    );
  };
  return async () => {
    if (kept && (await isCurrent(kept))) return kept.head;
    const at = Date.now();
    const seen: SeenFiles = new Map();
    const folder = await locate();
    const own = node.path.join(folder, '.git');
    const info = await stampOf(node, own);
    const head = await readGitHead(node, folder, seen);
    // with one of its own, what was read shows whether it is still there
    if (!info) seen.set(own, undefined);
    kept = { head, seen, at };
    return head;
  };
}

/** Returns the closest enclosing repository: the checked-out folder, and that with its `HEAD`. */
export async function findRepository(
  node: NodeModules,
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

/** Returns the folder and those around it, the innermost first. */
export function withParents(path: NodeModules['path'], folder: string): string[] {
  const folders = [folder];
  for (let parent = path.dirname(folder); parent !== folders.at(-1); parent = path.dirname(parent))
    folders.push(parent);
  return folders;
}

/** Returns the folder with the branches, which a worktree shares with its repository. */
export async function commonFolder(node: NodeModules, own: string): Promise<string> {
  const common = await readPointer(node, node.path.join(own, 'commondir'));
  return common === undefined ? own : node.path.resolve(own, common);
}

async function resolveRef(
  node: NodeModules,
  folders: GitFolders,
  ref: string,
  seen: SeenFiles | undefined,
  depth = 1,
): Promise<string | undefined> {
  const { path } = node;
  const places = [...new Set([folders.common, folders.own])].map((each) => path.join(each, ref));
  let text: string | undefined;
  for (const place of places) text ??= await readPointer(node, place, seen);
  if (text === undefined) return packedRef(node, folders.common, ref, seen);
  if (isCommitId(text)) return text;
  const next = refIn(text);
  return next !== undefined && depth < MAX_REF_DEPTH
    ? resolveRef(node, folders, next, seen, depth + 1)
    : undefined;
}

async function packedRef(
  node: NodeModules,
  common: string,
  ref: string,
  seen: SeenFiles | undefined,
): Promise<string | undefined> {
  const file = node.path.join(common, 'packed-refs');
  seen?.set(file, await stampOf(node, file));
  const text = await readText(node, file, MAX_PACKED_REFS_BYTES);
  const line = text?.split('\n').find((each) => each.trimEnd().endsWith(` ${ref}`));
  const id = line?.slice(0, line.indexOf(' '));
  return id !== undefined && isCommitId(id) ? id : undefined;
}

/** Returns the ref in a symbolic ref; undefined for other texts and refs outside the folder. */
function refIn(text: string): string | undefined {
  const [, ref] = /^ref: (refs\/[^\p{C}\\]+)$/u.exec(text) ?? [];
  const isSafe = ref?.split('/').every((part) => part !== '' && !part.startsWith('.'));
  return isSafe ? ref : undefined;
}

async function readPointer(
  node: NodeModules,
  file: string,
  seen?: SeenFiles,
): Promise<string | undefined> {
  seen?.set(file, await stampOf(node, file));
  return (await readText(node, file, MAX_POINTER_BYTES))?.trim();
}

/** Returns the text of a file; undefined if it does not exist, is too large, or cannot be read. */
export async function readText(
  node: NodeModules,
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

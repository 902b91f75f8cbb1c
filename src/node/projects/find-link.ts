import { isInFolder, type CaptureSettings, type ProjectLink } from '../../capture/consent.js';
import { withParents } from '../git/git-head.js';
import type { NodeModules } from '../modules.js';
import { isMissing } from '../system-errors.js';
import {
  entityKey,
  hashKey,
  pathKeysOf,
  projectOfFolder,
  type FoundProject,
  type LocalProject,
  type ProjectPlace,
} from './find-project.js';

/**
 * How a link was found. The linked folder or one in it (`folder`; see `covers`), a worktree of its
 * repository, and the same folder under another path (`renamed`) prove it. A git remote and the
 * first commit only claim it, because other people's copies of the project have them too.
 */
export type LinkEvidence = 'folder' | 'worktree' | 'renamed' | 'remote' | 'commit';

export interface FoundLink {
  readonly link: ProjectLink;
  readonly evidence: LinkEvidence;
  readonly isProved: boolean;
  /** The folder of the project now, if the linked one was renamed. */
  readonly movedTo?: string;
  /** A link to another workspace, to which other keys of the project lead. */
  readonly other?: ProjectLink;
}

const COMMIT_PREFIX = 'commit:';
const MAX_KEYS = 50;

/** Returns the link of a project and how it was found; undefined if there is none. */
export async function findLink(
  node: NodeModules,
  links: readonly ProjectLink[],
  project: FoundProject,
): Promise<FoundLink | undefined> {
  const proved = project.place && (await findProvedLink(node, links, project, project.place));
  if (proved) return proved;
  const claimed =
    findByKeys(links, project.remoteKeys) ?? (await findByCommit(node, links, project.place));
  const evidence = claimed && findByKeys([claimed], project.remoteKeys) ? 'remote' : 'commit';
  return claimed && { link: claimed, evidence, isProved: false };
}

async function findProvedLink(
  node: NodeModules,
  links: readonly ProjectLink[],
  project: FoundProject,
  place: ProjectPlace,
): Promise<FoundLink | undefined> {
  const isProved = true;
  const { named, gitFolder } = place;
  const around = async (path: string) => {
    const link = innermost(links, path);
    return link && (await covers(node, link, link.folder, place)) ? link : undefined;
  };
  const byFolder = await around(named);
  const byGit =
    gitFolder === undefined || byFolder
      ? undefined
      : ((await around(gitFolder)) ?? findByKeys(links, [hashKey(node, 'git', gitFolder)]));
  const link = byFolder ?? byGit;
  const isAround = !link || (byFolder && byFolder.folder !== place.folder);
  const renamed = isAround ? await findRenamedLink(node, links, place) : undefined;
  // one that was moved together with the linked folder around it
  const isInside = byFolder && isInFolder(renamed?.movedTo ?? '', byFolder.folder);
  if (link && !isInside) {
    const isOther = ({ workspaceId }: ProjectLink) => workspaceId !== link.workspaceId;
    const other = findByKeys(links.filter(isOther), project.keys);
    const evidence = byFolder ? 'folder' : 'worktree';
    return { link, evidence, isProved, ...(other && { other }) };
  }
  return renamed;
}

async function findRenamedLink(
  node: NodeModules,
  links: readonly ProjectLink[],
  place: ProjectPlace,
): Promise<FoundLink | undefined> {
  const { named, gitFolder } = place;
  const gone = await goneAmong(node, links);
  if (gone.length === 0) return undefined;
  const places = [
    ...withParents(node.path, named),
    ...(gitFolder === undefined ? [] : [gitFolder]),
  ];
  for (const each of places) {
    const renamed = findByKeys(gone, await entityKey(node, each));
    if (!renamed) continue;
    const movedTo = each === gitFolder ? node.path.dirname(each) : each;
    if (!(await covers(node, renamed, movedTo, place))) return undefined;
    return { link: renamed, evidence: 'renamed', isProved: true, movedTo };
  }
  return undefined;
}

/**
 * Returns true if the link of a folder, now at `at`, covers a place in it. A repository covers its
 * worktrees but no other repository in it; a folder that was none when linked covers all in it.
 */
async function covers(
  node: NodeModules,
  { keys }: ProjectLink,
  at: string,
  { folder, gitFolder }: ProjectPlace,
): Promise<boolean> {
  if (gitFolder === undefined || isInFolder(at, folder)) return true;
  const own = node.path.join(at, '.git');
  if (gitFolder === own || keys.includes(hashKey(node, 'git', gitFolder))) return true;
  const isPlain = !keys.some((key) => key.startsWith(COMMIT_PREFIX));
  return isPlain && (await entityKey(node, own)).length === 0;
}

/** Returns the link whose folder contains a path, the innermost one. */
export function innermost(links: readonly ProjectLink[], path: string): ProjectLink | undefined {
  return links
    .filter(({ folder }) => isInFolder(path, folder))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}

/** Returns the one with one of the keys: with the first key that any has, the newest one. */
export function findByKeys<T extends { readonly keys: readonly string[] }>(
  items: readonly T[],
  keys: readonly string[],
): T | undefined {
  for (const key of keys) {
    const item = items.findLast((each) => each.keys.includes(key));
    if (item) return item;
  }
  return undefined;
}

/** Returns the only link with the first commit, which forks share, if its folder is gone. */
async function findByCommit(
  node: NodeModules,
  links: readonly ProjectLink[],
  place: ProjectPlace | undefined,
): Promise<ProjectLink | undefined> {
  const gone = new Set(await goneAmong(node, links));
  if (!place || gone.size === 0) return undefined;
  const id = await place.firstCommit();
  const [link, ...others] = links.filter(
    ({ keys }) => id && keys.includes(`${COMMIT_PREFIX}${id}`),
  );
  return link && others.length === 0 && gone.has(link) ? link : undefined;
}

async function goneAmong(
  { fs }: NodeModules,
  links: readonly ProjectLink[],
): Promise<ProjectLink[]> {
  const isGone = await Promise.all(
    links.map(({ folder }) => fs.stat(folder).then(() => false, isMissing)),
  );
  return links.filter((_, index) => isGone[index]);
}

/** Returns all keys of the project in a folder that is to be linked. */
export async function linkKeys({ keys, place }: FoundProject): Promise<readonly string[]> {
  const id = await place?.firstCommit();
  // an empty one says that it was looked for
  return id === undefined ? keys : [...keys, `${COMMIT_PREFIX}${id}`];
}

export interface LinkStore {
  read(): Promise<CaptureSettings>;
  update(change: (settings: CaptureSettings) => CaptureSettings): Promise<CaptureSettings>;
}

/** Adds to a proved link what identifies its project now, so that later changes do not lose it. */
export async function updateLink(
  node: NodeModules,
  store: LinkStore,
  { link, isProved, movedTo }: FoundLink,
  project: FoundProject,
): Promise<void> {
  if (!isProved) return;
  const folder = movedTo ?? link.folder;
  const hasCommit = link.keys.some((key) => key.startsWith(COMMIT_PREFIX));
  const isWhole = project.place?.folder === folder;
  const current = hasCommit || !isWhole ? project.keys : await linkKeys(project);
  const added = isWhole ? current.filter((key) => !link.keys.includes(key)) : [];
  if (added.length === 0 && movedTo === undefined) return;
  const outdated = new Set(movedTo === undefined ? [] : pathKeysOf(node, link.folder));
  await store.update((settings) => ({
    ...settings,
    links: settings.links.map((each) => {
      if (each.project !== link.project) return each;
      const keys = new Set([...each.keys.filter((key) => !outdated.has(key)), ...added]);
      return { ...each, folder, keys: [...keys].slice(-MAX_KEYS) };
    }),
  }));
}

/** Returns the project that contains a folder, and its link; undefined if there is no project. */
export async function findProjectAndLink(
  node: NodeModules,
  links: readonly ProjectLink[],
  folder: string,
): Promise<{ readonly project: LocalProject; readonly found: FoundLink | undefined } | undefined> {
  const vaults = links.map(({ vault }) => vault);
  const project = await projectOfFolder(node, folder, vaults);
  return project && { project, found: await findLink(node, links, project) };
}

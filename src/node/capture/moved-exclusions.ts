import type { CaptureSettings, ExcludedPlace } from '../../capture/consent.js';
import { folderIdentity } from '../folder-identity.js';
import type { NodeModules } from '../modules.js';
import { innermost } from '../projects/find-link.js';

/** Returns what identifies the excluded folders, also those that were excluded before. */
export async function excludedPlaces(
  node: NodeModules,
  { excludedFolders, gaps = [], links, places = {} }: CaptureSettings,
): Promise<Readonly<Record<string, ExcludedPlace>>> {
  const earlier = gaps.flatMap(({ kind, of }) => (kind === 'folder' ? of : []));
  const found = [...new Set([...excludedFolders, ...earlier])].map(async (path) => {
    const link = innermost(links, path);
    const place: ExcludedPlace = {
      identity: (await folderIdentity(node, path)) ?? '',
      ...places[path],
      ...(link && { project: link.project, inner: node.path.relative(link.folder, path) }),
    };
    return [path, place] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

/**
 * Excludes the excluded folders also where they are now: under a new name or at another place, if
 * one of the absolute `paths` leads there, and at the same place in each folder of their project.
 */
export async function withMovedExclusions(
  node: NodeModules,
  settings: CaptureSettings,
  paths: readonly string[],
  project?: { readonly id: string; readonly folders: readonly string[] },
): Promise<CaptureSettings> {
  const places = Object.entries(settings.places ?? {});
  if (places.length === 0) return settings;
  const moved = new Set<readonly [from: string, to: string]>();
  const seen = new Set<string>();
  for (const path of paths)
    for (let at = path; !seen.has(at); at = node.path.dirname(at)) {
      seen.add(at);
      const identity = await folderIdentity(node, at);
      const known = identity && places.find(([, place]) => place.identity === identity);
      if (known && known[0] !== at) moved.add([known[0], at]);
    }
  for (const [path, place] of places)
    for (const folder of place.project === project?.id ? (project?.folders ?? []) : [])
      moved.add([path, node.path.join(folder, place.inner ?? '')]);
  const to = (path: string) => [...moved].flatMap(([from, at]) => (from === path ? at : []));
  return {
    ...settings,
    excludedFolders: settings.excludedFolders.flatMap((path) => [path, ...to(path)]),
    gaps: (settings.gaps ?? []).flatMap((gap) => [
      gap,
      ...(gap.kind === 'folder' ? to(gap.of) : []).map((of) => ({ ...gap, of })),
    ]),
  };
}

/** Returns a function that finds out whether an absolute path is in a moved excluded folder. */
export function movedExclusionFinder(
  node: NodeModules,
  { places = {}, excludedFolders }: CaptureSettings,
): (path: string) => Promise<boolean> {
  const identities = new Set(excludedFolders.map((path) => places[path]?.identity ?? ''));
  identities.delete('');
  const known = new Map<string, Promise<boolean>>();
  async function isIn(path: string): Promise<boolean> {
    if (identities.has((await folderIdentity(node, path)) ?? '')) return true;
    const parent = node.path.dirname(path);
    return parent !== path && find(parent);
  }
  function find(path: string): Promise<boolean> {
    const found = known.get(path) ?? isIn(path);
    known.set(path, found);
    return found;
  }
  return (path) => (identities.size === 0 ? Promise.resolve(false) : find(path));
}

/** Returns the excluded folders of a project that are at none of the places where they may be. */
export async function goneExclusions(
  node: NodeModules,
  { excludedFolders, places = {} }: CaptureSettings,
  project: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const gone = excludedFolders.map(async (path) => {
    const place = places[path];
    if (place?.project !== project) return [];
    const inner = folders.map((folder) => node.path.join(folder, place.inner ?? ''));
    const found = await Promise.all(
      [path, ...inner].map((each) => node.fs.stat(each).catch(() => undefined)),
    );
    return found.every((info) => info === undefined) ? path : [];
  });
  return (await Promise.all(gone)).flat();
}

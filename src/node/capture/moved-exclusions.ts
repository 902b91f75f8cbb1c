import { knownPaths, type CaptureSettings, type ExcludedPlace } from '../../capture/consent.js';
import { folderIdentity } from '../folder-identity.js';
import { withParents } from '../git/git-head.js';
import type { NodeModules } from '../modules.js';
import { innermost } from '../projects/find-link.js';

/** The path of an `ExcludedPlace`, and one at which the folder is now. */
type Sighting = readonly [path: string, at: string];

/** Returns what identifies the folders that are or were excluded or linked. */
export async function notedPlaces(
  node: NodeModules,
  { excludedFolders, gaps = [], links, places = {} }: CaptureSettings,
): Promise<Readonly<Record<string, ExcludedPlace>>> {
  const hiding = gaps.flatMap(({ kind, of }) => (kind === 'folder' || kind === 'link' ? of : []));
  const noted = [...new Set([...excludedFolders, ...hiding])].map(async (path) => {
    const link = innermost(links, path);
    const inner = await Promise.all(
      withParents(node.path, path).map(async (at) => {
        const identity = await folderIdentity(node, at);
        return identity ? [[identity, node.path.relative(at, path)] as const] : [];
      }),
    );
    const place: ExcludedPlace = {
      inner: {
        ...Object.fromEntries(inner.flat()),
        ...places[path]?.inner,
        ...(link && { [link.project]: node.path.relative(link.folder, path) }),
      },
      seen: places[path]?.seen ?? [],
    };
    return [path, place] as const;
  });
  return Object.fromEntries(await Promise.all(noted));
}

/** Finds the folders of all places by what identifies the absolute `paths` and their parents. */
export async function movedPlaces(
  node: NodeModules,
  settings: CaptureSettings,
  paths: readonly string[],
): Promise<readonly Sighting[]> {
  const places = Object.entries(settings.places ?? {});
  const around = new Set(paths.flatMap((path) => withParents(node.path, path)));
  const found = [...around].map(async (folder) => {
    const identity = (await folderIdentity(node, folder)) ?? '';
    return places.flatMap(([path, { inner }]): Sighting[] => {
      const at = inner[identity] === undefined ? path : node.path.join(folder, inner[identity]);
      return knownPaths(settings, path).includes(at) ? [] : [[path, at]];
    });
  });
  return places.length === 0 ? [] : (await Promise.all(found)).flat();
}

/** Returns where the folders of all places are in each folder of a linked project. */
export async function placesInProject(
  node: NodeModules,
  { places = {} }: CaptureSettings,
  id: string,
  folders: readonly string[],
): Promise<readonly Sighting[]> {
  const identities = folders.map(async (folder) => (await folderIdentity(node, folder)) ?? '');
  const keys = [id, ...(await Promise.all(identities))];
  return Object.entries(places).flatMap(([path, { inner }]) =>
    keys
      .flatMap((key) => inner[key] ?? [])
      .flatMap((own) => folders.map((folder): Sighting => [path, node.path.join(folder, own)])),
  );
}

export function withPlaces(
  settings: CaptureSettings,
  sightings: readonly Sighting[],
): CaptureSettings {
  const places = { ...settings.places };
  for (const [path, at] of sightings) {
    const { inner = {}, seen = [] } = places[path] ?? {};
    places[path] = { inner, seen: [...new Set([...seen, at])] };
  }
  return { ...settings, places };
}

/** Returns the excluded folders of a project that are at none of the places where they may be. */
export async function goneExclusions(
  node: NodeModules,
  { excludedFolders, places = {} }: CaptureSettings,
  project: string,
  folders: readonly string[],
): Promise<readonly string[]> {
  const gone = excludedFolders.map(async (path) => {
    const own = places[path]?.inner[project];
    if (own === undefined) return [];
    const inner = folders.map((folder) => node.path.join(folder, own));
    const found = await Promise.all(
      [path, ...inner].map((each) => node.fs.stat(each).catch(() => undefined)),
    );
    return found.every((info) => info === undefined) ? path : [];
  });
  return (await Promise.all(gone)).flat();
}

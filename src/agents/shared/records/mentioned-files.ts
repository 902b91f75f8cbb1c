import { normalizeVaultPath, OUTSIDE_PREFIX, PROJECT_PREFIX } from '../../../model/paths.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { pathKey } from '../../../search/index.js';

const WIKILINK = /\[\[([^[\]|#^\n]+)(?:[|#^][^[\]\n]*)?\]\]/gu;
/** A run of path characters. The patterns below are tried once per run, in linear time. */
const RUN = /[\p{L}\p{N}_.-][\p{L}\p{N}_./-]*/gu;
/** A path with a folder and an extension. */
const PATH = /^(?:[\p{L}\p{N}_.-]+\/)+[\p{L}\p{N}_.-]*\.\p{L}\w{0,9}/u;
/** The name of a file that Obsidian opens, or any other name if the group is empty. */
const NAME = /[\p{L}\p{N}_-]+(\.(?:md|canvas|base)(?!\w))?/gu;

/** Returns comparable paths of the files that a record lists, links or mentions. */
export function filesOfRecord({ title, body = '', files }: ProjectRecord): Set<string> {
  const text = `${title}\n${body}`;
  const linked = [...text.matchAll(WIKILINK)].flatMap(([, target]) => target ?? []);
  const runs = text.replace(WIKILINK, ' ').match(RUN) ?? [];
  const written = runs.flatMap((run) => run.split(/\/{2,}/)).flatMap(pathsIn);
  return new Set([...Object.keys(files), ...linked, ...written].map(comparablePath));
}

function pathsIn(run: string): string[] {
  const path = PATH.exec(run)?.[0];
  if (path !== undefined) return [path];
  return [...run.matchAll(NAME)].flatMap(([name, ending]) => (ending === undefined ? [] : name));
}

/** Compares sets of comparable paths. A name without a folder means a file in any folder. */
export function shareFile(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((path) => [...b].some((other) => isSameFile(path, other)));
}

/** Returns a path without its prefix and the extension of a note, in lower case. */
export function comparablePath(path: string): string {
  const stored = [PROJECT_PREFIX, OUTSIDE_PREFIX].find((prefix) => path.startsWith(prefix)) ?? '';
  return pathKey(normalizeVaultPath(path.slice(stored.length)).replace(/\.md$/i, ''));
}

function isSameFile(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return !short.includes('/') && long.endsWith(`/${short}`);
}

import { normalizeVaultPath, OUTSIDE_PREFIX, PROJECT_PREFIX } from '../../../model/paths.js';
import type { ProjectRecord } from '../../../model/records/record.js';
import { pathKey } from '../../../search/documents/note-links.js';

const WIKILINK = /\[\[([^\]|#^]+)[^\]]*\]\]/gu;
/** A path with a folder and an extension, or the name of a file that Obsidian opens. */
const PATH =
  /(?:[\p{L}\p{N}_.-]+\/)+[\p{L}\p{N}_.-]*\.\p{L}\w{0,9}|[\p{L}\p{N}_-]+\.(?:md|canvas|base)(?!\w)/gu;

/**
 * Returns the comparable paths of the files and notes that a record is about: those listed, linked
 * and written out in its texts.
 */
export function filesOfRecord({ title, body = '', files }: ProjectRecord): Set<string> {
  const text = `${title}\n${body}`;
  const linked = [...text.matchAll(WIKILINK)].flatMap(([, target]) => target ?? []);
  const written = [...text.replace(WIKILINK, ' ').matchAll(PATH)].map(([path]) => path);
  return new Set([...Object.keys(files), ...linked, ...written].map(comparablePath));
}

/**
 * Returns true if two sets of comparable paths have a file in common. A name without a folder
 * stands for a file in any folder.
 */
export function shareFile(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((path) => [...b].some((other) => isSameFile(path, other)));
}

/**
 * Returns a path in the form in which paths are compared: without a prefix or the extension of a
 * note, in lower case.
 */
export function comparablePath(path: string): string {
  const stored = [PROJECT_PREFIX, OUTSIDE_PREFIX].find((prefix) => path.startsWith(prefix)) ?? '';
  return pathKey(normalizeVaultPath(path.slice(stored.length)).replace(/\.md$/i, ''));
}

function isSameFile(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return !short.includes('/') && long.endsWith(`/${short}`);
}

import type {
  BlockSubpathResult,
  CachedMetadata,
  FootnoteSubpathResult,
  HeadingSubpathResult,
  Reference,
  ReferenceCache,
} from 'obsidian';

export function parseLinktext(linktext: string): { path: string; subpath: string } {
  const clean = linktext.replace(/\u00a0/g, ' ').trim();
  const hash = clean.indexOf('#');
  return hash < 0
    ? { path: clean, subpath: '' }
    : { path: clean.slice(0, hash), subpath: clean.slice(hash) };
}

export function getLinkpath(linktext: string): string {
  return parseLinktext(linktext).path;
}

export function stripHeading(heading: string): string {
  return heading
    .replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\\r\n]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function stripHeadingForLink(heading: string): string {
  return heading
    .replace(/([:#|^\\\r\n]|%%|\[\[|]])/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

export function iterateRefs(
  refs: Reference[],
  callback: (ref: Reference) => boolean | void,
): boolean {
  return refs.some((ref) => callback(ref) === true);
}

export function iterateCacheRefs(
  cache: CachedMetadata,
  callback: (ref: ReferenceCache) => boolean | void,
): boolean {
  return [...(cache.links ?? []), ...(cache.embeds ?? [])].some((ref) => callback(ref) === true);
}

/**
 * Finds a `#heading`, `#^block` or `#[^footnote]` of a note. Null if there is none of that name.
 */
export function resolveSubpath(
  cache: CachedMetadata,
  subpath: string,
): HeadingSubpathResult | BlockSubpathResult | FootnoteSubpathResult | null {
  const name = subpath.split('#').filter(Boolean).at(-1);
  if (name === undefined) return null;
  if (name.startsWith('^')) {
    const block = cache.blocks?.[name.slice(1).toLowerCase()];
    return block
      ? { type: 'block', block, start: block.position.start, end: block.position.end }
      : null;
  }
  if (name.startsWith('[^')) {
    const footnote = cache.footnotes?.find(({ id }) => `[^${id}]` === name);
    return footnote
      ? { type: 'footnote', footnote, start: footnote.position.start, end: footnote.position.end }
      : null;
  }
  const headings = cache.headings ?? [];
  const index = headings.findIndex(
    ({ heading }) => stripHeading(heading).toLowerCase() === stripHeading(name).toLowerCase(),
  );
  const current = headings[index];
  if (!current) return null;
  const next = headings.slice(index + 1).find(({ level }) => level <= current.level);
  return {
    type: 'heading',
    current,
    next: next as never,
    start: current.position.start,
    end: next?.position.start ?? null,
  };
}

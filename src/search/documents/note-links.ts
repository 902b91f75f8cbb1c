import { trimEndOf } from '../../model/text/trim-end.js';
import { addToList } from '../../platform/lists.js';

export interface NoteLink {
  /** Path of the linked file, without heading, block and alias. */
  readonly target: string;
  /** Line of the link, from 1. */
  readonly line: number;
}

const MAX_LINKS = 10_000;
const LINES_PER_SLICE = 500;
const WIKILINK = /(?<escape>\\?)\[\[(?<wiki>[^[\]\n]{1,1000})\]\]/;
const MARKDOWN_LINK =
  /\]\(\s*(?:<(?<angled>[^<>\n]{1,1000})>|(?<bare>[^\s()<>]{1,1000}(?:\([^\s()]{0,300}\)[^\s()<>]{0,300}){0,8}))/;
const LINK = new RegExp(`${WIKILINK.source}|${MARKDOWN_LINK.source}`, 'gu');

/**
 * Yields the links to files in a note, including embeds, without those in code and comments, to
 * headings of the note itself, to addresses outside the vault, and by reference (`[a][b]`). Yields
 * undefined between slices of work.
 */
export function* readLinks(text: string): Generator<NoteLink | undefined> {
  let count = 0;
  for (const [line, visible] of visibleLines(text)) {
    if (line % LINES_PER_SLICE === 0) yield undefined;
    if (!visible.includes('[[') && !visible.includes('](')) continue;
    for (const { groups = {} } of visible.matchAll(LINK)) {
      const target = targetOf(groups);
      if (target === '') continue;
      if (++count > MAX_LINKS) return;
      yield { target, line };
    }
  }
}

/** Returns the target of a match of `LINK`; empty if it is not a link to a file. */
function targetOf({ escape, wiki, angled, bare }: Readonly<Record<string, string>>): string {
  if (escape === '\\') return '';
  return wiki === undefined ? markdownTarget(angled ?? bare ?? '') : wikiTarget(wiki);
}

/** Removes heading, block and alias; in a table the bar before an alias is escaped. */
function wikiTarget(link: string): string {
  return link.replace(/\\?[|#^][^]*$/u, '').trim();
}

/** Returns the path in a Markdown link; empty for an address outside the vault. */
function markdownTarget(link: string): string {
  const isOutside = /^(?:[a-z][a-z0-9+.-]+:|\/\/)/iu.test(link);
  return isOutside ? '' : decoded(link.replace(/[#?].*$/u, '')).trim();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a literal percent sign
  }
}

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})(.*)$/u;
const OPENING = /`+|%%|<!--/g;

/** Yields the lines of a text, from 1, without code and comments. */
function* visibleLines(text: string): Generator<[number, string]> {
  let fence = '';
  let comment = '';
  for (const [at, line] of text.split('\n').entries()) {
    const isMarked = comment === '' && (line.includes('```') || line.includes('~~~'));
    const [, mark = '', rest = ''] = isMarked ? (FENCE.exec(line.trimEnd()) ?? []) : [];
    if (fence !== '') {
      if (mark.startsWith(fence) && rest === '') fence = '';
      continue;
    }
    if (mark !== '' && !(mark.startsWith('`') && rest.includes('`'))) {
      fence = mark;
      continue;
    }
    if (comment === '' && !/[`%]|<!/u.test(line)) {
      yield [at + 1, line];
      continue;
    }
    const visible = removeHidden(line, comment);
    comment = visible.comment;
    yield [at + 1, visible.text];
  }
}

/**
 * Removes code and comments from a line. `open` and the returned `comment` are the closing marks of
 * a comment that began before the line or continues after it; empty for none.
 */
function removeHidden(line: string, open: string): { text: string; comment: string } {
  let text = '';
  let comment = open;
  for (let at = 0; ;) {
    if (comment !== '') {
      const end = line.indexOf(comment, at);
      if (end < 0) return { text, comment };
      at = end + comment.length;
      comment = '';
    }
    OPENING.lastIndex = at;
    const opening = OPENING.exec(line);
    if (!opening) return { text: text + line.slice(at), comment };
    const [mark] = opening;
    text += `${line.slice(at, opening.index)} `; // keeps the words on both sides apart
    at = opening.index + mark.length;
    if (mark === '%%') comment = '%%';
    else if (mark === '<!--') comment = '-->';
    else at = codeEnd(line, at, mark.length);
  }
}

/** Returns the end of the inline code that begins at `from`; `from` if it is not closed. */
function codeEnd(line: string, from: number, ticks: number): number {
  for (let at = line.indexOf('`', from); at >= 0; at = line.indexOf('`', at)) {
    let end = at;
    while (line[end] === '`') end++;
    if (end - at === ticks) return end;
    at = end;
  }
  return from;
}

/** Resolves links to added files as Obsidian does: by the whole path, or by the end of a path. */
export function createLinkTargets() {
  const keys = new Set<string>();
  /** Files by the last part of their key. */
  const byName = new Map<string, { readonly key: string; readonly path: string }[]>();
  /** Cached results that do not depend on the folder: many notes link to the same targets. */
  const resolved = new Map<string, boolean>();

  const isPathEnd = (end: string) =>
    byName.get(lastPart(end))?.some(({ key }) => key.endsWith(`/${end}`)) ?? false;

  function exists(target: string, folder: string): boolean {
    if (target.startsWith('/')) return keys.has(target.slice(1));
    if (isRelative(target)) return keys.has(resolvePath(folder, target));
    return keys.has(target) || isPathEnd(target); // which covers paths below `folder`
  }

  const keysOf = (target: string) => {
    const key = trimEndOf(pathKey(target), /\//u);
    return [key, `${key}.md`];
  };

  return {
    add(path: string): void {
      const key = pathKey(path);
      keys.add(key);
      addToList(byName, lastPart(key), { key, path });
      resolved.clear();
    },
    /** Returns true if a file with this whole path was added. */
    hasFile: (path: string) => keys.has(pathKey(path)),
    /** Returns true if the target of a link in a note of `folder` exists. */
    has(target: string, folder: string): boolean {
      const known = resolved.get(target);
      if (known !== undefined) return known;
      const result = keysOf(target).some((key) => exists(key, pathKey(folder)));
      if (!isRelative(target)) resolved.set(target, result);
      return result;
    },
    /**
     * Returns the path that a link in a note of `folder` leads to. Of several files of the same
     * name, the one in `folder` is chosen, or else the one with the shortest path.
     */
    resolve(target: string, folder: string): string | undefined {
      const inFolder = pathKey(folder);
      for (const key of keysOf(target)) {
        const whole = wholePathOf(key, inFolder);
        const files = byName.get(lastPart(key)) ?? [];
        const exact = files.find((file) => file.key === whole);
        if (exact) return exact.path;
        if (isRelative(key) || key.startsWith('/')) continue;
        const ends = files.filter((file) => file.key.endsWith(`/${key}`));
        const near = ends.find((file) => file.key === inFolder + key);
        const [shortest] = ends.sort((a, b) => a.path.length - b.path.length);
        if (near ?? shortest) return (near ?? shortest)?.path;
      }
      return undefined;
    },
    /** Returns the path of a file with the same name as the target. */
    namesakeOf(target: string): string | undefined {
      for (const key of keysOf(target)) {
        const [other] = byName.get(lastPart(key)) ?? [];
        if (other) return other.path;
      }
      return undefined;
    },
  };
}

/** Returns the key of the file that a target names by its whole path; `folder` is also a key. */
function wholePathOf(key: string, folder: string): string {
  if (key.startsWith('/')) return key.slice(1);
  return isRelative(key) ? resolvePath(folder, key) : key;
}

function isRelative(target: string): boolean {
  return /^\.\.?\//u.test(target);
}

/** Returns a path as Obsidian compares it: without case, composition and non-breaking spaces. */
export function pathKey(path: string): string {
  return path
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u00a0\u202f]/gu, ' ');
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Resolves a path relative to `folder`, with `.` and `..`. */
function resolvePath(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

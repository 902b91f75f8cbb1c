import { runToEnd } from '../../platform/run-sliced.js';
import { decodeUtf8 } from '../text/utf8.js';
import { readFrontmatter } from '../../markdown/frontmatter.js';
import { normalizeLabelText } from './labels.js';

/** Metadata of a note, which is the same on every host. */
export interface NoteFields {
  readonly title: string;
  readonly aliases: readonly string[];
  /** Tags from the frontmatter and the text, as written but without `#`. */
  readonly tags: readonly string[];
  /** Properties of the frontmatter, with their values as text. */
  readonly properties: ReadonlyMap<string, readonly string[]>;
  /** Targets of links: `[[target]]` without heading and alias, and Markdown links to files. */
  readonly links: readonly string[];
  /** Start of the text after the frontmatter. */
  readonly bodyStart: number;
}

/** Code units per slice, about a millisecond's work. */
export const SLICE_LENGTH = 200_000;
const MAX_LISTED = 1_000;

/** Files that were pasted as text, such as pictures, and NULs, as a power cut leaves. */
export const WORDLESS = /data:[\w/+.;=-]{1,200};base64,[\w/+=%-]+|\0+/g;

/** Returns the file name without its folder and `.md`. */
export function noteTitle(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

/** Never throws: malformed syntax is read as text. */
export function readNoteFields(path: string, text: string): NoteFields {
  return runToEnd(noteFieldsSteps(path, text));
}

/** Like `readNoteFields`, with a slice of work per step. */
export function* noteFieldsSteps(path: string, text: string): Generator<undefined, NoteFields> {
  const title = noteTitle(path);
  const { entries, end } = readFrontmatter(text);
  const properties = new Map(entries.map(([name, values]) => [normalizeLabelText(name), values]));
  const named = (...names: string[]) => names.flatMap((name) => properties.get(name) ?? []);
  const inText = yield* readTagsAndLinks(text, end);
  const own = named('tags', 'tag').flatMap((value) => value.split(/[\s,]+/));
  const tags = [
    ...own.map((tag) => tag.replace(/^#/, '')).filter((tag) => tag !== ''),
    ...inText.tags,
  ];
  return {
    title,
    properties,
    bodyStart: end,
    aliases: unique([
      ...named('aliases', 'alias'),
      ...named('title').filter((name) => name !== title),
    ]),
    tags: unique(tags),
    links: inText.links,
  };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, MAX_LISTED);
}

/** Each part ends at a character that it excludes, so that a text of `[` takes linear time. */
const CODE_TAG_OR_LINK =
  /```|~~~|`[^`\n]{1,200}`|(?:^|[\s(])#([\p{L}\p{N}_/-]{1,120})|\[\[([^[\]|#\n]{1,300})(?:[|#][^[\]\n]{0,300})?\]\]|\]\(<?([^()<>\s]{1,300}(?:\([^()<>\s]{0,100}\)[^()<>\s]{0,100})?)(?:[> \t][^()\]\n]{0,100})?\)/gmu;

/** Returns the tags and links of the text, outside code. */
function* readTagsAndLinks(
  text: string,
  from: number,
): Generator<undefined, { tags: string[]; links: string[] }> {
  const tags = new Set<string>();
  const links = new Set<string>();
  let isCode = false;
  for (let at = from, end = from; at < text.length; at = end) {
    end = text.indexOf('\n', at + SLICE_LENGTH) + 1 || text.length;
    for (const [all, tag, wiki, target] of text.slice(at, end).matchAll(CODE_TAG_OR_LINK)) {
      if (all === '```' || all === '~~~') isCode = !isCode;
      else if (isCode) continue;
      else if (tag !== undefined && tags.size < MAX_LISTED && /[^\d/_-]/u.test(tag))
        tags.add(tag.replace(/\/+$/, ''));
      else if (wiki !== undefined && links.size < MAX_LISTED) links.add(wiki.trim());
      else if (
        target !== undefined &&
        links.size < MAX_LISTED &&
        !/^[a-z][a-z0-9+.-]*:|^#/i.test(target)
      )
        links.add(linkedPath(target));
    }
    yield;
  }
  return { tags: [...tags], links: [...links] };
}

/** Returns the path that a Markdown link names, without a heading. */
function linkedPath(target: string): string {
  const path = target.replace(/#.*$/, '');
  return /%(?![0-9a-f]{2})/i.test(path) ? path : path.replace(/(?:%[0-9a-f]{2})+/gi, decodePercent);
}

function decodePercent(encoded: string): string {
  return decodeUtf8(
    Uint8Array.from(encoded.slice(1).split('%'), (hex) => Number.parseInt(hex, 16)),
  );
}

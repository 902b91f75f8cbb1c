import { runToEnd } from '../../platform/run-sliced.js';
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
  const inText = yield* readTags(text, end);
  const own = named('tags', 'tag').flatMap(tagsIn);
  const tags = [...own.map((tag) => tag.replace(/^#/, '')).filter((tag) => tag !== ''), ...inText];
  return {
    title,
    properties,
    bodyStart: end,
    aliases: unique([
      ...named('aliases', 'alias'),
      ...named('title').filter((name) => name !== title),
    ]),
    tags: unique(tags),
  };
}

/** Splits at what no tag contains, such as the brackets of a list that became text. */
function tagsIn(value: string): string[] {
  // in a list of mappings, each value is a line of one
  const [, key, named] = /^(\w+):\s+(.*)$/s.exec(value) ?? [];
  return key === undefined || key === 'name' ? (named ?? value).split(/[\s,[\]"'{}]+/) : [];
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, MAX_LISTED);
}

/** Each part ends at a character that it excludes, so that a text of `[` takes linear time. */
const CODE_TAG_OR_LINK =
  /```|~~~|`[^`\n]{1,200}`|(?:^|[\s(])#([\p{L}\p{N}_/-]{1,120})|\[\[[^[\]|#\n]{1,300}(?:[|#][^[\]\n]{0,300})?\]\]|\]\(<?[^()<>\s]{1,300}(?:\([^()<>\s]{0,100}\)[^()<>\s]{0,100})?(?:[> \t][^()\]\n]{0,100})?\)/gmu;

/** Returns the tags in the text, outside code and links. */
function* readTags(text: string, from: number): Generator<undefined, string[]> {
  const tags = new Set<string>();
  let isCode = false;
  for (let at = from, end = from; at < text.length; at = end) {
    end = text.indexOf('\n', at + SLICE_LENGTH) + 1 || text.length;
    for (const [all, tag] of text.slice(at, end).matchAll(CODE_TAG_OR_LINK)) {
      if (all === '```' || all === '~~~') isCode = !isCode;
      else if (!isCode && tag !== undefined && tags.size < MAX_LISTED && /[^\d/_-]/u.test(tag))
        tags.add(tag.replace(/\/+$/, ''));
    }
    yield;
  }
  return [...tags];
}

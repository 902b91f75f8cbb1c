import { normalizeMark } from './labels.js';

/** What is known of a note before its text: the same on every host, whatever the note holds. */
export interface NoteFields {
  /** The file's name without folder and `.md`. */
  readonly title: string;
  readonly aliases: readonly string[];
  /** Without `#`, as written; from the frontmatter and from the text. */
  readonly tags: readonly string[];
  /** The frontmatter: each property with its values as text. */
  readonly properties: ReadonlyMap<string, readonly string[]>;
  /** What the note's links name: `[[target]]` without heading and alias, and Markdown links to files. */
  readonly links: readonly string[];
  /** Where the text after the frontmatter begins, and where reading ends. */
  readonly bodyStart: number;
  readonly bodyEnd: number;
}

/** So much of a note is read, in code units; what comes after is not searched. */
export const LONGEST_NOTE = 2_000_000;
const BINARY_SAMPLE = 8_000;
const MOST_LISTED = 1_000;

/** Reads a note's fields. Never throws: what is broken is text, what is no text is nothing. */
export function readNoteFields(path: string, text: string): NoteFields {
  const title = path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '');
  if (text.slice(0, BINARY_SAMPLE).includes('\0')) {
    return {
      title,
      aliases: [],
      tags: [],
      properties: new Map(),
      links: [],
      bodyStart: 0,
      bodyEnd: 0,
    };
  }
  const bodyEnd = Math.min(text.length, LONGEST_NOTE);
  const { properties, end } = readFrontmatter(text);
  const named = (...names: string[]) => names.flatMap((name) => properties.get(name) ?? []);
  const inText = readMarks(text, end, bodyEnd);
  const own = named('tags', 'tag').flatMap((value) => value.split(/[\s,]+/));
  const tags = [
    ...own.map((tag) => tag.replace(/^#/, '')).filter((tag) => tag !== ''),
    ...inText.tags,
  ];
  return {
    title,
    properties,
    bodyStart: end,
    bodyEnd,
    aliases: unique([
      ...named('aliases', 'alias'),
      ...named('title').filter((name) => name !== title),
    ]),
    tags: unique(tags),
    links: inText.links,
  };
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, MOST_LISTED);
}

const FENCE = /^---[ \t]*\r?\n/;
const LONGEST_FRONTMATTER = 100_000;

/** The properties between the two lines of `---`, and where the text after them begins. */
function readFrontmatter(text: string): {
  properties: Map<string, readonly string[]>;
  end: number;
} {
  const properties = new Map<string, readonly string[]>();
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const head = text.slice(start, start + LONGEST_FRONTMATTER);
  const opening = FENCE.exec(head);
  const closing =
    opening && /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(head.slice(opening[0].length));
  if (!closing) return { properties, end: start };
  const inner = head.slice(opening[0].length, opening[0].length + closing.index);
  readProperties(inner, properties);
  return { properties, end: start + opening[0].length + closing.index + closing[0].length };
}

/**
 * The part of YAML that notes use: `name: value`, lists in brackets or with dashes, quotes, folded and kept text. What
 * is deeper is taken as the text of the property that it stands under; what is broken is passed over.
 */
function readProperties(yaml: string, properties: Map<string, readonly string[]>): void {
  let name: string | undefined;
  let values: string[] = [];
  const close = () => {
    if (name !== undefined && properties.size < MOST_LISTED)
      properties.set(name, values.slice(0, MOST_LISTED));
  };
  for (const line of yaml.split(/\r?\n/)) {
    const property =
      /^(?:"([^"]+)"|'([^']+)'|([^\s#:'"[\]{},-][^:]*?))[ \t]*:(?:[ \t]+(.*))?$/.exec(line);
    if (property) {
      close();
      name = normalizeMark(property[1] ?? property[2] ?? property[3] ?? '');
      values = readValue(property[4] ?? '');
    } else if (name !== undefined && !/^\s*(#|$)/.test(line)) {
      values.push(...readValue(line.replace(/^\s*(-(\s+|$))*/, '')));
    }
  }
  close();
}

/** A value, or those of a list in brackets, without quotes and comments. */
function readValue(given: string): string[] {
  const value = given.trim();
  if (value === '' || /^[|>][+-]?\d*$/.test(value)) return [];
  if (value.startsWith('[') && !value.startsWith('[[')) {
    return [
      ...value
        .replace(/^\[|\]\s*(#.*)?$/g, '')
        .matchAll(/\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^,]+))/g),
    ]
      .map(([, double, single, plain]) => (double ?? single ?? plain ?? '').trim())
      .filter((item) => item !== '');
  }
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(value);
  const text = quoted
    ? (quoted[1]?.replace(/\\(.)/g, '$1') ?? quoted[2]?.replace(/''/g, "'") ?? '')
    : value.replace(/\s+#.*$/, '');
  return text === '' ? [] : [text];
}

const MARK =
  /```|~~~|`[^`\n]{1,200}`|(?:^|[\s(])#([\p{L}\p{N}_/-]{1,120})|\[\[([^\]|#\n]{1,300})[^\]\n]{0,300}\]\]|\]\(<?([^)<>\s]{1,300})>?[^)\n]{0,100}\)/gmu;

/** The tags and links in the text, outside code. */
function readMarks(text: string, from: number, to: number): { tags: string[]; links: string[] } {
  const [tags, links] = [new Set<string>(), new Set<string>()];
  let isCode = false;
  for (const [all, tag, wiki, target] of text.slice(from, to).matchAll(MARK)) {
    if (all === '```' || all === '~~~') isCode = !isCode;
    else if (isCode) continue;
    else if (tag !== undefined && tags.size < MOST_LISTED && /[^\d/_-]/u.test(tag))
      tags.add(tag.replace(/\/+$/, ''));
    else if (wiki !== undefined && links.size < MOST_LISTED) links.add(wiki.trim());
    else if (
      target !== undefined &&
      links.size < MOST_LISTED &&
      !/^[a-z][a-z0-9+.-]*:|^#/i.test(target)
    )
      links.add(pathOf(target));
  }
  return { tags: [...tags], links: [...links] };
}

/** The file that a Markdown link names. */
function pathOf(target: string): string {
  const path = target.replace(/#.*$/, '');
  return /%(?![0-9a-f]{2})/i.test(path) ? path : path.replace(/(?:%[0-9a-f]{2})+/gi, decodeSome);
}

const decoder = new TextDecoder();

function decodeSome(encoded: string): string {
  return decoder.decode(
    Uint8Array.from(encoded.slice(1).split('%'), (hex) => Number.parseInt(hex, 16)),
  );
}

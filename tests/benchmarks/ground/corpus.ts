import type { NoteFile } from '../search-data.js';
import { MAX_ANSWERS, titleOf, type Source } from '../typed-queries/sources.js';

/** A note with what a reader sees of it. */
export interface ReadNote extends NoteFile {
  readonly title: string;
  /** All of the text in lower case, without marks and with single spaces. */
  readonly flat: string;
  /** As written, in lower case. */
  readonly lower: string;
}

const FRONTMATTER = /^\uFEFF?---\r?\n[\s\S]*?^---[ \t]*$/m;
const FENCE = /^[ \t]*(```|~~~)[\s\S]*?^[ \t]*\1/gm;

/** Returns a line or a paragraph as it is shown, without marks of Markdown and HTML. */
export function shownText(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->|<\/?[a-z][^<>\n]*>/gi, ' ')
    .replace(/\[!(?:INCLUDE|\w+) ?\[[^\]]*\]\([^)]*\)\]|!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\][]*)\]\([^)\s]*(?: "[^"]*")?\)/g, '$1')
    .replace(/[*`]+|(?<!\w)_+|_+(?!\w)/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Leaves letters, digits and single spaces. */
export function flatText(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

export function withoutCode(text: string): string {
  return text.replace(FRONTMATTER, '').replace(FENCE, '\n');
}

/** Returns the paragraphs and items of lists, as they are shown. */
function paragraphs({ text }: NoteFile): string[] {
  return withoutCode(text)
    .split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.) )/)
    .map((block) => block.trim().replace(/^(?:[-*+]|\d+\.|>)\s+/, ''))
    .filter((block) => /^[\p{L}`*[]/u.test(block) && !block.startsWith('[!'))
    .map(shownText);
}

export function shownSentences(note: NoteFile): string[] {
  return paragraphs(note).flatMap((block) => block.split(/(?<=[.!?:]) |(?<=[。！？；：])/));
}

/** Returns the first heading, else the title in the properties, else the name of the file. */
function titleIn({ path, text }: NoteFile): string {
  const heading = /^# +(.+)$/m.exec(withoutCode(text))?.[1];
  const property = /^title: *(.+)$/m.exec(FRONTMATTER.exec(text)?.[0] ?? '')?.[1];
  const given = shownText(heading ?? property ?? '').replace(/^["'](.*)["']$/, '$1');
  return given === '' ? titleOf(path) : given;
}

export class Corpus {
  readonly notes: readonly ReadNote[];
  /** By path. */
  readonly titles: ReadonlyMap<string, string>;
  readonly #words = new Map<string, Set<ReadNote>>();
  readonly #titles: readonly (readonly [title: string, words: readonly string[]])[];

  constructor(notes: readonly NoteFile[]) {
    this.notes = notes.map((note) => ({
      ...note,
      title: titleIn(note),
      flat: ` ${flatText(shownText(note.text))} `,
      lower: note.text.toLowerCase(),
    }));
    this.titles = new Map(this.notes.map(({ path, title }) => [path, title]));
    this.#titles = this.notes.map(({ title }) => [title, flatText(title).split(' ')]);
    for (const note of this.notes)
      for (const word of note.flat.trim().split(' ')) {
        const holders = this.#words.get(word);
        if (holders) holders.add(note);
        else this.#words.set(word, new Set([note]));
      }
  }

  /** Number of notes with the word. */
  countOf(word: string): number {
    return this.#words.get(word.toLowerCase())?.size ?? 0;
  }

  hasWord(word: string): boolean {
    return this.#words.has(word.toLowerCase());
  }

  words(): Iterable<string> {
    return this.#words.keys();
  }

  /** Returns all notes that have the words in sequence. */
  holders(flat: string): ReadNote[] {
    const lists = flat.split(' ').map((word) => this.#words.get(word) ?? new Set<ReadNote>());
    const [shortest = []] = lists.sort((a, b) => a.size - b.size);
    return [...shortest].filter((note) => note.flat.includes(` ${flat} `));
  }

  /** Returns words with the few notes that have them in sequence. */
  fewHolders(text: string): Source | undefined {
    return this.few(text, () => true, this.holders(text));
  }

  /** Returns a text with the notes for which the test is true; undefined if they are not few. */
  few(
    text: string,
    isHolder: (note: ReadNote) => boolean,
    among: readonly ReadNote[] = this.notes,
  ): Source | undefined {
    const paths = new Set<string>();
    for (const note of among)
      if (isHolder(note) && paths.add(note.path).size > MAX_ANSWERS) return undefined;
    return paths.size === 0 ? undefined : { text, paths };
  }

  /** Returns true if the words, or words that begin like them, are all in another note's title. */
  isOfOtherTitle(text: string, title: string): boolean {
    const words = flatText(text).split(' ');
    return this.#titles.some(
      ([other, others]) =>
        other !== title && words.every((word) => others.some((each) => each.startsWith(word))),
    );
  }

  /** Returns the few notes with a word that begins like this. */
  beginningWith(start: string): Source | undefined {
    const paths = new Set<string>();
    const lower = start.toLowerCase();
    for (const [word, own] of this.#words)
      if (word.startsWith(lower))
        for (const { path } of own) if (paths.add(path).size > MAX_ANSWERS) return undefined;
    return paths.size === 0 ? undefined : { text: start, paths };
  }
}

import { createRandom, isStop, type NoteFile } from '../search-data.js';
import { INDEPENDENT_COPIED_KINDS, INDEPENDENT_TITLE_KINDS } from './independent-kinds.js';
import {
  fences,
  linesOf,
  MAX_ANSWERS,
  sentences,
  sourcesOf,
  titleOf,
  tokens,
  wordsOf,
  type Kind,
  type Random,
  type Read,
  type Source,
} from './sources.js';

/** What someone types or pastes, with the notes that answer it. */
export interface TypedQuery {
  readonly kind: string;
  readonly text: string;
  readonly answers: ReadonlySet<string>;
}

/** What a vault needs whose files are not called as its notes are titled. */
export interface TypedOptions {
  /** The name of its file by default. */
  readonly titleOf?: (note: NoteFile) => string;
  /** Link texts, with the notes that they lead to. */
  readonly links?: readonly Source[];
  /** Kinds that replace those of the same name. */
  readonly titleKinds?: Readonly<Record<string, Kind>>;
  /** Every note that contains a copied text answers it, wherever it has it. */
  readonly isAnsweredAnywhere?: boolean;
}

/**
 * Returns `count` queries of each kind, the same for the same notes. Half of the kinds change
 * a title; the others are what is copied from a note.
 */
export function typedQueries(
  notes: readonly NoteFile[],
  count: number,
  options: TypedOptions = {},
): TypedQuery[] {
  const random = createRandom(11);
  const files = sourcesOf(notes, ({ path }) => [titleOf(path)]);
  const { titleOf: own, titleKinds = {}, links = linkTexts(notes) } = options;
  const titles = own ? sourcesOf(notes, (note) => [own(note)]) : files;
  const queries = new Map<string, TypedQuery[]>();
  const add = (kind: string, sources: readonly Source[], make: Kind) => {
    const own: TypedQuery[] = [];
    for (const source of shuffled(sources, random)) {
      if (own.length === count) break;
      const text = make(source, random);
      if (text !== undefined) own.push({ kind, text, answers: source.paths });
    }
    queries.set(kind, own);
  };
  const lowerCase = notes.map((note) => ({ path: note.path, text: note.text.toLowerCase() }));
  /** Tells names in code that occur elsewhere, too, where they were not read. */
  const holders = (text: string) =>
    lowerCase.filter((note) => note.text.includes(text.toLowerCase())).map(({ path }) => path);
  const addTitleKinds = (kinds: Readonly<Record<string, Kind>>) => {
    for (const [kind, make] of Object.entries(kinds))
      add(kind, FILE_KINDS.has(kind) ? files : titles, titleKinds[kind] ?? make);
  };
  addTitleKinds(TITLE_KINDS);
  const addCopied = (kind: string, read: Read, make: Kind) => {
    add(kind, sourcesOf(notes, read), (source, own) => {
      const all = holders(source.text);
      const text = all.length <= MAX_ANSWERS ? make(source, own) : undefined;
      if (options.isAnsweredAnywhere) all.forEach((path) => source.paths.add(path));
      return text === undefined || text.trim() === '' ? undefined : text;
    });
  };
  for (const [kind, [read, make = ({ text }: Source) => text]] of Object.entries(COPIED_KINDS))
    addCopied(kind, read, make);
  add('link text', links, ({ text }) => text);
  add('link as it is written', links, ({ text }) => `[${text}](page.md)`);
  addTitleKinds(INDEPENDENT_TITLE_KINDS);
  for (const [kind, [read, make]] of Object.entries(INDEPENDENT_COPIED_KINDS))
    addCopied(kind, read, make);
  return [...queries.values()].flat();
}

/** These are made from the name of a file. */
const FILE_KINDS: ReadonlySet<string> = new Set([
  'wikilink',
  'wikilink with a heading',
  'embedded note',
  'file name',
  'path',
  'file with a line number',
  'path on Windows',
  'address of a file',
  'address in Obsidian',
]);

/** Changes one word of at least five letters. */
function misspelled(change: (word: string, at: number) => string): Kind {
  return ({ text }, random) => {
    const words = text.split(' ');
    const long = [...words.keys()].filter((at) =>
      /^[\p{Script=Latin}\p{Script=Cyrillic}]{5,}$/u.test(words[at]!),
    );
    const chosen = long[Math.floor(random() * long.length)];
    if (chosen === undefined) return undefined;
    const word = words[chosen]!;
    return words.with(chosen, change(word, 1 + Math.floor(random() * (word.length - 3)))).join(' ');
  };
}

/** Uses titles of at least `least` words. */
const ofWords =
  (least: number, join: (words: readonly string[]) => string): Kind =>
  ({ text }) => {
    const words = wordsOf(text);
    return words.length >= least && words.length <= 8 ? join(words) : undefined;
  };

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();
const cut = (word: string) =>
  word.length < 5 ? word : word.slice(0, Math.max(3, Math.ceil(word.length * 0.6)));

const TITLE_KINDS: Readonly<Record<string, Kind>> = {
  title: ({ text }) => text,
  'title in lower case': ({ text }) => text.toLowerCase(),
  'title in capitals': ({ text }) => text.toUpperCase(),
  'title without a word': (source, random) =>
    ofWords(4, (words) => words.toSpliced(Math.floor(random() * words.length), 1).join(' '))(
      source,
      random,
    ),
  'title without small words': ofWords(4, (words) =>
    words.filter((word) => !isStop(word.toLowerCase())).join(' '),
  ),
  'title in reverse': ofWords(2, (words) => words.toReversed().join(' ')),
  'title in camel case': ofWords(2, (words) =>
    words.map((word, at) => (at === 0 ? word.toLowerCase() : capital(word))).join(''),
  ),
  'title in snake case': ofWords(2, (words) => words.join('_').toLowerCase()),
  'title with hyphens': ofWords(2, (words) => words.join('-').toLowerCase()),
  'title in one word': ofWords(2, (words) =>
    words.length < 5 ? words.join('').toLowerCase() : words.slice(0, 5).join('').toLowerCase(),
  ),
  'last word cut short': ofWords(2, (words) =>
    [...words.slice(0, -1), cut(words.at(-1)!)].join(' ').toLowerCase(),
  ),
  'all words cut short': ofWords(2, (words) => words.map(cut).join(' ').toLowerCase()),
  'two letters swapped': misspelled(
    (word, at) => word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2),
  ),
  'a letter left out': misspelled((word, at) => word.slice(0, at) + word.slice(at + 1)),
  'a letter doubled': misspelled((word, at) => word.slice(0, at) + word[at]! + word.slice(at)),
  'a wrong letter': misspelled((word, at) => `${word.slice(0, at)}x${word.slice(at + 1)}`),
  wikilink: ({ text }) => `[[${text}]]`,
  'wikilink with a heading': ({ text }) => `[[${text}#Examples]]`,
  'embedded note': ({ text }) => `![[${text}]]`,
  'file name': ({ text }) => `${text}.md`,
  path: ({ paths }) => [...paths][0],
  'title in quotation marks': ({ text }) => `"${text}"`,
  'title as a question': ({ text }) => `what is ${text.toLowerCase()}?`,
  'title in a German question': ({ text }) => `wie funktioniert ${text}`,
  'title with a full stop': ({ text }) => `${text}.`,
  'title after a hash': ({ text }) => `# ${text}`,
};

const COPIED_KINDS: Readonly<Record<string, readonly [Read, Kind?]>> = {
  heading: [(note) => linesOf(note, /^#{2,4} +(.+)$/gm)],
  'heading as it is written': [
    (note) => linesOf(note, /^#{2,4} +(.+)$/gm),
    ({ text }) => `## ${text}`,
  ],
  sentence: [sentences],
  'start of a sentence': [sentences, ({ text }) => text.slice(0, text.lastIndexOf(' ', 50))],
  'rare words of a sentence': [
    sentences,
    ({ text }) => {
      const long = wordsOf(text).filter((word) => word.length > 6 && !isStop(word.toLowerCase()));
      return long.length < 4 ? undefined : long.slice(0, 4).join(' ').toLowerCase();
    },
  ],
  command: [(note) => fences(note).filter((line) => /^[\w.-]+ .*-[A-Za-z]+/.test(line))],
  'command after a prompt': [
    (note) => fences(note).filter((line) => /^[\w.-]+ .*-[A-Za-z]+/.test(line)),
    ({ text }) => `PS C:\\> ${text}`,
  ],
  'line of code': [
    (note) => fences(note).filter((line) => /[${([]/.test(line) && /^.{15,120}$/.test(line)),
  ],
  'line with brackets': [(note) => fences(note).filter((line) => /\[[^\]]+\]/.test(line))],
  'type in brackets': [tokens(/\[[A-Z]\w+(?:\.\w+)+\]/g)],
  identifier: [tokens(/\b[A-Z]?[a-z]+(?:[A-Z][a-z]+){2,}\b/g)],
  'part of an identifier': [
    (note) =>
      tokens(/\b[A-Z]?[a-z]+(?:[A-Z][a-z]+)+\b/g)(note).flatMap(
        (name) => name.match(/[A-Z][a-z]{5,}/g) ?? [],
      ),
    ({ text }) => text.toLowerCase(),
  ],
  'dotted name': [tokens(/\b[A-Za-z]\w+(?:\.[A-Za-z]\w+){2,}\b/g)],
  call: [tokens(/\b\w{3,}\.\w{3,}\(\)/g)],
  'number or version': [tokens(/\b(?:\d+\.){1,3}\d{2,}\b|\b0x[\da-f]{4,}\b/gi)],
  'error message': [
    (note) =>
      note.text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => /\b(?:error|cannot|exception|failed|denied)\b/i.test(line))
        .filter((line) => /^.{30,160}$/.test(line)),
  ],
  'item of a list': [(note) => linesOf(note, /^ *[-*] +(.{20,150})$/gm), ({ text }) => `- ${text}`],
  'item of a checklist': [
    (note) => linesOf(note, /^ *[-*] +(.{20,150})$/gm),
    ({ text }) => `- [ ] ${text}`,
  ],
  'numbered item': [(note) => linesOf(note, /^ *(\d+\. +.{20,150})$/gm)],
  'row of a table': [(note) => linesOf(note, /^(\|(?=.*\w{4}).{30,200}\|)$/gm)],
  'link to a page': [tokens(/https?:\/\/[^\s)>\]"'`]{20,120}/g)],
  'quoted part of a sentence': [
    sentences,
    ({ text }) => `"${text.split(' ').slice(2, 7).join(' ')}"`,
  ],
};

/** Returns true for a kind that changes the title of a note, or the name of its file. */
export function isMadeFromTitle(kind: string): boolean {
  return kind in TITLE_KINDS || kind in INDEPENDENT_TITLE_KINDS;
}

/** Returns the texts of links, with the notes that they lead to. */
function linkTexts(notes: readonly NoteFile[]): Source[] {
  const byFile = new Map<string, string[]>();
  for (const { path, source = path } of notes as readonly (NoteFile & { source?: string })[]) {
    const file = source.slice(source.lastIndexOf('/') + 1).toLowerCase();
    byFile.set(file, [...(byFile.get(file) ?? []), path]);
  }
  const byText = new Map<string, Set<string>>();
  for (const { text: own } of notes)
    for (const [, text = '', target = ''] of own.matchAll(/\[([^\][`]{6,80})\]\(([^)\s#]+\.md)/g)) {
      const paths = byFile.get(target.slice(target.lastIndexOf('/') + 1).toLowerCase()) ?? [];
      const known = byText.get(text) ?? new Set<string>();
      byText.set(text, new Set([...known, ...paths]));
    }
  return [...byText].flatMap(([text, paths]) =>
    paths.size === 0 || paths.size > MAX_ANSWERS ? [] : [{ text, paths }],
  );
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

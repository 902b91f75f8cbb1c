import type { Random, Source } from '../typed-queries/sources.js';
import { wordsOf } from '../typed-queries/sources.js';
import { flatText, shownSentences, withoutCode, type Corpus, type ReadNote } from './corpus.js';
import type { LanguageFacts } from './languages.js';

/** A query before it belongs to a kind; undefined if nothing can be made of the source. */
export interface Draft {
  readonly text: string;
  readonly answers: ReadonlySet<string>;
}
/** Drafts in the order of the notes, made only as far as they are used. */
export interface Maker<T> {
  readonly sources: (corpus: Corpus) => readonly T[];
  readonly make: (source: T, corpus: Corpus, random: Random) => Draft | undefined;
}

export function maker<T>(sources: Maker<T>['sources'], make: Maker<T>['make']): Maker<unknown> {
  return { sources, make: (source, corpus, random) => make(source as T, corpus, random) };
}

export const pick = <T>(items: readonly T[], random: Random): T | undefined =>
  items[Math.floor(random() * items.length)];

const PHRASE_WORDS = 6;
const PHRASE_CHARACTERS = 10;
const MIN_HAN = 6;
const isHan = (text: string) => /\p{Script=Han}/u.test(text);

const hasFlat =
  (flat: string) =>
  ({ flat: own }: ReadNote): boolean =>
    own.includes(flat);

/** Takes words or characters in sequence from a sentence, if few notes have them. */
function phraseOf(sentence: string, corpus: Corpus, random: Random) {
  if (isHan(sentence)) {
    const clauses = sentence.split(/[\p{P}\p{S}\s]+/u).filter((each) => isLongClause(each));
    const letters = [...(pick(clauses, random) ?? '')];
    const from = Math.floor(random() * (letters.length - PHRASE_CHARACTERS + 1));
    const parts = letters.slice(from, from + PHRASE_CHARACTERS);
    return found(parts, '', corpus.few(parts.join(''), hasFlat(parts.join('').toLowerCase())));
  }
  const words = flatText(sentence).split(' ');
  if (words.length < PHRASE_WORDS + 2) return undefined;
  const from = Math.floor(random() * (words.length - PHRASE_WORDS + 1));
  const parts = words.slice(from, from + PHRASE_WORDS);
  return found(parts, ' ', corpus.fewHolders(parts.join(' ')));
}

const isLongClause = (text: string) =>
  text.length >= PHRASE_CHARACTERS && (text.match(/\p{Script=Han}/gu)?.length ?? 0) >= MIN_HAN;

function found(parts: readonly string[], space: string, source: Source | undefined) {
  return source && parts.length > 1 ? { parts, space, answers: source.paths } : undefined;
}

type Phrase = NonNullable<ReturnType<typeof phraseOf>>;

const fromPhrase = (change: (phrase: Phrase, corpus: Corpus, random: Random) => string) =>
  maker<string>(
    ({ notes }) => notes.flatMap(shownSentences),
    (sentence, corpus, random) => {
      const phrase = phraseOf(sentence, corpus, random);
      return phrase && { text: change(phrase, corpus, random), answers: phrase.answers };
    },
  );

/** Replaces a word in the middle by one of the vault. */
function withWrongPart({ parts, space }: Phrase, { notes }: Corpus, random: Random): string {
  const at = 1 + Math.floor(random() * (parts.length - 2));
  const all = pick(notes, random)?.flat ?? '';
  const others = space === '' ? (all.match(/\p{Script=Han}/gu) ?? []) : wordsOf(all);
  const other = pick(
    others.filter((each) => each !== parts[at]),
    random,
  );
  return parts.with(at, other ?? 'x').join(space);
}

const titles = maker<ReadNote>;
const namesIn = ({ text }: ReadNote) =>
  text.match(/\b(?:[a-z]{2,}|[A-Z][a-z]+)(?:[A-Z][a-z]+)+\b/g) ?? [];
const QUOTED = /(["'“”„「『])([\p{L}\p{N}_][\p{L}\p{N}_.-]{1,30})(["'“”」』])(?![\p{L}\p{N}])/u;

/** Takes a line in which a name is in quotation marks, with another name instead. */
const withOtherName =
  (isWanted: (line: string, facts: LanguageFacts) => boolean) =>
  (facts: LanguageFacts): Maker<unknown> =>
    maker<string>(
      ({ notes }) =>
        notes
          .flatMap(({ text }) => text.split('\n').map((line) => line.trim().replace(/^[#>] /, '')))
          .filter((line) => line.length >= 20 && line.length <= 150 && QUOTED.test(line))
          .filter((line) => !/<a (?:name|id)=/.test(line) && isWanted(line, facts)),
      (line, corpus) => {
        const source = corpus.few(line, ({ lower }) => lower.includes(line.toLowerCase()));
        const text = line.replace(QUOTED, '$1foo$3');
        return source && text.length > 15 ? { text, answers: source.paths } : undefined;
      },
    );

const cutTo = (length: number) =>
  titles(
    ({ notes }) => notes,
    ({ title }, corpus) => {
      const words = wordsOf(title).filter((word) => !isHan(word));
      if (words.length < 2 || words.length > 8) return undefined;
      const text = words
        .map((word) => word.slice(0, length))
        .join(' ')
        .toLowerCase();
      if (isHan(title) || corpus.isOfOtherTitle(text, title)) return undefined;
      return withTitle(title, text, corpus);
    },
  );

/** A query made from a title, answered by all notes of this title. */
function withTitle(title: string, text: string, { notes }: Corpus): Draft {
  const same = notes.filter((note) => note.title === title);
  return { text, answers: new Set(same.map(({ path }) => path)) };
}

/** Splits a title at words, in Chinese as well; what is between them stays with the one before. */
function titleParts(title: string): string[] {
  const parts: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(title))
    if (isWordLike === true || parts.length === 0) parts.push(segment);
    else parts[parts.length - 1] += segment;
  return parts;
}
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });
const MIN_TITLE_WORDS = 3;

const withoutWord = maker<ReadNote>(
  ({ notes }) => notes,
  ({ title }, corpus, random) => {
    const parts = titleParts(title);
    const at = Math.floor(random() * parts.length);
    const text = parts.toSpliced(at, 1).join('').trim().toLowerCase();
    if (parts.length < MIN_TITLE_WORDS || /\d/.test(parts[at]!)) return undefined;
    return corpus.isOfOtherTitle(text, title) ? undefined : withTitle(title, text, corpus);
  },
);

const headingsOf = ({ text }: ReadNote) =>
  [...withoutCode(text).matchAll(/^#{2,6} +(.+)$/gm)].map(([, line = '']) => line);

export const WITH_NEGATION = 'title with a negation';
export const REAL = 'title reworded';

/** Kinds that are made from titles, headings and what one remembers of a text. */
export function rememberedKinds(facts: LanguageFacts): Readonly<Record<string, Maker<unknown>>> {
  return {
    [WITH_NEGATION]: titles(
      ({ notes }) => notes.filter(({ title }) => facts.negation.test(title)),
      ({ title }, corpus) => withTitle(title, title, corpus),
    ),
    'heading with a negation': maker<string>(
      ({ notes }) => notes.flatMap(headingsOf).filter((line) => facts.negation.test(line)),
      (line, corpus) => {
        const text = line.replace(/<[^>]*>|[*`]/g, '').trim();
        const source = corpus.fewHolders(flatText(text));
        return source && { text, answers: source.paths };
      },
    ),
    'six words remembered': fromPhrase(({ parts, space }) => parts.join(space)),
    'six words, one left out': fromPhrase(({ parts, space }, _, random) =>
      parts.toSpliced(1 + Math.floor(random() * (parts.length - 2)), 1).join(space),
    ),
    'six words in quotes, one wrong': fromPhrase(
      (phrase, corpus, random) => `"${withWrongPart(phrase, corpus, random)}"`,
    ),
    'words cut to four letters': cutTo(4),
    'words cut to three letters': cutTo(3),
    'first half of a name in camel case': maker<string>(
      ({ notes }) => notes.flatMap(namesIn),
      (name, corpus) => {
        const parts = name.match(/[A-Z]?[a-z]+/g) ?? [];
        const half = parts.slice(0, Math.ceil(parts.length / 2)).join('');
        const source = half.length < 4 || half === name ? undefined : corpus.beginningWith(half);
        return source && { text: half, answers: source.paths };
      },
    ),
    'error with another name in quotes': withOtherName((line, { error }) => error.test(line))(
      facts,
    ),
    'line with another name in quotes': withOtherName((line, { error }) => !error.test(line))(
      facts,
    ),
    [REAL]: withoutWord,
  };
}

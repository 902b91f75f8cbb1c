import { isStopWord, languageCode, likelyLanguage, type LanguageCode } from './languages.js';

export interface WantedText {
  readonly wanted: string;
  /** Empty if nothing is excluded. */
  readonly excluded: string;
}

/** Returns true if a text has these words in a row: then they are a name, and exclude nothing. */
export type IsWritten = (phrase: string) => boolean;

interface ExclusionWords {
  /** Phrases that exclude what follows them. */
  readonly markers: readonly string[];
  /** Words that exclude what precedes them in their clause. */
  readonly postpositions: readonly string[];
  /** Exclude what follows at the start of a clause, after a connector, or outside a sentence. */
  readonly negations: readonly string[];
  readonly connectors: readonly string[];
  /** Auxiliary verbs and question words. In a sentence, a bare negation is searched for. */
  readonly sentenceWords: readonly string[];
  readonly conjunctions: readonly string[];
  /** Words that describe nothing that could be excluded. */
  readonly fillers: readonly string[];
}

const list = (texts: string): string[] => texts.split(', ');

/** Only languages for which `tests/benchmarks/exclusions.json` has queries. */
const EXCLUSION_WORDS: Partial<Readonly<Record<LanguageCode, ExclusionWords>>> = {
  en: {
    markers: list(
      "without, excluding, except for, except, apart from, aside from, other than, that don't, that doesn't, that aren't, that isn't, that are not, that is not, which don't, which doesn't, which aren't, which isn't, which are not, which is not",
    ),
    postpositions: list('excluded, excepted'),
    negations: list('not, no, nothing, none'),
    connectors: list('but, just, only, please'),
    sentenceWords: list(
      "am, are, be, been, can, could, did, didn't, do, does, doesn't, don't, had, has, have, how, is, may, might, must, shall, should, to, was, were, what, when, where, which, who, why, will, would",
    ),
    conjunctions: list('and, or, nor'),
    fillers: list(
      'along, anything, around, everything, near, one, ones, something, stuff, thing, things, use, using, with',
    ),
  },
  de: {
    markers: list(
      'ohne, außer, ausser, ausgenommen, abgesehen von, abgesehen vom, mit ausnahme von, mit ausnahme vom, mit ausnahme der, mit ausnahme des, alles bis auf, alle bis auf, exklusive',
    ),
    postpositions: list('ausgenommen, ausgeschlossen'),
    negations: list('nicht, kein, keine, keinen, keinem, keiner, keines, nichts'),
    connectors: list('aber, nur, bloß, bitte, die, der, das'),
    sentenceWords: list(
      'bin, bist, darf, habe, haben, hat, hatte, ist, kann, konnte, können, muss, müssen, sind, soll, sollen, wann, war, waren, warum, was, welche, welcher, welches, wer, werde, werden, weshalb, wie, wieso, will, wird, wo, wollen, wurde, wurden, würde',
    ),
    conjunctions: list('und, oder, noch'),
    fillers: list('alles, brauchen, enthalten, etwas, gerade, irgendetwas'),
  },
};

const NEGATIONS: ReadonlySet<string> = new Set(
  Object.values(EXCLUSION_WORDS).flatMap(({ markers, negations }) =>
    [...markers, ...negations].filter((word) => !word.includes(' ')),
  ),
);

/** Returns true for a word in lower case that excludes others by itself, in any language. */
export function isNegation(word: string): boolean {
  return NEGATIONS.has(word);
}

const MAX_EXCLUDED_WORDS = 4;
/** A query is read in this many of the documents' most frequent languages. */
const COMMON_LANGUAGES = 2;

interface Word {
  readonly text: string;
  /** In lower case, without punctuation around it. */
  readonly core: string;
  readonly endsClause: boolean;
  readonly isStop: boolean;
  /** Neither a stop word nor a filler. */
  readonly isContent: boolean;
}

/**
 * Separates what a query excludes ("curry without coconut milk, for two") from what it asks for.
 * All is wanted if nothing is excluded, nothing would be left, or there are quotation marks.
 * @param languages Languages of the documents, the most frequent first.
 */
export function splitExclusions(
  { words: text, phrases }: { readonly words: string; readonly phrases: readonly string[] },
  languages: readonly number[],
  isWritten: IsWritten = () => false,
): WantedText {
  const all: WantedText = { wanted: text, excluded: '' };
  if (phrases.length > 0 || text.includes('"')) return all;
  const common = languages.slice(0, COMMON_LANGUAGES);
  for (const language of new Set([likelyLanguage(text, common), ...common])) {
    const own = EXCLUSION_WORDS[languageCode(language)];
    const split = own && splitIn(readWords(text, language, own), own, isWritten);
    if (split) return split;
  }
  return all;
}

/** Returns undefined if nothing is excluded or nothing would be left. */
function splitIn(
  words: readonly Word[],
  own: ExclusionWords,
  isWritten: IsWritten,
): WantedText | undefined {
  const wanted: Word[] = [];
  const excluded: string[] = [];
  for (let at = 0; at < words.length;) {
    const from = at + markerLength(words, at, own);
    const to = from === at ? at : excludedEnd(words, from, own);
    const clause = words.slice(at, to).map(({ text }) => text);
    const found =
      from === at || isWritten(clause.join(' ')) ? [] : contentOf(words.slice(from, to));
    if (found.length === 0 && own.postpositions.includes(words[at]!.core))
      excluded.push(...contentOf(takeClause(wanted)));
    else if (found.length === 0) wanted.push(words[at]!);
    excluded.push(...found);
    at = found.length > 0 ? to : at + 1;
  }
  if (excluded.length === 0 || wanted.every(({ isStop }) => isStop)) return undefined;
  return { wanted: wanted.map((word) => word.text).join(' '), excluded: excluded.join(' ') };
}

function readWords(text: string, language: number, { fillers }: ExclusionWords): Word[] {
  return text.split(/\s+/).flatMap((word) => {
    const core = word
      .toLowerCase()
      .replace(/’/g, "'")
      .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    const isStop = core === '' || isStopWord(core.replace(/'.*$/, ''), language);
    const isContent = !isStop && !fillers.includes(core);
    const endsClause = /[,;:?!.)]$/.test(word);
    return word === '' ? [] : [{ text: word, core, endsClause, isStop, isContent }];
  });
}

/** Returns the number of words from `at` on that exclude what follows them; 0 for none. */
function markerLength(words: readonly Word[], at: number, own: ExclusionWords): number {
  const lengths = own.markers
    .map((marker) => marker.split(' '))
    .filter((parts) => parts.every((part, index) => words[at + index]?.core === part))
    .map(({ length }) => length);
  if (lengths.length > 0) return Math.max(...lengths);
  if (!own.negations.includes(words[at]!.core) || at === 0) return 0;
  const { core, endsClause } = words[at - 1]!;
  const isJoined = endsClause || own.connectors.includes(core);
  const isSentence = words.some((word) => own.sentenceWords.includes(word.core));
  return isJoined || !isSentence ? 1 : 0;
}

/** Returns the end of the clause, or the first function word after the excluded content words. */
function excludedEnd(words: readonly Word[], from: number, own: ExclusionWords): number {
  if (words[from - 1]!.endsClause) return from;
  let count = 0;
  for (let at = from; at < words.length; at++) {
    const { core, isStop, isContent, endsClause } = words[at]!;
    if (count > 0 && isStop && !own.conjunctions.includes(core)) return at;
    if (isContent && ++count > MAX_EXCLUDED_WORDS) return at;
    if (endsClause) return at + 1;
  }
  return words.length;
}

function contentOf(words: readonly Word[]): string[] {
  return words.filter(({ isContent }) => isContent).map(({ core }) => core);
}

/** Removes the words of the current clause, unless it is the first. */
function takeClause(words: Word[]): Word[] {
  const previous = words.map(({ endsClause }) => endsClause).lastIndexOf(true);
  return previous < 0 ? [] : words.splice(previous + 1);
}

import { foldWord } from './characters.js';
import { camelCaseParts } from './identifiers.js';
import { detectLanguage, isStopWord, stemsOf } from './languages.js';
import {
  formUnits,
  hasInnerCapital,
  LAST_TOKEN,
  ONLY_TOKEN,
  tokenize,
  PAIR_TOKEN,
  runStartAt,
  WORD_TOKEN,
} from './tokenize.js';

export interface QueryWord {
  /** As typed, in lower case. */
  readonly word: string;
  /** Terms that it may have in the index, at most two per language. */
  readonly stems: readonly string[];
  readonly isStop: boolean;
  /** Number of words before it, as the index counts them; those of a camel-case word share its. */
  readonly position: number;
  /** True for a single unspaced character, which the index mostly has as the first of a pair. */
  readonly isSingle: boolean;
  /** True for two characters of an unspaced script, of which a word has several. */
  readonly isPair?: boolean;
  /** Marks an edge of a run of an unspaced script: `^` with its first character, or the last. */
  readonly edge?: 'start' | 'end' | undefined;
  /** At the end of a run: number of its pairs. */
  readonly pairs?: number;
  /** Words of a name in camel case, by which it is found if it does not occur as a whole. */
  readonly parts?: readonly QueryWord[];
}

/**
 * Returns the words of a text, in order, stemmed by the rules of the given languages and its own.
 * `hasEdges`: also returns the start and the end of each run of an unspaced script.
 */
export function queryWords(
  text: string,
  languages: readonly number[],
  hasEdges = false,
): QueryWord[] {
  const read = wordReader(languages, detectLanguage(text));
  const words: QueryWord[] = [];
  const camelCase = new Map<number, readonly string[]>();
  let firstPair = 0;
  let next = 0;
  tokenize(text, 0, text.length, (start, end, length, _hash, kind) => {
    const runStart = hasEdges ? runStartAt(text, start, kind) : undefined;
    if (runStart !== undefined) {
      words.push({
        word: runStart,
        stems: [runStart],
        isStop: false,
        position: next,
        isSingle: false,
        edge: 'start',
      });
      firstPair = words.length;
    }
    const word = String.fromCharCode(...formUnits.subarray(0, length));
    const { stems, isStop } = kind === WORD_TOKEN ? read(word) : plain(word);
    if (stems.length === 0) return;
    const position = next++;
    if (kind === LAST_TOKEN && !hasEdges) return;
    const parts = hasInnerCapital ? camelCaseParts(text.slice(start, end)) : [];
    if (parts.length > 0) camelCase.set(words.length, parts);
    words.push({
      word,
      stems,
      isStop,
      position,
      isSingle: kind === ONLY_TOKEN,
      isPair: kind === PAIR_TOKEN,
      edge: kind === LAST_TOKEN ? 'end' : undefined,
      pairs: words.length - firstPair,
    });
  });
  for (const [at, parts] of camelCase) {
    const whole = words[at]!;
    const own = queryWords(parts.join(' '), languages);
    words[at] = { ...whole, parts: own.map((part) => ({ ...part, position: whole.position })) };
  }
  return words;
}

/** Returns the words without stop words, unless there are only these. */
export function contentWords<W extends Pick<QueryWord, 'isStop'>>(words: readonly W[]) {
  const content = words.filter(({ isStop }) => !isStop);
  return content.length > 0 ? content : words;
}

/** Facts about a word that do not depend on where it is. */
type ReadWord = Pick<QueryWord, 'stems' | 'isStop'>;

function plain(word: string): ReadWord {
  return { stems: withoutEmpty([foldWord(word)]), isStop: false };
}

/** Words that were read, after their languages: a search reads many texts with the same words. */
const readWords = new Map<string, ReadWord>();
const MAX_READ_WORDS = 5000;

function wordReader(languages: readonly number[], own: number): (word: string) => ReadWord {
  const all = [...languages, own];
  const scope = all.join();
  const stopLanguages = [own, languages[0] ?? own];
  return (word) => {
    const id = `${scope} ${word}`;
    const known = readWords.get(id);
    if (known) return known;
    if (readWords.size >= MAX_READ_WORDS) readWords.clear();
    const stems = new Set(all.flatMap((language) => stemsOf(word, language)));
    const isStop = stopLanguages.some((language) => isStopWord(word, language));
    const read = { stems: withoutEmpty([...stems]), isStop };
    readWords.set(id, read);
    return read;
  };
}

function withoutEmpty(stems: readonly string[]): readonly string[] {
  return stems.filter((stem) => stem !== '');
}

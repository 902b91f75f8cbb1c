import { queryWords } from '../../../search/text/query-words.js';
import { stemEnglish } from '../../../search/text/english.js';
import {
  ENGLISH,
  GERMAN,
  isStopWord,
  likelyLanguage,
  stemsOf,
} from '../../../search/text/languages.js';
import { frequenciesDiffer, measuresDiffer } from './measures.js';
import { mentionedFiles, shareFile, type RecordTexts } from './mentioned-files.js';
import {
  areAlternatives,
  areOpposites,
  CHANGES,
  CHOICE_PREPOSITIONS,
  COMMON_WORDS,
  EMPTY_WORDS,
  ENDLESS,
  isChoice,
  MANNER_PREPOSITIONS,
  NEEDS,
  NEGATIONS,
  PHRASE_ENDS,
  PURPOSE_PREPOSITIONS,
  REMOVALS,
  REPLACEMENTS,
  TIME_PREPOSITIONS,
  UNIVERSAL,
} from './opposites.js';

/** A word of a decision's title. */
interface Word {
  readonly word: string;
  readonly stems: readonly string[];
  /** The stem by which lists of alternatives name the word. */
  readonly choice: string;
  readonly isStop: boolean;
  /**
   * 1 for a word that tells what the decision is about, 0.5 for one that many decisions share, 0
   * for any other.
   */
  readonly weight: number;
}

/**
 * Weight of common words that alone make it likely that two decisions are about the same question.
 */
const SAME_SUBJECT = 1.5;
/** Number of common words that does so, even if they follow each other. */
const SAME_WORDS = 3;
/** Weight of common words that does so together with two answers that exclude each other. */
const RELATED_SUBJECT = 1;

/** What a decision is about, as far as its words and files tell. */
export interface DecisionSubject {
  readonly files: ReadonlySet<string>;
  readonly words: readonly Word[];
}

/**
 * Returns what a decision is about. Only its title says so; a body is read for the files that it
 * mentions.
 */
export function subjectOf(decision: RecordTexts): DecisionSubject {
  return { files: mentionedFiles(decision), words: wordsOf(decision.title) };
}

/**
 * Returns true if two decisions probably cannot both hold: if they are about the same file or note,
 * or if their titles are about the same subject and differ in what they say of it. Only words
 * decide, so it is a hint, not a judgement.
 */
export function mayContradict(newer: DecisionSubject, older: DecisionSubject): boolean {
  if (shareFile(newer.files, older.files)) return true;
  const [a, b] = [newer.words, older.words];
  if (doSameToOthers(a, b) || isMomentIn(a, b) !== isMomentIn(b, a)) return false;
  const shared = sharedWeight(a, b);
  const strong = a.filter((word) => word.weight === 1 && isIn(word, b));
  if (shared >= SAME_SUBJECT || strong.length >= SAME_WORDS) return true;
  if (shared >= RELATED_SUBJECT)
    return (
      hasExcludingAnswers(a, b) ||
      isReplacement(a, b) ||
      hasOtherEnd(a, b) ||
      hasSamePurpose(a, b) ||
      hasOtherChoice(a, b) ||
      hasOtherIdentity(a, b) ||
      differInOneWord(a, b)
    );
  return shared === 0 && areOnlyChoices(a, b);
}

const ARTICLES = new Set(['the', 'a', 'an', 'our', 'my']);

/**
 * Returns true if the titles share only the verb that they begin with, and what they do it to is
 * not the same.
 */
function doSameToOthers(a: readonly Word[], b: readonly Word[]): boolean {
  const rest = (words: readonly Word[]) =>
    words.slice(1).filter(({ weight, choice }) => weight === 1 && !isChoice(choice));
  const [verb, other, restA, restB] = [a[0], b[0], rest(a), rest(b)];
  if (!verb || !other || !isSame(verb, other)) return false;
  if (![a, b].every((words) => ARTICLES.has(words[1]?.word ?? ''))) return false;
  return restA.length > 0 && restB.length > 0 && !restA.some((word) => isIn(word, restB));
}

function wordsOf(title: string): Word[] {
  const languages = [ENGLISH, likelyLanguage(title, [ENGLISH, GERMAN])];
  return queryWords(title.replaceAll(/['’]/gu, ''), languages).map(
    ({ word, stems, isStop: isStopInEnglish }) => {
      const isStop = isStopInEnglish || languages.some((language) => isStopWord(word, language));
      return {
        word,
        stems,
        choice: stemEnglish(word),
        isStop,
        weight: weightOf(word, stemsOf(word, ENGLISH), isStop),
      };
    },
  );
}

/**
 * Most characters by which a form of a common word is longer than its stem. "Settings" has more,
 * and is not a form of "set".
 */
const MAX_ENDING = 4;

function weightOf(word: string, stems: readonly string[], isStop: boolean): number {
  const forms = [word, ...stems.filter((stem) => word.length - stem.length <= MAX_ENDING)];
  const isOneOf = (words: ReadonlySet<string>) => forms.some((form) => words.has(form));
  if (isStop || isOneOf(EMPTY_WORDS)) return 0;
  return isOneOf(COMMON_WORDS) || /^\d+$/.test(word) ? 0.5 : 1;
}

function isSame(a: Word, b: Word): boolean {
  return a.stems.some((stem) => b.stems.includes(stem));
}

function isIn(word: Word, words: readonly Word[]): boolean {
  return words.some((other) => isSame(word, other));
}

/**
 * Returns the weight of the words that both titles have. Of words that directly follow each other
 * in both, such as a compound, only the weightiest counts.
 */
function sharedWeight(a: readonly Word[], b: readonly Word[]): number {
  const counted: Word[] = [];
  let [total, chain] = [0, 0];
  for (const [at, word] of a.entries()) {
    if (word.weight === 0 || !isIn(word, b) || isIn(word, counted)) {
      chain = 0;
      continue;
    }
    counted.push(word);
    const before = a[at - 1];
    const isCompound =
      chain > 0 &&
      before &&
      b.some((other, index) => isSame(other, word) && isAt(b, index - 1, before));
    const added = isCompound ? Math.max(0, word.weight - chain) : word.weight;
    chain = isCompound ? Math.max(chain, word.weight) : word.weight;
    total += added;
  }
  return total;
}

function isAt(words: readonly Word[], index: number, word: Word): boolean {
  const found = words[index];
  return found !== undefined && isSame(found, word);
}

/**
 * Returns true if the titles name different alternatives, opposite words, different numbers, or one
 * takes back what the other says.
 */
function hasExcludingAnswers(a: readonly Word[], b: readonly Word[]): boolean {
  const own = (words: readonly Word[], others: readonly Word[]) =>
    words.filter((word) => !isIn(word, others));
  const [onlyA, onlyB] = [own(a, b), own(b, a)];
  const differs = onlyA.some((one) =>
    onlyB.some(
      (other) =>
        areAlternatives(one.choice, other.choice) || areOpposites(one.choice, other.choice),
    ),
  );
  return (
    differs ||
    frequenciesDiffer(
      a.map(({ word }) => word),
      b.map(({ word }) => word),
    ) ||
    hasOtherAmount(a, b) ||
    hasOtherTime(a, b) ||
    takesBack(a, b) ||
    takesBack(b, a)
  );
}

/**
 * Returns true if both titles count or measure the same thing, with different numbers, or one of
 * them without an end.
 */
function hasOtherAmount(a: readonly Word[], b: readonly Word[]): boolean {
  const isEndless = (words: readonly Word[]) => words.some(({ word }) => ENDLESS.has(word));
  if (isEndless(a) !== isEndless(b) && amountsOf(isEndless(a) ? b : a).length > 0) return true;
  return amountsOf(a).some(([value, unit]) =>
    amountsOf(b).some(
      ([other, otherUnit]) =>
        (value !== other && isSame(unit, otherUnit)) ||
        measuresDiffer([value, unit.word], [other, otherUnit.word]),
    ),
  );
}

/** Returns true if a shared word is only the moment of the first title, as in "after the talk". */
function isMomentIn(words: readonly Word[], others: readonly Word[]): boolean {
  return objectsOf(words, TIME_PREPOSITIONS).some(([, object]) => isIn(object, others));
}

const NUMBER_WORDS = new Set(
  'one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred half'.split(
    ' ',
  ),
);

/** Returns true if both titles name a time of day, and not the same one. */
function hasOtherTime(a: readonly Word[], b: readonly Word[]): boolean {
  const timesOf = (words: readonly Word[]) =>
    objectsOf(words, AT).flatMap(([, { word }]) => (isTimeOfDay(word) ? [word] : []));
  return timesOf(a).some((time) => timesOf(b).some((other) => time !== other));
}

const AT = new Set(['at']);

function isTimeOfDay(word: string): boolean {
  return /^\d+$/.test(word) || NUMBER_WORDS.has(word) || word === 'noon' || word === 'midnight';
}

/** Returns each number with the word after it. */
function amountsOf(words: readonly Word[]): [string, Word][] {
  return words.flatMap(({ word }, at): [string, Word][] => {
    const unit = words.slice(at + 1).find((next) => !/^\d+$/.test(next.word));
    return unit && (/^\d+$/.test(word) || NUMBER_WORDS.has(word)) ? [[word, unit]] : [];
  });
}

/** Returns true if one title negates or removes what the other one says, and the other does not. */
function takesBack(words: readonly Word[], others: readonly Word[]): boolean {
  return words.some(({ word, stems }, at) => {
    const isNegation = NEGATIONS.has(word);
    const isRemoval = [word, ...stems].some((form) => REMOVALS.has(form));
    if (!isNegation && !isRemoval) return false;
    const next = words[at + 1];
    if (isNegation && next && NEEDS.has(next.word))
      return words.slice(0, at).some((denied) => denied.weight === 1 && isIn(denied, others));
    const after = words.slice(at + 1);
    const end = after.findIndex((other) => PHRASE_ENDS.has(other.word));
    const rest = (end < 0 ? after : after.slice(0, end)).filter(({ weight }) => weight > 0);
    const wanted = isNegation ? rest.slice(0, 1) : rest;
    return (
      wanted.some((taken) => isIn(taken, others)) && !others.some((other) => other.word === word)
    );
  });
}

/**
 * Returns true if a title says that it changes what the other one is about, or that it takes its
 * place.
 */
function isReplacement(words: readonly Word[], others: readonly Word[]): boolean {
  return words.some(({ word, stems }, at) => {
    const isOneOf = (list: ReadonlySet<string>) => [word, ...stems].some((form) => list.has(form));
    const changed = words.slice(at + 1).filter(({ weight }) => weight > 0);
    return (
      REPLACEMENTS.has(word) ||
      (isOneOf(CHANGES) && changed.slice(0, 2).some((next) => isIn(next, others)))
    );
  });
}

/**
 * Returns true if the titles begin a phrase with the same two words and end it with another
 * preposition or object.
 */
function hasOtherEnd(a: readonly Word[], b: readonly Word[]): boolean {
  const pairsOf = (words: readonly Word[]) =>
    words.flatMap((word, at): [Word, Word][] => {
      const [before, after] = [words[at - 1], words[at + 1]];
      const isPair = before?.weight === 1 && word.weight === 1;
      return isPair && after && CHOICE_PREPOSITIONS.has(after.word) ? [[before, word]] : [];
    });
  return pairsOf(a).some(([one, two]) =>
    pairsOf(b).some(([three, four]) => isSame(one, three) && isSame(two, four)),
  );
}

/** Returns true if both titles say what their choice is for, and it is the same. */
function hasSamePurpose(a: readonly Word[], b: readonly Word[]): boolean {
  const purposesOf = (words: readonly Word[]) =>
    objectsOf(words, PURPOSE_PREPOSITIONS).map(([, purpose]) => purpose);
  const headsOf = (words: readonly Word[]) =>
    objectsOf(words, TOOL_PREPOSITIONS).flatMap(([, , head]) => head ?? []);
  const areShared = (some: readonly Word[], others: readonly Word[]) =>
    some.some((one) => isIn(one, others));
  const [forA, forB] = [purposesOf(a), purposesOf(b)];
  return areShared(forA, forB) || areShared(forA, headsOf(b)) || areShared(forB, headsOf(a));
}

const TOOL_PREPOSITIONS = new Set(['with', 'mit']);

/**
 * Returns true if both titles choose something different with the same preposition for the same
 * thing, such as "tests with Jest" and "tests with Vitest".
 */
function hasOtherChoice(a: readonly Word[], b: readonly Word[]): boolean {
  return objectsOf(a, CHOICE_PREPOSITIONS).some(([preposition, one, head]) =>
    objectsOf(b, CHOICE_PREPOSITIONS).some(
      ([other, object, otherHead]) =>
        (preposition === other ||
          [preposition, other].every((each) => MANNER_PREPOSITIONS.has(each))) &&
        !isIn(one, b) &&
        !isIn(object, a) &&
        [head, otherHead].every((word) => word && isIn(word, a) && isIn(word, b)),
    ),
  );
}

/**
 * Returns true if both titles say what the same thing is, such as "the villain is the brother" and
 * "the villain is the doctor".
 */
function hasOtherIdentity(a: readonly Word[], b: readonly Word[]): boolean {
  const [one, other] = [identityOf(a), identityOf(b)];
  return one !== undefined && other !== undefined && isSame(one, other);
}

/**
 * Returns true if the titles have two words in common and each has one word that the other lacks,
 * as a form with another value has.
 */
function differInOneWord(a: readonly Word[], b: readonly Word[]): boolean {
  const told = (words: readonly Word[]) =>
    words.filter(({ isStop, weight }) => !isStop && weight > 0);
  const [one, other] = [told(a), told(b)];
  const shared = one.filter((word) => isIn(word, other)).length;
  return shared >= 2 && one.length - shared === 1 && other.length - shared === 1;
}

/** Returns the word before "is the" or "is a". */
function identityOf(words: readonly Word[]): Word | undefined {
  const at = words.findIndex(
    ({ word }, index) => word === 'is' && ['the', 'a', 'an'].includes(words[index + 1]?.word ?? ''),
  );
  return at < 0 ? undefined : words.slice(0, at).findLast(({ isStop }) => !isStop);
}

/** Returns each preposition with the nearest words after and before it that are not stop words. */
function objectsOf(
  words: readonly Word[],
  prepositions: ReadonlySet<string>,
): [preposition: string, object: Word, head: Word | undefined][] {
  return words.flatMap(({ word }, at): [string, Word, Word | undefined][] => {
    const object = words.slice(at + 1).find(({ isStop }) => !isStop);
    const head = words.slice(0, at).findLast(({ isStop }) => !isStop);
    return prepositions.has(word) && object ? [[word, object, head]] : [];
  });
}

/**
 * Returns true if the titles take different alternatives, and one of them says nothing about what
 * for.
 */
function areOnlyChoices(a: readonly Word[], b: readonly Word[]): boolean {
  const isBare = (words: readonly Word[]) =>
    words.every(({ choice, weight }) => weight < 1 || isChoice(choice)) &&
    objectsOf(words, PURPOSE_PREPOSITIONS).length === 0;
  const isUniversal = (words: readonly Word[]) => words.some(({ word }) => UNIVERSAL.has(word));
  return (
    (isBare(a) || isBare(b) || (isUniversal(a) && isUniversal(b))) &&
    a.some(({ choice }) => b.some((other) => areAlternatives(choice, other.choice)))
  );
}

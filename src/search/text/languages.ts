import { stemmer as stemArabic } from '@orama/stemmers/arabic';
import { stemmer as stemDanish } from '@orama/stemmers/danish';
import { stemmer as stemDutch } from '@orama/stemmers/dutch';
import { stemmer as stemFinnish } from '@orama/stemmers/finnish';
import { stemmer as stemFrench } from '@orama/stemmers/french';
import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemGreek } from '@orama/stemmers/greek';
import { stemmer as stemHindi } from '@orama/stemmers/indian';
import { stemmer as stemHungarian } from '@orama/stemmers/hungarian';
import { stemmer as stemIndonesian } from '@orama/stemmers/indonesian';
import { stemmer as stemItalian } from '@orama/stemmers/italian';
import { stemmer as stemNorwegian } from '@orama/stemmers/norwegian';
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese';
import { stemmer as stemRomanian } from '@orama/stemmers/romanian';
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import { stemmer as stemSwedish } from '@orama/stemmers/swedish';
import { stemmer as stemTurkish } from '@orama/stemmers/turkish';
import { stemmer as stemUkrainian } from '@orama/stemmers/ukrainian';
import { foldWord } from './characters.js';
import { stemEnglish } from './english.js';
import { STOP_WORDS } from './stop-words.js';
import { formUnits, tokenize, WORD_TOKEN } from './tokenize.js';

export type LanguageCode = keyof typeof STOP_WORDS;

/** The position of a language is its number in a segment, so languages may only be appended. */
const STEMMERS: Readonly<Record<LanguageCode, (word: string) => string>> = {
  en: stemEnglish,
  de: stemGerman,
  fr: stemFrench,
  es: stemSpanish,
  it: stemItalian,
  pt: stemPortuguese,
  nl: stemDutch,
  sv: stemSwedish,
  no: stemNorwegian,
  da: stemDanish,
  fi: stemFinnish,
  hu: stemHungarian,
  ro: stemRomanian,
  tr: stemTurkish,
  id: stemIndonesian,
  ru: stemRussian,
  uk: stemUkrainian,
  el: stemGreek,
  ar: stemArabic,
  hi: stemHindi,
};

const CODES = Object.keys(STEMMERS) as LanguageCode[];

export const ENGLISH = 0;
export const GERMAN = 1;
export const LANGUAGE_COUNT = CODES.length;

/** Returns an ISO 639-1 code. */
export function languageCode(language: number): LanguageCode {
  return CODES[language]!;
}

/** Languages that write compounds as one word. */
const COMPOUNDING: ReadonlySet<LanguageCode> = new Set(['de', 'nl', 'sv', 'no', 'da', 'fi', 'hu']);

export function isCompounding(language: number): boolean {
  return COMPOUNDING.has(CODES[language]!);
}

/** Folded stop words by language, filled on first use. */
const foldedStopWords: ReadonlySet<string>[] = [];

function stopWordsOf(language: number): string[] {
  return STOP_WORDS[CODES[language]!].split(/\s+/);
}

/** Returns true if a lower-case word, with or without its accents, is a stop word of a language. */
export function isStopWord(word: string, language: number): boolean {
  const folded = (foldedStopWords[language] ??= new Set(stopWordsOf(language).map(foldWord)));
  return folded.has(foldWord(word));
}

/** Returns the language to stem a lower-case word by: the document's, unless in another script. */
export function languageOfWord(word: string, language: number): number {
  const ofScript = scriptLanguage(word.charCodeAt(0));
  if (ofScript === undefined) return isLatin(language) ? language : ENGLISH;
  return ofScript === RUSSIAN && language === UKRAINIAN ? language : ofScript;
}

/** The first language in another script than Latin; none after it is in Latin, either. */
const RUSSIAN = CODES.indexOf('ru');
const UKRAINIAN = CODES.indexOf('uk');
const GREEK = CODES.indexOf('el');
const ARABIC = CODES.indexOf('ar');
const HINDI = CODES.indexOf('hi');

function isLatin(language: number): boolean {
  return language < RUSSIAN;
}

function scriptLanguage(unit: number): number | undefined {
  if (unit < 0x370) return undefined;
  if (unit < 0x400 || (unit >= 0x1f00 && unit < 0x2000)) return GREEK;
  if (unit < 0x530) return RUSSIAN;
  if (unit >= 0x600 && unit < 0x780) return ARABIC;
  return unit >= 0x900 && unit < 0x980 ? HINDI : undefined;
}

/** Returns the stem without accents and, if different, the stem of the word without accents. */
export function stemsOf(word: string, language: number): readonly string[] {
  const own = languageOfWord(word, language);
  const bare = foldWord(word);
  const stem = STEMMERS[CODES[own]!];
  const stemmed = foldWord(own === ENGLISH ? stem(bare) : stem(word.normalize('NFC'))) || bare;
  if (bare === word || own === ENGLISH || !isLatin(own)) return [stemmed];
  const stemmedBare = foldWord(stem(bare)) || bare;
  return stemmedBare === stemmed ? [stemmed] : [stemmed, stemmedBare];
}

const MIN_VOTES = 2;

interface StopWordLookup {
  /** Languages of each stop word, by the tokenizer's hash. */
  readonly byHash: ReadonlyMap<number, readonly number[]>;
  /** 1 at the lowest 16 bits of each hash in `byHash`; rules out most words without a lookup. */
  readonly filter: Uint8Array;
}

const FILTER_SIZE = 1 << 16;
let stopWordLookup: StopWordLookup | undefined;

function lookUpStopWords(): StopWordLookup {
  if (stopWordLookup) return stopWordLookup;
  const byHash = new Map<number, number[]>();
  const filter = new Uint8Array(FILTER_SIZE);
  CODES.forEach((_, language) => {
    for (const word of new Set(stopWordsOf(language))) {
      tokenize(word, 0, word.length, (_start, _end, _length, hash) => {
        byHash.set(hash, [...(byHash.get(hash) ?? []), language]);
        filter[hash & (FILTER_SIZE - 1)] = 1;
      });
    }
  });
  stopWordLookup = { byHash, filter };
  return stopWordLookup;
}

/** Returns the language with the most stop words in a text; English if there is no clear result. */
export function detectLanguage(text: string): number {
  const votes = countVotes(text);
  let best = ENGLISH;
  for (let each = 0; each < votes.length; each++) if (votes[each]! > votes[best]!) best = each;
  return best !== ENGLISH && votes[best]! < MIN_VOTES ? ENGLISH : best;
}

/** Returns the detected language if that is clear, or that of `languages` with most stop words. */
export function likelyLanguage(text: string, languages: readonly number[]): number {
  const detected = detectLanguage(text);
  if (detected !== ENGLISH) return detected;
  const votes = countVotes(text);
  const [first = ENGLISH] = languages;
  return languages.reduce((best, each) => (votes[each]! > votes[best]! ? each : best), first);
}

function countVotes(text: string): Float64Array {
  const votes = new Float64Array(CODES.length);
  const { byHash, filter } = lookUpStopWords();
  tokenize(text, 0, text.length, (_start, _end, _length, hash, kind) => {
    if (kind !== WORD_TOKEN) return;
    const ofScript = scriptLanguage(formUnits[0]!);
    const languages = filter[hash & (FILTER_SIZE - 1)] === 1 ? byHash.get(hash) : undefined;
    // A stop word shared by many languages is a weak sign.
    if (languages) for (const language of languages) votes[language]! += 1 / languages.length;
    if (ofScript !== undefined) votes[ofScript]! += 0.5;
  });
  return votes;
}

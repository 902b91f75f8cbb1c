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

type LanguageCode = keyof typeof STOP_WORDS;

/** The place of a language here is its number in a segment: append only. */
const CODES: readonly LanguageCode[] = [
  ...([
    'en',
    'de',
    'fr',
    'es',
    'it',
    'pt',
    'nl',
    'sv',
    'no',
    'da',
    'fi',
    'hu',
    'ro',
    'tr',
    'id',
  ] as const),
  ...(['ru', 'uk', 'el', 'ar', 'hi'] as const),
];

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

export const ENGLISH = 0;
export const LANGUAGE_COUNT = CODES.length;

/** Languages that write what others say in two words as one. */
const COMPOUNDING: ReadonlySet<LanguageCode> = new Set(['de', 'nl', 'sv', 'no', 'da', 'fi', 'hu']);

export function isCompounding(language: number): boolean {
  return COMPOUNDING.has(CODES[language]!);
}

/** By the language, once they have been asked for. */
const foldedStops: ReadonlySet<string>[] = [];

function stopsOf(language: number): string[] {
  return STOP_WORDS[CODES[language]!].split(/\s+/);
}

/** Whether a lower-case word carries no matter in a language, with or without its accents. */
export function isStopWord(word: string, language: number): boolean {
  const folded = (foldedStops[language] ??= new Set(stopsOf(language).map(foldWord)));
  return folded.has(foldWord(word));
}

/**
 * The language in which a lower-case word is stemmed: the note's own, but a word in another script speaks for itself.
 */
export function languageOfWord(word: string, language: number): number {
  const ofScript = scriptLanguage(word.charCodeAt(0));
  if (ofScript === undefined) return language < FIRST_WITH_SCRIPT ? language : ENGLISH;
  return sharesScript(ofScript, language) ? language : ofScript;
}

const FIRST_WITH_SCRIPT = CODES.indexOf('ru');
const [RUSSIAN, UKRAINIAN, GREEK, ARABIC, HINDI] = ['ru', 'uk', 'el', 'ar', 'hi'].map((code) =>
  CODES.indexOf(code as LanguageCode),
) as [number, number, number, number, number];

function scriptLanguage(unit: number): number | undefined {
  if (unit < 0x370) return undefined;
  if (unit < 0x400 || (unit >= 0x1f00 && unit < 0x2000)) return GREEK;
  if (unit < 0x530) return RUSSIAN;
  if (unit >= 0x600 && unit < 0x780) return ARABIC;
  return unit >= 0x900 && unit < 0x980 ? HINDI : undefined;
}

function sharesScript(ofScript: number, language: number): boolean {
  return ofScript === language || (ofScript === RUSSIAN && language === UKRAINIAN);
}

/**
 * What a lower-case word is known by: its stem without accents; and, where this is another, the stem of the word
 * typed without them, so that both spellings find each other.
 */
export function stemsOf(word: string, language: number): readonly string[] {
  const own = languageOfWord(word, language);
  const bare = foldWord(word);
  const stem = STEMMERS[CODES[own]!];
  const stemmed = foldWord(own === ENGLISH ? stem(bare) : stem(word.normalize('NFC'))) || bare;
  if (bare === word || own === ENGLISH || own >= FIRST_WITH_SCRIPT) return [stemmed];
  const stemmedBare = foldWord(stem(bare)) || bare;
  return stemmedBare === stemmed ? [stemmed] : [stemmed, stemmedBare];
}

const FEWEST_VOTES = 2;

interface Voters {
  /** The hash of each stop word, as the tokenizer has it, with the languages that know the word. */
  readonly byHash: ReadonlyMap<number, readonly number[]>;
  /** 1 for the lowest bits of each such hash: most words are seen not to be among them at once. */
  readonly marks: Uint8Array;
}

const MARKS = 1 << 16;
let voters: Voters | undefined;

function stopVoters(): Voters {
  if (voters) return voters;
  const byHash = new Map<number, number[]>();
  const marks = new Uint8Array(MARKS);
  CODES.forEach((_, language) => {
    for (const word of new Set(stopsOf(language))) {
      tokenize(word, 0, word.length, (_start, _end, _length, hash) => {
        byHash.set(hash, [...(byHash.get(hash) ?? []), language]);
        marks[hash & (MARKS - 1)] = 1;
      });
    }
  });
  voters = { byHash, marks };
  return voters;
}

/** The language in which most of the stop words of a text are common; English where that says nothing. */
export function detectLanguage(text: string): number {
  const votes = new Float64Array(CODES.length);
  const { byHash, marks } = stopVoters();
  tokenize(text, 0, text.length, (_start, _end, _length, hash, kind) => {
    if (kind !== WORD_TOKEN) return;
    const ofScript = scriptLanguage(formUnits[0]!);
    const languages = marks[hash & (MARKS - 1)] === 1 ? byHash.get(hash) : undefined;
    // A word of many languages says little; a script of one language says the most.
    if (languages) for (const language of languages) votes[language]! += 1 / languages.length;
    if (ofScript !== undefined) votes[ofScript]! += 0.5;
  });
  let best = ENGLISH;
  for (let language = 0; language < votes.length; language++)
    if (votes[language]! > votes[best]!) best = language;
  return best !== ENGLISH && votes[best]! < FEWEST_VOTES ? ENGLISH : best;
}

import { IRREGULAR } from './irregular-forms.js';

/** Porter's second algorithm (snowballstem.org/algorithms/english), for unaccented lower case. */
export function stemEnglish(word: string): string {
  return stemRegular(IRREGULAR.get(word) ?? word);
}

function stemRegular(given: string): string {
  if (given.length < 3 || !/^[a-z]+$/.test(given)) return given;
  const special = SPECIAL.get(given);
  if (special) return special;
  // A consonant y is written as Y, which is not a vowel.
  const word = given.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y');
  const r1 = REGION_PREFIX.exec(word)?.[0].length ?? afterConsonant(word, 0);
  const r2 = afterConsonant(word, r1);
  let stem = step1a(word);
  if (FINAL_AFTER_1A.has(stem)) return stem;
  stem = step1b(stem, r1);
  stem = /.[^aeiouy][yY]$/.test(stem) ? `${stem.slice(0, -1)}i` : stem;
  stem = replaceLongest(stem, STEP_2, r1, r2);
  stem = replaceLongest(stem, STEP_3, r1, r2);
  stem = step4(stem, r2);
  return step5(stem, r1, r2).replace(/Y/g, 'y');
}

const SPECIAL: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ['sky', 'sky'],
  ['news', 'news'],
  ['howe', 'howe'],
  ['atlas', 'atlas'],
  ['cosmos', 'cosmos'],
  ['bias', 'bias'],
  ['andes', 'andes'],
]);
const FINAL_AFTER_1A: ReadonlySet<string> = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
]);
const REGION_PREFIX = /^(gener|commun|arsen)/;

/** Returns the offset after the first consonant that follows a vowel, from `start` on. */
function afterConsonant(word: string, start: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(start));
  return found ? start + found.index + 2 : word.length;
}

const hasVowel = (text: string) => /[aeiouy]/.test(text);
const endsShort = (text: string) =>
  /^[aeiouy][^aeiouy]$/.test(text) || /[^aeiouy][aeiouy][^aeiouywxY]$/.test(text);

function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (/(us|ss)$/.test(word) || !word.endsWith('s')) return word;
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  const eed = /eed(ly)?$/.exec(word);
  if (eed) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const suffix = /(ed|edly|ing|ingly)$/.exec(word);
  if (!suffix || !hasVowel(word.slice(0, suffix.index))) return word;
  const stem = word.slice(0, suffix.index);
  if (/(at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1);
  return endsShort(stem) && r1 >= stem.length ? `${stem}e` : stem;
}

type Replacement = readonly [suffix: string, by: string];

const STEP_2: readonly Replacement[] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
];
const STEP_3: readonly Replacement[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

/** Replaces the longest matching suffix if it is in the first region. */
function replaceLongest(
  word: string,
  replacements: readonly Replacement[],
  r1: number,
  r2: number,
): string {
  const found = replacements.find(([suffix]) => word.endsWith(suffix));
  if (!found) return word;
  const [suffix, by] = found;
  const stem = word.slice(0, -suffix.length);
  if (stem.length < r1) return word;
  if (suffix === 'ogi' && !stem.endsWith('l')) return word;
  if (suffix === 'li' && !/[cdeghkmnrt]$/.test(stem)) return word;
  if (suffix === 'ative' && stem.length < r2) return word;
  return stem + by;
}

const STEP_4 = /(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/;

function step4(word: string, r2: number): string {
  const found = STEP_4.exec(word);
  if (!found || found.index < r2) return word;
  return found[0] === 'ion' && !/[st]$/.test(word.slice(0, found.index))
    ? word
    : word.slice(0, found.index);
}

function step5(word: string, r1: number, r2: number): string {
  const stem = word.slice(0, -1);
  if (word.endsWith('e'))
    return stem.length >= r2 || (stem.length >= r1 && !endsShort(stem)) ? stem : word;
  return word.endsWith('ll') && stem.length >= r2 ? stem : word;
}

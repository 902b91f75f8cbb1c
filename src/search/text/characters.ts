/** Classes of code units. A separator is not part of any token. */
export const SEPARATOR = 0;
/** Part of a word: a letter, a digit, or a combining mark. */
export const WORD = 1;
/** A character of a script without spaces between words, or an emoji; tokenized in pairs. */
export const UNSPACED = 2;
/** The high surrogate of an unspaced character (rare Chinese ones) or of an emoji. */
export const HIGH_SURROGATE = 3;
/** Skipped inside a word: soft hyphens and zero-width characters. */
export const IGNORED = 4;

const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** All but letters, digits and marks. */
const OTHERS = /[^\p{L}\p{N}\p{Mn}\p{Mc}]+/gu;
const EMOJI = /\p{Extended_Pictographic}+/gu;
const CAPITALS = /\p{Changes_When_Lowercased}+/gu;
/** Soft hyphen, zero-width spaces and joiners, variation selectors. */
const ZERO_WIDTH: readonly (readonly [from: number, to: number])[] = [
  [0xad, 0xad],
  [0x200b, 0x200d],
  [0x2060, 0x2060],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
];

interface CharacterTables {
  /** One of the classes above for each code unit. */
  readonly classes: Uint8Array;
  /** Lower case of each code unit if that is one code unit too; otherwise the unit itself. */
  readonly lower: Uint16Array;
}

let tables: CharacterTables | undefined;

/** Returns the tables over all 65,536 code units; built once, on first use. */
export function characterTables(): CharacterTables {
  tables ??= buildTables();
  return tables;
}

const CODE_UNIT_COUNT = 65_536;
/** High surrogates of emoji, and of rare Chinese characters. */
const HIGH_SURROGATES: readonly (readonly [from: number, to: number])[] = [
  [0xd83c, 0xd83e],
  [0xd840, 0xd88d],
];
/** Signs such as those for trade marks come before this. */
const FIRST_EMOJI = 0x2190;

/** Between these are only Chinese, Korean, surrogate and private units: 70 % are skipped. */
const MIXED: readonly (readonly [from: number, to: number])[] = [
  [0, 0x33ff],
  [0x4db6, 0x4dff],
  [0x9ff0, 0xabff],
  [0xd7a4, 0xd7ff],
  [0xf900, 0xffff],
];
const FIRST_SURROGATE = 0xd800;

function buildTables(): CharacterTables {
  const classes = new Uint8Array(CODE_UNIT_COUNT).fill(UNSPACED, 0, FIRST_SURROGATE);
  const lower = new Uint16Array(CODE_UNIT_COUNT);
  for (let unit = 0; unit < CODE_UNIT_COUNT; unit++) lower[unit] = unit;
  const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
  for (const [from, to] of MIXED) {
    const units = decoder.decode(lower.subarray(from, to + 1));
    classify(units, classes.subarray(from, to + 1), lower.subarray(from, to + 1), from);
  }
  for (const [from, to] of ZERO_WIDTH) classes.fill(IGNORED, from, to + 1);
  for (const [first, last] of HIGH_SURROGATES) classes.fill(HIGH_SURROGATE, first, last + 1);
  lower[0x130] = 0x69; // capital i with a dot, whose lower case is two units
  return { classes, lower };
}

/** Fills in the part of the tables for these code units, the first of which is `first`. */
function classify(units: string, classes: Uint8Array, lower: Uint16Array, first: number): void {
  const fill = (kind: RegExp, value: number) => {
    for (const { index, 0: run } of units.matchAll(kind))
      classes.fill(value, index, index + run.length);
  };
  const each = (kind: RegExp, visit: (at: number) => void) => {
    for (const { index, 0: run } of units.matchAll(kind))
      for (let at = index; at < index + run.length; at++) visit(at);
  };
  classes.fill(WORD);
  fill(UNSPACED_SCRIPTS, UNSPACED);
  fill(OTHERS, SEPARATOR);
  each(EMOJI, (at) => {
    if (classes[at] === SEPARATOR && first + at >= FIRST_EMOJI) classes[at] = UNSPACED;
  });
  each(CAPITALS, (at) => {
    const small = units[at]!.toLowerCase();
    if (small.length === 1) lower[at] = small.charCodeAt(0);
  });
}

/** Marks that search ignores: accents, Hebrew points, Arabic vowel signs and the tatweel. */
const IGNORED_MARKS =
  /\u0640|[\u0300-\u036f]|[\u0483-\u0487]|[\u0591-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20f0]/gu;

const EXPANSIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ς: 'σ',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ى: 'ي',
  ة: 'ه',
};
const EXPANDED = new RegExp(`[${Object.keys(EXPANSIONS).join('')}]`, 'gu');
const PLAIN = /^[a-z0-9]*$/;

/** Folds accents, case, compatibility forms and ligatures. */
export function foldWord(word: string): string {
  if (PLAIN.test(word)) return word;
  const bare = word.normalize('NFKD').replace(IGNORED_MARKS, '').normalize('NFKC').toLowerCase();
  return bare.replace(EXPANDED, (character) => EXPANSIONS[character]!);
}

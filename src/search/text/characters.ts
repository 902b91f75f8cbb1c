/** What a code unit is to the tokenizer. */
export const SEPARATOR = 0;
/** Part of a word: a letter, a digit, or a mark on one. */
export const WORD = 1;
/** A character of a script without spaces between words: taken in pairs. */
export const UNSPACED = 2;
/** The first half of an unspaced character beyond the 65,536 (rare Chinese ones). */
export const LEAD = 3;
/** Inside a word it is passed over: soft hyphens and characters of no width. */
export const IGNORED = 4;

const UNSPACED_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const LETTERS_AND_MARKS = /[\p{L}\p{N}\p{Mn}\p{Mc}]+/gu;
const CAPITALS = /\p{Changes_When_Lowercased}+/gu;
/** Soft hyphen, spaces and joiners of no width, variation selectors. */
const NO_WIDTH: readonly (readonly [from: number, to: number])[] = [
  ...([[0xad, 0xad], [0x200b, 0x200d], [0x2060, 0x2060], [0xfe00, 0xfe0f], [0xfeff, 0xfeff]] as const), // prettier-ignore
];

interface CharacterTables {
  /** One of the constants above for each code unit. */
  readonly classes: Uint8Array;
  /** Its lower case where that is one code unit too, else itself. */
  readonly lower: Uint16Array;
}

let tables: CharacterTables | undefined;

/** The tables over all 65,536 code units; made once, on first use. */
export function characterTables(): CharacterTables {
  tables ??= buildTables();
  return tables;
}

const COUNT = 65_536;
/** First halves of the characters of rare Chinese. */
const LEADS = [0xd840, 0xd88d] as const;

function buildTables(): CharacterTables {
  const classes = new Uint8Array(COUNT);
  const lower = new Uint16Array(COUNT);
  for (let unit = 0; unit < COUNT; unit++) lower[unit] = unit;
  /** Each unit at its own place; halves of characters are of no kind. */
  const units = new TextDecoder('utf-16le', { ignoreBOM: true }).decode(lower);
  const each = (kind: RegExp, visit: (unit: number) => void) => {
    for (const { index, 0: run } of units.matchAll(kind))
      for (let at = index; at < index + run.length; at++) visit(at);
  };
  each(LETTERS_AND_MARKS, (unit) => (classes[unit] = WORD));
  each(UNSPACED_SCRIPTS, (unit) => {
    if (classes[unit] === WORD) classes[unit] = UNSPACED;
  });
  for (const [from, to] of NO_WIDTH) classes.fill(IGNORED, from, to + 1);
  classes.fill(LEAD, LEADS[0], LEADS[1] + 1);
  each(CAPITALS, (unit) => {
    const small = units[unit]!.toLowerCase();
    if (small.length === 1) lower[unit] = small.charCodeAt(0);
  });
  lower[0x130] = 0x69; // capital i with a dot: its lower case is two units
  return { classes, lower };
}

/** Marks that searching passes over: accents, Hebrew points, Arabic vowel signs and the stretcher of Arabic letters. */
const SILENT_MARKS =
  /\u0640|[\u0300-\u036f]|[\u0483-\u0487]|[\u0591-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20f0]/gu;

const SPELT_OUT: Readonly<Record<string, string>> = {
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
const SPELT = new RegExp(`[${Object.keys(SPELT_OUT).join('')}]`, 'gu');
const PLAIN = /^[a-z0-9]*$/;

/** A lower-case word without what searching passes over: accents off, compatibility forms unified, ligatures spelt out. */
export function foldWord(word: string): string {
  if (PLAIN.test(word)) return word;
  const bare = word.normalize('NFKD').replace(SILENT_MARKS, '').normalize('NFKC').toLowerCase();
  return bare.replace(SPELT, (character) => SPELT_OUT[character]!);
}

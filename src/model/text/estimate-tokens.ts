/** Kinds of characters by how they form tokens. One of kind 0 is a token of its own. */
const LETTER = 1;
const DIGIT = 2;
/** Letters of other alphabets, and Latin letters with accents. */
const OTHER_LETTER = 3;
const SPACE = 4;
/** First and second half of a character such as an emoji. */
const HIGH_SURROGATE = 5;
const LOW_SURROGATE = 6;

/** Length of a run that o200k usually writes as one token, in UTF-16 code units. */
const UNITS_PER_TOKEN: Readonly<Record<number, number>> = {
  [LETTER]: 4,
  [DIGIT]: 3,
  [OTHER_LETTER]: 2,
  [SPACE]: Infinity,
  [HIGH_SURROGATE]: 1 / 3,
  [LOW_SURROGATE]: Infinity,
};

/** Code units, both inclusive. */
const RANGES: readonly (readonly [kind: number, first: number, last: number])[] = [
  [LETTER, 0x41, 0x5a],
  [LETTER, 0x61, 0x7a],
  [DIGIT, 0x30, 0x39],
  [OTHER_LETTER, 0xc0, 0x24f],
  [OTHER_LETTER, 0x370, 0x6d3], // Greek, Cyrillic, Armenian, Hebrew, Arabic
  [OTHER_LETTER, 0x900, 0x9ff], // Devanagari, Bengali
  [OTHER_LETTER, 0xa80, 0xaff], // Gujarati
  [OTHER_LETTER, 0xb80, 0xd7f], // Tamil, Telugu, Kannada, Malayalam
  [OTHER_LETTER, 0xe00, 0xe5b], // Thai
  [OTHER_LETTER, 0x10a0, 0x10ff], // Georgian
  [OTHER_LETTER, 0x1e00, 0x1eff], // Vietnamese
  [SPACE, 0x09, 0x0d],
  [SPACE, 0x20, 0x20],
  [SPACE, 0xa0, 0xa0],
  [HIGH_SURROGATE, 0xd800, 0xdbff],
  [LOW_SURROGATE, 0xdc00, 0xdfff],
];

const KINDS = new Uint8Array(0x10000);
for (const [kind, first, last] of RANGES) KINDS.fill(kind, first, last + 1);

/** Estimates o200k tokens, rather too many. A text has at most the sum of its parts. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length;) {
    const start = at;
    const kind = KINDS[text.charCodeAt(at++)]!;
    if (kind !== 0) while (at < text.length && KINDS[text.charCodeAt(at)] === kind) at++;
    if (kind === 0) tokens++;
    else if (kind !== SPACE) tokens += Math.ceil((at - start) / UNITS_PER_TOKEN[kind]!);
    else if (at - start > 1 || text.charCodeAt(start) !== 0x20) tokens++; // else part of a word
  }
  return tokens;
}

/** Estimates o200k tokens of tools as JSON: common words, and a run of punctuation is one. */
export function estimateToolTokens(tools: unknown): number {
  const words = JSON.stringify(tools).replace(/[{}[\],:"]+/g, '"');
  return Math.round(estimateTokens(words) * 0.78);
}

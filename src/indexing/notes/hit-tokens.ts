import { estimateToolTokens } from '../../model/text/estimate-tokens.js';
import type { SearchHit } from '../../search/index.js';

/** Code units, as the other lengths. */
const EXCERPT_LENGTH = 240;
/** An excerpt is not shortened to less, except in a script with more tokens. */
const MIN_EXCERPT_LENGTH = 80;
const LENGTH_PER_TOKEN = 4;
/** A text with more tokens than usual by this factor, such as Chinese, is shortened. */
const MAX_DENSITY = 1.3;
/** Tokens of a hit's keys, line and score, and of a usual heading and reason. */
const KEY_TOKENS = 18;
const REASON_TOKENS = 10;

interface ShownTexts {
  readonly heading?: string | undefined;
  readonly excerpt: string;
  readonly why: string;
}

/** Estimates the tokens of a hit as JSON, with the name of one similar note. */
export function tokensOfHit(hit: SearchHit, { heading, excerpt, why }: ShownTexts): number {
  return pathTokens(hit) + estimateToolTokens([heading, excerpt, why]);
}

/** Returns the length of an excerpt with which a hit takes about this number of tokens. */
export function excerptLength(hit: SearchHit, tokens: number): number {
  const length = (tokens - pathTokens(hit) - REASON_TOKENS) * LENGTH_PER_TOKEN;
  return Math.max(MIN_EXCERPT_LENGTH, Math.min(EXCERPT_LENGTH, Math.floor(length)));
}

/** Returns the length at which such a text takes as many tokens as usual; undefined if it does. */
export function shorterLength(excerpt: string, length: number): number | undefined {
  const density = (estimateToolTokens(excerpt) * LENGTH_PER_TOKEN) / length;
  return density > MAX_DENSITY ? Math.floor(length / density) : undefined;
}

function pathTokens({ key, duplicateKeys: [also] }: SearchHit): number {
  return KEY_TOKENS + estimateToolTokens([key, also]);
}

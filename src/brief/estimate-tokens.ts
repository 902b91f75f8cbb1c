/** Words, numbers, runs of punctuation, white space, and single characters of other scripts. */
const PIECES =
  /[A-Za-z]+|[0-9]+|[\u00c0-\u024f\u0370-\u052f]+|\s+|[^\sA-Za-z0-9\u00c0-\u024f\u0370-\u052f]/gu;

const LETTERS_PER_TOKEN = 4;
const DIGITS_PER_TOKEN = 3;
/** For Latin letters with accents, Greek and Cyrillic. */
const OTHER_LETTERS_PER_TOKEN = 2;
/** First code point that o200k usually writes as several tokens, such as emoji. */
const FIRST_RARE_CODE = 0x1f000;
const RARE_TOKENS = 3;

/**
 * Estimates the number of o200k tokens in a text. The estimate of a text is at most the sum of
 * those of its parts.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECES)) tokens += tokensOfPiece(piece);
  return tokens;
}

function tokensOfPiece(piece: string): number {
  const code = piece.codePointAt(0) ?? 0;
  if (/^[A-Za-z]/.test(piece)) return Math.ceil(piece.length / LETTERS_PER_TOKEN);
  if (/^[0-9]/.test(piece)) return Math.ceil(piece.length / DIGITS_PER_TOKEN);
  if (/^[\u00c0-\u024f\u0370-\u052f]/.test(piece))
    return Math.ceil(piece.length / OTHER_LETTERS_PER_TOKEN);
  if (piece === ' ') return 0; // part of the word that follows
  return code >= FIRST_RARE_CODE ? RARE_TOKENS : 1;
}

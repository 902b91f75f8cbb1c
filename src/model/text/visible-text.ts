/**
 * Characters that are invisible or reorder text: control characters except line breaks and tabs,
 * Default_Ignorable_Code_Point (zero-width characters, variation selectors, tags), bidirectional
 * controls, separators of lines and paragraphs, and interlinear annotations.
 */
const HIDDEN = String.raw`(?!\r\n)(?![\n\t])\p{Cc}|[\p{DI}\p{Bidi_Control}\p{Zl}\p{Zp}\uFFF9-\uFFFB]`;

/** Arabic letters that join the next letter (Joining_Type Dual_Joining, Unicode 14). */
const ARABIC_DUAL_JOINING = String.raw`[\u0620\u0626\u0628\u062A-\u062E\u0633-\u063F\u0641-\u0647\u0649\u064A\u066E\u066F\u0678-\u0687\u069A-\u06BF\u06C1\u06C2\u06CC\u06CE\u06D0\u06D1\u06FA-\u06FC\u06FF\u0750-\u0758\u075C-\u076A\u076D-\u0770\u0772\u0775-\u0777\u077A-\u077F]`;
/** Arabic letters that join the previous letter: all but the hamza. */
const ARABIC_JOINING = String.raw`(?![\u0621\u0674])(?=\p{L})\p{Script=Arabic}`;
const ARABIC_VOWEL_SIGNS = String.raw`[\u064B-\u065F\u0670]*`;

/** Signs that remove a vowel (Canonical_Combining_Class Virama, Unicode 14, BMP only). */
const VIRAMA = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D3B\u0D3C\u0D4D\u0DCA\u0E3A\u0EBA\u0F84\u1039\u103A\u1714\u1715\u1734\u17D2\u1A60\u1B44\u1BAA\u1BAB\u1BF2\u1BF3\uA806\uA82C\uA8C4\uA953\uA9C0\uAAF6\uABED]`;

const MONGOLIAN_LETTER = String.raw`[\u1820-\u18AA]`;

/** Black flag and tags: England, Scotland and Wales. */
const TAG_FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(
  (region) =>
    `\u{1F3F4}${Array.from(region, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{E007F}`,
);

/**
 * Hidden characters where they change how the text looks, with the text before them. The joiners
 * follow RFC 5892, appendix A, and are also allowed before a virama and in emoji.
 */
const NEEDED = [
  ...TAG_FLAGS,
  String.raw`[0-9#*]\uFE0F(?=\u20E3)`,
  String.raw`\p{Extended_Pictographic}[\uFE0E\uFE0F]?\p{Emoji_Modifier}?(?:\u200D(?=\p{Extended_Pictographic}))?`,
  `${ARABIC_DUAL_JOINING}${ARABIC_VOWEL_SIGNS}\\u200C(?=${ARABIC_VOWEL_SIGNS}${ARABIC_JOINING})`,
  `${VIRAMA}(?:\\u200D|\\u200C(?=\\p{L}))`,
  `[\\u0900-\\u0DFF]\\u200D(?=${VIRAMA})`,
  `${MONGOLIAN_LETTER}(?:[\\u180B-\\u180D\\u180F]|\\u180E(?=${MONGOLIAN_LETTER}))`,
].join('|');

const ANY_HIDDEN = new RegExp(HIDDEN, 'u');
/** Matches a needed pattern as a whole, to skip it; captures any other hidden character. */
const NEEDED_OR_HIDDEN = new RegExp(`${NEEDED}|(${HIDDEN})`, 'gu');
const MARKER = /⟨U\+([0-9A-F]{4,6})⟩/gu;

/**
 * Replaces each character that is invisible or reorders text with a marker such as `⟨U+202E⟩`, but
 * not joiners and selectors that emoji and scripts such as Persian and Hindi need.
 */
export function visibleText(text: string): string {
  return replaceHidden(text, (character) => `⟨${codeOf(character)}⟩`);
}

/** Applies `visibleText` to all texts and keys. Everything sent to a model goes through here. */
export function visibleJson<T>(value: T): T {
  return visibleValue(value) as T;
}

function visibleValue(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [visibleText(key), visibleValue(inner)]),
  );
}

/** Returns the text without the characters that `visibleText` marks. */
export function withoutHidden(text: string): string {
  return replaceHidden(text, () => '');
}

/** Returns the first character that `visibleText` marks, such as `U+202E`, if any. */
export function findHiddenCharacter(text: string): string | undefined {
  if (!ANY_HIDDEN.test(text)) return undefined;
  for (const [, hidden] of text.matchAll(NEEDED_OR_HIDDEN))
    if (hidden !== undefined) return codeOf(hidden);
  return undefined;
}

/** Replaces each marker of `visibleText` with its character. */
export function revealedText(text: string): string {
  return text.replace(MARKER, (marker, code: string) => {
    const character =
      parseInt(code, 16) <= 0x10ffff ? String.fromCodePoint(parseInt(code, 16)) : '';
    return ANY_HIDDEN.test(character) ? character : marker;
  });
}

function replaceHidden(text: string, replace: (character: string) => string): string {
  if (!ANY_HIDDEN.test(text)) return text;
  return text.replace(NEEDED_OR_HIDDEN, (match, hidden: string | undefined) =>
    hidden === undefined ? match : replace(hidden),
  );
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

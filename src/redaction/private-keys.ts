import { lengthAt, type AddSpan, type PlainText } from './plain-text.js';

const BEGIN = /-----?\s?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-?----|Private-Lines: [0-9]+/g;
const END = /[\s"'`+,;>|#*.]*-----?\s?END /y;
/** Separators between the lines of a key, in a file, in code or in a mail. */
const SEPARATOR = /[\s"'`+,;>|#*.]*/y;
/** A header such as `Proc-Type: 4,ENCRYPTED`. */
const HEADER = /[A-Z][A-Za-z-]{2,30}: [^\n"']{0,80}?(?=\n| [A-Za-z0-9+/=]{30})/y;
const DATA = /[A-Za-z0-9+/=_-]+/y;
/** Minimum length of a line of a key, except for its last ones. */
const MIN_DATA_LENGTH = 16;

/** Adds the contents of private keys, to their end. */
export function findPrivateKeys({ text }: PlainText, add: AddSpan): void {
  BEGIN.lastIndex = 0;
  for (let match = BEGIN.exec(text); match; match = BEGIN.exec(text))
    BEGIN.lastIndex = addLines(text, BEGIN.lastIndex, add);
}

/** Adds the lines of a key from here on. Returns where they end. */
function addLines(text: string, from: number, add: AddSpan): number {
  let at = from;
  let start: number | undefined;
  let end = from;
  const finish = () => {
    if (start !== undefined) add(start, end);
    start = undefined;
  };
  let hasData = false;
  for (;;) {
    const next = at + lengthAt(SEPARATOR, text, at);
    if (lengthAt(END, text, at) > 0) break;
    const header = hasData ? 0 : lengthAt(HEADER, text, next);
    if (header > 0) {
      at = next + header;
      continue;
    }
    const length = lengthAt(DATA, text, next);
    const isShort = length < MIN_DATA_LENGTH;
    if (length === 0 || (isShort && !isLastLine(text, next, length, hasData))) break;
    // quotes and the like between two lines stay, so that code and JSON keep their form
    if (!/^\s*$/.test(text.slice(at, next))) finish();
    start ??= next;
    end = at = next + length;
    hasData = true;
  }
  finish();
  return at;
}

/** True if the end of a key follows what is here, or a quote or a checksum after other lines. */
function isLastLine(text: string, at: number, length: number, hasData: boolean): boolean {
  const end = at + length;
  if (lengthAt(END, text, end) > 0) return true;
  // a key on one line that somebody shortened
  if (!hasData) {
    const line = text.slice(at, end);
    return length > 7 && (/^M[A-I]/.test(line) || (/\d/.test(line) && /[A-Z]/.test(line)));
  }
  return (
    text[at] === '=' ||
    text[end - 1] === '=' ||
    /^\s*(?:$|["'\n-]|=)/.test(text.slice(end, end + 20))
  );
}

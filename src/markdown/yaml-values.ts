import { trimEndOf } from '../model/text/trim-end.js';

/** Tags and anchors before a value, which do not change its text. */
const NODE_PROPERTIES = /^(?:[!&][^\s,[\]{}]*(?:[ \t]+|$))+/;
/** Header of a block of text; the digit is its indentation. */
const BLOCK_HEADER = /^([|>])[+-]?([1-9]?)[+-]?[ \t]*(?:[ \t]#.*)?$/;
const DOUBLE_QUOTED = /^"((?:[^"\\]|\\[^])*)"(?!\s*:)/;
const SINGLE_QUOTED = /^'((?:[^']|'')*)'(?!\s*:)/;
const BLANK = /^\s*(?:#.*)?$/s;
const LIST_ITEM = /^([ \t]*)-(?:[ \t]+(.*))?$/s;
const COMMENT_LINE = /^\s*#/;
const DASHES = /^\s*(?:-\s+)*/;
const NESTED_KEY = /:(?:[ \t]|$)/;
/** The end, a comment, or an item of a list in brackets. */
const LIST_TOKEN =
  /[\s,]*(?:(\])|#[^\n]*|"((?:[^"\\]|\\[^])*)"|'((?:[^']|'')*)'|(\[\[[^\]\n]*\]\]|[^\s,\]](?:[^\s,\]]|\s+(?![\s#,\]]))*))/y;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/g;

/** Meanings of letters after a backslash; others stand for themselves. */
const ESCAPED: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};

/** Deeper lists are read as text. */
const MAX_DEPTH = 50;

/**
 * Returns the texts of a scalar or list; lines of a nested mapping are texts, too. Never throws.
 *
 * @param first The text after the colon or dash.
 * @param rest The lines below, up to the next key or item.
 * @param indent Number of spaces before the key or dash.
 */
export function readYamlValues(
  first: string,
  rest: readonly string[],
  indent = 0,
  depth = 0,
): string[] {
  const value = first.trimStart().replace(NODE_PROPERTIES, '');
  const isList = LIST_ITEM.test(value);
  if (depth < MAX_DEPTH && BLANK.test(value)) return readNested(rest, depth + 1);
  if (depth < MAX_DEPTH && isList)
    return readNested([`${' '.repeat(indent + 2)}${value}`, ...rest], depth + 1);
  const block = BLOCK_HEADER.exec(value);
  if (block) return nonEmpty(readBlock(block[1] === '>', Number(block[2]), rest, indent));
  const all = rest.length === 0 ? value : [value, ...rest].join('\n');
  const [, double] = DOUBLE_QUOTED.exec(all) ?? [];
  if (double !== undefined) return nonEmpty(unescapeText(double));
  const [, single] = SINGLE_QUOTED.exec(all) ?? [];
  if (single !== undefined) return nonEmpty(fold(single).replaceAll("''", "'"));
  if (value.startsWith('[') && !value.startsWith('[[')) return readBracketList(all);
  return readPlain(value, rest);
}

function readPlain(value: string, rest: readonly string[]): string[] {
  const more = rest.filter((line) => !COMMENT_LINE.test(line));
  if (NESTED_KEY.test(value))
    return [value, ...more].flatMap((line) => nonEmpty(withoutComment(line.replace(DASHES, ''))));
  const isContinued = (line: string) => /^(?:\s|$)/.test(line);
  const continued = more.filter(isContinued);
  const malformed = more.filter((line) => !isContinued(line));
  return [fold([value, ...continued].map(withoutComment).join('\n')), ...malformed].flatMap(
    nonEmpty,
  );
}

function withoutComment(text: string): string {
  return text.replace(/\s#.*$/, '');
}

function nonEmpty(text: string): string[] {
  const trimmed = text.trim();
  return trimmed === '' ? [] : [trimmed];
}

/** Reads a value that begins on the line below its key or dash. */
function readNested(lines: readonly string[], depth: number): string[] {
  const start = lines.findIndex((line) => !BLANK.test(line));
  if (start < 0) return [];
  const indent = LIST_ITEM.exec(lines[start]!)?.[1]?.length;
  if (indent === undefined) return readYamlValues(lines[start]!, lines.slice(start + 1), 0, depth);
  const values: string[] = [];
  for (let at = start, end = start; at < lines.length; at = end) {
    const isNext = (line: string) => LIST_ITEM.exec(line)?.[1]?.length === indent;
    do end++;
    while (end < lines.length && !isNext(lines[end]!));
    const item = LIST_ITEM.exec(lines[at]!)?.[2] ?? '';
    for (const value of readYamlValues(item, lines.slice(at + 1, end), indent, depth))
      values.push(value);
  }
  return values;
}

/** Lines below `>` are folded, those below `|` are not. */
function readBlock(
  isFolded: boolean,
  ownIndent: number,
  lines: readonly string[],
  parentIndent: number,
): string {
  const indentOf = (line: string) => (/\S/.test(line) ? line.search(/[^ ]/) : Infinity);
  const first = lines.map(indentOf).find((each) => each < Infinity) ?? 0;
  const indent = ownIndent === 0 ? first : parentIndent + ownIndent;
  const end = lines.findIndex((line) => indentOf(line) < Math.max(1, indent));
  const own = lines.slice(0, end < 0 ? lines.length : end).map((line) => line.slice(indent));
  return isFolded ? foldLines(own) : own.join('\n');
}

function fold(text: string): string {
  // a wide space belongs to the text
  const lines = text.split('\n').map((line) => trimEndOf(line, /[ \t]/).replace(/^[ \t]+/, ''));
  return lines.length > 1 ? foldLines(lines) : text;
}

/** Replaces a break by a space, a blank line by a break. Keeps breaks around an indented line. */
function foldLines(lines: readonly string[]): string {
  let text = '';
  let blanks = 0;
  let wasIndented = true;
  for (const line of lines) {
    if (line === '') {
      blanks++;
      continue;
    }
    const isIndented = /^[ \t]/.test(line);
    const breaks = isIndented || wasIndented ? blanks + 1 : blanks;
    text += (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + line;
    [blanks, wasIndented] = [0, isIndented];
  }
  return text;
}

function unescapeText(quoted: string): string {
  const joined = fold(
    quoted.replace(/\\(?:\n[ \t]*|[^])/g, (pair) => {
      if (pair[1] === '\n') return '';
      return pair === '\\ ' ? '\\x20' : pair; // a space that stays at the end of a line
    }),
  );
  return joined.replace(
    ESCAPE,
    (all, two?: string, four?: string, eight?: string, one?: string) => {
      const code = Number.parseInt(two ?? four ?? eight ?? '', 16);
      if (Number.isNaN(code)) return ESCAPED[one ?? ''] ?? one ?? all;
      return code > 0x10ffff ? all : String.fromCodePoint(code);
    },
  );
}

function readBracketList(text: string): string[] {
  const token = new RegExp(LIST_TOKEN);
  const values: string[] = [];
  token.lastIndex = 1;
  for (let found = token.exec(text); found?.[1] === undefined; found = token.exec(text)) {
    if (!found) break;
    const [, , double, single, plain] = found;
    if (double !== undefined) values.push(unescapeText(double));
    else if (single !== undefined) values.push(fold(single).replaceAll("''", "'"));
    else if (plain !== undefined) values.push(fold(plain));
  }
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

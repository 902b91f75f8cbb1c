import { parse, stringify as tomlText, TomlError } from 'smol-toml';

export { tomlText };

/*
 * The only maintained package that edits TOML and keeps comments adds 175 kB to the bundle, ten
 * times as much as the parser. Only one table has to be edited, so the code here locates it in the
 * text, and the caller parses the result before writing it.
 */

/** Returns the parsed text, or its first syntax error with line and column (from 1). */
export function parseTomlConfig(
  text: string,
): { data: unknown } | { problem: string; line: number; column: number } {
  try {
    return { data: parse(text, { integersAsBigInt: 'asNeeded' }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const problem = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '') ?? '';
    return { problem, line: error.line, column: error.column };
  }
}

type TomlValue = string | readonly string[];

/**
 * Sets a key of a table, adds a table at the end, or removes one if the value is undefined; keeps
 * the rest.
 */
export function setToml(
  text: string,
  path: readonly (string | number)[],
  value: unknown,
  eol: string,
): string {
  const names = path.map(String);
  if (value === undefined) return removeToml(text, names);
  if (typeof value === 'object' && !Array.isArray(value)) {
    const lines = Object.entries(value as Record<string, TomlValue>).map(keyLine);
    const table = [`[${names.map(tomlKey).join('.')}]`, ...lines].join(eol);
    return `${withSeparator(text, eol)}${table}${eol}`;
  }
  const [table, key = ''] = [names.slice(0, -1), names.at(-1)];
  const statements = readStatements(text);
  const at = statements.findIndex(
    (each) => isHeaderOf(each, table) && each.path.length === table.length,
  );
  const header = statements[at];
  if (!header) return text;
  const line = keyLine([key, value as TomlValue]);
  const after = statements.slice(at + 1);
  const end = after.findIndex(({ kind }) => kind === 'header');
  const pair = after
    .slice(0, end < 0 ? undefined : end)
    .find((each) => each.kind === 'pair' && each.key === key);
  return pair
    ? text.slice(0, pair.start) + line + text.slice(pair.end)
    : text.slice(0, header.end) + eol + line + text.slice(header.end);
}

/** Removes the table at the path and its subtables. */
function removeToml(text: string, path: readonly string[]): string {
  const statements = readStatements(text);
  const owners = statements.map((_, at) =>
    statements.slice(0, at + 1).findLast(({ kind }) => kind === 'header'),
  );
  const own = statements.filter((_, at) => owners[at] && isHeaderOf(owners[at], path));
  return own.reverse().reduce((rest, { start, end }) => {
    const lineEnd = rest.indexOf('\n', end) + 1 || rest.length;
    const before = rest.slice(0, start).replace(/[ \t]+$/, '');
    const after = rest.slice(lineEnd);
    // The empty line that separated it from the previous table is removed too.
    return (
      (after.trim() === '' || /^\r?\n/.test(after)
        ? before.replace(/(^|\n)\r?\n$/, '$1')
        : before) + after
    );
  }, text);
}

/** Returns the offset of the statement that sets the path in a valid text, or most of it. */
export function tomlOffset(text: string, path: readonly string[]): number {
  let table: readonly string[] = [];
  let found = { shared: 0, start: 0 };
  for (const statement of readStatements(text)) {
    if (statement.kind === 'header') table = statement.path;
    const own =
      statement.kind === 'header' ? table : [...table, ...headerPath(`[${statement.key}]`)];
    const shared = own.findIndex((name, at) => name !== path[at]);
    const length = shared < 0 ? Math.min(own.length, path.length) : shared;
    if (length > found.shared) found = { shared: length, start: statement.start };
  }
  return found.start;
}

type Statement =
  | {
      readonly kind: 'header';
      readonly path: readonly string[];
      readonly start: number;
      readonly end: number;
    }
  | {
      readonly kind: 'pair';
      readonly key: string;
      readonly start: number;
      readonly valueStart: number;
      readonly end: number;
    };

function isHeaderOf(
  statement: Statement,
  path: readonly string[],
): statement is Extract<Statement, { kind: 'header' }> {
  return statement.kind === 'header' && path.every((name, at) => statement.path[at] === name);
}

const STRING = /"""(?:\\[^]|[^\\])*?"{3,5}(?!")|'''[^]*?'{3,5}(?!')|"(?:\\.|[^"\\])*"|'[^']*'/y;

/** Returns the headers and key-value pairs of a valid text, without interpreting the values. */
function readStatements(text: string): Statement[] {
  const found: Statement[] = [];
  let at = 0;
  while (at < text.length) {
    const blank = /(?:\s|#[^\n]*)*/y;
    blank.lastIndex = at;
    at += blank.exec(text)?.[0].length ?? 0;
    if (at >= text.length) break;
    const start = at;
    if (text[at] === '[') {
      at = findEnd(text, at, /[\n#]/, true);
      found.push({ kind: 'header', path: headerPath(text.slice(start, at)), start, end: at });
    } else {
      const equals = findEnd(text, at, /[=\n]/, false, true);
      const valueStart = equals + 1 + (/^[ \t]*/.exec(text.slice(equals + 1))?.[0].length ?? 0);
      at = findEnd(text, valueStart, /[\n#]/, true);
      found.push({
        kind: 'pair',
        key: text.slice(start, equals).trim(),
        start,
        valueStart,
        end: at,
      });
    }
  }
  return found;
}

/**
 * Returns the first of `stops` outside strings and, unless `isFlat`, brackets; else the text's end.
 * If `isTrimmed`, returns the start of the whitespace before that offset.
 */
function findEnd(
  text: string,
  from: number,
  stops: RegExp,
  isTrimmed: boolean,
  isFlat = false,
): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text[at]!;
    STRING.lastIndex = at;
    const string = character === '"' || character === "'" ? STRING.exec(text)?.[0] : undefined;
    if (string !== undefined) {
      at += string.length;
      continue;
    }
    if (depth === 0 && stops.test(character)) break;
    if (character === '#') at = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
    else {
      if (!isFlat && /[[{]/.test(character)) depth++;
      if (!isFlat && /[\]}]/.test(character)) depth--;
      at++;
    }
  }
  return isTrimmed ? from + text.slice(from, at).trimEnd().length : at;
}

/** Returns the names in `[a."b c"]` or `[[a]]`. */
function headerPath(header: string): string[] {
  const path: string[] = [];
  let inner: unknown = parse(header.replace(/^\[\[(.*)\]\]$/s, '[$1]'));
  while (typeof inner === 'object' && inner !== null) {
    const [entry] = Object.entries(inner as Record<string, unknown>);
    if (!entry) break;
    path.push(entry[0]);
    inner = entry[1];
  }
  return path;
}

function keyLine([key, value]: readonly [string, TomlValue]): string {
  return `${tomlKey(key)} = ${tomlValue(value)}`;
}

function tomlKey(name: string): string {
  return /^[\w-]+$/.test(name) ? name : tomlValue(name);
}

function tomlValue(value: TomlValue): string {
  if (typeof value !== 'string') return `[${value.map(tomlValue).join(', ')}]`;
  // the only character that TOML escapes and JSON does not
  return JSON.stringify(value).replaceAll('\u007F', '\\u007F');
}

/** Adds an empty line at the end, so that a table can follow; keeps a blank text. */
function withSeparator(text: string, eol: string): string {
  if (text.trim() === '') return text;
  const ended = text.endsWith('\n') ? text : `${text}${eol}`;
  return /\n\r?\n$/.test(ended) ? ended : `${ended}${eol}`;
}

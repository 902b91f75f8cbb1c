import { parse, TomlError } from 'smol-toml';

/*
 * The one maintained package that edits TOML with its comments weighs 175 kB in the bundle, ten times the parser. What is
 * needed is one table: its place is found here, and whoever asked reads the outcome with the parser before it is written.
 */

/** What the text says, or what is wrong with it and where (line and column, from 1). */
export function parseTomlConfig(
  text: string,
): { data: unknown } | { what: string; line: number; column: number } {
  try {
    return { data: parse(text, { integersAsBigInt: 'asNeeded' }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const what = error.message.split('\n')[0]?.replace('Invalid TOML document: ', '') ?? '';
    return { what, line: error.line, column: error.column };
  }
}

/** The text with these keys in the table at the path, which is added at the end where it is not there; the rest as it was. */
export function putToml(
  text: string,
  path: readonly string[],
  keys: Record<string, string | readonly string[]>,
  eol: string,
): string {
  const statements = readStatements(text);
  const at = statements.findIndex(
    (statement) => isHeaderOf(statement, path) && statement.path.length === path.length,
  );
  if (at < 0)
    return `${separated(text, eol)}[${path.map(tomlKey).join('.')}]${eol}${keyLines(keys, eol)}`;
  const header = statements[at]!;
  const next = statements.findIndex(({ kind }, other) => other > at && kind === 'header');
  const pairs = statements
    .slice(at + 1, next < 0 ? undefined : next)
    .filter((statement) => statement.kind === 'pair');
  const changes = Object.entries(keys).map(([key, value]) => {
    const held = pairs.find((pair) => pair.key === key);
    return held
      ? { from: held.valueStart, to: held.end, added: tomlValue(value) }
      : { from: header.end, to: header.end, added: `${eol}${key} = ${tomlValue(value)}` };
  });
  return changes
    .sort((a, b) => b.from - a.from)
    .reduce((rest, { from, to, added }) => rest.slice(0, from) + added + rest.slice(to), text);
}

/** The text without the table at the path and the tables in it, the rest as it was. */
export function dropToml(text: string, path: readonly string[]): string {
  const statements = readStatements(text);
  const owners = statements.map((_, at) =>
    statements.slice(0, at + 1).findLast(({ kind }) => kind === 'header'),
  );
  const own = statements.filter((_, at) => owners[at] && isHeaderOf(owners[at], path));
  return own.reverse().reduce((rest, { start, end }) => {
    const lineEnd = rest.indexOf('\n', end) + 1 || rest.length;
    const before = rest.slice(0, start).replace(/[ \t]+$/, '');
    const after = rest.slice(lineEnd);
    // The empty line that parted it from what stands before it goes with it.
    return (
      (after.trim() === '' || /^\r?\n/.test(after)
        ? before.replace(/(^|\n)\r?\n$/, '$1')
        : before) + after
    );
  }, text);
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

/** The headers of tables and the pairs of a text that is known to be sound. What a pair means is for the parser to say. */
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
      at = endOfPart(text, at, /[\n#]/, true);
      found.push({ kind: 'header', path: headerPath(text.slice(start, at)), start, end: at });
    } else {
      const equals = endOfPart(text, at, /[=\n]/, false, true);
      const valueStart = equals + 1 + (/^[ \t]*/.exec(text.slice(equals + 1))?.[0].length ?? 0);
      at = endOfPart(text, valueStart, /[\n#]/, true);
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

/** Where the first of `stops` stands outside of strings and brackets, less the blanks before it where `isTrimmed`. */
function endOfPart(
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

/** The names in `[a."b c"]` or `[[a]]`. */
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

function keyLines(keys: Record<string, string | readonly string[]>, eol: string): string {
  return Object.entries(keys)
    .map(([key, value]) => `${key} = ${tomlValue(value)}${eol}`)
    .join('');
}

function tomlKey(name: string): string {
  return /^[\w-]+$/.test(name) ? name : tomlValue(name);
}

function tomlValue(value: string | readonly string[]): string {
  if (typeof value !== 'string') return `[${value.map(tomlValue).join(', ')}]`;
  return JSON.stringify(value).replaceAll('\u007F', '\\u007F'); // the one character that TOML escapes and JSON does not
}

/** The text, ended so that a table can follow. */
function separated(text: string, eol: string): string {
  if (text.trim() === '') return text;
  const ended = text.endsWith('\n') ? text : `${text}${eol}`;
  return /\n\r?\n$/.test(ended) ? ended : `${ended}${eol}`;
}

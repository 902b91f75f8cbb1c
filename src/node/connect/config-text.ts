import { Refusal } from '../../model/refusal.js';
import type { ConfigFormat } from './clients.js';
import { dropJson, parseJsonConfig, putJson } from './json-config.js';
import { dropToml, parseTomlConfig, putToml } from './toml-config.js';

/** How a client starts a server. */
export interface ServerEntry {
  readonly type?: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
}

type Fields = Record<string, unknown>;

/** Where in a configuration an entry stands: the section of servers, and its name there. */
export interface EntryPath {
  readonly section: string;
  readonly name: string;
}

/** The servers of a configuration by name, as they stand there; or the trouble with its text, in words with line and column. */
export function readServers(
  text: string,
  format: ConfigFormat,
  section: string,
): { servers: Fields } | { trouble: string } {
  const read = parseConfig(bodyOf(text), format);
  if ('trouble' in read) return read;
  const servers = isFields(read.data) ? (read.data[section] ?? {}) : undefined;
  return isFields(servers)
    ? { servers }
    : { trouble: `${isFields(read.data) ? `"${section}"` : 'the whole'} is not an object` };
}

/**
 * The text with the entry put into it: what an entry of this name has beside command and arguments stays, and so does every
 * other byte. Throws a `Refusal` where the text is written in a way that cannot be edited safely.
 */
export function putEntry(
  text: string,
  format: ConfigFormat,
  { section, name }: EntryPath,
  entry: ServerEntry,
): string {
  return edit(
    text,
    format,
    { section, name },
    (held) => ({ ...held, ...entry }),
    (body, held, eol) => {
      if (format === 'toml')
        return putToml(body, [section, name], { command: entry.command, args: entry.args }, eol);
      if (!held) return putJson(body, [section, name], entry, eol);
      const changed = Object.entries(entry).filter(
        ([key, value]) => canonical(held[key]) !== canonical(value),
      );
      return changed.reduce(
        (rest, [key, value]) => putJson(rest, [section, name, key], value, eol),
        body,
      );
    },
  );
}

/** The text without the entry, every other byte as it was. Throws as `putEntry` does. */
export function dropEntry(
  text: string,
  format: ConfigFormat,
  { section, name }: EntryPath,
): string {
  return edit(
    text,
    format,
    { section, name },
    () => undefined,
    (body) =>
      format === 'toml' ? dropToml(body, [section, name]) : dropJson(body, [section, name]),
  );
}

/** A configuration with nothing but the entry: for people who put it into a file themselves. */
export function entryText(format: ConfigFormat, path: EntryPath, entry: ServerEntry): string {
  return putEntry('', format, path, entry);
}

const BYTE_ORDER_MARK = '\u{FEFF}';

const bodyOf = (text: string) => (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);

/** Edits the text, and reads the outcome: it must say what was meant, and for all else what it said before. */
function edit(
  text: string,
  format: ConfigFormat,
  { section, name }: EntryPath,
  change: (held: Fields | undefined) => Fields | undefined,
  write: (body: string, held: Fields | undefined, eol: string) => string,
): string {
  const body = bodyOf(text);
  const before = parseConfig(body, format);
  if ('trouble' in before || !isFields(before.data)) throw notEditable(name);
  const servers = isFields(before.data[section]) ? before.data[section] : {};
  const held = isFields(servers[name]) ? servers[name] : undefined;
  const { [name]: _, ...others } = servers;
  const changed = change(held);
  const meant = { ...before.data, [section]: changed ? { ...others, [name]: changed } : others };
  const written = write(body, held, body.includes('\r\n') ? '\r\n' : '\n');
  const after = parseConfig(written, format);
  const said =
    'trouble' in after || !isFields(after.data)
      ? undefined
      : { ...after.data, [section]: after.data[section] ?? {} };
  if (canonical(said) !== canonical(meant)) throw notEditable(name);
  return text.slice(0, text.length - body.length) + written;
}

function notEditable(name: string): Refusal {
  return new Refusal(
    `The entry "${name}" cannot be changed in this file without risk to the rest of it, for it is written in an unusual way. ` +
      'Take it out by hand, or write it as a table or object of its own, and try again. Nothing was done.',
  );
}

function parseConfig(body: string, format: ConfigFormat): { data: unknown } | { trouble: string } {
  const read = format === 'toml' ? parseTomlConfig(body) : parseJsonConfig(body, format === 'json');
  if ('data' in read) return read;
  const { line, column } = 'line' in read ? read : placeOf(body, read.offset);
  return { trouble: `line ${line}, column ${column}: ${read.what}` };
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that two values share where they say the same. */
function canonical(value: unknown): string {
  return JSON.stringify([value], (_, inner: unknown) => {
    if (typeof inner === 'bigint') return `${inner}n`;
    if (!isFields(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

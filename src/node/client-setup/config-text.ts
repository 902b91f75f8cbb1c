import type { ConfigFormat, ServerEntry } from '../../apps/ai-app.js';
import { Refusal } from '../../model/refusal.js';
import {
  joinRepeated,
  jsonOffset,
  parseJsonConfig,
  setJson,
  type JsonPath,
} from './json-config.js';
import { parseTomlConfig, setToml, tomlOffset, tomlText } from './toml-config.js';

export type Fields = Record<string, unknown>;

/** Location of an entry: the section (see `AppConfig`) that lists the servers, and its name. */
export interface EntryPath {
  readonly section: string;
  readonly name: string;
}

/**
 * Returns the servers by name, and those of a newer section if there is one; or the problem. A
 * syntax error includes line and column.
 */
export function readServers(
  text: string,
  format: ConfigFormat,
  section: string,
  newerSection?: string,
): { servers: Fields; newer?: Fields } | { problem: string } {
  const read = readConfigData(text, format);
  if ('problem' in read) return read;
  const servers = read.data[section] ?? {};
  if (!isFields(servers)) return { problem: `"${section}" is not an object` };
  const newer = newerSection === undefined ? undefined : fieldsAt(read.data, newerSection);
  // a server may have the name of the newer section
  const isServer = newer && typeof newer['type'] === 'string';
  return newer && !isServer ? { servers: { ...servers, ...newer }, newer } : { servers };
}

export function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce((value, key) => (isFields(value) ? value[key] : undefined), data);
}

/** Returns the object at keys that are separated by `/`, if it is one. */
export function fieldsAt(data: unknown, keys: string): Fields | undefined {
  const found = valueAt(data, keys.split('/'));
  return isFields(found) ? found : undefined;
}

/**
 * Adds or updates the entry. Keeps its other properties, and the rest of the text byte for byte.
 * Throws a `Refusal` if the text is formatted in a way that cannot be edited safely.
 */
export function setEntry(
  text: string,
  format: ConfigFormat,
  { section, name }: EntryPath,
  entry: ServerEntry,
): string {
  const path = [...section.split('/'), name];
  return editConfig(text, format, path[0] ?? '', `The entry "${name}"`, (data) => {
    const existing = fieldsAt(data, section)?.[name];
    if (!isFields(existing)) return [{ path, value: entry }];
    return changedFields(existing, entry, path);
  });
}

/** Returns the text without the entry. Throws the same errors as `setEntry`. */
export function removeEntry(text: string, format: ConfigFormat, { section, name }: EntryPath) {
  const path = [...section.split('/'), name];
  return editConfig(text, format, path[0] ?? '', `The entry "${name}"`, () => [{ path }]);
}

/** Returns the changes at a path that give an object these fields. */
export function changedFields(existing: Fields, fields: object, path: JsonPath): ConfigChange[] {
  return Object.entries(fields)
    .filter(([key, value]) => canonical(existing[key]) !== canonical(value))
    .map(([key, value]) => ({ path: [...path, key], value: value as unknown }));
}

/** Returns a configuration with nothing but the entry, for users who edit a file themselves. */
export function renderConfig(format: ConfigFormat, path: EntryPath, entry: ServerEntry): string {
  return setEntry('', format, path, entry);
}

/** Returns the chosen part of a configuration as text; empty if there is nothing in it. */
export function partText(
  text: string,
  format: ConfigFormat,
  choose: (data: Fields) => Fields,
): string {
  const read = readConfigData(text, format);
  const part = 'data' in read ? choose(read.data) : {};
  if (Object.values(part).every((value) => isFields(value) && Object.keys(value).length === 0))
    return '';
  return format === 'toml' ? tomlText(part) : JSON.stringify(part, null, 2);
}

/** Returns what an edit of a section repairs, as parts of a sentence. */
export function repairsOf(text: string, format: ConfigFormat, section: string): string[] {
  const body = bodyOf(text);
  const read = readConfigData(text, format);
  if (format === 'toml' || 'problem' in read) return [];
  return [
    ...(hasMark(text) ? ['the byte order mark is removed, which some apps refuse'] : []),
    ...(joinRepeated(body, section) === body
      ? []
      : [`"${section}" was there twice, and is joined`]),
    ...(read.data[section] === null ? [`"${section}" was null`] : []),
  ];
}

const BYTE_ORDER_MARK = '\u{FEFF}';

export const hasMark = (text: string) => text.startsWith(BYTE_ORDER_MARK);

const bodyOf = (text: string) => (hasMark(text) ? text.slice(1) : text);

/** Sets the value at a path, adds it at the end of a list, or removes what is there. */
export interface ConfigChange {
  readonly path: JsonPath;
  /** Undefined to remove it. */
  readonly value?: unknown;
}

/**
 * Changes a configuration, then parses the result and checks that only the intended changes were
 * made. Leaves out the byte order mark of JSON, which many apps refuse, and joins repeated
 * sections. Throws a `Refusal` about `subject` if the text cannot be edited safely.
 */
export function editConfig(
  text: string,
  format: ConfigFormat,
  section: string,
  subject: string,
  changesOf: (data: Fields) => readonly ConfigChange[],
): string {
  const isToml = format === 'toml';
  const body = isToml ? bodyOf(text) : joinRepeated(bodyOf(text), section);
  const before = parseConfig(body, format);
  const changes = 'problem' in before || !isFields(before.data) ? [] : changesOf(before.data);
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  const write = isToml ? setToml : setJson;
  const written = changes.reduce((rest, { path, value }) => write(rest, path, value, eol), body);
  const after = parseConfig(written, format);
  // an empty section is as good as none
  const dataOf = (read: typeof after, more: readonly ConfigChange[]) => {
    if ('problem' in read || !isFields(read.data)) throw notEditable(subject, section, format);
    const data = more.reduce<Fields>((rest, each) => changed(rest, each), read.data);
    return canonical({ ...data, [section]: data[section] ?? {} });
  };
  if (dataOf(before, changes) !== dataOf(after, [])) throw notEditable(subject, section, format);
  return isToml && hasMark(text) ? BYTE_ORDER_MARK + written : written;
}

/** Returns a value with a change. What is not an object where a path leads counts as empty. */
function changed(data: unknown, { path, value }: ConfigChange): Fields {
  const [key = '', ...rest] = path;
  const isList = typeof key === 'number' && Array.isArray(data);
  const copy = (isList ? [...(data as unknown[])] : { ...(data as object) }) as Fields;
  if (rest.length > 0) copy[key] = changed(copy[key], { path: rest, value });
  else if (value !== undefined) copy[key] = value;
  else if (isList) (copy as unknown as unknown[]).splice(key, 1);
  else delete copy[key];
  return copy;
}

/** Returns the data, or the problem; a syntax error includes line and column. */
export function readConfigData(
  text: string,
  format: ConfigFormat,
): { data: Fields } | { problem: string } {
  const read = parseConfig(bodyOf(text), format);
  if ('problem' in read) return read;
  return isFields(read.data) ? { data: read.data } : { problem: 'the file is not an object' };
}

function notEditable(subject: string, section: string, format: ConfigFormat): Refusal {
  const form =
    format === 'toml' ? `tables such as [${section}.NAME]` : 'an object of its usual form';
  return new Refusal(
    `${subject} cannot be changed in this file without risk to the rest of it. Write "${section}" as ${form}, or remove it, and try again. Nothing was done.`,
  );
}

/** Edits a file, which a `Refusal` then names. */
export function editFile<T>(file: string, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`${file}: ${error.message}`) : error;
  }
}

/** Returns the line (from 1) of a setting, or of the innermost object around it. */
export function lineOfSetting(text: string, file: string, path: readonly string[]): number {
  const offset = file.endsWith('.toml') ? tomlOffset(text, path) : jsonOffset(text, path);
  return positionOf(text, offset).line;
}

function parseConfig(body: string, format: ConfigFormat): { data: unknown } | { problem: string } {
  const read = format === 'toml' ? parseTomlConfig(body) : parseJsonConfig(body, format);
  if ('data' in read) return read;
  const { line, column } = 'line' in read ? read : positionOf(body, read.offset);
  return { problem: `line ${line}, column ${column}: ${read.problem}` };
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a text that is the same for equal values, regardless of the order of their keys. */
function canonical(value: unknown): string {
  return JSON.stringify([value], (_, inner: unknown) => {
    if (typeof inner === 'bigint') return `${inner}n`;
    if (!isFields(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

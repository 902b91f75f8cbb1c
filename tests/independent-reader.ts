import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * Reads a vault as docs/log-format.md describes it, without any of the program's code. It proves
 * that the documentation is enough to get the memory back.
 */
export function readVault(dataFolder: string): Vault {
  const held = unique(LANES.flatMap((lane) => eventsBelow(dataFolder, lane)));
  const known = held.filter(({ v }) => v === 1);
  const retired = retiredRanges(held, known);
  const kept = held.filter((event) => !isRetired(event, retired));
  return {
    digest: digestOf(kept),
    events: held.length,
    missing: missingRanges(held, known, retired),
    ...itemsOf(known),
  };
}

export interface Vault {
  readonly digest: string;
  readonly events: number;
  /** Newest first. */
  readonly states: readonly State[];
  readonly workspaces: readonly Workspace[];
  /** Newest first. */
  readonly records: readonly VaultRecord[];
  readonly missing: Readonly<Record<string, readonly Range[]>>;
}

export interface State {
  readonly name: string;
  readonly workspace: string;
  readonly isArchived: boolean;
}

export interface VaultRecord {
  readonly kind: string;
  readonly title: string;
  readonly workspace: string;
  readonly status: string;
  /** Titles of the records that must be done first. */
  readonly needs: readonly string[];
  /** Title of the record that replaces it. */
  readonly supersededBy: string | undefined;
  readonly isArchived: boolean;
}

export interface Workspace {
  readonly name: string;
  readonly purpose: string;
  readonly isArchived: boolean;
}

/** The first and the last of some sequence numbers. */
export type Range = readonly [number, number];

interface Json {
  readonly [path: string]: unknown;
  readonly name?: unknown;
  readonly ws?: unknown;
  readonly sha?: unknown;
  readonly purpose?: unknown;
  readonly isArchived?: unknown;
  readonly seen?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly kind?: unknown;
  readonly title?: unknown;
  readonly needs?: unknown;
  readonly status?: unknown;
  readonly supersededBy?: unknown;
}

interface Envelope {
  readonly v: number;
  readonly w: string;
  readonly n: number;
  readonly p: string;
  readonly h: string;
  readonly t: string;
  readonly e: string;
  readonly d: Json;
  readonly c: string;
}

interface Event extends Envelope {
  readonly lane: string;
  readonly hash: string;
}

const LANES = ['core', 'chat', 'trace'];
const LANE_OF_TYPE: Readonly<Record<string, string>> = {
  'ws.new': 'core',
  'state.new': 'core',
  'record.new': 'core',
  'pin.new': 'core',
  'path.moved': 'core',
  'conv.new': 'chat',
  'msg.new': 'chat',
  'trace.new': 'trace',
};

// Files and lines

function eventsBelow(dataFolder: string, lane: string): Event[] {
  return filesBelow(join(dataFolder, lane), realpathSync(dataFolder) + sep).flatMap((path) =>
    linesIn(decode(readFileSync(path))).flatMap((line) => eventIn(line, lane) ?? []),
  );
}

/** Returns the log files below a folder, except those outside the data folder. */
function filesBelow(folder: string, root: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter(({ name }) => name.endsWith('.jsonl') && !/^(\.syncthing\.|~|\._)/.test(name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (path) =>
        statSync(path, { throwIfNoEntry: false })?.isFile() && realpathSync(path).startsWith(root),
    );
}

/** Returns the bytes of a file as UTF-8, one character per byte. */
function decode(bytes: Buffer): string {
  const start = bytes.toString('latin1', 0, 2);
  const coding = start === '\xff\xfe' ? 'utf-16le' : start === '\xfe\xff' && 'utf-16be';
  const utf8 = coding ? Buffer.from(new TextDecoder(coding).decode(bytes)) : bytes;
  return utf8.toString('latin1');
}

/**
 * Returns the whole lines of a text, also of those that were joined. What starts a line occurs
 * nowhere else in it.
 */
function linesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const content = line.replace(/^(?:\xef\xbb\xbf|\0)+|[\0\r]+$/g, '');
    const whole = wholeLine(content);
    if (whole === content) return whole;
    return content.split(/(?=\{"v":)/).flatMap((piece) => wholeLine(piece) ?? []);
  });
}

/** Returns the part of a text up to the first checksum that fits. */
function wholeLine(text: string): string | undefined {
  const ends = [...text.matchAll(/,"c":"([0-9a-f]{8})"\}/g)];
  const end = ends.find(({ 1: sum, index }) => crc32(text.slice(0, index)) === sum);
  return end && text.slice(0, end.index + end[0].length);
}

function crc32(bytes: string): string {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) {
    crc ^= bytes.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, '0');
}

function eventIn(line: string, folder: string): Event | undefined {
  const bytes = Buffer.from(line, 'latin1');
  const fields = JSON.parse(bytes.toString()) as Json;
  if (!isEnvelope(fields)) return undefined;
  const { t, v } = fields;
  const other = t === 'set' && folder === 'trace' ? 'core' : folder;
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { ...fields, hash, lane: v === 1 ? (LANE_OF_TYPE[t] ?? other) : folder };
}

function isEnvelope(fields: Json): fields is Json & Envelope {
  const { v, w, n, p, h, t, e, d } = fields;
  return (
    isCount(v) &&
    isWriter(w) &&
    isCount(n) &&
    /^[0-9a-f]{32}$/.test(String(p)) &&
    isTime(String(h)) &&
    typeof t === 'string' &&
    typeof e === 'string' &&
    e.length <= 64 &&
    typeof d === 'object' &&
    d !== null &&
    !Array.isArray(d)
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

function isWriter(value: unknown): value is string {
  return typeof value === 'string' && /^[a-km-np-z2-9]{12}$/.test(value);
}

/** Accepts real dates from 2020 and before 2200. */
function isTime(text: string): boolean {
  const date = new Date(/^(2[01].{22})\.[0-9a-f]{4}$/.exec(text)?.[1] ?? '');
  return !isNaN(date.getTime()) && text.startsWith(date.toISOString()) && text >= '2020';
}

/** Returns each line once, in total order. */
function unique(events: readonly Event[]): Event[] {
  return [...new Map(events.map((event) => [nameOf(event), event])).values()].sort(inOrder);
}

function nameOf({ w, n, hash }: Event): string {
  return `${w} ${String(n).padStart(12, '0')} ${hash}`;
}

function inOrder(a: Event, b: Event): number {
  const text = ({ p, t, e, d }: Event): string => JSON.stringify([p, t, e, d]);
  return (
    compare(a.h, b.h) ||
    compare(a.w, b.w) ||
    a.n - b.n ||
    compare(a.c, b.c) ||
    compare(text(a), text(b))
  );
}

/** Compares the UTF-16 code units of two texts. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function digestOf(events: readonly Event[]): string {
  return createHash('sha256').update(events.map(nameOf).sort(compare).join('\n')).digest('hex');
}

// Retired and missing events

type Ranges = ReadonlyMap<string, readonly Range[]>;

/** Returns which events of each writer of traces are retired. */
function retiredRanges(held: readonly Event[], known: readonly Event[]): Ranges {
  const lanes = lanesOf(held);
  const entries = known.flatMap(({ t, lane, d }): [string, Range][] => {
    const { lane: from, w } = d;
    if (t !== 'log.retire' || lane !== 'core' || from !== 'trace' || !isWriter(w)) return [];
    const isOfTraces = (lanes.get(w) ?? 'trace') === 'trace';
    return isOfTraces ? [[w, [Number(d.from), Number(d.to)]]] : [];
  });
  return valuesBy(entries);
}

/** Returns the lane of each writer: that of its types or else that of its folder. */
function lanesOf(events: readonly Event[]): Map<string, string> {
  const typed = events.filter(({ t }) => t in LANE_OF_TYPE);
  return new Map([...events, ...typed].map(({ w, lane }) => [w, lane]));
}

function isRetired({ w, n, lane }: Event, retired: Ranges): boolean {
  return lane === 'trace' && (retired.get(w) ?? []).some(([from, to]) => from <= n && n <= to);
}

function missingRanges(
  held: readonly Event[],
  known: readonly Event[],
  retired: Ranges,
): Record<string, Range[]> {
  const numbers = valuesBy(held.map(({ w, n }) => [w, n]));
  const mentioned = valuesBy(known.flatMap(mentions));
  const writers = [...new Set([...numbers.keys(), ...mentioned.keys()])];
  const missing = writers.map((writer): [string, Range[]] => {
    const own = numbers.get(writer) ?? [];
    const end = last([...own, ...(mentioned.get(writer) ?? [])]) + 1;
    const here = own.map((n): Range => [n, n]);
    return [writer, between([...here, ...(retired.get(writer) ?? []), [end, end]])];
  });
  return Object.fromEntries(missing);
}

function last(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => Math.max(a, b));
}

/** Returns the writers that a watermark mentions, and their last numbers. */
function mentions({ t, d }: Event): [string, number][] {
  const seen = t === 'log.mark' ? d.seen : undefined;
  const lanes = Object.values((seen ?? {}) as Record<string, Record<string, [unknown]>>);
  return lanes
    .flatMap((lane) => Object.entries(lane))
    .flatMap(([w, [n]]) => (isWriter(w) && isCount(n) ? [[w, n]] : []));
}

/** Returns the numbers from 1 that are in none of the ranges, up to the last of them. */
function between(ranges: readonly Range[]): Range[] {
  const gaps: Range[] = [];
  let next = 1;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from > next) gaps.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  return gaps;
}

// Memory

interface Item {
  readonly id: string;
  readonly type: string;
  readonly data: Json;
}

function itemsOf(events: readonly Event[]): Pick<Vault, 'states' | 'workspaces' | 'records'> {
  const items = createdItems(events);
  const originals = originalsOf(items);
  const sets = valuesBy(
    events
      .filter(({ t }) => t === 'set')
      .map((event) => [originals.get(event.e) ?? event.e, event]),
  );
  const later = (id: string): Json => valuesOf(sets.get(id) ?? []);
  const workspaces = [DEFAULT, ...items.filter(({ type }) => type === 'ws.new')].map((item) => {
    return { ...item, data: { ...item.data, ...later(item.id) } };
  });
  const states = items.filter(({ id }) => originals.get(id) === id);
  const names = shownNames(workspaces);
  const stateNames = shownNames(states);
  return {
    workspaces: workspaces.map(({ id, data }) => ({
      name: names.get(id) ?? '',
      purpose: String(data.purpose),
      isArchived: data.isArchived === true,
    })),
    records: recordsOf(items, later, names),
    states: states.reverse().map(({ id, data }) => ({
      name: stateNames.get(id) ?? '',
      workspace: names.get(String(data.ws)) ?? String(data.ws),
      isArchived: later(id).isArchived === true,
    })),
  };
}

/** Returns the records with their current registers, newest first. */
function recordsOf(
  items: readonly Item[],
  later: (id: string) => Json,
  workspaces: ReadonlyMap<string, string>,
): VaultRecord[] {
  const records = items.filter(({ type }) => type === 'record.new');
  const titles = new Map(records.map(({ id, data }) => [id, String(data.title)]));
  return records.reverse().map(({ id, data }) => {
    const registers = later(id);
    const edges = Object.entries(registers).filter(([path]) => path.startsWith('needs/'));
    const initial = (data.needs ?? []) as string[];
    const needs = new Map([
      ...initial.map((need): [string, unknown] => [need, true]),
      ...edges.map(([path, value]): [string, unknown] => [path.slice(6), value]),
    ]);
    return {
      kind: String(data.kind),
      title: titles.get(id) ?? '',
      workspace: workspaces.get(String(data.ws)) ?? String(data.ws),
      status: typeof registers.status === 'string' ? registers.status : 'open',
      needs: [...needs].flatMap(([need, value]) =>
        value === true ? (titles.get(need) ?? []) : [],
      ),
      supersededBy: titles.get(String(registers.supersededBy)),
      isArchived: registers.isArchived === true,
    };
  });
}

/** Returns what the first creation event of each entity says, in total order. */
function createdItems(events: readonly Event[]): Item[] {
  const items = new Map<string, Item>();
  for (const { t, e, d } of events)
    if (t in LANE_OF_TYPE && !items.has(e)) items.set(e, { id: e, type: t, data: d });
  return [...items.values()];
}

/** Returns, for each state, the first one with the same workspace, name and hash. */
function originalsOf(items: readonly Item[]): Map<string, string> {
  const firsts = new Map<string, string>();
  const originals = items.flatMap(({ id, type, data }): [string, string][] => {
    if (type !== 'state.new') return [];
    const key = JSON.stringify([data.ws, comparable(String(data.name)), data.sha]);
    const first = firsts.get(key) ?? id;
    firsts.set(key, first);
    return [[id, first]];
  });
  return new Map(originals);
}

/** The workspace of what has no other. No line creates it. */
const DEFAULT: Item = { id: 'default', type: 'ws.new', data: { name: 'Default', purpose: '' } };

/** Returns the values of an entity's registers, by path without the slash. */
function valuesOf(sets: readonly Event[]): Json {
  const paths = new Set(sets.flatMap(({ d }) => Object.keys(d)));
  return Object.fromEntries([...paths].map((path) => [path.slice(1), valueAt(path, sets)]));
}

/** Returns the last value that no other event replaces, or null if it is removed. */
function valueAt(path: string, sets: readonly Event[]): unknown {
  const rivals = sets.filter(({ d }) => path in d);
  const current = rivals.filter(
    (event) => !rivals.some((other) => other !== event && replaces(other, event)),
  );
  return (current.at(-1) ?? rivals.at(-1))?.d[path];
}

function replaces({ d }: Event, { w, n }: Event): boolean {
  return ((d['/replaces'] ?? []) as unknown[]).includes(`${w}:${n}`);
}

/** Returns the name under which each item is shown, apart from earlier ones of the same name. */
function shownNames(items: readonly Item[]): Map<string, string> {
  const taken = new Set<string>();
  const shown = items.map(({ id, data }): [string, string] => {
    const name = String(data.name);
    const key = JSON.stringify([data.ws, comparable(name)]);
    const suffix = taken.has(key) ? ` ⟨${id.slice(0, 4)}⟩` : '';
    taken.add(key);
    return [id, suffix ? visible(name.trimEnd()) + suffix : visible(name)];
  });
  return new Map(shown);
}

function comparable(name: string): string {
  return name.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

/** Where a joiner or a variation selector changes how text looks. */
const USEFUL = [
  '\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]?',
  '[0-9#*]\\ufe0f\\u20e3',
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d' +
    '(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Script=Arabic})[\\u200c\\u200d](?=\\p{Script=Arabic})',
  '(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])[\\u200c\\u200d]',
  '(?<=\\p{Script=Mongolian})[\\u180b-\\u180d\\u180f]',
].join('|');
const INVISIBLE = '[\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Zl}\\p{Zp}]';

/** Shows invisible characters as markers. */
function visible(name: string): string {
  return name.replace(new RegExp(`${USEFUL}|(${INVISIBLE})`, 'gu'), (found, hidden?: string) =>
    hidden ? `⟨U+${hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩` : found,
  );
}

function valuesBy<T>(entries: readonly (readonly [string, T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [key, value] of entries) {
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { crc32 } from 'node:zlib';

/**
 * Reads a vault as docs/log-format.md describes it, without any of the program's code. It was
 * written from that page alone, so it proves that the page is enough to get the memory back.
 */
export function readVault(dataFolder: string): Vault {
  const all: Line[] = [];
  for (const lane of LANES)
    for (const path of logFiles(join(dataFolder, lane), realpathSync(dataFolder) + sep))
      all.push(...readLines(readFileSync(path), lane));
  const lines = new Map(all.filter((line) => !isStub(line)).map((line) => [nameOf(line), line]));
  const whole = [...lines.values()];
  const ranges = whole.flatMap(forgottenRanges);
  const held = [...whole, ...provedStubs(all.filter(isStub), whole, ranges)].sort(inTotalOrder);
  // others are kept and counted
  const known = held.filter((line) => line.v === 1 && !isStub(line) && !isNamed(line, ranges));
  const retired = retiredNumbers(held, known);
  return {
    digest: digestOf(held),
    events: held.length,
    missing: missingNumbers(held, known, retired),
    ...readMemory(known),
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

/** One line of the log. */
interface Line {
  readonly v: number;
  readonly w: string;
  readonly n: number;
  readonly p: string;
  readonly h: string;
  readonly t: string;
  readonly e: string;
  readonly d: Data;
  readonly c: string;
  readonly hash: string;
  readonly lane: string;
}

type Data = Readonly<Record<string, unknown>>;

const LANES = ['core', 'chat', 'trace'];
const CORE_TYPES = ['ws.new', 'state.new', 'record.new', 'pin.new', 'path.moved'];
const CHAT_TYPES = ['conv.new', 'msg.new'];

// "Line format" and "Reading"

function logFiles(folder: string, root: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return logFiles(path, root);
    const isLog = entry.name.endsWith('.jsonl') && !/^(\.syncthing\.|~|\._)/.test(entry.name);
    const isThere = isLog && statSync(path, { throwIfNoEntry: false })?.isFile();
    return isThere && realpathSync(path).startsWith(root) ? path : [];
  });
}

function readLines(bytes: Buffer, folder: string): Line[] {
  const mark = bytes.readUIntBE(0, Math.min(2, bytes.length) || 1);
  const coding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : undefined;
  const utf8 = coding ? Buffer.from(new TextDecoder(coding).decode(bytes)) : bytes;
  // one character for each byte, so that positions in the text are positions in the file
  const rows = utf8.toString('latin1').split('\n');
  return rows.flatMap((row) => {
    const text = row.replace(/^(?:\xef\xbb\xbf|\0)+|[\0\r]+$/g, '');
    const pieces = isWhole(text) ? [text] : text.split(/(?=\{"v":)/).flatMap(wholePart);
    return pieces.flatMap((piece) => parseLine(piece, folder) ?? []);
  });
}

const END = /,"c":"([0-9a-f]{8})"\}/g;

function isWhole(text: string): boolean {
  return wholePart(text)[0] === text;
}

/** Returns what of a text ends in the first CRC that matches what is before it. */
function wholePart(text: string): string[] {
  for (const { index, 0: end, 1: crc } of text.matchAll(END)) {
    const actual = crc32(Buffer.from(text.slice(0, index), 'latin1'));
    if (crc === actual.toString(16).padStart(8, '0')) return [text.slice(0, index + end.length)];
  }
  return [];
}

function parseLine(text: string, folder: string): Line | undefined {
  const bytes = Buffer.from(text, 'latin1');
  const fields = parseJson(bytes.toString());
  if (!hasEnvelope(fields)) return undefined;
  const hash = isStub(fields) ? String(fields.d['hash']) : sha256(bytes).slice(0, 32);
  return { ...fields, hash, lane: laneOf(fields, folder) };
}

function parseJson(text: string): Data {
  try {
    return JSON.parse(text) as Data;
  } catch {
    return {}; // a CRC that matches by chance
  }
}

function hasEnvelope(fields: Data): fields is Data & Omit<Line, 'hash' | 'lane'> {
  const { v, w, n, p, h, t, e, d } = fields;
  const isCounted = isNumber(v) && isNumber(n);
  const isNamed = isWriter(w) && typeof p === 'string' && /^[0-9a-f]{32}$/.test(p);
  const isTyped = typeof t === 'string' && typeof e === 'string' && e.length <= 64;
  return isCounted && isNamed && isTyped && isTime(h) && isObject(d);
}

function isObject(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isWriter(value: unknown): value is string {
  return typeof value === 'string' && /^[a-km-np-z2-9]{12}$/.test(value);
}

function isTime(value: unknown): boolean {
  const [, time = ''] = /^(.{24})\.[0-9a-f]{4}$/.exec(String(value)) ?? [];
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= 2020 && year < 2200 && date.toISOString() === time;
}

function laneOf({ v, t }: Pick<Line, 'v' | 't'>, folder: string): string {
  return (
    (v === 1 ? laneOfType(t) : undefined) ??
    (v === 1 && t === 'set' && folder === 'trace' ? 'core' : folder)
  );
}

function laneOfType(type: string): string | undefined {
  if (CORE_TYPES.includes(type)) return 'core';
  if (CHAT_TYPES.includes(type)) return 'chat';
  return type === 'trace.new' ? 'trace' : undefined;
}

// "Merging" and "Verification"

function inTotalOrder(a: Line, b: Line): number {
  const rest = ({ p, t, e, d }: Line) => JSON.stringify([p, t, e, d]);
  return (
    byUnits(a.h, b.h) ||
    byUnits(a.w, b.w) ||
    a.n - b.n ||
    byUnits(a.c, b.c) ||
    byUnits(rest(a), rest(b))
  );
}

/** Compares the UTF-16 code units of two texts. */
function byUnits(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function nameOf({ w, n, hash }: Line): string {
  return `${w} ${String(n).padStart(12, '0')} ${hash}`;
}

function digestOf(lines: readonly Line[]): string {
  return sha256(lines.map(nameOf).sort(byUnits).join('\n'));
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

// "Forgetting"

interface ForgottenRange {
  readonly w: string;
  readonly from: number;
  readonly to: number;
  readonly crcs: string;
  readonly hash: string;
}

function isStub({ v, t, d }: Pick<Line, 'v' | 't' | 'd'>): boolean {
  return v === 1 && t === 'forgotten' && /^[0-9a-f]{32}$/.test(textOf(d, 'hash'));
}

function forgottenRanges({ v, t, d, lane }: Line): ForgottenRange[] {
  const { ranges } = d;
  if (v !== 1 || t !== 'log.forget' || lane !== 'core' || !Array.isArray(ranges)) return [];
  return ranges.filter((range): range is ForgottenRange => {
    if (!isObject(range) || !isWriter(range['w'])) return false;
    const { from, to, crcs } = range;
    if (!isNumber(from) || !isNumber(to) || !/^[0-9a-f]*$/.test(textOf(range, 'crcs')))
      return false;
    return to >= from && textOf(range, 'crcs') === crcs && crcs.length === 8 * (to - from + 1);
  });
}

function crcAt({ from, crcs }: ForgottenRange, n: number): string {
  return crcs.slice(8 * (n - from), 8 * (n - from + 1));
}

function isNamed({ w, n, c, t }: Line, ranges: readonly ForgottenRange[]): boolean {
  return (
    !t.startsWith('log.') && ranges.some((range) => range.w === w && crcAt(range, n) === c && c)
  );
}

/** Returns the stubs in ranges whose hash fits, once each, if their lines are not here. */
function provedStubs(
  stubs: readonly Line[],
  whole: readonly Line[],
  ranges: readonly ForgottenRange[],
): Line[] {
  const proved = new Map<string, Line>();
  for (const range of ranges)
    for (const line of provedBy(range, [...whole, ...stubs]))
      if (isStub(line)) proved.set(nameOf(line), line);
  for (const line of whole) proved.delete(nameOf(line));
  return [...proved.values()];
}

/** Follows the hashes from the last line back to the first; nothing if one is not here. */
function provedBy(range: ForgottenRange, lines: readonly Line[]): Line[] {
  const proved: Line[] = [];
  let hashes = [range.hash];
  for (let n = range.to; n >= range.from; n--) {
    const here = lines.filter(
      (line) => line.w === range.w && line.n === n && hashes.includes(line.hash),
    );
    const whole = here.filter((line) => !isStub(line));
    if (here.length === 0 || whole.some(({ c }) => c !== crcAt(range, n))) return [];
    proved.push(...here);
    hashes = (whole.length > 0 ? whole : here).map(({ p }) => p);
  }
  return proved;
}

function retiredNumbers(held: readonly Line[], known: readonly Line[]): Map<string, Range[]> {
  const retired = new Map<string, Range[]>();
  for (const { t, lane, d } of known) {
    const { w, from, to } = d;
    if (t !== 'log.retire' || lane !== 'core' || d['lane'] !== 'trace' || !isWriter(w)) continue;
    if (Number(to) - Number(from) >= 1000) continue;
    if (isWriterOfTraces(held, w)) pushTo(retired, w, [Number(from), Number(to)]);
  }
  return retired;
}

/** Events whose type has a lane decide, then those that are in a folder. */
function isWriterOfTraces(held: readonly Line[], writer: string): boolean {
  const own = held.filter(({ w }) => w === writer);
  const typed = own.filter(({ t }) => laneOfType(t) !== undefined);
  return ((typed.at(-1) ?? own.at(-1))?.lane ?? 'trace') === 'trace';
}

function missingNumbers(
  held: readonly Line[],
  known: readonly Line[],
  retired: ReadonlyMap<string, readonly Range[]>,
): Record<string, Range[]> {
  const here = new Map<string, Range[]>();
  for (const { w, n } of held) pushTo(here, w, [n, n]);
  const ends = new Map<string, number>();
  const reach = (writer: string, n: number) => ends.set(writer, Math.max(n, ends.get(writer) ?? 0));
  for (const { w, n } of held) reach(w, n);
  for (const { t, d } of known)
    if (t === 'log.mark' && isObject(d['seen']))
      for (const lane of Object.values(d['seen']))
        for (const [writer, last] of Object.entries(isObject(lane) ? lane : {}))
          if (isWriter(writer) && Array.isArray(last) && isNumber(last[0])) reach(writer, last[0]);
  const missing = [...ends].map(([writer, end]): [string, Range[]] => {
    const ranges = [...(here.get(writer) ?? []), ...(retired.get(writer) ?? [])];
    return [writer, gapsBetween(ranges, end)];
  });
  return Object.fromEntries(missing);
}

/** Returns the numbers from 1 to `end` that are in none of the ranges. */
function gapsBetween(ranges: readonly Range[], end: number): Range[] {
  const gaps: Range[] = [];
  let next = 1;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from > next && next <= end) gaps.push([next, Math.min(from - 1, end)]);
    next = Math.max(next, to + 1);
  }
  if (next <= end) gaps.push([next, end]);
  return gaps;
}

// "Merging": entities, registers and names

interface Entity {
  readonly id: string;
  readonly type: string;
  readonly data: Data;
  /** Current value of each register by path. */
  readonly registers: Data;
}

const DEFAULT = { id: 'default', type: 'ws.new', data: { name: 'Default', purpose: '' } };

function readMemory(known: readonly Line[]): Pick<Vault, 'states' | 'workspaces' | 'records'> {
  const created = new Map<string, Omit<Entity, 'registers'>>([[DEFAULT.id, DEFAULT]]);
  for (const { t, e, d } of known)
    if (laneOfType(t) !== undefined && t !== 'path.moved' && !created.has(e))
      created.set(e, { id: e, type: t, data: d });
  const same = sameStates([...created.values()]);
  const sets = new Map<string, Line[]>();
  for (const line of known) if (line.t === 'set') pushTo(sets, same.get(line.e) ?? line.e, line);
  const entities = [...created.values()]
    .filter(({ id }) => !same.has(id))
    .map((entity) => ({ ...entity, registers: mergeRegisters(sets.get(entity.id) ?? []) }));
  const ofType = (type: string) => entities.filter((entity) => entity.type === type);
  const workspaces = shownNames(ofType('ws.new'));
  const states = shownNames(ofType('state.new'));
  const workspaceOf = ({ data }: Entity) =>
    workspaces.get(textOf(data, 'ws')) ?? textOf(data, 'ws');
  const isArchived = ({ registers }: Entity) => registers['/isArchived'] === true;
  const records = ofType('record.new');
  const titles = new Map(records.map(({ id, data }) => [id, textOf(data, 'title')]));
  return {
    workspaces: ofType('ws.new').map((entity) => ({
      name: workspaces.get(entity.id) ?? '',
      purpose: fieldOf(entity, 'purpose'),
      isArchived: isArchived(entity),
    })),
    states: ofType('state.new')
      .reverse()
      .map((entity) => ({
        name: states.get(entity.id) ?? '',
        workspace: workspaceOf(entity),
        isArchived: isArchived(entity),
      })),
    records: records.reverse().map((entity) => ({
      kind: textOf(entity.data, 'kind'),
      title: titles.get(entity.id) ?? '',
      workspace: workspaceOf(entity),
      status: textOf(entity.registers, '/status') || 'open',
      needs: needsOf(entity).flatMap((id) => titles.get(id) ?? []),
      supersededBy: titles.get(textOf(entity.registers, '/supersededBy')),
      isArchived: isArchived(entity),
    })),
  };
}

/** Returns the earlier state for each later one with the same workspace, name and hash. */
function sameStates(items: readonly Omit<Entity, 'registers'>[]): Map<string, string> {
  const firsts = new Map<string, string>();
  const same = new Map<string, string>();
  for (const { id, type, data } of items) {
    if (type !== 'state.new') continue;
    const key = JSON.stringify([data['ws'], nameKey(textOf(data, 'name')), data['sha']]);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, id);
    else same.set(id, first);
  }
  return same;
}

/** `sets` are in total order. */
function mergeRegisters(sets: readonly Line[]): Data {
  const paths = new Set(sets.flatMap(({ d }) => Object.keys(d)));
  const registers = [...paths].map((path): [string, unknown] => {
    const writes = sets.filter(({ d }) => path in d);
    const isReplaced = (line: Line) =>
      writes.some((other) => other !== line && replacedBy(other).includes(`${line.w}:${line.n}`));
    return [path, (writes.findLast((line) => !isReplaced(line)) ?? writes.at(-1))?.d[path]];
  });
  return Object.fromEntries(registers);
}

function replacedBy({ d }: Line): readonly unknown[] {
  const versions = d['/replaces'];
  return Array.isArray(versions) ? versions : [];
}

function needsOf({ data, registers }: Entity): string[] {
  const needs = new Set(Array.isArray(data['needs']) ? (data['needs'] as string[]) : []);
  for (const [path, value] of Object.entries(registers)) {
    const [, id] = /^\/needs\/(.*)$/.exec(path) ?? [];
    if (id === undefined) continue;
    if (value === true) needs.add(id);
    else if (value === null) needs.delete(id);
  }
  return [...needs];
}

function textOf(data: Data, key: string): string {
  const value = data[key];
  return typeof value === 'string' ? value : '';
}

/** Returns a text that the entity was created with, or that a register has changed. */
function fieldOf({ data, registers }: Entity, field: string): string {
  return textOf(
    typeof registers[`/${field}`] === 'string' ? { [field]: registers[`/${field}`] } : data,
    field,
  );
}

/** Entities are in total order of their creation. */
function shownNames(entities: readonly Entity[]): Map<string, string> {
  const taken = new Set<string>();
  const names = entities.map((entity): [string, string] => {
    const name = fieldOf(entity, 'name');
    const key = JSON.stringify([entity.data['ws'], nameKey(name)]);
    const isFirst = !taken.has(key);
    taken.add(key);
    return [entity.id, visible(isFirst ? name : `${name.trimEnd()} ⟨${entity.id.slice(0, 4)}⟩`)];
  });
  return new Map(names);
}

function nameKey(name: string): string {
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

function pushTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

import { isJsonObject, type Draft, type JsonObject, type LogEvent } from '../../model/event.js';
import { clip } from '../../model/refusal.js';
import { isWriterId } from '../../platform/random.js';
import { lineHash } from '../format/line-hash.js';
import { isSequenceNumber } from '../format/line.js';
import { originalHash } from '../format/stub.js';

/** Of a workspace, only its earlier texts can be forgotten. */
export const FORGET_KINDS = [
  'state',
  'record',
  'conversation',
  'trace',
  'session',
  'workspace',
] as const;

export type ForgetKind = (typeof FORGET_KINDS)[number];

/** A run of forgotten lines of one writer. */
export interface ForgottenRange {
  readonly writer: string;
  readonly from: number;
  readonly to: number;
  /** CRCs of the lines, by which a reader recognizes them. */
  readonly crcs: readonly string[];
  /** Hash of the last line. It proves the others, since each has the hash of the one before. */
  readonly hash: string;
}

/** The content of a `log.forget` event. */
export interface Forget {
  /** Name of the device on which a person forgot the lines. */
  readonly device: string;
  /** The only messages that are forgotten of the sessions in the lines, see `turnKey`. */
  readonly turns: readonly string[];
  readonly ranges: readonly ForgottenRange[];
}

/** An event with the hash of its line, or for a stub with that of the original. */
export interface HashedLine {
  readonly event: LogEvent;
  readonly hash: string;
}

const CRC_LENGTH = 8;
const CRCS = /^(?:[0-9a-f]{8})+$/;

/** Maximum length of an event's data. What is longer takes several events. */
export const MAX_EVENT_BYTES = 60 * 1024;

/** Bytes of a range besides its CRCs, as JSON. */
const RANGE_BYTES = 120;

/** Returns what an event forgets; undefined if it is not a valid `log.forget`. */
export function forgetOf(event: LogEvent): Forget | undefined {
  if (event.v !== 1 || event.t !== 'log.forget') return undefined;
  const { device, turns, ranges } = event.d;
  const valid = Array.isArray(ranges) ? ranges.flatMap((range) => rangeOf(range) ?? []) : [];
  if (valid.length === 0) return undefined;
  return {
    device: typeof device === 'string' ? clip(device) : '',
    turns: Array.isArray(turns) ? turns.filter((key) => typeof key === 'string') : [],
    ranges: valid,
  };
}

/** Returns the hash of an event's content, so that a decision can be stored before the event is. */
export function forgetKey({ d }: Pick<LogEvent, 'd'>): string {
  return lineHash(new TextEncoder().encode(JSON.stringify(d)));
}

/** Returns the number of lines that an event names. */
export function lineCount({ ranges }: Forget): number {
  return ranges.reduce((sum, { crcs }) => sum + crcs.length, 0);
}

/** Returns true for a line that can be forgotten: one that is not for the log itself. */
export function isForgettable({ t }: Pick<LogEvent, 't'>): boolean {
  return !t.startsWith('log.');
}

/**
 * Returns the events that forget these lines. A line that is a stub already is left out. `turns`
 * are the only messages (`turnKey`) that are forgotten of the sessions in the lines.
 */
export function forgetDrafts(
  lines: readonly HashedLine[],
  device: string,
  turns: readonly string[] = [],
): Draft[] {
  const wanted = lines.filter(
    ({ event }) => isForgettable(event) && originalHash(event) === undefined,
  );
  const drafts: Draft[] = [];
  let ranges: JsonObject[] = [];
  let size = 0;
  const flush = () => {
    const d = { device, ...(turns.length > 0 && { turns: [...turns] }), ranges };
    if (ranges.length > 0) drafts.push({ t: 'log.forget', e: '', d });
    [ranges, size] = [[], 0];
  };
  const head = JSON.stringify({ device, turns, ranges: [] });
  const room = MAX_EVENT_BYTES - new TextEncoder().encode(head).length;
  for (const run of runsOf(wanted, Math.floor((room - RANGE_BYTES) / CRC_LENGTH))) {
    const { w, n } = run[0]!.event;
    const bytes = RANGE_BYTES + run.length * CRC_LENGTH;
    if (size + bytes > room) flush();
    size += bytes;
    const crcs = run.map(({ event }) => event.c).join('');
    ranges.push({ w, from: n, to: n + run.length - 1, crcs, hash: run.at(-1)!.hash });
  }
  flush();
  return drafts;
}

/** Groups lines into runs of one writer with successive numbers, with at most `max` lines. */
function runsOf(lines: readonly HashedLine[], max: number): HashedLine[][] {
  const sorted = [...lines].sort(
    ({ event: a }, { event: b }) => (a.w < b.w ? -1 : Number(a.w > b.w)) || a.n - b.n,
  );
  const runs: HashedLine[][] = [];
  for (const line of sorted) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const { w, n, p } = line.event;
    const follows = last?.event.w === w && last.event.n + 1 === n && last.hash === p;
    if (run && follows && run.length < max) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

function rangeOf(value: unknown): ForgottenRange | undefined {
  if (!isJsonObject(value)) return undefined;
  const { w, from, to, crcs, hash } = value;
  if (
    typeof w !== 'string' ||
    !isWriterId(w) ||
    !isSequenceNumber(from) ||
    !isSequenceNumber(to) ||
    typeof crcs !== 'string' ||
    typeof hash !== 'string' ||
    !CRCS.test(crcs) ||
    crcs.length !== (to - from + 1) * CRC_LENGTH
  )
    return undefined;
  const each = crcs.match(/.{8}/g) ?? [];
  return { writer: w, from, to, crcs: each, hash };
}

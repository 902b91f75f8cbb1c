import { compareStamps, compareText, isJsonObject, type LogEvent } from '../../model/event.js';
import { apply, emptyMemory, entityOf } from '../../model/memory.js';
import type { VaultPath } from '../../model/paths.js';
import { stateOf, stateText } from '../../model/state.js';
import { agreementsIn, type DeviceAgreement } from './device-agreement.js';
import { joinBytes } from '../../platform/bytes.js';
import { digestOf } from './digest.js';
import type { Files } from '../../platform/files.js';
import { memoryOf, readLogLines, type LogLine } from '../read/log-lines.js';
import type { WriterState } from '../read/writer-index.js';
import { isWriterId } from '../../platform/random.js';
import type { LaneName } from '../format/lanes.js';
import { isSequenceNumber, NEWLINE } from '../format/line.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { retiredRanges, type NumberRange } from './retirements.js';
import type { LineProblem } from '../format/segment.js';
import { sha256 } from '../../platform/sha256.js';

export interface WriterReport {
  readonly writer: string;
  readonly lane: LaneName;
  /** The device's name, as the writer itself gave it. */
  readonly device: string;
  /** Number of events that are here. */
  readonly held: number;
  /** The highest sequence number that any event mentions. */
  readonly claimed: number;
  readonly missing: readonly NumberRange[];
  /** Number of events that were removed by retention (`log.retire`). */
  readonly retired: number;
  /** Number of events whose sequence number another event has too; all of them take effect. */
  readonly forks: number;
}

export interface VerifyProblem {
  /**
   * `seal`: lines differ from those that their writer sealed. `content`: a state does not match its hash. `stray`: the event that
   * created a state's workspace is not here. `waiting`: cannot be read at present. `newer`: in a later version of the format.
   */
  readonly kind: LineProblem['kind'] | 'seal' | 'content' | 'stray' | 'waiting' | 'newer';
  readonly path: VaultPath;
  /** Byte offset in the file. */
  readonly from: number;
}

export interface VerifyReport {
  /** SHA-256 over the events that are here and not retired. Two devices with the same digest have the same events. */
  readonly digest: string;
  readonly events: number;
  readonly writers: readonly WriterReport[];
  readonly problems: readonly VerifyProblem[];
  /** What each device had when it last reported it, compared with what is here. */
  readonly devices: readonly DeviceAgreement[];
  /** True if no event is missing, and every state and every sealed line is as it was saved. */
  readonly isWhole: boolean;
}

/** Problems which mean that data is lost or was changed. */
const BREAKING = new Set<VerifyProblem['kind']>(['content', 'seal', 'stray']);

/** Reads the whole log from the disk and reports what is here, what is missing and what is damaged. Writes nothing. */
export async function verify(
  files: Files,
  root: VaultPath,
  scheduler: Scheduler = NOOP_SCHEDULER,
): Promise<VerifyReport> {
  const {
    lines,
    writers: holdings,
    problems: found,
    unreadable: waiting,
  } = await readLogLines(files, root, scheduler);
  const judged = lines.filter(({ event }) => event.v === 1);
  const problems: VerifyProblem[] = [
    ...found,
    ...waiting.map((path): VerifyProblem => ({ kind: 'waiting', path, from: 0 })),
    ...(await brokenSeals(lines)),
    ...(await brokenStates(judged)),
    ...strayStates(judged),
    ...lines.flatMap(({ event, path, from }): VerifyProblem[] =>
      event.v > 1 ? [{ kind: 'newer', path, from }] : [],
    ),
  ];
  const retired = retiredRanges(judged);
  const claims = claimsIn(judged);
  const devices = devicesIn(judged);
  const writers = [...new Set([...holdings.keys(), ...claims.keys(), ...retired.keys()])].map(
    (writer) =>
      reportWriter({
        writer,
        holding: holdings.get(writer),
        device: devices.get(writer) ?? '',
        claim: claims.get(writer) ?? 0,
        retired: retired.get(writer) ?? [],
      }),
  );
  return {
    digest: await digestOf(lines, retired),
    events: lines.length,
    writers: writers.sort((a, b) => compareText(a.writer, b.writer)),
    problems: problems.sort((a, b) => compareText(a.path, b.path) || a.from - b.from),
    devices: agreementsIn(
      lines.filter(({ lane }) => lane === 'core').map(({ event }) => event),
      devices,
    ),
    isWhole:
      writers.every(({ missing }) => missing.length === 0) &&
      problems.every(({ kind }) => !BREAKING.has(kind)),
  };
}

interface WriterFacts {
  readonly writer: string;
  readonly holding: WriterState | undefined;
  readonly device: string;
  readonly claim: number;
  readonly retired: readonly NumberRange[];
}

function reportWriter({ writer, holding, device, claim, retired }: WriterFacts): WriterReport {
  const [whole, beyond, forks] = [
    holding?.crcs.length ?? 0,
    holding?.outOfOrder ?? new Map<number, string>(),
    holding?.forks.size ?? 0,
  ];
  const claimed = retired.reduce(
    (highest, [, to]) => Math.max(highest, to),
    Math.max(claim, holding?.lastNumber ?? 0),
  );
  const notRetired = gaps(retired, claimed).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return {
    writer,
    lane: holding?.lane ?? 'core',
    device,
    held: whole + beyond.size + forks,
    claimed,
    forks,
    missing: gaps(
      [[1, whole], ...[...beyond.keys()].map((n): NumberRange => [n, n]), ...retired],
      claimed,
    ),
    retired: claimed - notRetired,
  };
}

/** What of 1 to `end` lies in none of the ranges; none of them goes beyond `end`. */
function gaps(ranges: readonly NumberRange[], end: number): NumberRange[] {
  const found: NumberRange[] = [];
  let next = 1;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (from > next) found.push([next, from - 1]);
    next = Math.max(next, to + 1);
  }
  if (next <= end) found.push([next, end]);
  return found;
}

/** By writer, the highest sequence number that a mark tells of. */
function claimsIn(events: readonly LogLine[]): Map<string, number> {
  const claims = new Map<string, number>();
  for (const { event } of events) {
    const { seen } = event.d;
    if (event.t !== 'log.mark' || !isJsonObject(seen)) continue;
    for (const [writer, n] of Object.entries(seen))
      if (isWriterId(writer) && isSequenceNumber(n))
        claims.set(writer, Math.max(claims.get(writer) ?? 0, n));
  }
  return claims;
}

/** What each writer has called its device last. */
function devicesIn(lines: readonly LogLine[]): Map<string, string> {
  const openings = lines.map(({ event }) => event).filter(({ t }) => t === 'log.seg');
  const named = openings
    .sort(compareStamps)
    .flatMap(({ w, d: { device } }) => (typeof device === 'string' ? [[w, device] as const] : []));
  return new Map(named);
}

/**
 * The seals that do not fit the lines that they were set on. These are told by their numbers, in whatever file they lie by now:
 * a healed, imported or renamed line is as good as one in its first place. Where one of them is not held, or two bear its number,
 * there is nothing to compare; that is reported as such.
 */
async function brokenSeals(lines: readonly LogLine[]): Promise<VerifyProblem[]> {
  const found: VerifyProblem[] = [];
  const seals = lines.filter(({ event: { v, t } }) => v === 1 && t === 'log.seal');
  const byWriter = linesByNumber(lines, new Set(seals.map(({ event }) => event.w)));
  for (const { event, path, from } of seals) {
    const { count, sha256: sealed } = event.d;
    const isPossible = isSequenceNumber(count) && count < event.n;
    const above = isPossible ? linesBetween(byWriter.get(event.w)!, event.n - count, event.n) : [];
    if (above && (await sha256(joinBytes(above.flatMap((line) => [line, NEWLINE])))) !== sealed)
      found.push({ kind: 'seal', path, from });
  }
  return found;
}

/** The bytes of each line by writer and number; null where two lines bear one number. */
type NumberedLines = Map<number, Uint8Array | null>;

function linesByNumber(
  lines: readonly LogLine[],
  writers: ReadonlySet<string>,
): Map<string, NumberedLines> {
  const byWriter = new Map(
    [...writers].map((writer) => [writer, new Map<number, Uint8Array | null>()]),
  );
  for (const { event, bytes } of lines) {
    const numbered = byWriter.get(event.w);
    numbered?.set(event.n, numbered.has(event.n) ? null : bytes);
  }
  return byWriter;
}

/** The lines from number `from` up to, not including, `end`; undefined where one of them is missing or not the only one. */
function linesBetween(
  numbered: NumberedLines,
  from: number,
  end: number,
): Uint8Array[] | undefined {
  const found: Uint8Array[] = [];
  for (let n = from; n < end; n++) {
    const line = numbered.get(n);
    if (!line) return undefined;
    found.push(line);
  }
  return found;
}

async function brokenStates(events: readonly LogLine[]): Promise<VerifyProblem[]> {
  const found: VerifyProblem[] = [];
  for (const { event, path, from } of events) {
    if (event.t === 'state.new' && !(await isStateWhole(event)))
      found.push({ kind: 'content', path, from });
  }
  return found;
}

/** A workspace may be known by its changes alone: then the line that created it is missing. */
function strayStates(lines: readonly LogLine[]): VerifyProblem[] {
  const memory = memoryOf(lines);
  return lines.flatMap(({ event, lane, path, from }): VerifyProblem[] => {
    const state =
      lane === 'core' && event.t === 'state.new' ? stateOf(entityOf(memory, event.e)) : undefined;
    return state && entityOf(memory, state.workspaceId).created?.t !== 'ws.new'
      ? [{ kind: 'stray', path, from }]
      : [];
  });
}

async function isStateWhole(event: LogEvent): Promise<boolean> {
  const state = stateOf(entityOf(apply(emptyMemory, event), event.e));
  return state !== undefined && (await sha256(stateText(state))) === state.sha;
}

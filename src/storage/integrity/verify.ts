import { compareStamps, compareText, isJsonObject, type LogEvent } from '../../model/event.js';
import { apply, emptyMemory, entityOf } from '../../model/memory.js';
import type { VaultPath } from '../../model/paths.js';
import { stateOf, stateText } from '../../model/state.js';
import { agreementsIn, type DeviceAgreement } from './device-agreement.js';
import { joinBytes } from '../../platform/bytes/bytes.js';
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
  /** Each device's events at its last watermark, compared with those that are here. */
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
  const contents = await readLogLines(files, root, scheduler);
  const { lines } = contents;
  const understood = lines.filter(({ event }) => event.v === 1);
  const problems: VerifyProblem[] = [
    ...contents.problems,
    ...contents.unreadable.map((path): VerifyProblem => ({ kind: 'waiting', path, from: 0 })),
    ...(await brokenSeals(lines)),
    ...(await brokenStates(understood)),
    ...strayStates(understood),
    ...lines.flatMap(({ event, path, from }): VerifyProblem[] =>
      event.v > 1 ? [{ kind: 'newer', path, from }] : [],
    ),
  ];
  const retired = retiredRanges(understood);
  const announced = announcedIn(understood);
  const devices = devicesIn(understood);
  const ids = new Set([...contents.writers.keys(), ...announced.keys(), ...retired.keys()]);
  const writers = [...ids].map((writer) =>
    reportWriter({
      writer,
      state: contents.writers.get(writer),
      device: devices.get(writer) ?? '',
      announced: announced.get(writer) ?? 0,
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
  readonly state: WriterState | undefined;
  readonly device: string;
  /** The highest number that a watermark mentions. */
  readonly announced: number;
  readonly retired: readonly NumberRange[];
}

function reportWriter({ writer, state, device, announced, retired }: WriterFacts): WriterReport {
  const contiguous = state?.crcs.length ?? 0;
  const outOfOrder = [...(state?.outOfOrder.keys() ?? [])];
  const forks = state?.forks.size ?? 0;
  const claimed = retired.reduce(
    (highest, [, to]) => Math.max(highest, to),
    Math.max(announced, state?.lastNumber ?? 0),
  );
  const notRetired = gaps(retired, claimed).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return {
    writer,
    lane: state?.lane ?? 'core',
    device,
    held: contiguous + outOfOrder.length + forks,
    claimed,
    forks,
    missing: gaps(
      [[1, contiguous], ...outOfOrder.map((n): NumberRange => [n, n]), ...retired],
      claimed,
    ),
    retired: claimed - notRetired,
  };
}

/** Returns the parts of 1 to `end` that are in none of the ranges, which all end at `end` or before. */
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

/** Returns the highest sequence number that a watermark mentions, by writer. */
function announcedIn(events: readonly LogLine[]): Map<string, number> {
  const announced = new Map<string, number>();
  for (const { event } of events) {
    const { seen } = event.d;
    if (event.t !== 'log.mark' || !isJsonObject(seen)) continue;
    for (const [writer, n] of Object.entries(seen))
      if (isWriterId(writer) && isSequenceNumber(n))
        announced.set(writer, Math.max(announced.get(writer) ?? 0, n));
  }
  return announced;
}

/** Returns the latest device name of each writer. */
function devicesIn(lines: readonly LogLine[]): Map<string, string> {
  const openings = lines.map(({ event }) => event).filter(({ t }) => t === 'log.seg');
  const named = openings
    .sort(compareStamps)
    .flatMap(({ w, d: { device } }) => (typeof device === 'string' ? [[w, device] as const] : []));
  return new Map(named);
}

/**
 * Returns the seals that do not match the lines which they sealed. It finds these by number in any file, since a line may have been
 * healed, imported or renamed. If one of them is missing, or two have its number, there is nothing to compare: both are reported
 * separately.
 */
async function brokenSeals(lines: readonly LogLine[]): Promise<VerifyProblem[]> {
  const found: VerifyProblem[] = [];
  const seals = lines.filter(({ event: { v, t } }) => v === 1 && t === 'log.seal');
  const byWriter = linesByNumber(lines, new Set(seals.map(({ event }) => event.w)));
  for (const { event, path, from } of seals) {
    const { count, sha256: expected } = event.d;
    const isPossible = isSequenceNumber(count) && count < event.n;
    const sealed = isPossible ? linesBetween(byWriter.get(event.w)!, event.n - count, event.n) : [];
    if (sealed && (await hashOf(sealed)) !== expected) found.push({ kind: 'seal', path, from });
  }
  return found;
}

function hashOf(lines: readonly Uint8Array[]): Promise<string> {
  return sha256(joinBytes(lines.flatMap((line) => [line, NEWLINE])));
}

/** One writer's lines by number; null if two lines have the same number. */
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

/** Returns the lines from number `from` up to but excluding `end`; undefined if a number is missing or has two lines. */
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

/** A workspace of which only changes are known counts as missing: the line that created it is not here. */
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

import { compareText, stampTime } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import type { Copies } from '../copies/copies.js';
import { isRetirable, LANES, type LaneName } from '../format/lanes.js';
import {
  countNumbers,
  gapsBetween,
  joinRanges,
  type NumberRange,
} from '../format/number-ranges.js';
import type { LogLine } from '../log-lines.js';
import type { HeldWriter } from './device-agreement.js';
import { watermarkOf, type LastLine, type SeenWriter } from '../format/watermark.js';
import { addToList } from '../../platform/lists.js';
import { firstIndex } from '../../model/sorted/first-index.js';

/** Present and missing events of one writer. */
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
  /** A line next to the first missing event, if one is here: its file and UTC day. */
  readonly missingNear?: { readonly path: VaultPath; readonly day: string };
  /** Missing events that the user no longer wants reported; not part of `missing`. */
  readonly dismissed: readonly NumberRange[];
  /**
   * Numbers that may have been used twice, as after a backup was restored: a watermark or the next
   * event contradicts the last event of each range; those before it may be affected too.
   */
  readonly replaced: readonly NumberRange[];
  /** Number of events that were removed by retention (`log.retire`). */
  readonly retired: number;
  /** Number of events whose sequence number another event has too; all of them take effect. */
  readonly forks: number;
  /** The writer whose watermarks alone mention this one, if nothing of this one is here. */
  readonly onlyMentionedBy?: string;
}

/** Number of events by which a writer can be ahead of what is here; more are forged. */
export const MAX_UNSEEN_EVENTS = 1_000_000;

/** Returns true for a number that a writer, whose last event here is `last`, can have reached. */
export function isPossibleNumber(n: number, last: number): boolean {
  return n <= last + MAX_UNSEEN_EVENTS;
}

interface WriterContext {
  readonly devices: ReadonlyMap<string, string>;
  readonly retired: ReadonlyMap<string, readonly NumberRange[]>;
  readonly dismissed: ReadonlyMap<string, readonly NumberRange[]>;
  /** The last lines of writers of this device, as it remembers itself. */
  readonly lacking: ReadonlyMap<string, LastLine>;
}

/** What a watermark mentions. `source`: the writer of the watermark. */
type Announced = SeenWriter & { readonly source: string };

/** The lines of one writer by sequence number; several after a fork. */
type NumberedLines = Map<number, LogLine[]>;

/** Returns true if a line with this number and hash is here. */
type IsHere = (n: number, hash: string) => boolean;

/** Reports on every writer that has written, or that a watermark or a retirement mentions. */
export function reportWriters(
  lines: readonly LogLine[],
  context: WriterContext,
): { writers: WriterReport[]; held: HeldWriter[] } {
  const byWriter = new Map<string, NumberedLines>();
  for (const line of lines) {
    const { w, n } = line.event;
    const numbered = byWriter.get(w) ?? new Map<number, LogLine[]>();
    byWriter.set(w, numbered);
    addToList(numbered, n, line);
  }
  const announced = announcedIn(lines, byWriter, context.lacking);
  const ids = new Set([...byWriter.keys(), ...announced.keys(), ...context.retired.keys()]);
  const writers = [...ids].map((writer) =>
    reportWriter(
      writer,
      byWriter.get(writer) ?? new Map<number, LogLine[]>(),
      announced.get(writer) ?? [],
      context,
    ),
  );
  const held = [...byWriter].flatMap(([writer, numbered]) => heldWriter(writer, numbered));
  return { writers: writers.sort((a, b) => compareText(a.writer, b.writer)), held };
}

function reportWriter(
  writer: string,
  numbered: NumberedLines,
  announced: readonly Announced[],
  { devices, retired: allRetired, dismissed: allDismissed }: WriterContext,
): WriterReport {
  const lines = [...numbered.values()].flat();
  const isHere = isHereAmong(lines);
  const lane = laneOfWriter(lines, announced);
  const retired = isRetirable(lane) ? (allRetired.get(writer) ?? []) : [];
  const claimed = retired.reduce(
    (highest, [, to]) => Math.max(highest, to),
    Math.max(announced.at(-1)?.n ?? 0, lastNumber(numbered)),
  );
  const present = [...numbered.keys()].map((n): NumberRange => [n, n]).concat(retired);
  const missing = gapsBetween([...present, ...(allDismissed.get(writer) ?? [])], claimed);
  return {
    writer,
    lane,
    device: devices.get(writer) ?? '',
    held: lines.length,
    claimed,
    missing,
    ...lineBeside(numbered, missing[0]),
    dismissed: gapsBetween([...present, ...missing], claimed),
    replaced: joinRanges(
      [
        ...replacedRanges(numbered, announced, isHere),
        ...unfollowedRanges(lines, numbered, isHere),
      ],
      claimed,
    ),
    retired: claimed - countNumbers(gapsBetween(retired, claimed)),
    forks: lines.length - numbered.size,
    ...(lines.length === 0 && onlySource(announced)),
  };
}

/** Does not look at each fork, of which anyone with access to the vault can forge any number. */
function isHereAmong(lines: readonly LogLine[]): IsHere {
  const keys = new Set(lines.map(({ event: { n }, hash }) => `${n} ${hash}`));
  return (n, hash) => keys.has(`${n} ${hash}`);
}

function lineBeside(
  numbered: NumberedLines,
  range: NumberRange | undefined,
): Pick<WriterReport, 'missingNear'> {
  const [line] = (range && (numbered.get(range[0] - 1) ?? numbered.get(range[1] + 1))) ?? [];
  return line ? { missingNear: { path: line.path, day: stampTime(line.event).slice(0, 10) } } : {};
}

/** Returns the lane of a writer's creations, or other lines, or a watermark; otherwise `trace`. */
function laneOfWriter(lines: readonly LogLine[], announced: readonly SeenWriter[]): LaneName {
  const created = lines.filter(({ event }) => event.t.endsWith('.new'));
  const lanes = new Set((created.length > 0 ? created : lines).map(({ lane }) => lane));
  return LANES.find((lane) => lanes.has(lane)) ?? announced[0]?.lane ?? 'trace';
}

function lastNumber(numbered: NumberedLines | undefined): number {
  return [...(numbered?.keys() ?? [])].reduce((highest, n) => Math.max(highest, n), 0);
}

function onlySource(announced: readonly Announced[]): Pick<WriterReport, 'onlyMentionedBy'> {
  const [first] = announced;
  const isOnly = first && announced.every(({ source }) => source === first.source);
  return isOnly ? { onlyMentionedBy: first.source } : {};
}

/** Returns announced and uncopied events by writer, ascending, without impossible numbers. */
function announcedIn(
  lines: readonly LogLine[],
  byWriter: ReadonlyMap<string, NumberedLines>,
  lacking: WriterContext['lacking'],
): Map<string, Announced[]> {
  const announced = new Map<string, Announced[]>();
  for (const [writer, each] of lacking)
    announced.set(writer, [{ lane: 'core', writer, source: writer, ...each }]);
  const last = new Map([...byWriter].map(([writer, numbered]) => [writer, lastNumber(numbered)]));
  for (const { event } of lines)
    for (const seen of watermarkOf(event)?.seen ?? []) {
      const { writer, n } = seen;
      if (!isPossibleNumber(n, last.get(writer) ?? 0)) continue;
      addToList(announced, writer, { ...seen, source: event.w });
    }
  for (const seen of announced.values()) seen.sort((a, b) => a.n - b.n);
  return announced;
}

/**
 * Returns a range for each announced event in whose place another one is here: the numbers after
 * the last announced event before it in whose place there is any, up to that event. That other one
 * may be of another branch, as of a clone; of a branch that ends here before, the rest counts too.
 */
function replacedRanges(
  numbered: NumberedLines,
  announced: readonly SeenWriter[],
  isHere: IsHere,
): NumberRange[] {
  const known = announced.filter(({ n, hash }) => hash !== undefined && numbered.has(n));
  const replaced = known.filter(({ n, hash }) => !isHere(n, hash!));
  const ends = replaced.length > 0 ? branchEnds(numbered) : [];
  const numbers = known.map(({ n }) => n);
  return replaced.map(({ n }) => {
    const before = lastBelow(numbers, n);
    const end = lastBelow(ends, n);
    return [(end > 0 ? Math.min(before, end) : before) + 1, n];
  });
}

/** Returns, ascending, the numbers of lines that none follows although the next number exists. */
function branchEnds(numbered: NumberedLines): number[] {
  const ends = [...numbered].flatMap(([n, lines]) => {
    const next = numbered.get(n + 1);
    const followed = new Set(next?.map(({ event: { p } }) => p));
    return next && !lines.every(({ hash }) => followed.has(hash)) ? [n] : [];
  });
  return ends.sort((a, b) => a - b);
}

/** Returns the last of the ascending numbers that is lower than `n`; 0 if none is. */
function lastBelow(numbers: readonly number[], n: number): number {
  return numbers[firstIndex(numbers.length, (at) => numbers[at]! >= n) - 1] ?? 0;
}

/** Returns a range per line that follows another line than the one with the preceding number. */
function unfollowedRanges(
  lines: readonly LogLine[],
  numbered: NumberedLines,
  isHere: IsHere,
): NumberRange[] {
  return lines.flatMap(({ event: { n, p } }): NumberRange[] =>
    numbered.has(n - 1) && !isHere(n - 1, p) ? [[n - 1, n - 1]] : [],
  );
}

function heldWriter(writer: string, numbered: NumberedLines): HeldWriter[] {
  const lines = [...numbered.values()].flat();
  if (laneOfWriter(lines, []) !== 'core') return [];
  const last = lines.reduce(
    (highest, { event: { t, n } }) => (t.startsWith('log.') ? highest : Math.max(highest, n)),
    0,
  );
  const ranges = [...numbered.keys()].map((n): NumberRange => [n, n]);
  return [
    {
      writer,
      last,
      missing: gapsBetween(ranges, last),
      hashesOf: (n) => (numbered.get(n) ?? []).map(({ hash }) => hash),
    },
  ];
}

/** Stops reporting what these writers lack now, on this device only. Later losses are reported. */
export async function dismissMissing(
  copies: Copies,
  writers: readonly WriterReport[],
): Promise<void> {
  const added = writers.map(
    ({ writer, claimed, missing, dismissed }) =>
      [writer, joinRanges([...missing, ...dismissed], claimed)] as const,
  );
  await copies.updateRecord((record = { ids: [] }) => ({
    ...record,
    dismissed: { ...record.dismissed, ...Object.fromEntries(added) },
  }));
}

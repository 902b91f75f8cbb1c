import type { LogEvent } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { FileInfo, Files } from '../../platform/files.js';
import { hold, type Holdings } from './writer-index.js';
import type { Keeper } from './segment-cache.js';
import { isPlaceholderName, isSegmentName, type Lane } from '../format/lanes.js';
import { decodeLine } from '../format/line.js';
import type { Pause } from '../../platform/scheduler.js';
import {
  readSegment,
  segmentBytes,
  type HeldLine,
  type LineProblem,
  type SegmentReading,
} from '../format/segment.js';

/** An event and where it stands. */
export interface PlacedEvent extends HeldLine {
  readonly path: VaultPath;
}

/** A segment as it was when it was last read. */
interface SegmentRecord {
  /** Bytes. */
  size: number;
  /** As the file was said to be then; undefined where nobody has asked, or it was changing. */
  info: FileInfo | undefined;
  settled: number;
  /** The last line that is settled. */
  last: HeldLine | undefined;
  problems: LineProblem[];
}

export interface Reader {
  /**
   * Reads what has come since the last scan; answers the events that were not held before. Of the sealed segments, to which nothing
   * comes, it looks at those that were suspected, and at the next `looks` of the others: in the end at each.
   */
  scan(looks?: number): Promise<PlacedEvent[]>;
  /** The file may have changed though nothing should have come to it. */
  suspect(path: VaultPath): void;
  /** Takes in what this process itself has just appended, so that no scan reads it again. */
  note(path: VaultPath, info: FileInfo, lines: readonly HeldLine[]): void;
  /** By segment: what in it is not an event. */
  problems(): ReadonlyMap<VaultPath, readonly LineProblem[]>;
  /** Whether, since this was last asked, a segment that had been read was gone, had shrunk, or was not what it had been. */
  hasLost(): boolean;
  /** Files that cannot be read now, or are not downloaded yet: never taken for deleted. */
  waiting(): readonly VaultPath[];
}

/** So many files are read at a time: more would not be quicker, and each takes a handle. */
export const PARALLEL_READS = 16;

export interface ReaderOptions {
  /** Comes between two segments. */
  readonly pause?: Pause | undefined;
  /** Hears of every event that is read, held already or not, and where it stands; `isWhole`: the file holds no others. */
  readonly placed?: (path: VaultPath, lines: readonly HeldLine[], isWhole: boolean) => void;
  /** Where what is read is kept for the next start. */
  readonly keeper?: Keeper | undefined;
}

/** Reads one lane of the log under `root`, and goes on from where it was. */
export function createReader(
  files: Files,
  root: VaultPath,
  lane: Lane,
  holdings: Holdings,
  options: ReaderOptions = {},
): Reader {
  const { pause, placed, keeper } = options;
  const segments = new Map<VaultPath, SegmentRecord>();
  const suspects = new Set<VaultPath>();
  /** Sealed segments still to be looked at in this round. */
  let round: VaultPath[] = [];
  const folders = new Set<VaultPath>([`${root}/${lane}`]);
  /** Held, but not answered yet: what a scan that failed has found is answered by the next. */
  const found: PlacedEvent[] = [];
  let waiting: VaultPath[] = [];
  let isLost = false;

  async function scan(looks = 0): Promise<PlacedEvent[]> {
    waiting = [];
    const [listed] = await allEnded([
      listSegments(),
      readAll(takeDue(looks)),
      keeper?.load() ?? Promise.resolve(),
    ]);
    const there = new Set(listed);
    for (const path of [...segments.keys()]) if (!there.has(path)) forget(path);
    await readAll(listed.filter((path) => !segments.has(path)));
    keeper?.settle(there);
    return found.splice(0);
  }

  /** What may have changed. */
  function takeDue(looks: number): VaultPath[] {
    const due = new Set(
      [...segments]
        .filter(([path, record]) => !isSealed(record) || suspects.has(path))
        .map(([path]) => path),
    );
    suspects.clear();
    if (looks > 0 && round.length === 0) round = [...segments.keys()].reverse();
    for (const path of round.splice(-looks, looks)) if (segments.has(path)) due.add(path);
    return [...due];
  }

  /** The file is gone; what it held stays held. */
  function forget(path: VaultPath): void {
    isLost = true;
    segments.delete(path);
    keeper?.forget(path);
    placed?.(path, [], true);
  }

  async function readAll(paths: readonly VaultPath[]): Promise<void> {
    await eachInParallel(paths, PARALLEL_READS, async (path) => {
      try {
        await readNew(path);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        waiting.push(path);
      }
    });
  }

  /** Lists the folders known from earlier scans all at once, then those found in them. */
  async function listSegments(): Promise<VaultPath[]> {
    const paths: VaultPath[] = [];
    const listed = new Set<VaultPath>();
    for (
      let next = [...folders];
      next.length > 0;
      next = [...folders].filter((folder) => !listed.has(folder))
    ) {
      await allEnded(next.map((folder) => listFolder(folder, paths)));
      for (const folder of next) listed.add(folder);
    }
    return paths;
  }

  async function listFolder(folder: VaultPath, paths: VaultPath[]): Promise<void> {
    for (const { name, kind } of await files.list(folder)) {
      const path = `${folder}/${name}`;
      if (kind === 'folder') folders.add(path);
      else if (isSegmentName(name)) paths.push(path);
      else if (isPlaceholderName(name)) waiting.push(path);
    }
  }

  async function readNew(path: VaultPath): Promise<void> {
    const record = segments.get(path);
    const before = record || keeper ? await files.stat(path) : undefined;
    if (record && !before) return; // the listing says the same
    if (record && before && before.size < record.size) isLost = true;
    if (record && before && isUnchanged(record, before)) return void (record.info = before);
    const rest =
      record && before && mayHaveGrown(record, before) ? await readGrown(path, record) : undefined;
    while (keeper && pause?.isDue()) await pause.take();
    const kept = before && !record ? await findKept(path, before) : undefined;
    const whole = rest || kept ? undefined : await files.read(path);
    while (pause?.isDue()) await pause.take(); // here, for many reads may have ended together
    const fresh = whole && readSegment(segmentBytes(whole));
    const reading =
      rest ??
      (kept && before ? { ...kept, size: before.size } : fresh && { ...fresh, size: whole.length });
    if (!reading) return;
    if (record?.last && !rest && !hasLine(reading, record.last)) isLost = true;
    // A read may have come to less than the file is said to hold: then the file counts as changed at the next scan.
    const info = before && before.size <= reading.size ? before : undefined;
    const next: SegmentRecord = {
      info,
      size: info?.size ?? reading.size,
      settled: reading.settled,
      last:
        reading.lines.findLast(({ to }) => to <= reading.settled) ??
        (rest ? record?.last : undefined),
      problems: reading.problems,
    };
    // Most segments are sealed when they are first read: not to ask for what nobody will compare is a tenth of the start.
    const after = before || isSealed(next) ? undefined : await files.stat(path);
    segments.set(path, after?.size === next.size ? { ...next, info: after } : next);
    if (fresh && before) keeper?.keep(path, before, whole, fresh);
    else if (rest) keeper?.grown(path, rest.size - (record?.size ?? 0), isSealed(next));
    placed?.(path, reading.lines, !rest);
    for (const { event, from, to } of reading.lines)
      if (hold(holdings, lane, event) !== 'known') found.push({ event, from, to, path });
  }

  /** What was kept of a segment. Of one that is not sealed the end is compared: a power cut changes what had not reached the disk, and no more than that. */
  async function findKept(path: VaultPath, info: FileInfo): Promise<SegmentReading | undefined> {
    const kept = keeper?.find(path, info);
    const last = kept?.lines.at(-1);
    if (!last || last.event.t === 'log.seal') return kept;
    const tail = await files.read(path, last.from);
    return tail && hasLineAt(tail, last) ? kept : undefined;
  }

  /** The part beyond what is settled, where the last line that was read still stands in its place; undefined where it does not. */
  async function readGrown(
    path: VaultPath,
    { last, settled }: SegmentRecord,
  ): Promise<(SegmentReading & { size: number }) | undefined> {
    if (!last) return undefined;
    const tail = await files.read(path, last.from);
    if (!tail || !hasLineAt(tail, last)) return undefined;
    const { lines, problems, settled: settledInTail } = readSegment(tail, settled - last.from);
    return {
      lines: lines.map(({ event, from, to }) => ({
        event,
        from: from + last.from,
        to: to + last.from,
      })),
      problems: problems.map(({ kind, from }) => ({ kind, from: from + last.from })),
      settled: settledInTail + last.from,
      size: tail.length + last.from,
    };
  }

  return {
    scan,
    suspect: (path) => void suspects.add(path),
    note(path, info, lines) {
      for (const { event } of lines) hold(holdings, lane, event);
      placed?.(path, lines, false);
      const before = segments.get(path);
      const { size } = info;
      const isAllKnown = lines[0]?.from === (before?.size ?? 0);
      if (!isAllKnown) return;
      const record: SegmentRecord = {
        size,
        info,
        settled: size,
        last: lines.at(-1),
        problems: before?.problems ?? [],
      };
      segments.set(path, record);
      keeper?.grown(path, size - (before?.size ?? 0), isSealed(record));
    },
    problems: () => new Map([...segments].map(([path, { problems }]) => [path, problems])),
    waiting: () => waiting,
    hasLost() {
      const answer = isLost;
      isLost = false;
      return answer;
    },
  };
}

/** Reads the event at each place that a reader has answered; undefined where it stands there no more. */
export async function readPlaced(
  files: Files,
  places: readonly PlacedRange[],
  pause?: Pause,
): Promise<(LogEvent | undefined)[]> {
  const paths = [...new Set(places.map(({ path }) => path))];
  const contents = new Map<VaultPath, Uint8Array>();
  await eachInParallel(paths, PARALLEL_READS, async (path) => {
    const raw = await files.read(path);
    if (raw) contents.set(path, segmentBytes(raw));
  });
  const events: (LogEvent | undefined)[] = [];
  for (const { path, from, to } of places) {
    while (pause?.isDue()) await pause.take();
    const bytes = contents.get(path);
    const reading = bytes && to <= bytes.length ? decodeLine(bytes, from, to) : undefined;
    events.push(reading && 'event' in reading ? reading.event : undefined);
  }
  return events;
}

/** Where a line stands. */
export type PlacedRange = Pick<PlacedEvent, 'path' | 'from' | 'to'>;

/** Whether nothing can come to it any more; what is damaged may yet be replaced by what is whole. */
function isSealed(record: SegmentRecord): boolean {
  return (
    record.last?.event.t === 'log.seal' &&
    record.settled >= record.size &&
    record.problems.length === 0
  );
}

/** Not so where it is another file, or where what was damaged may be whole by now, above the last line. */
function mayHaveGrown({ size, info, settled, problems }: SegmentRecord, now: FileInfo): boolean {
  return (
    now.size > size &&
    info !== undefined &&
    now.fileId === info.fileId &&
    problems.every(({ from }) => from >= settled)
  );
}

/** Of a sealed segment at which nobody has looked since it was read, the length must do. */
function isUnchanged(record: SegmentRecord, now: FileInfo): boolean {
  const { size, info } = record;
  if (!info) return isSealed(record) && now.size === size;
  return info.size === now.size && info.mtime === now.mtime && info.fileId === now.fileId;
}

/** Whether the line stands where the tail begins. */
function hasLineAt(tail: Uint8Array, { event, from, to }: HeldLine): boolean {
  const again = to - from <= tail.length ? decodeLine(tail, 0, to - from) : undefined;
  return again !== undefined && 'event' in again && again.event.c === event.c;
}

function hasLine({ lines }: SegmentReading, { event: { w, n, c } }: HeldLine): boolean {
  return lines.some(({ event }) => event.w === w && event.n === n && event.c === c);
}

/** Runs the task for each item, at most `width` at a time. */
export async function eachInParallel<T>(
  items: readonly T[],
  width: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const workers = Array.from({ length: Math.min(width, items.length) }, async () => {
    for (let at = next++; at < items.length; at = next++) await task(items[at]!);
  });
  await allEnded(workers);
}

/** As `Promise.all`, but where one fails the others have ended too: none works on behind the caller's back. */
async function allEnded<T extends readonly Promise<unknown>[] | []>(
  tasks: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

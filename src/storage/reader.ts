import type { LogEvent } from '../model/event.js';
import type { VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import type { FileInfo, Files } from './files.js';
import { hold, type Holdings } from './holdings.js';
import { isPlaceholderName, isSegmentName, type Lane } from './lanes.js';
import { decodeLine } from './line.js';
import { readSegment, segmentBytes, type HeldLine, type LineProblem, type SegmentReading } from './segment.js';

/** An event and where it stands. */
export interface PlacedEvent extends HeldLine {
  readonly path: VaultPath;
}

/** A segment as it was when it was last read. */
interface SegmentRecord {
  info: FileInfo;
  settled: number;
  /** The last line that is settled. */
  last: HeldLine | undefined;
  problems: LineProblem[];
}

export interface Reader {
  /** Reads what has come since the last scan; answers the events that were not held before. Sealed segments are not looked at again. */
  scan(): Promise<PlacedEvent[]>;
  /** Takes in what this process itself has just appended, so that no scan reads it again. */
  note(path: VaultPath, info: FileInfo, lines: readonly HeldLine[]): void;
  /** By segment: what in it is not an event. */
  problems(): ReadonlyMap<VaultPath, readonly LineProblem[]>;
  /** Whether, since this was last asked, a segment that had been read was gone or had shrunk. */
  hasLost(): boolean;
  /** Files that cannot be read now, or are not downloaded yet: never taken for deleted. */
  waiting(): readonly VaultPath[];
}

/** So many files are read at a time: more would not be quicker, and each takes a handle. */
export const PARALLEL_READS = 16;

/** Reads one lane of the log under `root`, and goes on from where it was. */
export function createReader(files: Files, root: VaultPath, lane: Lane, holdings: Holdings): Reader {
  const segments = new Map<VaultPath, SegmentRecord>();
  const folders = new Set<VaultPath>([`${root}/${lane}`]);
  /** Held, but not answered yet: what a scan that failed has found is answered by the next. */
  const found: PlacedEvent[] = [];
  let waiting: VaultPath[] = [];
  let isLost = false;

  async function scan(): Promise<PlacedEvent[]> {
    waiting = [];
    const growing = [...segments].filter(([, record]) => !isSealed(record)).map(([path]) => path);
    const [listed] = await allEnded([listSegments(), readAll(growing)]);
    await readAll(listed.filter((path) => !segments.has(path)));
    return found.splice(0);
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
    for (let next = [...folders]; next.length > 0; next = [...folders].filter((folder) => !listed.has(folder))) {
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
    const before = record && (await files.stat(path));
    if (record && (!before || before.size < record.info.size)) isLost = true;
    if (record && (!before || isSame(record.info, before))) return;
    const rest = record && before && mayHaveGrown(record, before) ? await readGrown(path, record) : undefined;
    const whole = rest ? undefined : await files.read(path);
    const reading = rest ?? (whole && { ...readSegment(segmentBytes(whole)), size: whole.length });
    if (!reading) return;
    const next: SegmentRecord = {
      // A read may have come to less than the file is said to hold: then the file counts as grown at the next scan.
      info: before && before.size <= reading.size ? before : { kind: 'file', size: reading.size, mtime: 0 },
      settled: reading.settled,
      last: reading.lines.findLast(({ to }) => to <= reading.settled) ?? (rest ? record?.last : undefined),
      problems: rest && record ? [...record.problems.filter(({ from }) => from < record.settled), ...reading.problems] : reading.problems,
    };
    // Most segments are sealed when they are first read: not to ask for what nobody will compare is a tenth of the start.
    const after = before || isSealed(next) ? undefined : await files.stat(path);
    segments.set(path, after?.size === next.info.size ? { ...next, info: after } : next);
    for (const { event, from, to } of reading.lines) if (hold(holdings, lane, event) !== 'known') found.push({ event, from, to, path });
  }

  /** The part beyond what is settled, where the last line that was read still stands in its place; undefined where it does not. */
  async function readGrown(path: VaultPath, { last, settled }: SegmentRecord): Promise<(SegmentReading & { size: number }) | undefined> {
    if (!last) return undefined;
    const tail = await files.read(path, last.from);
    const again = tail && decodeLine(tail, 0, last.to - last.from);
    if (!again || !('event' in again) || again.event.c !== last.event.c) return undefined;
    const { lines, problems, settled: settledInTail } = readSegment(tail, settled - last.from);
    return {
      lines: lines.map(({ event, from, to }) => ({ event, from: from + last.from, to: to + last.from })),
      problems: problems.map(({ kind, from }) => ({ kind, from: from + last.from })),
      settled: settledInTail + last.from,
      size: tail.length + last.from,
    };
  }

  return {
    scan,
    note(path, info, lines) {
      for (const { event } of lines) hold(holdings, lane, event);
      const before = segments.get(path);
      const isAllKnown = lines[0]?.from === (before?.info.size ?? 0);
      if (isAllKnown) segments.set(path, { info, settled: info.size, last: lines.at(-1), problems: before?.problems ?? [] });
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

/** Reads the event at a place that a reader has answered; undefined when it stands there no more. */
export async function readPlaced(files: Files, places: readonly PlacedRange[]): Promise<(LogEvent | undefined)[]> {
  const paths = [...new Set(places.map(({ path }) => path))];
  const contents = new Map<VaultPath, Uint8Array>();
  await eachInParallel(paths, PARALLEL_READS, async (path) => {
    const raw = await files.read(path);
    if (raw) contents.set(path, segmentBytes(raw));
  });
  return places.map(({ path, from, to }) => {
    const bytes = contents.get(path);
    const reading = bytes && to <= bytes.length ? decodeLine(bytes, from, to) : undefined;
    return reading && 'event' in reading ? reading.event : undefined;
  });
}

/** Where a line stands. */
export type PlacedRange = Pick<PlacedEvent, 'path' | 'from' | 'to'>;

/** Whether nothing can come to it any more; what is damaged may yet be replaced by what is whole. */
function isSealed(record: SegmentRecord): boolean {
  return record.last?.event.t === 'log.seal' && record.settled >= record.info.size && record.problems.length === 0;
}

/** Not so where it is another file, or where what was damaged may be whole by now, above the last line. */
function mayHaveGrown({ info, settled, problems }: SegmentRecord, now: FileInfo): boolean {
  return now.size > info.size && now.fileId === info.fileId && problems.every(({ from }) => from >= settled);
}

function isSame(a: FileInfo, b: FileInfo): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.fileId === b.fileId;
}

/** Runs the task for each item, at most `width` at a time. */
export async function eachInParallel<T>(items: readonly T[], width: number, task: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const workers = Array.from({ length: Math.min(width, items.length) }, async () => {
    for (let at = next++; at < items.length; at = next++) await task(items[at]!);
  });
  await allEnded(workers);
}

/** As `Promise.all`, but where one fails the others have ended too: none works on behind the caller's back. */
async function allEnded<T extends readonly Promise<unknown>[] | []>(tasks: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(tasks);
  return Promise.all(tasks);
}

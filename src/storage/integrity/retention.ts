import { stampTime, type Draft } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { Clock } from '../../platform/clock.js';
import type { FileInfo, Files } from '../../platform/files.js';
import { isSegmentName } from '../format/lanes.js';
import type { Retired } from './retirements.js';
import { readSegment, segmentBytes, type HeldLine } from '../format/segment.js';
import { sha256 } from '../../platform/sha256.js';

/** How long traces are kept, and how many bytes of them. */
export interface TraceLimits {
  readonly days: number;
  readonly bytes: number;
}

export const TRACE_LIMITS: TraceLimits = { days: 90, bytes: 50 * 1024 * 1024 };

export interface RetentionOptions {
  readonly files: Files;
  readonly root: VaultPath;
  readonly clock: Clock;
  readonly limits: TraceLimits;
  /** What this device calls itself in its segments. */
  readonly device: string;
  /** The writer of traces that this process uses. */
  readonly writer: () => string | undefined;
  readonly retired: Retired;
  /** Reads what has come to the core lane. */
  readonly catchUp: () => Promise<void>;
  /** Adds to the core lane; resolves once that would survive a power cut. */
  readonly write: (decide: () => Draft[]) => Promise<unknown>;
  readonly warn: (message: string) => void;
}

/** Takes out traces that are past the limits: whole segments, first by an event that says so, a day later by deleting the file. */
export interface Retention {
  /** Begins some minutes from now, and goes on once a day. */
  plan(): void;
  /** Resolves when nothing is under way any more. */
  stop(): Promise<void>;
}

const DAY = 24 * 60 * 60 * 1000;
const FIRST_AFTER_MS = 5 * 60 * 1000;
/** Between one file and the next: nobody is to feel it. */
const STEP_MS = 100;
/** What may still be somebody's, or still be written to, is left alone for so much longer. */
const GRACE_MS = 30 * DAY;
/** A sync service may carry the deletion sooner than the event that says why. */
const DELETE_AFTER_MS = DAY;

/** What a trace segment consists of; what else stands in one is not for this version to take out. */
const TYPES = new Set(['log.seg', 'trace.new', 'log.seal']);

const DAY_IN_NAME = /^(\d{4})(\d\d)(\d\d)-/;

interface TraceFile {
  readonly path: VaultPath;
  readonly info: FileInfo;
  /** When its day began by its name, in milliseconds since 1970; none is later than one that does not say. */
  readonly day: number;
}

export function createRetention(options: RetentionOptions): Retention {
  const { files, root, clock, limits, device, writer, retired, catchUp, write, warn } = options;
  const folder = `${root}/trace`;
  let isOver = false;
  let going: Promise<void> | undefined;
  let endWait: () => void = () => undefined;

  async function repeat(): Promise<void> {
    for (await wait(FIRST_AFTER_MS); !isOver; await wait(DAY))
      await run().catch((error: unknown) =>
        warn(`Old traces could not be taken out: ${String(error)}`),
      );
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(ms, resolve);
      endWait = () => (cancel(), resolve());
      if (isOver) endWait();
    });
  }

  async function run(): Promise<void> {
    await catchUp();
    const found = (await listFiles(folder)).sort((a, b) => a.day - b.day);
    const excess = tooMany(found);
    const isOld = ({ day }: TraceFile) => day < clock.now() - limits.days * DAY;
    for (const file of found.filter(
      (each) => excess.has(each) || isOld(each) || retired.hasFile(below(each.path)),
    )) {
      await wait(STEP_MS);
      if (isOver) return;
      await consider(file, excess.has(file)).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        warn(`${file.path} stays for now: ${error.message}`);
      });
    }
  }

  /** The oldest, until the others are within the limit. */
  function tooMany(oldestFirst: readonly TraceFile[]): Set<TraceFile> {
    const kept = oldestFirst.filter(({ path }) => !retired.hasFile(below(path)));
    let bytes = kept.reduce((sum, { info }) => sum + info.size, 0);
    return new Set(
      kept.filter(({ info, day }) => {
        const isOver = bytes > limits.bytes && day < Infinity;
        bytes -= info.size;
        return isOver;
      }),
    );
  }

  async function listFiles(at: VaultPath): Promise<TraceFile[]> {
    const found: TraceFile[] = [];
    for (const { name, kind } of await files.list(at)) {
      const path = `${at}/${name}`;
      if (kind === 'folder') found.push(...(await listFiles(path)));
      else if (isSegmentName(name)) {
        const info = await files.stat(path);
        if (info) found.push({ path, info, day: dayIn(name) });
      }
    }
    return found;
  }

  /** Says of one file that it is retired, or deletes it where that was said long enough ago. */
  async function consider({ path, info, day }: TraceFile, isExcess: boolean): Promise<void> {
    const bytes = await files.read(path);
    if (bytes?.length !== info.size) return;
    const { lines, problems } = readSegment(segmentBytes(bytes));
    if (lines.length === 0 || problems.length > 0) return; // what cannot be read as a whole is nothing to judge
    const times = lines.flatMap(({ event: { w, n } }) => retired.timeOf(w, n) ?? []);
    if (times.length === lines.length) {
      const isKnown = times.every((time) => clock.now() - time >= DELETE_AFTER_MS);
      if (isKnown && isSame(await files.stat(path), info)) await files.remove(path);
    } else {
      const why = reasonFor(lines, day, isExcess);
      if (why) await retire(path, bytes, lines, why);
    }
  }

  /**
   * Of this device, a sealed segment goes when it is past a limit, an unsealed one, which a process has left that was killed, a good
   * deal later. So does a sealed one of another device: which has then not done so itself, and may be gone for good.
   */
  function reasonFor(
    lines: readonly HeldLine[],
    day: number,
    isExcess: boolean,
  ): 'age' | 'size' | undefined {
    const [first, last] = [lines[0]!.event, lines.at(-1)!.event];
    const isWhole = lines.every(
      ({ event: { v, w, n, t } }, at) =>
        v === 1 && w === first.w && n === first.n + at && TYPES.has(t),
    );
    const isOwn = first.t === 'log.seg' && first.d['device'] === device;
    const isSealed = last.t === 'log.seal';
    if (!isWhole || (!isSealed && (!isOwn || first.w === writer()))) return undefined;
    const age = clock.now() - Math.max(day, Date.parse(stampTime(last)));
    const grace = isOwn && isSealed ? 0 : GRACE_MS;
    if (age > limits.days * DAY + grace) return 'age';
    return isExcess && (grace === 0 || age > grace) ? 'size' : undefined;
  }

  async function retire(
    path: VaultPath,
    bytes: Uint8Array,
    lines: readonly HeldLine[],
    why: string,
  ): Promise<void> {
    const { w, n: from } = lines[0]!.event;
    const last = lines.at(-1)!.event;
    // The one thing that could still come to a segment of an earlier day is its seal.
    const to = last.t === 'log.seal' ? last.n : last.n + 1;
    const d = {
      lane: 'trace',
      file: below(path),
      w,
      from,
      to,
      count: lines.length,
      sha256: await sha256(bytes),
      why,
    };
    await write(() =>
      lines.every(({ event: { n } }) => retired.timeOf(w, n) !== undefined)
        ? []
        : [{ t: 'log.retire', e: '', d }],
    );
  }

  function below(path: VaultPath): string {
    return path.slice(folder.length + 1);
  }

  return {
    plan: () => void (going ??= repeat()),
    async stop() {
      isOver = true;
      endWait();
      await going;
    },
  };
}

/** Never long ago where a name does not begin with a day. */
function dayIn(name: string): number {
  const [, year, month, day] = DAY_IN_NAME.exec(name) ?? [];
  return year === undefined ? Infinity : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

function isSame(now: FileInfo | undefined, then: FileInfo): boolean {
  return now?.size === then.size && now.mtime === then.mtime && now.fileId === then.fileId;
}

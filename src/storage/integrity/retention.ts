import { stampTime, type Draft } from '../../model/event.js';
import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import type { FileInfo } from '../../platform/files.js';
import { sha256 } from '../../platform/sha256.js';
import { dayInName, ON_DEMAND_EVENTS, type RetirableLane } from '../format/lanes.js';
import { parseSegment, toUtf8, type SegmentLine } from '../format/segment.js';
import { STUB_TYPE } from '../format/stub.js';
import type { LogOptions, TraceLimits } from '../log.js';
import { segmentsBelow } from '../read/segment-list.js';
import type { Retirements } from './retirements.js';

export const DEFAULT_TRACE_LIMITS: TraceLimits = { days: 90, bytes: 50 * 1024 * 1024 };

export const SESSION_LIMITS: TraceLimits = { days: 365, bytes: 100 * 1024 * 1024 };

export interface RetentionOptions extends Pick<
  LogOptions,
  'files' | 'root' | 'clock' | 'device' | 'warn'
> {
  readonly lane: RetirableLane;
  readonly limits: TraceLimits;
  /** Returns the id of this process's writer in the lane, if it has one. */
  readonly writer: () => string | undefined;
  readonly retired: Retirements;
  /** Reads what has been added to the core lane. */
  readonly catchUp: () => Promise<void>;
  /** Appends to the core lane durably. */
  readonly write: (decide: () => Draft[]) => Promise<unknown>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_RUN_DELAY_MS = 5 * 60 * 1000;
const RUN_INTERVAL_MS = DAY_MS;
/** Pause between two files, to keep the load low. */
const FILE_INTERVAL_MS = 100;
/** Extra time for other devices' and unsealed segments, which may still be written to. */
export const GRACE_MS = 30 * DAY_MS;
/** A sync service may deliver the deletion sooner than the event that explains it. */
const DELETE_DELAY_MS = DAY_MS;

interface TraceFile {
  readonly path: VaultPath;
  readonly info: FileInfo;
  /** Start of the day in its name, in milliseconds since 1970; Infinity if the name has none. */
  readonly day: number;
}

/** Removes excess segments of a lane: an event retires one, and its file is deleted a day later. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #folder: VaultPath;
  /** Types of events in a segment. This version keeps a segment that has others. */
  readonly #types: ReadonlySet<string>;
  #isStopped = false;
  #running: Promise<void> | undefined;
  #endWait: () => void = () => undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#folder = `${options.root}/${options.lane}`;
    const { type } = ON_DEMAND_EVENTS[options.lane];
    this.#types = new Set(['log.seg', type, STUB_TYPE, 'log.seal']);
  }

  /** Starts the first run in some minutes, and further ones once a day. */
  start(): void {
    this.#running ??= this.#repeat();
  }

  /** Resolves when the current run has stopped. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#endWait();
    await this.#running;
  }

  async #repeat(): Promise<void> {
    const { warn } = this.#options;
    for (await this.#wait(FIRST_RUN_DELAY_MS); !this.#isStopped; await this.#wait(RUN_INTERVAL_MS))
      await this.#run().catch((error: unknown) =>
        warn(`Old segments could not be removed: ${String(error)}`),
      );
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#endWait = () => {
        cancel();
        resolve();
      };
      if (this.#isStopped) this.#endWait();
    });
  }

  async #run(): Promise<void> {
    const { clock, limits, catchUp, warn } = this.#options;
    await catchUp();
    const found = (await this.#listFiles()).sort((a, b) => a.day - b.day);
    const excess = this.#findExcess(found);
    const isOld = ({ day }: TraceFile) => day < clock.now() - limits.days * DAY_MS;
    const candidates = found.filter((file) => excess.has(file) || isOld(file));
    for (const file of candidates) {
      await this.#wait(FILE_INTERVAL_MS);
      if (this.#isStopped) return;
      await this.#consider(file, excess.has(file)).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        warn(`${file.path} is kept for now: ${error.message}`);
      });
    }
  }

  /** Returns the oldest files that must go for the others to be within the size limit. */
  #findExcess(oldestFirst: readonly TraceFile[]): Set<TraceFile> {
    const { limits } = this.#options;
    let bytes = oldestFirst.reduce((sum, { info }) => sum + info.size, 0);
    return new Set(
      oldestFirst.filter(({ info, day }) => {
        const isExcess = bytes > limits.bytes && day < Infinity;
        bytes -= info.size;
        return isExcess;
      }),
    );
  }

  async #listFiles(): Promise<TraceFile[]> {
    const { files } = this.#options;
    const found: TraceFile[] = [];
    for await (const path of segmentsBelow(files, this.#folder)) {
      const info = await files.stat(path);
      if (info) found.push({ path, info, day: startOfDay(path) });
    }
    return found;
  }

  /** Retires a file, or deletes it if it was retired long enough ago. */
  async #consider({ path, info, day }: TraceFile, isExcess: boolean): Promise<void> {
    const { files, clock, limits, retired } = this.#options;
    const bytes = await files.read(path);
    if (bytes?.length !== info.size) return;
    const text = toUtf8(bytes);
    const { lines, problems } = parseSegment(text);
    // A sync service may bring back only the beginning of a retired file.
    const isCutOff = problems.length > 0 && problems.every(({ kind }) => kind === 'pending');
    const fileTime = isCutOff ? retired.fileRetiredAt(this.#relative(path)) : undefined;
    const isReadable = fileTime !== undefined || (lines.length > 0 && problems.length === 0);
    // lines damaged here may be whole on another device; NULs, which parse, may have been lines
    if (!isReadable || text.includes(0)) return;
    const lineTimes = lines.flatMap(({ event }) => retired.retiredAt(event) ?? []);
    if (lineTimes.length === lines.length) {
      const times = fileTime === undefined ? lineTimes : [...lineTimes, fileTime];
      const isDue =
        times.every((time) => clock.now() - time >= DELETE_DELAY_MS) &&
        // anyone who can write into the vault can retire anything
        (this.#ageOf(lines, day) > limits.days * DAY_MS || this.#reasonFor(lines, day, isExcess));
      if (isDue && isSame(await files.stat(path), info)) await files.remove(path);
    } else if (!isCutOff) {
      const why = this.#reasonFor(lines, day, isExcess);
      if (why) await this.#retire(path, bytes, lines, why);
    }
  }

  /**
   * Returns which limit a segment exceeds; undefined if it must stay. This device's sealed segments
   * go at once. Its unsealed ones, left by a killed process, and others' sealed ones get `GRACE_MS`
   * more, and must be older than that to go for size: their device may be gone for good.
   */
  #reasonFor(
    lines: readonly SegmentLine[],
    day: number,
    isExcess: boolean,
  ): 'age' | 'size' | undefined {
    const { limits, device, writer } = this.#options;
    const first = lines[0]?.event;
    const last = lines.at(-1)?.event;
    if (!first || !last) return undefined;
    const isWhole = lines.every(
      ({ event: { v, w, n, t } }, at) =>
        v === 1 && w === first.w && n === first.n + at && this.#types.has(t),
    );
    const isOwn = first.t === 'log.seg' && first.d['device'] === device;
    const isSealed = last.t === 'log.seal';
    if (!isWhole || (!isSealed && (!isOwn || first.w === writer()))) return undefined;
    const age = this.#ageOf(lines, day);
    const grace = isOwn && isSealed ? 0 : GRACE_MS;
    if (age > limits.days * DAY_MS + grace) return 'age';
    return isExcess && (grace === 0 || age > grace) ? 'size' : undefined;
  }

  #ageOf(lines: readonly SegmentLine[], day: number): number {
    const last = lines.at(-1)?.event;
    return this.#options.clock.now() - Math.max(day, last ? Date.parse(stampTime(last)) : 0);
  }

  async #retire(
    path: VaultPath,
    bytes: Uint8Array,
    lines: readonly SegmentLine[],
    why: string,
  ): Promise<void> {
    const { retired, write } = this.#options;
    const { w, n: from } = lines[0]!.event;
    const last = lines.at(-1)!.event;
    // A segment of an earlier day can still get one more line, its seal.
    const to = last.t === 'log.seal' ? last.n : last.n + 1;
    const d = {
      lane: this.#options.lane,
      file: this.#relative(path),
      w,
      from,
      to,
      count: lines.length,
      sha256: await sha256(bytes),
      why,
    };
    await write(() =>
      lines.every(({ event }) => retired.retiredAt(event) !== undefined)
        ? []
        : [{ t: 'log.retire', e: '', d }],
    );
  }

  #relative(path: VaultPath): string {
    return path.slice(this.#folder.length + 1);
  }
}

/** Returns Infinity for a name that does not begin with a day: such a file never counts as old. */
function startOfDay(path: VaultPath): number {
  const time = Date.parse(dayInName(path) ?? '');
  return Number.isNaN(time) ? Infinity : time;
}

function isSame(now: FileInfo | undefined, then: FileInfo): boolean {
  return now?.size === then.size && now.mtime === then.mtime && now.fileId === then.fileId;
}

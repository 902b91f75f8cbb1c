import type { VaultPath } from '../../model/paths.js';
import { Refusal } from '../../model/refusal.js';
import { readIfPossible } from '../../platform/files.js';
import { Mutex } from '../../platform/mutex.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { LANES, type LaneName } from '../format/lanes.js';
import { parseSegment, toUtf8 } from '../format/segment.js';
import type { LogOptions } from '../log.js';
import { segmentsBelow } from '../read/segment-list.js';
import {
  dueLines,
  readNamedLines,
  stubTargets,
  type DueLines,
  type NamedLines,
} from './due-lines.js';
import type { DecidedForget } from './forget-decisions.js';
import type { Forgets } from './forgets.js';
import { isHeld } from './forgotten-lines.js';
import { remainingFiles } from './remaining-files.js';
import { stubLines, type StubTargets } from './stub-lines.js';

export interface ForgetterOptions extends Pick<
  LogOptions,
  'files' | 'root' | 'copies' | 'cache' | 'clock' | 'keptHashes' | 'onDestroy' | 'warn'
> {
  readonly forgets: Forgets;
  readonly scheduler: Scheduler;
  /** Name of this program among those of the device that have copies and caches of their own. */
  readonly program: string;
  /** Returns the ids of the memories of which there may be copies. */
  readonly vaultIds: () => Promise<Iterable<string>>;
  /** Seals a segment if this process can; returns false if another one may append to it. */
  readonly seal: (lane: LaneName, path: VaultPath) => Promise<boolean>;
  /** Called after events have disappeared from the vault, so that less is forgotten. */
  readonly onLost: () => Promise<void>;
  /** Called when lines turn out to be here that a device has asked to remove. */
  readonly onHeld: () => void;
  readonly onRewritten: (lane: LaneName, path: VaultPath) => void;
}

export interface DestroyReport {
  readonly rewritten: readonly VaultPath[];
  /** Files that another program may still append to, and that are rewritten later. */
  readonly waiting: readonly VaultPath[];
  /** Other files that still hold what was removed, if they were looked for. */
  readonly remaining: readonly VaultPath[];
}

const NOTHING_DESTROYED: DestroyReport = { rewritten: [], waiting: [], remaining: [] };

/** The lines to destroy in all files, and the events because of which. */
interface Rewrite {
  readonly lines: readonly DueLines[];
  readonly targets: StubTargets;
  readonly due: readonly DecidedForget[];
}

type RewriteResult = 'unchanged' | 'rewritten' | 'waiting';

/** Time after which a segment counts as abandoned by its writer. */
export const MAX_OPEN_MS = 2 * 24 * 60 * 60 * 1000;
/** Interval at which what has to wait is tried again. */
const RETRY_INTERVAL_MS = 60 * 60 * 1000;
/**
 * Rewrites of a file in one interval. Two devices that destroy different lines of it at the same
 * time, again and again, would make a sync service that merges texts double it each time.
 */
const MAX_REWRITES = 3;
const SEGMENT_NAME = /^\d{8}-([a-km-np-z2-9]{12})-\d{4}\.jsonl$/;

/** Destroys forgotten lines in segments, conflict copies, this device's copies and derived data. */
export class Forgetter {
  readonly #options: ForgetterOptions;
  readonly #mutex = new Mutex();
  #running: Promise<unknown> | undefined;
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;
  /** True after something was forgotten while this process ran, which may hold its text. */
  #isLate = false;
  /** True if something could not be destroyed yet, which may have come back after it was. */
  #isIncomplete = false;
  #hasFailedLookUp = false;
  readonly #rewrites = new Map<VaultPath, number>();

  constructor(options: ForgetterOptions) {
    this.#options = options;
  }

  /** Starts destroying what is due and was not destroyed by this program. Does not wait. */
  start(): void {
    const { forgets } = this.#options;
    if (this.#running || this.#isClosed || forgets.lines.isEmpty) return;
    const isAny = forgets.takeMet() || this.#isLate;
    this.#isLate = false;
    const isNeeded = forgets
      .due()
      .some((forget) => isAny || !(this.#isApplied(forget) || forgets.partial.has(forget.key)));
    if (isNeeded || forgets.unknown().length > 0)
      this.#running = this.destroy()
        .catch((error: unknown) => this.#report(error))
        .finally(() => (this.#running = undefined));
    const hasOpen = forgets.list().some((forget) => !this.#isApplied(forget));
    if (hasOpen || this.#isIncomplete)
      this.#cancelRetry ??= this.#options.clock.after(RETRY_INTERVAL_MS, () => {
        this.#cancelRetry = undefined;
        forgets.partial.clear();
        this.#hasFailedLookUp = false;
        this.#rewrites.clear();
        this.#isLate ||= this.#isIncomplete;
        this.start();
      });
  }

  /** Makes the next start destroy what is due even if another process has done so. */
  reportLate(): void {
    this.#isLate = true;
  }

  /** Returns lines to copy, with stubs for those to destroy; the same array if there are none. */
  async withoutDue(lines: Uint8Array): Promise<Uint8Array> {
    const { forgets } = this.#options;
    if (forgets.lines.isEmpty || !this.#namesAny(lines)) return lines;
    await forgets.reload(); // another process may have decided
    const due = forgets.due();
    if (due.length === 0) return lines;
    const named = await this.readNamed(due, [lines]);
    return stubLines(lines, stubTargets(dueLines(due, named, forgets.hides)));
  }

  /** With `decide`, which runs first, also looks for files that still hold what was removed. */
  destroy(decide?: () => Promise<unknown>): Promise<DestroyReport> {
    const first = () => decide?.() ?? Promise.resolve();
    return this.#mutex.run(() => first().then(() => this.#destroy(decide !== undefined)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    await this.#running;
  }

  #isApplied({ decision }: DecidedForget): boolean {
    return decision?.appliedBy?.includes(this.#options.program) ?? false;
  }

  async #destroy(isAnswer: boolean): Promise<DestroyReport> {
    const { forgets, copies, cache, program, vaultIds, onDestroy } = this.#options;
    this.#isLate = false;
    forgets.takeMet();
    await forgets.reload();
    const due = forgets.due();
    const unknown = forgets.unknown();
    if (due.length === 0) {
      await this.lookUpNew();
      return NOTHING_DESTROYED;
    }
    const named = await this.readNamed([...due, ...unknown]);
    await this.#setHeld(unknown, named);
    const asked = await this.#stillAsked(due, named);
    if (asked.length === 0) return NOTHING_DESTROYED;
    const all = dueLines(asked, named, forgets.hides);
    // first, since the lines say it
    await forgets.addRemoved(new Map(all.map(({ key, ids }) => [key, ids])));
    const report = await this.#rewriteSegments(all, asked);
    await forgets.reload();
    const lines = this.#stillDue(all);
    const targets = stubTargets(lines);
    const isComplete = [
      await this.#attempt(async () => {
        for (const id of copies ? await vaultIds() : [])
          await copies?.rewrite(id, (lines) => stubLines(lines, targets));
      }),
      await this.#attempt(() => cache?.clear()),
      await this.#attempt(() => onDestroy?.(lines)),
    ].every(Boolean);
    const keys = lines.flatMap(({ key, isPartial }) => (isPartial ? [] : [key]));
    for (const { key, isPartial } of lines) if (isPartial) forgets.partial.add(key);
    const isDone = isComplete && report.waiting.length === 0;
    if (isDone) await this.#attempt(() => forgets.markApplied(keys, program));
    else this.#isIncomplete = true;
    const rest = isAnswer ? await remainingFiles(this.#options, lines) : [];
    return { ...report, remaining: rest.filter((path) => !report.waiting.includes(path)) };
  }

  /** Looks up whether this device has lines that these events name. */
  async lookUp(asked: readonly DecidedForget[]): Promise<void> {
    if (asked.length > 0) await this.#setHeld(asked, await this.readNamed(asked));
  }

  /** Does so for events of which that is not known. Never rejects. */
  async lookUpNew(): Promise<void> {
    const { forgets, warn } = this.#options;
    if (this.#hasFailedLookUp) return;
    await this.lookUp(forgets.unknown()).catch((error: unknown) => {
      this.#hasFailedLookUp = true; // until the next try in an hour
      warn(String(error));
    });
  }

  async #setHeld(asked: readonly DecidedForget[], { byNumber }: NamedLines): Promise<void> {
    if (asked.length === 0) return;
    const { forgets, keptHashes, onHeld } = this.#options;
    const kept = (await keptHashes?.()) ?? new Set<string>();
    const held = new Map(asked.map((each) => [each.key, isHeld(each, byNumber, kept)]));
    await forgets.setHeld(held);
    if ([...held.values()].includes(true)) onHeld();
  }

  /**
   * Returns those whose event is in the vault; unreadable ones are tried again. A lost one forgets
   * nothing: devices that never read it would keep restoring what this one destroys.
   */
  async #stillAsked(
    due: readonly DecidedForget[],
    { asked, waiting }: NamedLines,
  ): Promise<DecidedForget[]> {
    const { forgets, onLost } = this.#options;
    const isWaiting = (w: string) => waiting.some((path) => path.includes(w));
    const absent = due.filter(({ key }) => !asked.has(key));
    const lost = absent.filter(({ event }) => !isWaiting(event.w));
    if (lost.length > 0) {
      await this.#attempt(() => forgets.lose(lost.map(({ key }) => key)));
      await onLost();
    }
    const unread = absent.filter((forget) => !lost.includes(forget));
    this.#isIncomplete = unread.length > 0;
    await this.#attempt(() => forgets.postpone(unread.map(({ key }) => key)));
    return due.filter(({ key }) => asked.has(key));
  }

  /** Reads what events may name in the vault, in the copies and in lines that are to be copied. */
  async readNamed(
    due: readonly DecidedForget[],
    lines: readonly Uint8Array[] = [],
  ): Promise<NamedLines> {
    const { copies, vaultIds } = this.#options;
    const copied: Uint8Array[] = [...lines];
    for (const id of copies ? await vaultIds() : []) copied.push(await copies!.read(id));
    return readNamedLines(this.#options, due, copied);
  }

  #namesAny(lines: Uint8Array): boolean {
    const { forgets } = this.#options;
    return parseSegment(lines).lines.some(({ event }) => forgets.lines.keysOf(event).length > 0);
  }

  /** Runs a task that is tried again if it fails. Returns true if it has succeeded. */
  #attempt(task: () => Promise<void> | undefined): Promise<boolean> {
    return Promise.resolve()
      .then(task)
      .then(() => true)
      .catch((error: unknown) => {
        this.#report(error);
        return false;
      });
  }

  #report(error: unknown): void {
    this.#options.warn(`Forgotten entries could not be removed yet: ${String(error)}`);
  }

  async #rewriteSegments(
    lines: readonly DueLines[],
    due: readonly DecidedForget[],
  ): Promise<Omit<DestroyReport, 'remaining'>> {
    const { files, root, scheduler } = this.#options;
    const targets = stubTargets(lines);
    const rewritten: VaultPath[] = [];
    const waiting: VaultPath[] = [];
    for (const lane of LANES)
      for await (const path of segmentsBelow(files, `${root}/${lane}`)) {
        await scheduler.yieldIfDue();
        const result = await this.#rewrite(lane, path, { lines, targets, due }).catch(
          (error: unknown) => {
            this.#report(error);
            return 'waiting' as const;
          },
        );
        if (result === 'rewritten') rewritten.push(path);
        if (result === 'waiting') waiting.push(path);
      }
    return { rewritten, waiting };
  }

  async #rewrite(
    lane: LaneName,
    path: VaultPath,
    { lines, targets, due }: Rewrite,
  ): Promise<RewriteResult> {
    const { files, seal, onRewritten, clock, forgets } = this.#options;
    const bytes = await readIfPossible(files, path);
    if (!bytes) return 'unchanged';
    if (stubLines(bytes, targets) === bytes) return 'unchanged';
    const rewrites = this.#rewrites.get(path) ?? 0;
    if (rewrites >= MAX_REWRITES) return 'waiting';
    const time = clock.now();
    // a line that was destroyed before is back, so its writer has ended or will notice
    const isYoung = ({ decision }: DecidedForget) =>
      !decision?.appliedBy && Math.abs(time - (decision?.seenAt ?? time)) < MAX_OPEN_MS;
    const isEarly = this.#forgetsOf(bytes, targets, due).every(isYoung);
    if (mayGrow(path, bytes) && !(await seal(lane, path)) && isEarly) return 'waiting';
    await forgets.reload();
    // without a pause, in which another process could append
    await files.update(path, (now) => {
      if (!now) throw new Refusal(`${path} has disappeared.`);
      return Promise.resolve(stubLines(now, stubTargets(this.#stillDue(lines))));
    });
    this.#rewrites.set(path, rewrites + 1);
    onRewritten(lane, path);
    return 'rewritten';
  }

  /** Returns the events that forget the lines of a file; all if only damaged forms are left. */
  #forgetsOf(
    bytes: Uint8Array,
    targets: StubTargets,
    due: readonly DecidedForget[],
  ): readonly DecidedForget[] {
    const { lines } = this.#options.forgets;
    const found = parseSegment(toUtf8(bytes)).lines.map(({ event }) => event);
    const named = found.filter((event) => targets.hasNumber(event));
    const keys = new Set(named.flatMap((event) => lines.keysOf(event)));
    return keys.size === 0 ? due : due.filter(({ key }) => keys.has(key));
  }

  /** Returns those that nobody has refused meanwhile. */
  #stillDue(lines: readonly DueLines[]): DueLines[] {
    const keys = new Set(this.#options.forgets.due().map(({ key }) => key));
    return lines.filter(({ key }) => keys.has(key));
  }
}

/** Returns true if the writer after which a segment is named may still append to it. */
function mayGrow(path: VaultPath, bytes: Uint8Array): boolean {
  const [, writer] = SEGMENT_NAME.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
  const last = parseSegment(toUtf8(bytes)).lines.at(-1)?.event;
  return writer !== undefined && last?.w === writer && last.t !== 'log.seal';
}

import type { LogEvent } from '../model/event.js';
import type { VaultPath } from '../model/paths.js';
import { Refusal } from '../model/refusal.js';
import type { Clock } from '../platform/clock.js';
import type { Files } from '../platform/files.js';
import { Mutex } from '../platform/mutex.js';
import type { Scheduler } from '../platform/scheduler.js';
import { isSegmentName, LANES, type LaneName } from './format/lanes.js';
import { parseSegment, toUtf8 } from './format/segment.js';
import type { Copies } from './integrity/copies.js';
import { readCoreLane } from './integrity/core-lane.js';
import type { Cache } from './read/cache.js';
import { forgetKey, isForgettable } from './forget/forget-event.js';
import type { DecidedForget, Forgets } from './forget/forgets.js';
import { stubLines, type StubTargets } from './forget/stub-lines.js';

export interface ForgetterOptions {
  readonly files: Files;
  readonly root: VaultPath;
  readonly forgets: Forgets;
  readonly copies?: Copies | undefined;
  readonly cache?: Cache | undefined;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** Name of this program among those of the device that have copies and caches of their own. */
  readonly program: string;
  /** Returns the ids of the memories of which there may be copies. */
  readonly vaultIds: () => Promise<Iterable<string>>;
  /** Seals a segment if this process can; returns false if another one may append to it. */
  readonly seal: (lane: LaneName, path: VaultPath) => Promise<boolean>;
  /** Called after events have disappeared from the vault, so that less is forgotten. */
  readonly onLost: () => Promise<void>;
  /** Called with each file that was rewritten. */
  readonly onRewritten: (lane: LaneName, path: VaultPath) => void;
  /** Removes what was derived from the lines. */
  readonly onDestroy: ((entities: readonly string[]) => Promise<void>) | undefined;
  readonly warn: (message: string) => void;
}

/** Result of destroying forgotten lines. */
export interface DestroyReport {
  /** Files that were rewritten. */
  readonly rewritten: readonly VaultPath[];
  /** Files that another program may still append to, and that are rewritten later. */
  readonly waiting: readonly VaultPath[];
}

type RewriteResult = 'unchanged' | 'rewritten' | 'waiting';

/** Time after which a segment counts as abandoned by its writer. */
export const MAX_OPEN_MS = 2 * 24 * 60 * 60 * 1000;
/** Interval at which what has to wait is tried again. */
const RETRY_INTERVAL_MS = 60 * 60 * 1000;
const SEGMENT_NAME = /^\d{8}-([a-km-np-z2-9]{12})-\d{4}\.jsonl$/;

/**
 * Destroys forgotten lines on this device: in the segments and their conflict copies, in the
 * device's own copies, and in what was derived from them.
 */
export class Forgetter {
  readonly #options: ForgetterOptions;
  readonly #mutex = new Mutex();
  #running: Promise<unknown> | undefined;
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;
  /** True after something was forgotten while this process ran, which may hold its text. */
  #isLate = false;

  constructor(options: ForgetterOptions) {
    this.#options = options;
  }

  /** Starts destroying what is due and was not destroyed by this program. Does not wait. */
  start(): void {
    const { forgets } = this.#options;
    if (this.#running || this.#isClosed || forgets.lines.isEmpty) return;
    const isAny = forgets.takeMet() || this.#isLate;
    this.#isLate = false;
    const isNeeded = forgets.due().some((forget) => isAny || !this.#isApplied(forget));
    if (isNeeded || forgets.hasUnstored)
      this.#running = this.destroy()
        .catch((error: unknown) => this.#report(error))
        .finally(() => (this.#running = undefined));
    const hasOpen = forgets.list().some((forget) => !this.#isApplied(forget));
    if (hasOpen)
      this.#cancelRetry ??= this.#options.clock.after(RETRY_INTERVAL_MS, () => {
        this.#cancelRetry = undefined;
        this.start();
      });
  }

  /** Makes the next start destroy what is due even if another process has done so. */
  reportLate(): void {
    this.#isLate = true;
  }

  /** Returns lines with stubs in place of those to destroy; the same array if there are none. */
  withoutDue(lines: Uint8Array): Uint8Array {
    const { forgets } = this.#options;
    const due = forgets.due();
    return due.length > 0 ? stubLines(lines, targetsOf(forgets, due)) : lines;
  }

  /** Destroys what is due. */
  destroy(): Promise<DestroyReport> {
    return this.#mutex.run(() => this.#destroy());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    await this.#running;
  }

  #isApplied({ decision }: DecidedForget): boolean {
    return decision?.appliedBy?.includes(this.#options.program) ?? false;
  }

  async #destroy(): Promise<DestroyReport> {
    const { forgets, copies, cache, program, vaultIds, onDestroy } = this.#options;
    await forgets.reload();
    const due = await this.#stillAsked(forgets.due());
    if (due.length === 0) return { rewritten: [], waiting: [] };
    const targets = targetsOf(forgets, due);
    const report = await this.#rewriteSegments(targets, due);
    const entities = [...new Set(due.flatMap(({ content }) => content.entities))];
    const isComplete = [
      await this.#attempt(async () => {
        for (const id of copies ? await vaultIds() : [])
          await copies?.rewrite(id, (lines) => stubLines(lines, targets));
      }),
      await this.#attempt(() => cache?.clear()),
      await this.#attempt(() => onDestroy?.(entities)),
    ].every(Boolean);
    const keys = due.map(({ key }) => key);
    if (isComplete && report.waiting.length === 0)
      await this.#attempt(() => forgets.markApplied(keys, program));
    return report;
  }

  /**
   * Returns those whose event is in the vault. One that was lost forgets nothing any more: other
   * devices may never have read it, and would restore what this one destroys, again and again.
   */
  async #stillAsked(due: readonly DecidedForget[]): Promise<DecidedForget[]> {
    const { files, root, scheduler, forgets, onLost } = this.#options;
    if (due.length === 0) return [];
    const { lines, waiting } = await readCoreLane(files, root, scheduler);
    const events = [...lines].map(({ event }) => event).filter(({ t }) => t === 'log.forget');
    const asked = new Set(events.map(forgetKey));
    const lost = due.filter(
      ({ key, event: { w } }) => !asked.has(key) && !waiting.some((path) => path.includes(w)),
    );
    for (const { key } of lost) forgets.lose(key);
    if (lost.length > 0) await onLost();
    return due.filter(({ key }) => asked.has(key));
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
    targets: StubTargets,
    due: readonly DecidedForget[],
  ): Promise<DestroyReport> {
    const { root, scheduler } = this.#options;
    const rewritten: VaultPath[] = [];
    const waiting: VaultPath[] = [];
    for (const lane of LANES)
      for await (const path of this.#segmentsBelow(`${root}/${lane}`)) {
        await scheduler.yieldIfDue();
        const result = await this.#rewrite(lane, path, targets, due).catch((error: unknown) => {
          this.#report(error);
          return 'waiting' as const;
        });
        if (result === 'rewritten') rewritten.push(path);
        if (result === 'waiting') waiting.push(path);
      }
    return { rewritten, waiting };
  }

  async #rewrite(
    lane: LaneName,
    path: VaultPath,
    targets: StubTargets,
    due: readonly DecidedForget[],
  ): Promise<RewriteResult> {
    const { files, seal, onRewritten, clock, forgets } = this.#options;
    const bytes = await readIfPossible(files, path);
    if (!bytes) return 'unchanged';
    if (stubLines(bytes, targets) === bytes) return 'unchanged';
    const since = Math.min(...due.map(({ decision }) => decision?.seenAt ?? clock.now()));
    const isYoung = clock.now() - since < MAX_OPEN_MS;
    if (isOpen(path, bytes) && !(await seal(lane, path)) && isYoung) return 'waiting';
    await forgets.reload();
    await files.update(path, (now) => {
      if (!now) throw new Refusal(`${path} has disappeared.`);
      // somebody may have refused meanwhile
      const left = targetsOf(forgets, forgets.due());
      return Promise.resolve(stubLines(now, left));
    });
    onRewritten(lane, path);
    return 'rewritten';
  }

  async *#segmentsBelow(folder: VaultPath): AsyncGenerator<VaultPath> {
    for (const { name, kind, isLink } of await this.#options.files.list(folder)) {
      const path = `${folder}/${name}`;
      if (isLink) continue;
      if (kind === 'folder') yield* this.#segmentsBelow(path);
      else if (kind === 'file' && isSegmentName(name)) yield path;
    }
  }
}

function targetsOf({ lines }: Forgets, due: readonly DecidedForget[]): StubTargets {
  const keys = new Set(due.map(({ key }) => key));
  const numbers = new Set(
    due.flatMap(({ content }) =>
      content.ranges.flatMap(({ writer, from, crcs }) =>
        crcs.map((_, at) => `${writer} ${from + at}`),
      ),
    ),
  );
  return {
    has: (event: LogEvent) =>
      isForgettable(event) && lines.keysOf(event).some((key) => keys.has(key)),
    hasNumber: (writer, n) => numbers.has(`${writer} ${n}`),
  };
}

/** Returns true if the writer after which a segment is named may still append to it. */
function isOpen(path: VaultPath, bytes: Uint8Array): boolean {
  const [, writer] = SEGMENT_NAME.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
  const last = parseSegment(toUtf8(bytes)).lines.at(-1)?.event;
  return writer !== undefined && last?.w === writer && last.t !== 'log.seal';
}

/** A file that cannot be read now holds up no other. */
async function readIfPossible(files: Files, path: VaultPath): Promise<Uint8Array | undefined> {
  return files.read(path).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
}

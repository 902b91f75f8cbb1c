import type { Draft, LogEvent } from '../../model/event.js';
import { includesEvent } from '../../model/memory.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { forgetDrafts, forgetKey, type ForgettableLine } from './forget-event.js';
import { Forgets, type DecidedForget } from './forgets.js';
import { Forgetter, type DestroyReport } from './forgetter.js';
import type { HealerOptions } from '../integrity/healer-options.js';
import type { LaneName } from '../format/lanes.js';
import { readCopies } from '../copies/core-copies.js';
import type { LaneHooks } from '../lane-options.js';
import type { Lane } from '../lane.js';
import type { ForgetControl, LogOptions } from '../log.js';
import type { LocatedEvent } from '../read/reader.js';
import { indexEvent, type WriterIndex } from '../read/writer-index.js';

interface ForgettingOptions {
  readonly log: LogOptions;
  readonly scheduler: Scheduler;
  readonly writers: WriterIndex;
  readonly lanes: () => Readonly<Record<LaneName, Lane>>;
  readonly vaultIds: () => Iterable<string>;
  /** Called when more or less is forgotten than before. */
  readonly onChange: () => void;
}

/** The part of a log that forgets: it hides lines at once, and destroys them when that is due. */
export class Forgetting implements ForgetControl {
  readonly #options: ForgettingOptions;
  readonly #forgets: Forgets;
  readonly #forgetter: Forgetter;
  /** True after an event was read that may name lines which the user of this device keeps. */
  #isLate = false;

  constructor(options: ForgettingOptions) {
    const { log, scheduler, lanes } = options;
    this.#options = options;
    this.#forgets = new Forgets({ ...log, store: log.forgetStore });
    this.#forgetter = new Forgetter({
      ...log,
      forgets: this.#forgets,
      scheduler,
      program: log.program ?? 'program',
      vaultIds: () => this.#copiedIds(),
      seal: (lane, path) => lanes()[lane].sealAt(path),
      onLost: () => this.#refoldAll(),
      onRewritten: (lane, path) => lanes()[lane].invalidate(path),
      onDestroy: log.onDestroy,
    });
  }

  /** Returns the options of the healer that keep what was forgotten from coming back. */
  healerOptions(): Pick<HealerOptions, 'forgotten' | 'withoutDue'> {
    return {
      forgotten: this.#forgets.lines,
      withoutDue: async (lines, events = []) => {
        if (await this.#forgets.takeEarly(events)) this.#forgetter.reportLate();
        return this.#forgetter.withoutDue(lines);
      },
    };
  }

  isHidden(event: Parameters<Forgets['isHidden']>[0]): boolean {
    return this.#forgets.isHidden(event);
  }

  /** Returns the hooks of a lane that hide what was forgotten. */
  laneHooks(lane: LaneName): Pick<LaneHooks, 'isHidden' | 'onForget' | 'onLines' | 'copied'> {
    return {
      isHidden: (event) => this.#forgets.isHiddenEvent(event),
      onLines: (lines) => this.#forgets.meet(lines.map(({ event }) => event)),
      ...(lane === 'core' && {
        onForget: (events) => this.#take(events),
        copied: () => this.#copiedEvents(),
      }),
    };
  }

  async forget(
    lines: readonly ForgettableLine[],
    isDecided: boolean,
    kept: readonly Draft[] = [],
  ): Promise<DestroyReport> {
    const { log, lanes } = this.#options;
    const { core } = lanes();
    await core.catchUp();
    const drafts = forgetDrafts(lines, log.device);
    if (isDecided) await this.#forgets.decide(drafts.map(forgetKey), 'own');
    // one append each, since an event may be nearly as long as a segment
    for (const [at, draft] of drafts.entries())
      await core.append(() => (at === 0 ? [...kept, draft] : [draft]));
    await this.#refold();
    return this.#forgetter.destroy();
  }

  async list(): Promise<DecidedForget[]> {
    await this.#options.lanes().core.catchUp();
    await this.#forgets.reload();
    return this.#forgets.list();
  }

  known(): readonly DecidedForget[] {
    return this.#forgets.list();
  }

  open(): readonly DecidedForget[] {
    return this.#forgets.open();
  }

  async decide(key: string, choice: 'agreed' | 'refused'): Promise<DestroyReport> {
    const { core } = this.#options.lanes();
    await core.catchUp();
    await this.#forgets.decide([key], choice);
    await core.catchUp(); // which folds again
    return this.#forgetter.destroy();
  }

  /** Takes in events of the core lane. Resolves to true if other lines are hidden than before. */
  async #take(events: readonly LogEvent[]): Promise<boolean> {
    const isMore = await this.#forgets.take(events);
    if (isMore && this.#options.lanes().core.hasRead) {
      this.#isLate = true;
      this.#forgetter.reportLate();
    }
    if (isMore) void this.#refold();
    return isMore;
  }

  /**
   * Starts to destroy what is due. After the first scan and after changes by others or another
   * program, returns copies of lines that others have forgotten and this device's user keeps.
   */
  async afterScan(isFirst: boolean): Promise<{ kept: LocatedEvent[]; isChanged: boolean }> {
    const { writers } = this.#options;
    const isChanged = !isFirst && (await this.#forgets.takeChange());
    this.#forgetter.start();
    const kept = isFirst || isChanged || this.#isLate ? await this.#keptLines() : [];
    this.#isLate = false;
    if (isChanged) void this.#refold();
    const { core } = this.#options.lanes();
    // a forged line can share the identity of one that is kept, which only the memory tells apart
    const isNew = ({ event }: LocatedEvent) =>
      indexEvent(writers, 'core', event) !== 'known' || !includesEvent(core.memory, event);
    return { kept: kept.filter(isNew), isChanged };
  }

  close(): Promise<void> {
    return this.#forgetter.close();
  }

  async #keptLines(): Promise<LocatedEvent[]> {
    const copied = this.#forgets.hasRefused ? await this.#copiedEvents() : [];
    return copied
      .filter((event) => this.#forgets.isKept(event))
      .map((event) => ({ event, path: '', from: 0, to: 0 }));
  }

  async #copiedEvents(): Promise<LogEvent[]> {
    const { log, scheduler } = this.#options;
    if (!log.copies) return [];
    const copied = await readCopies(log.copies, await this.#copiedIds(), scheduler);
    return [...copied].map(({ event }) => event);
  }

  async #refoldAll(): Promise<void> {
    await this.#options.lanes().core.refold();
    await this.#refold();
  }

  /** Hides what was forgotten in the lane that does not contain the events that say so. */
  async #refold(): Promise<void> {
    const { log, lanes, onChange } = this.#options;
    onChange();
    await lanes()
      .chat.refold()
      .catch((error: unknown) => log.warn(String(error)));
  }

  /** Returns the ids of the memories of which this device may have copies. */
  async #copiedIds(): Promise<Set<string>> {
    const { log, vaultIds } = this.#options;
    const record = await log.copies?.loadRecord();
    return new Set([...vaultIds(), ...(record?.ids ?? []), ...(record?.formerIds ?? [])]);
  }
}

import type { Draft, LogEvent } from '../../model/event.js';
import { includesEvent } from '../../model/memory.js';
import { Refusal } from '../../model/refusal.js';
import type { Scheduler } from '../../platform/scheduler.js';
import { readCopies } from '../copies/core-copies.js';
import type { Lane } from '../lane.js';
import type { LogOptions } from '../log.js';
import type { LocatedEvent } from '../read/reader.js';
import { originalHash } from '../format/stub.js';
import { indexEvent, type WriterIndex } from '../read/writer-index.js';
import type { ForgottenSession, WrittenLine } from '../../platform/device-access.js';
import { forgetDrafts, forgetKey, type HashedLine } from './forget-event.js';
import type { DecidedForget } from './forget-decisions.js';
import type { Forgets } from './forgets.js';
import type { DestroyReport, Forgetter } from './forgetter.js';
import { isForged, linesOfRange, namedLines } from './forgotten-lines.js';

interface ForgettingOptions extends Pick<LogOptions, 'copies' | 'device' | 'warn'> {
  readonly forgets: Forgets;
  readonly forgetter: Forgetter;
  /** Returns the ids of the memories of which this device may have copies. */
  readonly copiedIds: () => Promise<Iterable<string>>;
  readonly scheduler: Scheduler;
  readonly writers: WriterIndex;
  readonly core: () => Lane;
  readonly chat: () => Lane;
  /** Called when more or less is forgotten than before. */
  readonly onChange: () => void;
}

export interface DecisionReport extends DestroyReport {
  /** Number of lines that were here and were removed. */
  readonly removed: number;
}

/** The means by which people remove lines that must not stay. */
export type ForgetControl = Pick<
  Forgetting,
  'forget' | 'list' | 'known' | 'tell' | 'decide' | 'forgottenOf' | 'removedIds'
>;

/** The part of a log that forgets: it hides lines at once, and destroys them when that is due. */
export class Forgetting {
  readonly #options: ForgettingOptions;
  readonly #forgets: Forgets;
  readonly #forgetter: Forgetter;
  /** True after an event was read that may name lines which the user of this device keeps. */
  #isLate = false;

  constructor(options: ForgettingOptions) {
    this.#options = options;
    this.#forgets = options.forgets;
    this.#forgetter = options.forgetter;
  }

  /** Returns lines to copy, with stubs for due ones. `events`: core events, if just read. */
  async withoutDue(lines: Uint8Array, events: readonly LogEvent[] = []): Promise<Uint8Array> {
    if (await this.#forgets.takeEarly(events)) this.#forgetter.reportLate();
    return this.#forgetter.withoutDue(lines);
  }

  /**
   * Hides lines for good, and destroys them: at once if `isDecided`, otherwise after
   * the user was told on `AGREEMENT_DAYS`, unless they refuse. `kept`: events to write with it.
   * `turns`: the only messages that are forgotten of the sessions in the lines.
   */
  async forget(
    lines: readonly HashedLine[],
    isDecided: boolean,
    kept: readonly Draft[] = [],
    turns: readonly string[] = [],
  ): Promise<DestroyReport> {
    const { device } = this.#options;
    const core = this.#options.core();
    await core.catchUp();
    const drafts = forgetDrafts(lines, device, turns);
    return this.#forgetter.destroy(async () => {
      if (isDecided) await this.#forgets.decide(drafts.map(forgetKey), 'own');
      // one append each, since an event may be nearly as long as a segment
      for (const [at, draft] of drafts.entries())
        await core.append(() => (at === 0 ? [...kept, draft] : [draft]));
      await this.#refold();
    });
  }

  /** Returns what was forgotten, on any device. */
  async list(): Promise<readonly DecidedForget[]> {
    await this.#options.core().catchUp();
    await this.#forgets.reload();
    return this.#forgets.list();
  }

  /** Returns the same as of the last read. */
  known(): readonly DecidedForget[] {
    return this.#forgets.list();
  }

  /** Returns what the user can decide about, as of the last read, and counts it as told today. */
  async tell(): Promise<readonly DecidedForget[]> {
    const told = await this.#forgets.tell();
    // meanwhile, the device that asked may have removed all that there was
    await this.#forgetter.lookUp(told);
    return told;
  }

  /** Returns the ids of what this device has removed for good. */
  async removedIds(): Promise<ReadonlySet<string>> {
    await this.list();
    return this.#forgets.removedIds;
  }

  /** Returns what is forgotten of the session in a line that this device wrote, and not kept. */
  async forgottenOf(line: WrittenLine): Promise<ForgottenSession> {
    const keys = new Set(this.#forgets.lines.keysOf(line));
    const named = this.#forgets.list().filter(({ key, isKept }) => keys.has(key) && !isKept);
    if (named.length === 0) return { isWhole: false, turns: [] };
    const { byNumber } = await this.#forgetter.readNamed(named);
    const proving = named.filter(({ content }) =>
      content.ranges.some((range) =>
        linesOfRange(range, byNumber)?.some(({ hash }) => hash === line.hash),
      ),
    );
    return {
      isWhole: proving.some(({ content }) => content.turns.length === 0),
      turns: proving.flatMap(({ content }) => content.turns),
    };
  }

  /**
   * Decides, for this device alone, about `log.forget` events (`forgetKey`) of other ones. Throws a
   * `Refusal` if the user agrees to one that does not name the lines which it hides.
   */
  async decide(keys: readonly string[], choice: 'agreed' | 'refused'): Promise<DecisionReport> {
    const core = this.#options.core();
    await core.catchUp();
    const removed = choice === 'agreed' ? await this.#countNamed(keys) : 0;
    const report = await this.#forgetter.destroy(async () => {
      await this.#forgets.decide(keys, choice);
      await core.catchUp(); // which folds again
    });
    return { ...report, removed };
  }

  /** Returns the number of lines to remove. Throws a `Refusal` if an event does not name them. */
  async #countNamed(keys: readonly string[]): Promise<number> {
    const asked = this.#forgets.list().filter(({ key }) => keys.includes(key));
    const { byNumber } = await this.#forgetter.readNamed(asked);
    const forged = asked.find(({ content }) =>
      content.ranges.some((range) => isForged(range, byNumber)),
    );
    const id = forged?.key.slice(0, 8);
    if (forged)
      throw new Refusal(
        `Request ${id} does not name what is here, so nothing was removed. Let every device sync and try again, or refuse it, which shows what it hides.`,
      );
    const named = asked.flatMap(({ content }) =>
      content.ranges.flatMap((range) => namedLines(range, byNumber)),
    );
    const whole = named.filter(({ event }) => originalHash(event) === undefined);
    return new Set(whole.map(({ hash }) => hash)).size;
  }

  /** Takes in events of the core lane. Resolves to true if other lines are hidden than before. */
  async take(events: readonly LogEvent[]): Promise<boolean> {
    const isMore = await this.#forgets.take(events);
    if (isMore && this.#options.core().hasRead) {
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
    const forgets = this.#forgets;
    const isChanged = isFirst ? forgets.takeEarlyChange() : await forgets.takeChange();
    this.#forgetter.start();
    const kept = isFirst || isChanged || this.#isLate ? await this.#keptLines() : [];
    this.#isLate = false;
    if (isChanged) void this.#refold();
    const { memory } = this.#options.core();
    // a forged line can share the identity of one that is kept, which only the memory tells apart
    const isNew = ({ event }: LocatedEvent) =>
      indexEvent(writers, 'core', event) !== 'known' || !includesEvent(memory, event);
    return { kept: kept.filter(isNew), isChanged };
  }

  /** Makes the next scan destroy again what is due, in all lanes. */
  reportLate(): void {
    this.#forgetter.reportLate();
  }

  /** Destroys again what is due, in all lanes. */
  async destroy(): Promise<void> {
    await this.#forgetter.destroy();
  }

  close(): Promise<void> {
    return this.#forgetter.close();
  }

  async #keptLines(): Promise<LocatedEvent[]> {
    const copied = this.#forgets.hasRefused ? await this.copiedEvents() : [];
    return copied
      .filter((event) => this.#forgets.isKept(event))
      .map((event) => ({ event, path: '', from: 0, to: 0 }));
  }

  /** Returns all copied events of the core lane. */
  async copiedEvents(): Promise<LogEvent[]> {
    const { copies, copiedIds, scheduler } = this.#options;
    if (!copies) return [];
    const copied = await readCopies(copies, await copiedIds(), scheduler);
    return [...copied].map(({ event }) => event);
  }

  /** Shows again what was forgotten by events that the vault has lost. */
  async refoldAll(): Promise<void> {
    await this.#options.core().refold();
    await this.#refold();
  }

  /** Hides what was forgotten in the lane that does not contain the events that say so. */
  async #refold(): Promise<void> {
    const { chat, onChange, warn } = this.#options;
    onChange();
    await chat()
      .refold()
      .catch((error: unknown) => warn(String(error)));
  }
}

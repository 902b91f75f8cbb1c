import type { LogEvent } from '../../model/event.js';
import { Refusal } from '../../model/refusal.js';
import type { Clock } from '../../platform/clock.js';
import type { LineStamp } from '../format/line.js';
import { forgetKey, forgetOf, isForgettable } from './forget-event.js';
import {
  decidedForgets,
  isHiddenBy,
  isOpenRequest,
  isRemovalDue,
  removedIds,
  toldAgain,
  type DecidedForget,
  type ForgetDecision,
  type ForgetDecisions,
} from './forget-decisions.js';
import { ForgottenLines } from './forgotten-lines.js';

/** Stores this device's decisions outside the vault, for all of its programs. */
export interface ForgetStore {
  load(): Promise<ForgetDecisions>;
  /** Replaces the decisions. Updates of all programs run one at a time. */
  update(change: (decisions: ForgetDecisions) => ForgetDecisions): Promise<void>;
}

export interface ForgetsOptions {
  /** Without it, nothing is ever destroyed by this process. */
  readonly store: ForgetStore | undefined;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

/** The forgotten lines of the log, with this device's decisions about them. */
export class Forgets {
  readonly lines = new ForgottenLines();
  readonly #options: ForgetsOptions;
  #decisions: ForgetDecisions = {};
  /** Keys of events that were in the vault. */
  readonly #lost = new Set<string>();
  /** True if other lines are hidden than when the log was last folded. */
  #isChanged = false;
  /** Answers as of the last fold, if one keeps lines. They may be looked up at any time. */
  #decided = '';
  /** Keys of events of which this process has destroyed what it may, and not everything. */
  readonly partial = new Set<string>();
  /** True after a forgotten line was met, whose file may have to be rewritten. */
  #hasMet = false;
  /** The last result of `list`, and what it depends on. */
  #listed: { readonly stamp: readonly unknown[]; readonly list: DecidedForget[] } | undefined;
  /** Events of which this process has met a line. */
  readonly #met = new Map<string, Set<string>>();

  constructor(options: ForgetsOptions) {
    this.#options = options;
  }

  /** Takes in events of the core lane. Returns true if other lines are hidden than before. */
  async take(events: readonly LogEvent[]): Promise<boolean> {
    const named = events.filter((event) => event.t === 'log.forget' && forgetOf(event));
    if (named.length === 0) return false;
    const isMore = named.map((event) => this.lines.add(event)).some((key) => key !== undefined);
    await this.#lookUp(named.map(forgetKey));
    return this.#hasRefusedOthers() || isMore;
  }

  /** Takes in events that the lane has not read yet. Resolves to true if there are any. */
  async takeEarly(events: readonly LogEvent[]): Promise<boolean> {
    const isMore = await this.take(events);
    this.#isChanged ||= isMore;
    return isMore;
  }

  /** Returns true if a line must not be shown. */
  isHidden(stamp: LineStamp): boolean {
    const keys = this.lines.keysOf(stamp);
    if (keys.length === 0) return false;
    this.#hasMet ||= keys.some((key) => !this.partial.has(key));
    for (const key of keys) if (!this.#met.has(key)) this.#met.set(key, new Set());
    return isHiddenBy(keys, this.#choiceOf);
  }

  /** Returns true for an event that a person forgot and nobody keeps here. */
  readonly hides = (event: LogEvent): boolean =>
    isForgettable(event) && isHiddenBy(this.lines.keysOf(event), this.#choiceOf);

  readonly #choiceOf = (key: string) => this.#decisions[key]?.choice;

  /** Returns true if an event must not take effect. */
  isHiddenEvent(event: LogEvent): boolean {
    if (this.lines.isEmpty || !isForgettable(event)) return false;
    const isHidden = this.isHidden(event);
    if (event.t === 'ws.new')
      for (const key of this.lines.keysOf(event)) this.#met.get(key)?.add(event.e);
    return isHidden;
  }

  /** Drops events that the vault has lost. If they come back, lines copied since are due again. */
  async lose(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.lines.remove(key);
      this.#lost.add(key);
    }
    await this.#resetApplied(keys);
  }

  /** Marks unreadable events as not applied: other processes may copy their lines meanwhile. */
  async postpone(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.partial.add(key);
    const applied = keys.filter((key) => this.#decisions[key]?.appliedBy?.length);
    if (applied.length > 0) await this.#resetApplied(applied);
  }

  /** Takes in a file's events, perhaps with a line that was destroyed or an event that was lost. */
  meet(events: readonly LogEvent[]): void {
    for (const event of this.#lost.size > 0 ? events : [])
      if (event.t === 'log.forget' && this.#lost.delete(forgetKey(event))) {
        this.lines.add(event);
        this.#isChanged = true;
      }
    if (!this.lines.isEmpty) for (const event of events) this.isHiddenEvent(event);
  }

  /** Returns true if an event is kept on this device although another one has forgotten it. */
  isKept(event: LogEvent): boolean {
    return isForgettable(event) && this.lines.keysOf(event).length > 0 && !this.isHidden(event);
  }

  get hasRefused(): boolean {
    return this.list().some(({ decision }) => decision?.choice === 'refused');
  }

  list(): readonly DecidedForget[] {
    const stamp = [this.lines.version, this.#met.size, this.#decisions] as const;
    if (!this.#listed || stamp.some((each, at) => each !== this.#listed?.stamp[at]))
      this.#listed = { stamp, list: decidedForgets(this.lines, this.#decisions, this.#met) };
    return this.#listed.list;
  }

  /** Counts a day on which the user is told what they can decide about, and returns what is due. */
  async tell(): Promise<readonly DecidedForget[]> {
    const now = this.#options.clock.now();
    const due = this.list().filter((forget) => {
      const told = forget.decision?.told;
      return isOpenRequest(forget) && toldAgain(told, now) !== told;
    });
    const keys = due.map(({ key }) => key);
    if (due.length > 0)
      await this.#updateEach(
        keys,
        (before) => before && { ...before, told: toldAgain(before.told, now) },
      );
    return due;
  }

  /** Returns the events of which it is not known whether this device has lines. */
  unknown(): DecidedForget[] {
    if (!this.#options.store) return [];
    return this.list().filter(
      ({ key, decision: { choice = 'open', isHeld } = {} }) =>
        choice === 'open' && (isHeld === undefined || (!isHeld && this.#met.has(key))),
    );
  }

  /** Remembers of which events this device has lines. */
  async setHeld(isHeld: ReadonlyMap<string, boolean>): Promise<void> {
    if (isHeld.size === 0) return;
    for (const [key, isHere] of isHeld) if (!isHere) this.#met.delete(key);
    await this.#updateEach([...isHeld.keys()], (before, key) => {
      return before && { ...before, isHeld: isHeld.get(key) === true };
    });
  }

  /** Remembers the ids of what the user of this device has removed. */
  async addRemoved(removed: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const keys = [...removed.keys()].filter((key) => {
      // another device could forget in advance what is imported here
      if (this.#decisions[key]?.choice === 'open') return false;
      const known = new Set(this.#decisions[key]?.removed);
      return removed.get(key)!.some((id) => !known.has(id));
    });
    if (keys.length === 0) return;
    await this.#updateEach(keys, (before, key) => {
      const ids = new Set([...(before?.removed ?? []), ...removed.get(key)!]);
      return before && { ...before, removed: [...ids] };
    });
  }

  /** Returns the ids of what this device has removed for good. */
  get removedIds(): ReadonlySet<string> {
    return removedIds(this.#decisions);
  }

  /** Returns those whose lines this device has to destroy. */
  due(): DecidedForget[] {
    const now = this.#options.clock.now();
    return this.list().filter((forget) => !forget.isKept && isRemovalDue(forget, now));
  }

  /** Returns, once, whether a forgotten line was met since the last call. */
  takeMet(): boolean {
    const hasMet = this.#hasMet;
    this.#hasMet = false;
    return hasMet;
  }

  /** Stores a decision. Throws a `Refusal` if that is not possible. */
  decide(keys: readonly string[], choice: ForgetDecision['choice']): Promise<void> {
    return this.#updateEach(keys, (before) => {
      return { ...before, seenAt: before?.seenAt ?? this.#options.clock.now(), choice };
    });
  }

  /** Remembers that a program of this device has destroyed what it has of these. */
  markApplied(keys: readonly string[], program: string): Promise<void> {
    return this.#updateEach(keys, (before) => {
      const programs = new Set([...(before?.appliedBy ?? []), program]);
      return before && { ...before, appliedBy: [...programs] };
    });
  }

  /** Leaves an empty list where a program has destroyed what it had. */
  #resetApplied(keys: readonly string[]): Promise<void> {
    return this.#updateEach(
      keys,
      (before) => before && { ...before, ...(before.appliedBy && { appliedBy: [] }) },
    );
  }

  /** Looks up other programs' decisions. True, once, if other lines are hidden than before. */
  async takeChange(): Promise<boolean> {
    const undecided = this.list().filter(
      ({ decision: { choice = 'open', appliedBy = [] } = {} }) =>
        choice === 'refused' || (choice === 'open' && appliedBy.length === 0),
    );
    if (undecided.length > 0) await this.#lookUp(undecided.map(({ key }) => key));
    const isChanged = this.takeEarlyChange();
    return this.#hasRefusedOthers() || isChanged;
  }

  /** True, once, if other lines are hidden because of events that the lane had not read. */
  takeEarlyChange(): boolean {
    const isChanged = this.#isChanged;
    this.#isChanged = false;
    return isChanged;
  }

  /** Returns, once, whether other lines are kept by refusals than at the last fold. */
  #hasRefusedOthers(): boolean {
    const before = this.#decided;
    const answered = this.list().filter(({ decision }) => (decision?.choice ?? 'open') !== 'open');
    // what was agreed to matters only for lines that were refused before
    this.#decided = this.hasRefused
      ? answered.map(({ key, decision }) => `${key} ${decision?.choice ?? ''}`).join()
      : '';
    return this.#decided !== before;
  }

  /** Looks up the decisions of other programs of this device. */
  async reload(): Promise<void> {
    if (!this.lines.isEmpty) await this.#load(this.lines.forgets.map(({ key }) => key));
  }

  /** Decisions that cannot be looked up are looked up again later. */
  async #lookUp(keys: readonly string[]): Promise<void> {
    await this.#load(keys).catch((error: unknown) =>
      this.#options.warn(`What was decided could not be looked up: ${String(error)}`),
    );
  }

  async #load(keys: readonly string[]): Promise<void> {
    const { store } = this.#options;
    if (!store) return;
    this.#decisions = await store.load();
    const now = this.#options.clock.now();
    const unknown = keys.filter((key) => !this.#decisions[key]);
    if (unknown.length === 0) return;
    // another program may have stored a decision meanwhile
    await this.#updateEach(unknown, (before) => before ?? { choice: 'open', seenAt: now });
  }

  /** Replaces decisions by what `change` returns; undefined stands for no decision. */
  async #updateEach(
    keys: readonly string[],
    change: (before: ForgetDecision | undefined, key: string) => ForgetDecision | undefined,
  ): Promise<void> {
    const { store } = this.#options;
    if (!store) throw new Error('This device stores no decisions');
    const changed = (decisions: ForgetDecisions) => {
      const after: Record<string, ForgetDecision> = { ...decisions };
      for (const key of keys) {
        const decision = change(decisions[key], key);
        if (decision) after[key] = decision;
      }
      return after;
    };
    await store
      .update((decisions) => (this.#decisions = changed(decisions)))
      .catch((error: unknown) => {
        throw new Refusal(
          `What is to be forgotten could not be stored on this device (${String(error)}). Make room in its state folder, then try again.`,
        );
      });
  }
}

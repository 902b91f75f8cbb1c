import { stampTime } from '../../model/event.js';
import { itemCount } from '../../model/lookup.js';
import { entityOf, type Memory } from '../../model/memory.js';
import { lineCount } from './forget-event.js';
import { lineKeysOf, type ForgottenLines, type KnownForget } from './forgotten-lines.js';

/** Decision of this device about a `log.forget` event. */
export interface ForgetDecision {
  /**
   * `own`: a person forgot the lines on this device. `agreed`, `refused`: its user answered an
   * event of another one, with `refused` to keep the lines here. `open`: nobody has decided yet.
   */
  readonly choice: ForgetAnswer;
  /** When this device first saw the event, in milliseconds since 1970. */
  readonly seenAt: number;
  /** When this device told its user about it, by its clock and at least 20 hours apart. */
  readonly told?: readonly number[];
  /** True if the vault or the copies had one of the lines at the last check. */
  readonly isHeld?: boolean;
  /** Ids of what this device has removed because of it: items, and messages (`turnKey`). */
  readonly removed?: readonly string[];
  /**
   * Programs of this device (`LogOptions.program`) that have destroyed what they have of it; empty
   * after they did, if something may have come back since.
   */
  readonly appliedBy?: readonly string[];
}

export type ForgetAnswer = 'own' | 'agreed' | 'refused' | 'open';

/** Decisions by `forgetKey`. */
export type ForgetDecisions = Readonly<Record<string, ForgetDecision>>;

const HOUR_MS = 60 * 60 * 1000;

/** Days on which the user of another device is told, and can refuse. */
export const AGREEMENT_DAYS = 7;

/** Two days that count are at least this far apart. */
const MIN_DAY_MS = 20 * HOUR_MS;

/** Returns true if a line that these events name must not be shown on this device. */
export function isHiddenBy(
  keys: readonly string[],
  choiceOf: (key: string) => ForgetAnswer | undefined,
): boolean {
  if (keys.length === 0) return false;
  const choices = new Set(keys.map(choiceOf));
  return !choices.has('refused') || choices.has('own') || choices.has('agreed');
}

/** Returns true if the lines of an event are to be destroyed on this device. */
export function isRemovalDue({ decision, event }: DecidedForget, now: number): boolean {
  const { choice, told } = decision ?? {};
  if (choice === 'own' || choice === 'agreed') return true;
  const isTold = toldDays(told) > AGREEMENT_DAYS;
  return (
    choice === 'open' &&
    isTold &&
    now >= Date.parse(stampTime(event)) + AGREEMENT_DAYS * 24 * HOUR_MS
  );
}

/** Returns on how many days the user was told. One before which the clock was set back is none. */
export function toldDays(told: ForgetDecision['told'] = []): number {
  return told.filter((at, index) => index === 0 || at > told[index - 1]!).length;
}

/** Adds a time at which the user is told, unless another one is less than 20 hours from it. */
export function toldAgain(told: readonly number[] = [], now: number): readonly number[] {
  return told.some((at) => Math.abs(now - at) < MIN_DAY_MS) ? told : [...told, now];
}

/** Returns the ids of what the user of this device has removed for good. */
export function removedIds(decisions: ForgetDecisions): ReadonlySet<string> {
  return new Set(Object.values(decisions).flatMap(({ removed = [] }) => removed));
}

/** A `log.forget` event with what this device has decided about it. */
export interface DecidedForget extends KnownForget {
  readonly decision: ForgetDecision | undefined;
  /** True if the vault, as far as it was read, or the copies have one of the lines. */
  readonly isHere: boolean;
  /** Ids of workspaces that the lines create, as far as the vault was read. */
  readonly workspaces: ReadonlySet<string>;
  /** True if the user keeps all of its lines on this device, by refusing this event or others. */
  readonly isKept: boolean;
  /** True if the user has decided about all of its lines, under this event or others. */
  readonly isAnswered: boolean;
}

/** Returns true if lines are hidden on this device about which its user can still decide. */
export function isOpenRequest({ decision, isHere, isAnswered }: DecidedForget): boolean {
  const { choice = 'open', appliedBy = [] }: Partial<ForgetDecision> = decision ?? {};
  return choice === 'open' && isHere && !isAnswered && appliedBy.length === 0;
}

/** Counts what is hidden: with the only line that creates a workspace, all that is in it. */
export function entryCount({ content, workspaces }: DecidedForget, memory: Memory): number {
  const hidden = [...workspaces].filter((id) => entityOf(memory, id).created === undefined);
  return hidden.reduce((sum, id) => sum + itemCount(memory, id), lineCount(content));
}

/** By key of the events with lines here: the ids of the workspaces that these create. */
export type MetLines = ReadonlyMap<string, ReadonlySet<string>>;

/** Joins events with what a device has decided about them. */
export function decidedForgets(
  lines: ForgottenLines,
  decisions: ForgetDecisions,
  met: MetLines = new Map(),
): DecidedForget[] {
  const { forgets } = lines;
  const isRefused = ({ key }: KnownForget) => decisions[key]?.choice === 'refused';
  const isAgreed = ({ key }: KnownForget) =>
    decisions[key]?.choice === 'own' || decisions[key]?.choice === 'agreed';
  const kept = new Set(forgets.filter(isRefused).flatMap(lineKeysOf));
  const agreed = new Set(forgets.filter(isAgreed).flatMap(lineKeysOf));
  const isIn = (forget: KnownForget, lines: ReadonlySet<string>) =>
    lines.size > 0 && lineKeysOf(forget).every((line) => lines.has(line));
  return forgets.map((forget) => {
    const decision = decisions[forget.key];
    const isKept = !isAgreed(forget) && isIn(forget, kept);
    const isHere = decision?.isHeld === true || met.has(forget.key);
    const workspaces = met.get(forget.key) ?? new Set<string>();
    const isAnswered = isKept || isIn(forget, agreed);
    return { ...forget, decision, isHere, workspaces, isKept, isAnswered };
  });
}

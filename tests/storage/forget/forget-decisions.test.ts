import { describe, expect, it } from 'vitest';
import {
  AGREEMENT_DAYS,
  decidedForgets,
  isHiddenBy,
  isOpenRequest,
  isRemovalDue,
  removedIds,
  toldAgain,
  toldDays,
  type ForgetAnswer,
  type ForgetDecision,
} from '../../../src/storage/forget/forget-decisions.js';
import { forgetKey } from '../../../src/storage/forget/forget-event.js';
import { ForgottenLines } from '../../../src/storage/forget/forgotten-lines.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { clockText, lineOf } from '../../fakes/events.js';
import { forgetLine, lineRun } from './forget-events.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = AGREEMENT_DAYS * DAY_MS;
const lines = lineRun(3);
const { event } = lineOf({ ...forgetLine(lines).event, h: clockText(0) });

/** The event with what a device has decided about it. */
function decided(decision: Partial<ForgetDecision> | undefined) {
  const forgotten = new ForgottenLines();
  forgotten.add(event);
  const stored = decision && { choice: 'open' as const, seenAt: START_TIME, ...decision };
  return decidedForgets(forgotten, stored ? { [forgetKey(event)]: stored } : {})[0]!;
}

const toldOn = (days: number) => ({
  told: Array.from({ length: days }, (_, day) => START_TIME + day * DAY_MS),
});

describe('Lines', () => {
  it.each<[string, Partial<ForgetDecision> | undefined, number, boolean]>([
    ['what its own program forgot', { choice: 'own' }, 0, true],
    ['what its user agreed to', { choice: 'agreed' }, 0, true],
    ['what its user refused', { choice: 'refused', ...toldOn(100) }, 100 * WEEK_MS, false],
    ['what nothing is stored of', undefined, 100 * WEEK_MS, false],
    ['what the user was never told', {}, 100 * WEEK_MS, false],
    ['what the user was told on six days', toldOn(6), 100 * WEEK_MS, false],
    ['what the user is told on the seventh day', toldOn(7), 100 * WEEK_MS, false],
    ['what the user was told on seven days before', toldOn(8), WEEK_MS, true],
    ['what is less than seven days old', toldOn(8), WEEK_MS - 1, false],
    ['what was forgotten in the future', toldOn(8), -1, false],
  ])('a device destroys, or does not, %s', (_, decision, after, expected) => {
    expect(isRemovalDue(decided(decision), START_TIME + after)).toBe(expected);
  });

  it.each<[readonly (ForgetAnswer | undefined)[], boolean]>([
    [[], false],
    [[undefined], true],
    [['open'], true],
    [['own'], true],
    [['agreed'], true],
    [['refused'], false],
    [['refused', 'open', undefined], false],
    [['open', 'refused'], false],
    [['refused', 'own'], true],
    [['agreed', 'refused'], true],
  ])('are hidden by events with these answers, or not: %j', (answers, expected) => {
    const keys = answers.map((_, at) => String(at));
    expect(isHiddenBy(keys, (key) => answers[Number(key)])).toBe(expected);
  });
});

describe('The user', () => {
  it.each<[string, Partial<ForgetDecision> | undefined, boolean]>([
    ['what nothing is stored of', undefined, false],
    ['what the device may have', {}, false],
    ['what the device does not have', { isHeld: false }, false],
    ['what the device has', { isHeld: true }, true],
    ['its own', { choice: 'own', isHeld: true }, false],
    ['what is agreed to', { choice: 'agreed', isHeld: true }, false],
    ['what is refused', { choice: 'refused', isHeld: true }, false],
    ['what was removed', { isHeld: true, appliedBy: ['app'] }, false],
  ])('can decide, and is told, about %s or not', (_, decision, expected) => {
    const forget = decided(decision);
    expect(isOpenRequest(forget)).toBe(expected);
  });

  it('keeps an event if all of its lines were refused under others', () => {
    const forgotten = new ForgottenLines();
    const [first, second, both, more] = [
      forgetLine(lines.slice(0, 1)),
      forgetLine(lines.slice(1, 2)),
      forgetLine(lines.slice(0, 2)),
      forgetLine(lines),
    ].map((line) => line.event);
    for (const each of [first!, second!, both!, more!]) forgotten.add(each);
    const refused = { choice: 'refused' as const, seenAt: 0 };
    const keptWith = (...events: (typeof event)[]) =>
      decidedForgets(
        forgotten,
        Object.fromEntries(events.map((each) => [forgetKey(each), refused])),
      ).map(({ isKept }) => isKept);
    expect(keptWith()).toEqual([false, false, false, false]);
    expect(keptWith(first!)).toEqual([true, false, false, false]);
    expect(keptWith(first!, second!)).toEqual([true, true, true, false]);
    expect(keptWith(more!)).toEqual([true, true, true, true]);
  });

  it('does not keep what they have agreed to or forgotten on this device', () => {
    const forgotten = new ForgottenLines();
    const same = forgetLine(lines, 'other').event;
    for (const each of [event, same]) forgotten.add(each);
    for (const choice of ['own', 'agreed'] as const) {
      const decisions = {
        [forgetKey(same)]: { choice: 'refused' as const, seenAt: 0 },
        [forgetKey(event)]: { choice, seenAt: 0 },
      };
      expect(decidedForgets(forgotten, decisions).map(({ isKept }) => isKept)).toEqual([
        false,
        true,
      ]);
    }
  });
});

describe('A day on which the user is told', () => {
  const before = [-DAY_MS, 0].map((later) => START_TIME + later);

  it('is the first one if there was none', () => {
    expect(toldAgain(undefined, START_TIME)).toEqual([START_TIME]);
    expect([toldDays(undefined), toldDays([START_TIME])]).toEqual([0, 1]);
  });

  it.each<[string, readonly number[], number]>([
    ['less than 20 hours later is the same', [20 * HOUR_MS - 1], 2],
    ['20 hours later counts', [20 * HOUR_MS], 3],
    ['400 days later counts once', [400 * DAY_MS], 3],
    ['a moment earlier counts nothing', [-1], 2],
    ['400 days earlier counts nothing', [-400 * DAY_MS], 2],
    ['after that, the same day counts nothing', [-400 * DAY_MS, 1, -400 * DAY_MS + 1], 2],
    ['after that, a new day counts', [-400 * DAY_MS, 1, DAY_MS], 3],
  ])('%s', (_, times, expected) => {
    const told = times.reduce(
      (all, later) => toldAgain(all, START_TIME + later),
      before as readonly number[],
    );
    expect(toldDays(told)).toBe(expected);
    expect(toldAgain(told, told.at(-1)!)).toBe(told);
  });
});

it('the ids of all that was removed are those of each decision', () => {
  const decision = { choice: 'agreed' as const, seenAt: 0 };
  const removed = removedIds({
    one: { ...decision, removed: ['a', 'b'] },
    two: { ...decision, removed: ['b', 'c'] },
    three: decision,
  });
  expect([...removed]).toEqual(['a', 'b', 'c']);
});

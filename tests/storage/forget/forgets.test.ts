import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { Refusal } from '../../../src/model/refusal.js';
import { forgetKey } from '../../../src/storage/forget/forget-event.js';
import { Forgets } from '../../../src/storage/forget/forgets.js';
import { createTestClock, START_TIME } from '../../fakes/deterministic.js';
import { eventOf, lineOf } from '../../fakes/events.js';
import { forgetLine, lineRun } from './forget-events.js';
import { watchedStore } from './watched-store.js';

const lines = lineRun(4);
const [first, second, third, fourth] = lines.map(({ event }) => event) as [
  LogEvent,
  LogEvent,
  LogEvent,
  LogEvent,
];
/** Two events, both of which name the second line. */
const ofTwo = forgetLine(lines.slice(0, 2)).event;
const ofThree = forgetLine(lines.slice(1, 3), 'laptop').event;
const [keyOfTwo, keyOfThree] = [forgetKey(ofTwo), forgetKey(ofThree)];
const invalid = eventOf({ t: 'log.forget', d: { ranges: [] } });

function create() {
  const store = watchedStore();
  const clock = createTestClock();
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  return { store, clock, warnings, forgets: new Forgets({ store, clock, warn }) };
}

/** A device that has read both events. */
async function createReader() {
  const device = create();
  await device.forgets.take([ofTwo, ofThree]);
  return device;
}

const withoutStore = (warnings: string[] = []) =>
  new Forgets({
    store: undefined,
    clock: createTestClock(),
    warn: (message) => void warnings.push(message),
  });

describe('Events that are read', () => {
  it.each([
    ['a new one', [ofTwo], true],
    ['a new one among others', [first, ofThree, ofTwo, second], true],
    ['one that is known', [ofThree], false],
    ['one that is invalid', [invalid], false],
    ['one of another type', [first], false],
    ['none', [], false],
  ])('hide more if there is %s', async (_, events, isMore) => {
    const { forgets } = create();
    await forgets.take([ofThree]);
    expect(await forgets.take(events)).toBe(isMore);
  });

  it('cost no look at the decisions if none of them forgets anything', async () => {
    const { forgets, store } = create();
    await forgets.take([first, invalid]);
    expect(store.calls).toEqual({ load: 0, update: 0 });
  });

  it('are stored with the time at which they were first seen, and nothing else is', async () => {
    const { forgets, store, clock } = create();
    await forgets.take([ofTwo, first, invalid]);
    clock.advance(1000);
    await forgets.take([ofTwo, ofThree]);
    expect(store.decisions()).toEqual({
      [keyOfTwo]: { choice: 'open', seenAt: START_TIME },
      [keyOfThree]: { choice: 'open', seenAt: START_TIME + 1000 },
    });
  });

  it('are hidden, and stored later, if the decisions cannot be looked up', async () => {
    const { forgets, store, warnings } = create();
    store.fails.load = new Error('The disk is gone');
    expect(await forgets.take([ofTwo])).toBe(true);
    expect(warnings).toEqual(['What was decided could not be looked up: Error: The disk is gone']);
    expect(forgets.isHidden(first)).toBe(true);
    expect(forgets.unknown().map(({ key }) => key)).toEqual([keyOfTwo]);
    expect(forgets.hasRefused).toBe(false);

    delete store.fails.load;
    expect(await forgets.takeChange()).toBe(false);
    expect(store.decisions()).toEqual({ [keyOfTwo]: { choice: 'open', seenAt: START_TIME } });
  });

  it('are hidden on a device that stores no decisions, which never destroys them', async () => {
    const warnings: string[] = [];
    const forgets = withoutStore(warnings);
    expect(await forgets.take([ofTwo])).toBe(true);
    expect(await forgets.takeChange()).toBe(false);
    expect(forgets.isHidden(first)).toBe(true);
    expect([forgets.unknown(), forgets.hasRefused, forgets.due()]).toEqual([[], false, []]);
    expect(warnings).toEqual([]);
    await expect(forgets.decide([keyOfTwo], 'agreed')).rejects.toThrow(
      'This device stores no decisions',
    );
  });

  it('before the lane was read change what is hidden for its next fold, once', async () => {
    const { forgets } = create();
    expect([await forgets.takeEarly([ofTwo]), await forgets.takeEarly([ofTwo])]).toEqual([
      true,
      false,
    ]);
    expect([await forgets.takeChange(), await forgets.takeChange()]).toEqual([true, false]);
    await forgets.takeEarly([first, ofTwo]);
    expect(await forgets.takeChange()).toBe(false);
  });

  it('are told of once although decisions about them cannot be stored', async () => {
    const { forgets, store } = create();
    store.fails.update = new Error('The disk is full');
    expect(await forgets.takeEarly([ofTwo])).toBe(true);
    expect([await forgets.takeChange(), await forgets.takeChange()]).toEqual([true, false]);
  });
});

describe('A line', () => {
  const all = [first, second, third, fourth];

  it('is shown once an event that names it was refused, whatever others name it', async () => {
    const { forgets } = await createReader();
    const hidden = () => all.map((event) => forgets.isHiddenEvent(event));
    const kept = () => all.map((event) => forgets.isKept(event));
    expect(hidden()).toEqual([true, true, true, false]);
    expect(kept()).toEqual([false, false, false, false]);
    expect(forgets.hasRefused).toBe(false);
    await forgets.decide([keyOfTwo], 'refused');
    expect(hidden()).toEqual([false, false, true, false]);
    expect(kept()).toEqual([true, true, false, false]);
    expect(forgets.hasRefused).toBe(true);
    await forgets.decide([keyOfThree], 'refused');
    expect(hidden()).toEqual([false, false, false, false]);
    expect(kept()).toEqual([true, true, true, false]);
  });

  it.each(['own', 'agreed'] as const)(
    'that was refused is hidden again by an event that is %s',
    async (choice) => {
      const { forgets } = await createReader();
      await forgets.decide([keyOfTwo], 'refused');
      await forgets.decide([keyOfThree], choice);
      expect(all.map((event) => forgets.isHidden(event))).toEqual([false, true, true, false]);
      expect(forgets.due().map(({ key }) => key)).toEqual([keyOfThree]);
    },
  );

  it('of the log itself is neither hidden nor kept, even if a forged event names it', async () => {
    const { forgets } = create();
    const seal = lineOf({ t: 'log.seal', d: { count: 1 } });
    const d = { ...ofTwo.d, ranges: [{ ...rangeIn(ofTwo), to: 1, crcs: seal.event.c }] };
    const forged = eventOf({ t: 'log.forget', d });
    await forgets.take([forged]);
    expect(forgets.isHidden(seal.event)).toBe(true);
    expect(forgets.isHiddenEvent(seal.event)).toBe(false);
    await forgets.decide([forgetKey(forged)], 'refused');
    expect(forgets.isKept(seal.event)).toBe(false);
  });

  it('is reported once after it was met', async () => {
    const { forgets } = await createReader();
    expect(forgets.takeMet()).toBe(false);
    forgets.meet([fourth]);
    expect(forgets.takeMet()).toBe(false);
    forgets.meet([fourth, first]);
    expect([forgets.takeMet(), forgets.takeMet()]).toEqual([true, false]);
  });

  it('is reported unless all that name it were applied as far as this process may', async () => {
    const { forgets } = await createReader();
    forgets.partial.add(keyOfTwo);
    forgets.meet([first]);
    expect(forgets.takeMet()).toBe(false);
    forgets.meet([second]);
    expect(forgets.takeMet()).toBe(true);
  });
});

describe('An event that was lost', () => {
  /** A device that has destroyed what an event forgets, which was lost then. */
  async function createLosing() {
    const device = await createReader();
    await device.forgets.decide([keyOfTwo], 'agreed');
    await device.forgets.markApplied([keyOfTwo, keyOfThree], 'shell');
    await device.forgets.lose([keyOfTwo]);
    return device;
  }

  it('forgets nothing, and is to be applied again by every program', async () => {
    const { forgets, store } = await createLosing();
    expect([first, second].map((event) => forgets.isHidden(event))).toEqual([false, true]);
    expect(forgets.list().map(({ key }) => key)).toEqual([keyOfThree]);
    expect(await forgets.takeChange()).toBe(false);
    const seenAt = START_TIME;
    expect(store.decisions()).toEqual({
      [keyOfTwo]: { choice: 'agreed', seenAt, appliedBy: [] },
      [keyOfThree]: { choice: 'open', seenAt, appliedBy: ['shell'] },
    });
  });

  it('forgets again once a file contains it, which is reported once', async () => {
    const { forgets } = await createLosing();
    forgets.meet([first, ofTwo]);
    expect(forgets.isHidden(first)).toBe(true);
    expect([await forgets.takeChange(), await forgets.takeChange()]).toEqual([true, false]);
    expect(forgets.due().map(({ key }) => key)).toEqual([keyOfTwo]);
  });

  it.each([
    ['another event', first],
    ['another event that forgets', ofThree],
    ['an event of another type with its data', eventOf({ t: 'set', d: ofTwo.d })],
  ])('is not back when a file contains %s', async (_, event) => {
    const { forgets } = await createLosing();
    forgets.meet([event]);
    expect(await forgets.takeChange()).toBe(false);
    expect(forgets.isHidden(first)).toBe(false);
    forgets.meet([ofTwo]);
    expect(forgets.isHidden(first)).toBe(true);
  });

  it('is not taken in from a file if it never was in the vault before', () => {
    const { forgets } = create();
    forgets.meet([ofTwo]);
    expect(forgets.lines.isEmpty).toBe(true);
  });
});

describe('An event that cannot be read now', () => {
  it('is to be applied again by every program, which is stored once, and hides its lines', async () => {
    const { forgets, store } = await createReader();
    await forgets.decide([keyOfTwo], 'agreed');
    await forgets.markApplied([keyOfTwo], 'shell');
    const { update } = store.calls;
    for (let time = 0; time < 2; time++) await forgets.postpone([keyOfTwo, keyOfThree]);
    expect(store.calls.update).toBe(update + 1);
    const seenAt = START_TIME;
    expect(store.decisions()).toEqual({
      [keyOfTwo]: { choice: 'agreed', seenAt, appliedBy: [] },
      [keyOfThree]: { choice: 'open', seenAt },
    });
    forgets.meet([first]);
    expect([forgets.isHidden(first), forgets.takeMet()]).toEqual([true, false]);
  });
});

describe('A decision', () => {
  it('keeps when the event was first seen, or is the first that is known of it', async () => {
    const { forgets, store, clock } = create();
    await forgets.take([ofTwo]);
    clock.advance(1000);
    await forgets.decide([keyOfTwo, keyOfThree], 'own');
    expect(store.decisions()).toEqual({
      [keyOfTwo]: { choice: 'own', seenAt: START_TIME },
      [keyOfThree]: { choice: 'own', seenAt: START_TIME + 1000 },
    });
  });

  it('that cannot be stored is refused with the reason', async () => {
    const { forgets, store } = await createReader();
    store.fails.update = new Error('The disk is full');
    const error = await forgets.decide([keyOfTwo], 'agreed').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Refusal);
    expect(String(error)).toContain(
      'What is to be forgotten could not be stored on this device (Error: The disk is full). Make room in its state folder, then try again.',
    );
    expect(forgets.due()).toEqual([]);
  });

  it('of another program is not overwritten by the time at which the event was seen', async () => {
    const { forgets, store } = create();
    store.beforeUpdate = () => store.decide(keyOfTwo, { choice: 'refused', seenAt: 1 });
    await forgets.take([ofTwo, ofThree]);
    expect(store.decisions()[keyOfTwo]).toEqual({ choice: 'refused', seenAt: 1 });
    expect([first, third].map((event) => forgets.isHidden(event))).toEqual([false, true]);
  });

  it('is stored only if there is something new', async () => {
    const { forgets, store, clock } = await createReader();
    await store.decide(keyOfTwo, { choice: 'refused', seenAt: clock.now() + 1 });
    const before = store.calls.update;
    await forgets.reload();
    expect(store.calls.update).toBe(before);
  });

  it('is not looked up before an event was read', async () => {
    const { forgets, store } = create();
    await forgets.reload();
    expect([await forgets.takeChange(), store.calls.load]).toEqual([false, 0]);
  });

  it('notes the programs that have destroyed the lines, each once', async () => {
    const { forgets, store } = await createReader();
    await forgets.decide([keyOfTwo], 'agreed');
    for (const program of ['shell', 'app', 'shell'])
      await forgets.markApplied([keyOfTwo, 'unknown'], program);
    const seenAt = START_TIME;
    expect(store.decisions()).toEqual({
      [keyOfTwo]: { choice: 'agreed', seenAt, appliedBy: ['shell', 'app'] },
      [keyOfThree]: { choice: 'open', seenAt },
    });
  });
});

describe('A decision of another process', () => {
  it('is reported once, whenever it was looked up', async () => {
    const { forgets, store } = create();
    expect(await forgets.take([ofTwo])).toBe(true);
    expect(await forgets.takeChange()).toBe(false);

    for (const choice of ['refused', 'agreed'] as const) {
      await store.decide(keyOfTwo, { choice });
      await forgets.reload();
      expect([await forgets.takeChange(), await forgets.takeChange()]).toEqual([true, false]);
    }
  });

  it('is reported by the event after which it was looked up, once', async () => {
    const { forgets, store } = await createReader();
    await store.decide(keyOfTwo, { choice: 'refused' });
    expect([await forgets.take([ofThree]), await forgets.take([ofThree])]).toEqual([true, false]);
  });

  it('to destroy what is hidden already changes nothing', async () => {
    const { forgets, store } = await createReader();
    await store.decide(keyOfTwo, { choice: 'agreed' });
    expect(await forgets.takeChange()).toBe(false);
    expect(forgets.due().map(({ key }) => key)).toEqual([keyOfTwo]);
  });

  it.each([
    ['nobody has decided', {}, 1],
    ['its lines were destroyed after its user was told', { appliedBy: ['shell'] }, 0],
    ['its user has refused, who may agree later', { choice: 'refused' as const }, 1],
    ['its user has agreed', { choice: 'agreed' as const }, 0],
  ])(
    'is looked up at each scan as long as it may change what is hidden: %s',
    async (_, decision, loads) => {
      const { forgets, store } = create();
      await forgets.take([ofTwo]);
      await store.decide(keyOfTwo, decision);
      await forgets.reload();
      const before = store.calls.load;
      await forgets.takeChange();
      expect(store.calls.load - before).toBe(loads);
    },
  );
});

describe('Telling the user', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;

  it('counts what the device has and can decide about, once a day', async () => {
    const { forgets, store, clock } = await createReader();
    expect(await forgets.tell()).toEqual([]);
    await forgets.setHeld(new Map(Object.entries({ [keyOfTwo]: true, [keyOfThree]: false })));
    expect((await forgets.tell()).map(({ key }) => key)).toEqual([keyOfTwo]);
    const { update } = store.calls;
    expect(await forgets.tell()).toEqual([]);
    expect(store.calls.update).toBe(update);
    clock.advance(DAY_MS);
    expect(await forgets.tell()).toHaveLength(1);
    expect(store.decisions()[keyOfTwo]?.told).toEqual([START_TIME, START_TIME + DAY_MS]);
    expect(store.decisions()[keyOfThree]?.told).toBeUndefined();
  });

  it.each(['own', 'agreed', 'refused'] as const)('ends once it is %s', async (choice) => {
    const { forgets } = await createReader();
    await forgets.setHeld(new Map([[keyOfTwo, true]]));
    await forgets.decide([keyOfTwo], choice);
    expect(await forgets.tell()).toEqual([]);
  });

  it('ends for lines that were refused under another event', async () => {
    const { forgets } = await createReader();
    const same = forgetLine(lines.slice(0, 2), 'other').event;
    await forgets.take([same]);
    await forgets.setHeld(new Map([forgetKey(same), keyOfThree].map((key) => [key, true])));
    await forgets.decide([keyOfTwo], 'refused');
    expect((await forgets.tell()).map(({ key }) => key)).toEqual([keyOfThree]);
  });

  it('counts the days of all programs together', async () => {
    const { forgets, store, clock, warnings } = await createReader();
    await forgets.setHeld(new Map([[keyOfTwo, true]]));
    await forgets.tell();
    const other = new Forgets({ store, clock, warn: (message) => void warnings.push(message) });
    await other.take([ofTwo]);
    expect(await other.tell()).toEqual([]);
    clock.advance(DAY_MS);
    await other.tell();
    await forgets.reload();
    expect(await forgets.tell()).toEqual([]);
    expect(store.decisions()[keyOfTwo]?.told).toHaveLength(2);
  });
});

function rangeIn({ d }: LogEvent): object {
  return (d['ranges'] as object[])[0]!;
}

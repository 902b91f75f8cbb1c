import { describe, expect, it } from 'vitest';
import { START_TIME } from '../../fakes/deterministic.js';
import { createDevices, save } from './devices.js';
import { settled } from './forgetter-on.js';
import { Partner } from './partner.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A device in whose vault a partner has asked, at the start, to remove a state. */
async function createAsked() {
  const { vault, device, linesOf } = createDevices();
  const laptop = device('laptop');
  const log = laptop.open();
  await save(log, 'one', 'two');
  await log.close();
  const partner = new Partner(() => vault.clock.now());
  partner.forget(await linesOf('st-one'));
  partner.putInto(vault.files);
  const isHere = () =>
    vault.files.paths().some((path) => vault.files.text(path).includes('"e":"st-one"'));
  /** Starts `day` days after the request, by the clock. Returns true if the state is here. */
  async function startOn(day: number): Promise<boolean> {
    vault.clock.set(START_TIME + day * DAY_MS);
    const next = laptop.open();
    await next.memory();
    await settled();
    await next.forgetting.tell();
    await next.close();
    return isHere();
  }
  /** Returns on which of these days, counted from 0, the state is gone; undefined for none. */
  async function goneAt(days: readonly number[]): Promise<number | undefined> {
    for (const [at, day] of days.entries()) if (!(await startOn(day))) return at;
    return undefined;
  }
  return { vault, laptop, linesOf, startOn, goneAt };
}

const count = (length: number, day: (at: number) => number) =>
  Array.from({ length }, (_, at) => day(at));
const daily = count(30, (at) => at);

describe('What another device has asked to remove', () => {
  it.each<[string, readonly number[], number | undefined]>([
    ['is used daily', daily, 8],
    ['is used twice a day', count(30, (at) => at / 2), 15],
    ['is used every hour', count(24 * 9, (at) => at / 24), 7 * 24],
    ['is used monthly', count(20, (at) => 30 * at), 8],
    ['is used again after a year', [0, ...count(20, (at) => 365 + at)], 8],
    ['starts once with a clock 10 days behind', [0, -10, ...daily.slice(1)], 9],
    ['starts once with a clock 400 days behind', [0, -400, ...daily.slice(1)], 9],
    ['first starts with a clock 400 days behind', [-400, ...daily], 8],
    ['starts once with a clock 8 days ahead', [0, 8, ...daily.slice(1)], 9],
    ['first starts with a clock 8 days ahead', [8, ...daily], 9],
    ['starts once with a clock a year ahead', [0, 365, ...daily.slice(1)], 9],
    ['has a clock that is always a year ahead', count(20, (at) => 365 + at), 8],
    ['has a clock that is always a year behind', count(40, (at) => at - 365), undefined],
    ['has a clock that stands still', count(40, () => 0), undefined],
    ['flips between two clocks', count(40, (at) => (at % 2 === 0 ? 8 : 18)), undefined],
    ['flips between three clocks', count(40, (at) => [8, 18, 28][at % 3]!), undefined],
    ['has a second clock that is 10 days behind', count(40, (at) => at / 2 - 10 * (at % 2)), 16],
    ['starts often on one day', count(40, (at) => at / 60), undefined],
  ])('is removed in time, and not before, from a device that %s', async (_, days, expected) => {
    expect(await (await createAsked()).goneAt(days)).toBe(expected);
  });

  it('is never removed within seven days, whatever the clock showed before', async () => {
    const { goneAt } = await createAsked();
    const jumps = count(20, (at) => (at % 2 === 0 ? -400 : 6.9));
    expect(await goneAt(jumps)).toBeUndefined();
  });

  it('is not removed by processes that never tell of it', async () => {
    const { vault, laptop, linesOf } = await createAsked();
    for (const day of count(30, (at) => at * 10)) {
      vault.clock.set(START_TIME + day * DAY_MS);
      const log = laptop.open();
      await log.memory();
      await log.close();
    }
    const [line] = await linesOf('st-two');
    expect(vault.files.text(line!.path)).toContain('"e":"st-one"');
  });

  it.each([-400, 0, 400])(
    'does not delay what the person forgets here, with a clock %i days off',
    async (day) => {
      const { vault, laptop, linesOf } = await createAsked();
      vault.clock.set(START_TIME + day * DAY_MS);
      const log = laptop.open();
      const lines = await linesOf('st-two');
      await log.forgetting.forget(lines, true);
      await log.close();
      expect(vault.files.text(lines[0]!.path)).not.toContain('"e":"st-two"');
      expect(vault.files.text(lines[0]!.path)).toContain('"e":"st-one"');
    },
  );
});

import { describe, expect, it } from 'vitest';
import type { EncodedLine } from '../../../src/storage/format/line.js';
import { AGREEMENT_DAYS } from '../../../src/storage/forget/forget-decisions.js';
import type { ForgetterOptions } from '../../../src/storage/forget/forgetter.js';
import { joinLines } from '../../fakes/events.js';
import { forgedForget, forgetLine, lineRun } from './forget-events.js';
import { FOLDER, FORGET_SEGMENT, forgetterOn, SEGMENT, settled, VAULT_ID } from './forgetter-on.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const lines = lineRun(3);
const [first, second, third] = lines as [EncodedLine, EncodedLine, EncodedLine];
const ofSecond = forgetLine([second]);
const ofThird = forgetLine([third]);

/** A program that has three lines. */
function create(options: Partial<ForgetterOptions> = {}) {
  const device = forgetterOn(options);
  device.put(SEGMENT, ...lines);
  return {
    ...device,
    /** Starts as each scan does. Returns how often that destroyed something. */
    async start() {
      const before = device.runs();
      device.forgetter.start();
      await settled();
      return device.runs() - before;
    },
    async advance(ms: number) {
      const before = device.runs();
      device.clock.advance(ms);
      await settled();
      return device.runs() - before;
    },
    /** Tells the user on `days` successive days. */
    async tellOn(days: number) {
      for (let day = 0; day < days; day++) {
        if (day > 0) device.clock.advance(DAY_MS);
        await settled();
        await device.forgets.tell();
      }
    },
  };
}

/** A program that has destroyed the second line. */
async function createApplied(options: Partial<ForgetterOptions> = {}) {
  const device = create(options);
  const key = await device.forget(ofSecond, 'own');
  await device.forgetter.destroy();
  return { ...device, key };
}

describe('Starting to destroy', () => {
  it('destroys, once, what is due', async () => {
    const device = create();
    expect(await device.start()).toBe(0);
    await device.forget(ofSecond, 'own');
    expect(await device.start()).toBe(1);
    expect(await device.contentOf()).toBe('a1 - a3');
    expect(await device.start()).toBe(0);
  });

  it('runs once at a time', async () => {
    const device = create();
    await device.forget(ofSecond, 'own');
    device.forgetter.start();
    device.forgets.isHidden(second.event);
    expect(await device.start()).toBe(1);
    expect(await device.start()).toBe(0);
  });

  it('destroys what another program of the device has destroyed, but this one has not', async () => {
    const device = create();
    const key = await device.forget(ofSecond, 'own');
    await device.store.decide(key, { appliedBy: ['shell'] });
    expect(await device.start()).toBe(1);
    expect(device.store.decisions()[key]?.appliedBy).toEqual(['shell', 'app']);
  });

  it('destroys nothing that an earlier run of the program has destroyed', async () => {
    const device = create();
    const key = await device.forget(ofSecond, 'own');
    await device.store.decide(key, { appliedBy: ['app'] });
    await device.forgets.reload();
    expect([await device.start(), device.timers()]).toEqual([0, 0]);
  });

  it('destroys what is new besides what is destroyed', async () => {
    const device = await createApplied();
    await device.forget(ofThird, 'own');
    expect(await device.start()).toBe(1);
    expect(await device.contentOf()).toBe('a1 - -');
  });

  it('does not repeat what it has destroyed as far as is proved', async () => {
    const device = create();
    await device.forget(forgedForget([second], [first]), 'agreed');
    expect([await device.start(), await device.start()]).toEqual([1, 0]);
  });

  it('destroys again a line that was met after that', async () => {
    const device = await createApplied();
    const path = `${FOLDER}/backup.jsonl`;
    device.put(path, ...lines);
    device.forgets.meet([second.event]);
    expect([await device.start(), await device.start()]).toEqual([1, 0]);
    expect(await device.contentOf(path)).toBe('a1 - a3');
  });

  it('repeats, once, what another process has destroyed if its event was read late', async () => {
    const device = create();
    device.forgetter.reportLate();
    expect(await device.start()).toBe(0);
    const key = await device.forget(ofSecond, 'own');
    await device.store.decide(key, { appliedBy: ['app'] });
    await device.forgets.reload();
    expect([await device.start(), await device.start()]).toEqual([1, 0]);
  });

  it('stores when an event was first seen if that could not be stored', async () => {
    const device = create();
    device.store.fails.load = new Error('The disk is gone');
    const key = await device.forget(ofSecond);
    delete device.store.fails.load;
    expect(await device.start()).toBe(0);
    expect(device.store.decisions()[key]?.choice).toBe('open');
    const { load } = device.store.calls;
    await device.start();
    expect(device.store.calls.load).toBe(load);
  });

  it('warns of what fails, and can be repeated', async () => {
    let isFailing = true;
    const device = create({
      vaultIds: () =>
        isFailing ? Promise.reject(new Error('No record')) : Promise.resolve([VAULT_ID]),
    });
    await device.forget(ofSecond, 'own');
    expect(await device.start()).toBe(0);
    expect(device.warnings).toEqual([
      'Forgotten entries could not be removed yet: Error: No record',
    ]);
    isFailing = false;
    expect(await device.start()).toBe(1);
  });

  it('does nothing after closing, which waits for what was started', async () => {
    const device = create();
    await device.forget(ofSecond, 'own');
    device.forgetter.start();
    await device.forgetter.close();
    expect(device.runs()).toBe(1);
    device.forgets.isHidden(second.event);
    expect(await device.start()).toBe(0);
    expect(await device.advance(HOUR_MS)).toBe(0);
  });
});

describe('Trying again', () => {
  it('happens each hour while an event is open, until the user was told on seven days', async () => {
    const device = create();
    await device.forget(ofSecond);
    for (let scans = 0; scans < 3; scans++) await device.start();
    expect(device.timers()).toBe(1);
    await device.tellOn(AGREEMENT_DAYS);
    expect(await device.advance(DAY_MS)).toBe(0);
    await device.forgets.tell();
    expect(await device.advance(HOUR_MS - 1)).toBe(0);
    expect(await device.advance(1)).toBe(1);
    expect(await device.contentOf()).toBe('a1 - a3');
  });

  it('destroys nothing, however long that is, of which the user was not told', async () => {
    const device = create();
    await device.forget(ofSecond);
    await device.start();
    for (let day = 0; day < 40; day++) expect(await device.advance(DAY_MS)).toBe(0);
    expect(await device.contentOf()).toBe('a1 a2 a3');
  });

  it('waits for an hour if a file comes back again and again', async () => {
    const device = await createApplied();
    const comesBack = () => {
      device.put(SEGMENT, ...lines);
      device.forgets.meet([second.event]);
    };
    for (const left of ['a1 - a3', 'a1 - a3', 'a1 a2 a3']) {
      comesBack();
      await device.start();
      expect(await device.contentOf()).toBe(left);
    }
    await device.start();
    await device.advance(HOUR_MS);
    expect(await device.contentOf()).toBe('a1 - a3');
  });

  it.each([
    ['', undefined, []],
    [', even if that cannot be noted', new Error('The disk is full'), ['app']],
  ])(
    'destroys what is copied again while the file that forgets it cannot be read%s',
    async (_, failure, appliedBy) => {
      const device = await createApplied();
      const event = device.memory.text(FORGET_SEGMENT);
      await device.memory.remove(FORGET_SEGMENT);
      device.memory.put(`${FORGET_SEGMENT}.icloud`, '');
      await device.copies.add(VAULT_ID, second.bytes, 'other');
      if (failure) device.store.fails.update = failure;
      device.forgets.meet([second.event]);
      expect(await device.start()).toBe(0);
      expect(device.store.decisions()[device.key]?.appliedBy).toEqual(appliedBy);
      delete device.store.fails.update;
      const { length } = device.files.reads;
      expect(await device.start()).toBe(0);
      expect(device.files.reads).toHaveLength(length);

      await device.memory.remove(`${FORGET_SEGMENT}.icloud`);
      device.memory.put(FORGET_SEGMENT, event);
      expect(await device.copied()).toBe('a2');
      expect(await device.advance(HOUR_MS)).toBe(1);
      expect(await device.copied()).toBe('-');
      expect(device.store.decisions()[device.key]?.appliedBy).toEqual(['app']);
      await device.start();
      expect(await device.advance(HOUR_MS)).toBe(0);
    },
  );

  it('is not needed once everything was destroyed, but if only one event was', async () => {
    const device = await createApplied();
    await device.start();
    expect(device.timers()).toBe(0);
    await device.forget(ofThird);
    await device.start();
    expect(device.timers()).toBe(1);
  });

  it('is needed for an event about which nothing could be stored', async () => {
    const device = create();
    device.store.fails.load = new Error('The disk is gone');
    await device.forget(ofSecond);
    await device.start();
    expect(device.timers()).toBe(1);
  });

  it('destroys in an hour what nothing proved before', async () => {
    const device = create();
    device.put(SEGMENT, first, third);
    await device.forget(forgetLine([second, third]));
    await device.start();
    await device.tellOn(AGREEMENT_DAYS + 1);
    expect([await device.start(), await device.start()]).toEqual([1, 0]);
    expect(await device.contentOf()).toBe('a1 a3');
    device.put(`${FOLDER}/late.jsonl`, second);
    expect(await device.advance(HOUR_MS)).toBe(1);
    expect(await device.contentOf()).toBe('a1 -');
  });

  it.each<[string, (isFailing: () => boolean) => Partial<ForgetterOptions>]>([
    [
      'the copies cannot be changed',
      (isFailing) => {
        const { copies } = forgetterOn();
        const rewrite: typeof copies.rewrite = (id, change) =>
          isFailing() ? Promise.reject(new Error('The disk is full')) : copies.rewrite(id, change);
        return { copies: { ...copies, rewrite } };
      },
    ],
  ])('happens each hour if what was destroyed has come back and %s', async (_, options) => {
    let isFailing = false;
    const device = await createApplied(options(() => isFailing));
    isFailing = true;
    device.put(SEGMENT, ...lines);
    device.forgets.meet([second.event]);
    expect([await device.start(), await device.start()]).toEqual([1, 0]);
    expect(await device.advance(HOUR_MS - 1)).toBe(0);
    expect(await device.advance(1)).toBe(1);
    isFailing = false;
    expect([await device.start(), await device.advance(HOUR_MS)]).toEqual([0, 1]);
    expect(await device.contentOf()).toBe('a1 - a3');
    await device.start();
    expect(await device.advance(HOUR_MS)).toBe(0);
  });
});

it('Lines that were destroyed and have come back do not wait for the writer of a segment', async () => {
  let isOpen = false;
  const device = await createApplied({ seal: () => Promise.resolve(!isOpen) });
  isOpen = true;
  device.put(SEGMENT, ...lines);
  device.forgets.meet([second.event]);
  expect(await device.start()).toBe(1);
  expect(await device.contentOf()).toBe('a1 - a3');
});

describe('Lines that are to be copied', () => {
  const bytes = joinLines(lines);
  const textOf = (each: Uint8Array) => new TextDecoder().decode(each);

  it('get stubs in place of those to destroy, even if the vault lacks these', async () => {
    const device = forgetterOn();
    await device.forget(ofSecond, 'agreed');
    const copied = textOf(await device.forgetter.withoutDue(bytes));
    expect(copied.split('\n')).toHaveLength(4);
    expect(copied).toContain(textOf(first.bytes));
    expect(copied).toContain(`"t":"forgotten","e":"","d":{"hash":"${second.hash}"}`);
    expect(copied).not.toContain('a2');
  });

  it('stay as they are, without a look at the vault, if nothing is due', async () => {
    const device = create();
    await device.forget(ofSecond);
    expect(await device.forgetter.withoutDue(bytes)).toBe(bytes);
    expect(device.files.reads).toEqual([]);
  });

  it('stay as they are, without a look at the vault, if none is forgotten', async () => {
    const device = create();
    await device.forget(ofSecond, 'own');
    const others = joinLines([first, third]);
    expect(await device.forgetter.withoutDue(others)).toBe(others);
    expect(device.files.reads).toEqual([]);
  });
});

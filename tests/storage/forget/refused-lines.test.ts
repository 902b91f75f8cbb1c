import { describe, expect, it } from 'vitest';
import { AGREEMENT_DAYS } from '../../../src/storage/forget/forget-decisions.js';
import { forgetKey } from '../../../src/storage/forget/forget-event.js';
import type { LogLine } from '../../../src/storage/log-lines.js';
import { createDevices, namesIn, save } from './devices.js';
import { settled } from './forgetter-on.js';
import { Partner } from './partner.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A device whose user has refused to remove two of three states. */
async function createRefusing() {
  const { vault, device, linesOf } = createDevices();
  const laptop = device('laptop');
  const log = laptop.open();
  await save(log, 'one', 'two', 'three');
  await log.close();
  const lines = await linesOf('st-one', 'st-two', 'st-three');
  const partner = new Partner(() => vault.clock.now());
  const asked = partner.forget(lines.slice(0, 2));
  partner.putInto(vault.files);
  const refusing = laptop.open();
  await refusing.memory();
  await refusing.forgetting.decide([forgetKey(asked.event)], 'refused');
  expect(await namesIn(refusing)).toEqual(['three', 'two', 'one']);
  await refusing.close();
  /** Starts, and returns the names that are shown and the number of requests that are told. */
  async function start() {
    const next = laptop.open();
    const names = await namesIn(next);
    await settled();
    const told = await next.forgetting.tell();
    await next.close();
    return { names, told: told.length };
  }
  return { vault, laptop, lines, partner, start };
}

const [KEPT, WITHOUT_THREE] = [
  ['three', 'two', 'one'],
  ['two', 'one'],
];

describe('Lines that the user has refused to remove', () => {
  it.each<[string, (partner: Partner, lines: readonly LogLine[]) => unknown, string[]]>([
    [
      'by a device of another name',
      (partner, lines) => partner.forget(lines.slice(0, 2), { device: 'phone' }),
      KEPT,
    ],
    [
      'one at a time',
      (partner, lines) => lines.slice(0, 2).map((each) => partner.forget([each])),
      KEPT,
    ],
    [
      'with another field',
      (partner, lines) => partner.forget(lines.slice(0, 2), { again: 1 }),
      KEPT,
    ],
    [
      'with the ids of items',
      (partner, lines) => partner.forget(lines.slice(0, 2), { entities: ['st-one'] }),
      KEPT,
    ],
    [
      'with an additional line, which is hidden',
      (partner, lines) => partner.forget(lines),
      WITHOUT_THREE,
    ],
    [
      'with an additional line first, which is hidden',
      (partner, lines) => [
        partner.forget(lines.slice(2)),
        partner.forget(lines.slice(0, 2), { x: 1 }),
      ],
      WITHOUT_THREE,
    ],
  ])('stay if they are asked for again: %s', async (_, ask, expected) => {
    const { vault, lines, partner, start } = await createRefusing();
    ask(partner, lines);
    partner.putInto(vault.files);
    const hidden = expected === KEPT ? 0 : 1;
    for (let day = 0; day <= AGREEMENT_DAYS; day++) {
      expect(await start()).toEqual({ names: expected, told: hidden });
      vault.clock.advance(DAY_MS);
    }
    expect((await start()).names).toEqual(expected);
    const { path } = lines[0]!;
    for (const id of ['st-one', 'st-two']) expect(vault.files.text(path)).toContain(`"e":"${id}"`);
    expect(vault.files.text(path).includes('"e":"st-three"')).toBe(hidden === 0);
  });

  it('stay if they were asked for twice before they are refused once', async () => {
    const { vault, device, linesOf } = createDevices();
    const laptop = device('laptop');
    const log = laptop.open();
    await save(log, 'one', 'two');
    const partner = new Partner(() => vault.clock.now());
    const first = partner.forget(await linesOf('st-one'));
    partner.forget(await linesOf('st-one'), { device: 'phone' });
    partner.putInto(vault.files);
    expect(await namesIn(log)).toEqual(['two']);
    await log.forgetting.decide([forgetKey(first.event)], 'refused');
    expect(await namesIn(log)).toEqual(['two', 'one']);
    expect(log.trouble().asked).toEqual([]);
    await log.close();
  });

  it('are removed once the user forgets them here', async () => {
    const { vault, laptop, lines } = await createRefusing();
    const log = laptop.open();
    await log.memory();
    await log.forgetting.forget(lines.slice(0, 1), true);
    expect(await namesIn(log)).toEqual(['three', 'two']);
    await log.close();
    expect(vault.files.text(lines[0]!.path)).not.toContain('"e":"st-one"');
    expect(vault.files.text(lines[0]!.path)).toContain('"e":"st-two"');
  });

  it('are removed once the user agrees to another request for them', async () => {
    const { vault, laptop, lines, partner } = await createRefusing();
    const again = partner.forget(lines.slice(1, 2));
    partner.putInto(vault.files);
    const log = laptop.open();
    await log.memory();
    await log.forgetting.decide([forgetKey(again.event)], 'agreed');
    expect(await namesIn(log)).toEqual(['three', 'one']);
    await log.close();
    expect(vault.files.text(lines[0]!.path)).not.toContain('"e":"st-two"');
  });
});

import { describe, expect, it } from 'vitest';
import { forgetKey } from '../../../src/storage/forget/forget-event.js';
import { encodeStub } from '../../../src/storage/format/stub.js';
import type { LogLine } from '../../../src/storage/log-lines.js';
import { createDevices, namesIn, save } from './devices.js';
import { Partner } from './partner.js';

const WRONG = '0'.repeat(32);

/** A device with three states, of whose lines somebody asks to remove the first two. */
async function setUp(ask: (partner: Partner, lines: readonly LogLine[]) => unknown) {
  const { vault, device, linesOf } = createDevices();
  const log = device('laptop').open();
  await save(log, 'one', 'two', 'three');
  const lines = await linesOf('st-one', 'st-two');
  const partner = new Partner(() => vault.clock.now());
  ask(partner, lines);
  partner.putInto(vault.files);
  const requests = await log.forgetting.list();
  return { vault, log, lines, partner, requests };
}

const hashed = (lines: readonly LogLine[], hash: string) =>
  lines.map((line) => ({ ...line, hash }));

const withCrc = (line: LogLine, c: string): LogLine => ({ ...line, event: { ...line.event, c } });

/** Adds a stub in the place of a line, which claims to be that of another one. */
function claim(partner: Partner, line: LogLine): void {
  partner.lines.push(encodeStub(line.event, WRONG));
}

describe('The user', () => {
  it.each<[string, (partner: Partner, lines: readonly LogLine[]) => unknown]>([
    ['has a wrong hash', (partner, [one]) => partner.forget(hashed([one!], WRONG))],
    [
      'has a wrong CRC in a range',
      (partner, [one, two]) => partner.forget([one!, withCrc(two!, 'ffffffff')]),
    ],
    [
      'has the hash that a stub claims',
      (partner, [one]) => {
        partner.forget(hashed([one!], WRONG));
        claim(partner, one!);
      },
    ],
  ])('cannot agree to a request that %s', async (_, ask) => {
    const { vault, log, lines, requests } = await setUp(ask);
    const before = vault.files.text(lines[0]!.path);
    const [{ key }] = requests as [(typeof requests)[0]];
    await expect(log.forgetting.decide([key], 'agreed')).rejects.toThrow(
      `Request ${key.slice(0, 8)} does not name what is here, so nothing was removed.`,
    );
    expect(vault.files.text(lines[0]!.path)).toBe(before);
    expect(log.trouble().asked).toHaveLength(1);
    await log.forgetting.decide([key], 'refused');
    expect(await namesIn(log)).toEqual(['three', 'two', 'one']);
    await log.close();
  });

  it('keeps what they have refused if somebody asks for it with a wrong hash', async () => {
    const { log, requests } = await setUp((partner, [one]) => [
      partner.forget([one!]),
      partner.forget(hashed([one!], WRONG)),
    ]);
    const [real, forged] = requests as [(typeof requests)[0], (typeof requests)[0]];
    await log.forgetting.decide([real.key], 'refused');
    await expect(log.forgetting.decide([forged.key], 'agreed')).rejects.toThrow('does not name');
    expect(await namesIn(log)).toEqual(['three', 'two', 'one']);
    await log.close();
  });

  it('learns how many lines were removed', async () => {
    const { log, lines, requests, partner, vault } = await setUp((each, all) => each.forget(all));
    const decide = (key: string) => log.forgetting.decide([key], 'agreed');
    expect(await decide(requests[0]!.key)).toMatchObject({ removed: 2 });
    const again = forgetKey(partner.forget(lines, { again: 1 }).event);
    partner.putInto(vault.files);
    expect(await decide(again)).toMatchObject({ removed: 0 });
    await log.close();
  });
});

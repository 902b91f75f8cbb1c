import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { AGREEMENT_DAYS } from '../../../src/storage/forget/forget-decisions.js';
import { forgetKey } from '../../../src/storage/forget/forget-event.js';
import type { Log } from '../../../src/storage/vault-log.js';
import { recordDraft, stateDraft } from '../../fakes/events.js';
import { createDevices, namesIn, save } from './devices.js';
import { settled } from './forgetter-on.js';
import { Partner } from './partner.js';
import { stubOf } from './forget-events.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A device with two states of its own, in whose vault somebody else writes lines. */
async function createVictim() {
  const { vault, device, linesOf } = createDevices();
  const laptop = device('laptop');
  const log = laptop.open();
  await save(log, 'one', 'two');
  await log.close();
  const partner = new Partner(() => vault.clock.now());
  const start = async () => {
    const next = laptop.open();
    await next.memory();
    await settled();
    return next;
  };
  const decide: Readonly<Record<string, () => Promise<void>>> = {
    'its user has agreed': async () => {
      const next = await start();
      const open = (await next.forgetting.list()).filter(({ decision }) => !decision?.appliedBy);
      for (const { key } of open)
        await next.forgetting.decide([key], 'agreed').catch((error: unknown) => {
          expect(String(error)).toContain('does not name what is here');
        });
      await next.close();
    },
    'its user was told on seven days': async () => {
      for (let day = 0; day <= AGREEMENT_DAYS + 1; day++) {
        const next = await start();
        await next.forgetting.tell();
        await next.close();
        vault.clock.advance(DAY_MS);
      }
    },
  };
  return {
    vault,
    laptop,
    linesOf,
    partner,
    decide,
    start,
    idsDestroyed: () => new Set(laptop.destroyed.flat().flatMap(({ ids }) => ids)),
    hashesDestroyed: () => new Set(laptop.destroyed.flat().flatMap(({ hashes }) => [...hashes])),
    async names() {
      const next = await start();
      const names = await namesIn(next);
      await next.close();
      return names;
    },
  };
}

describe.each([['its user has agreed'], ['its user was told on seven days']])(
  'What a partner asks to remove reaches, once %s,',
  (when) => {
    it.each<[string, JsonObject]>([
      ['items', { entities: ['st-one', 'st-two'] }],
      ['an empty one', { entities: [''] }],
      ['none', {}],
    ])(
      'only what the line creates that is named, although others are listed: %s',
      async (...row) => {
        const [, more] = row;
        const victim = await createVictim();
        const junk = victim.partner.write(recordDraft('Junk of the partner', 'junk'));
        victim.partner.forget([junk], more);
        victim.partner.putInto(victim.vault.files);
        await victim.decide[when]!();
        expect([...victim.idsDestroyed()]).toEqual(['junk']);
        expect([...victim.hashesDestroyed()]).toEqual([junk.hash]);
        const log = await victim.start();
        // only what its own user has removed is left out of imports
        const removed = when.includes('agreed') ? ['junk'] : [];
        expect([...(await log.forgetting.removedIds())]).toEqual(removed);
        expect((await namesIn(log)).toSorted()).toEqual(['one', 'two']);
        await log.close();
      },
    );

    it('no item that it creates again', async () => {
      const victim = await createVictim();
      const again = victim.partner.write(await stateDraft('again', 'st-one'));
      victim.partner.forget([again]);
      victim.partner.putInto(victim.vault.files);
      await victim.decide[when]!();
      expect([...victim.hashesDestroyed()]).toEqual([again.hash]);
      expect([...victim.idsDestroyed()]).toEqual([]);
      expect((await victim.names()).toSorted()).toEqual(['one', 'two']);
    });

    it('no line whose hash the event does not name', async () => {
      const victim = await createVictim();
      const [one] = await victim.linesOf('st-one');
      const { w, n, c } = one!.event;
      const junk = victim.partner.write(recordDraft('Junk of the partner', 'junk'));
      const forged = { w, from: n, to: n, crcs: c };
      for (const hash of [junk.hash, '0'.repeat(32)])
        victim.partner.write({
          t: 'log.forget',
          e: '',
          d: { device: 'partner', ranges: [{ ...forged, hash }] },
        });
      victim.partner.putInto(victim.vault.files);
      await victim.decide[when]!();
      expect([...victim.hashesDestroyed()]).toEqual([]);
      expect(victim.vault.files.text(one!.path)).toContain('"e":"st-one"');
    });

    it('no item of a line for which there is only a stub', async () => {
      const victim = await createVictim();
      const { event, hash } = (await victim.linesOf('st-one'))[0]!;
      const stub = stubOf({ event, hash: '0'.repeat(32) });
      const { t, e, d } = stub.event;
      victim.partner.write({ t, e, d });
      const junk = victim.partner.write(recordDraft('Junk of the partner', 'junk'));
      const { w, n, c } = event;
      victim.partner.forget([junk], {
        ranges: [{ w, from: n, to: n, crcs: c, hash: '0'.repeat(32) }],
      });
      victim.partner.putInto(victim.vault.files);
      await victim.decide[when]!();
      expect([...victim.idsDestroyed()]).toEqual([]);
      expect([...victim.hashesDestroyed()]).not.toContain(hash);
    });
  },
);

it('what an event merely claims stays known to imports until it is removed', async () => {
  const victim = await createVictim();
  victim.partner.forget(await victim.linesOf('st-one'), { entities: ['st-two'] });
  victim.partner.putInto(victim.vault.files);
  const log = await victim.start();
  const removedIds = async (each: Log) => [...(await each.forgetting.removedIds())];
  expect(await namesIn(log)).toEqual(['two']);
  expect(await removedIds(log)).toEqual([]);
  const { event } = victim.partner.lines[0]!;
  await log.forgetting.decide([forgetKey(event)], 'agreed');
  expect(await removedIds(log)).toEqual(['st-one']);
  await log.close();
});

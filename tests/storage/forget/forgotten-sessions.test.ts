import { describe, expect, it } from 'vitest';
import { SESSION_TYPE } from '../../../src/model/event.js';
import type { Log } from '../../../src/storage/vault-log.js';
import { encodeLine } from '../../../src/storage/format/line.js';
import { forgetKey } from '../../../src/storage/forget/forget-event.js';
import { createDevices } from './devices.js';
import { settled } from './forgetter-on.js';
import { Partner } from './partner.js';

const NOTHING = { isWhole: false, turns: [] };

/** A device that has written two versions of a session. */
async function createWriting() {
  const { vault, device, linesOf } = createDevices();
  const log = device('laptop').open();
  await log.memory();
  const write = async (e: string) => {
    const d = { ws: 'default', client: 'codex', session: 's1', checkpoint: { turns: [] } };
    const event = await log.writeTrace({ t: SESSION_TYPE, e, d });
    const { w, n, c } = event;
    return { w, n, c, hash: encodeLine(event).hash };
  };
  const lines = { first: await write('v1'), last: await write('v2') };
  return { vault, log, linesOf, lines, partner: new Partner(() => vault.clock.now()) };
}

async function read(log: Log): Promise<void> {
  await log.memory();
  await settled();
}

describe('The session of a line that this device wrote', () => {
  it('is not forgotten if no event names the line', async () => {
    const { vault, log, lines, linesOf, partner } = await createWriting();
    expect(await log.forgetting.forgottenOf(lines.last)).toEqual(NOTHING);
    partner.forget(await linesOf('v1'));
    partner.putInto(vault.files);
    await read(log);
    expect(await log.forgetting.forgottenOf(lines.last)).toEqual(NOTHING);
    expect(await log.forgetting.forgottenOf(lines.first)).toEqual({ isWhole: true, turns: [] });
  });

  it('is forgotten in part if an event names messages', async () => {
    const { vault, log, lines, linesOf, partner } = await createWriting();
    partner.forget(await linesOf('v2'), { turns: ['one', 'two'] });
    partner.putInto(vault.files);
    await read(log);
    expect(await log.forgetting.forgottenOf(lines.last)).toEqual({
      isWhole: false,
      turns: ['one', 'two'],
    });
  });

  it('is not forgotten by an event with another hash', async () => {
    const { vault, log, lines, linesOf, partner } = await createWriting();
    const [{ event } = { event: undefined }] = await linesOf('v2');
    const { w, n, c } = event!;
    const ranges = [{ w, from: n, to: n, crcs: c, hash: lines.first.hash }];
    partner.forget(await linesOf('v1'), { ranges });
    partner.putInto(vault.files);
    await read(log);
    expect(await log.forgetting.forgottenOf(lines.last)).toEqual(NOTHING);
  });

  it('is not forgotten once the user has refused', async () => {
    const { vault, log, lines, linesOf, partner } = await createWriting();
    const { event } = partner.forget(await linesOf('v2'));
    partner.putInto(vault.files);
    await read(log);
    await log.forgetting.decide([forgetKey(event)], 'refused');
    expect(await log.forgetting.forgottenOf(lines.last)).toEqual(NOTHING);
  });

  it('stays forgotten after its line was destroyed', async () => {
    const { log, lines, linesOf } = await createWriting();
    await log.forgetting.forget(await linesOf('v2'), true);
    expect(await log.forgetting.forgottenOf(lines.last)).toEqual({ isWhole: true, turns: [] });
  });
});

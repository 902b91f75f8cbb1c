import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { agreementsIn } from '../../../src/storage/integrity/device-agreement.js';
import { agreementText } from '../../../src/storage/integrity/findings.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { clockText, eventOf, WRITER_A, WRITER_B } from '../../fakes/events.js';
import { createVault, eventsIn, putWorkspace, ROOT, segmentsIn } from '../helpers.js';

const MINUTE = 60_000;

type Vault = ReturnType<typeof createVault>;

/**
 * Lets two devices write in turn. The watermark of the second covers all that it has seen of the
 * first.
 */
async function vaultOfTwo() {
  const vault = createVault();
  const [one, other] = [vault.open({ device: 'mac' }), vault.open({ device: 'phone' })];
  await putWorkspace(one, 'One');
  vault.clock.advance(MINUTE);
  await putWorkspace(other, 'Other');
  return { ...vault, one, other };
}

const devices = async ({ files }: Pick<Vault, 'files'>) => (await verify(files, ROOT)).devices;

describe("a device's last watermark", () => {
  it('agrees if this vault has the same events, and has a time', async () => {
    const vault = await vaultOfTwo();
    expect(await devices(vault)).toEqual([
      { device: 'phone', at: '2026-11-20T09:01:00.000Z', state: 'agrees', here: 3, there: 3 },
    ]);
    vault.clock.advance(MINUTE);
    await putWorkspace(vault.one, 'Later');
    expect(await devices(vault)).toMatchObject([{ state: 'agrees', here: 3 }]);
  });

  it("is the latest of all the device's writers", async () => {
    const vault = await vaultOfTwo();
    await vault.one.memory();
    vault.clock.advance(MINUTE);
    await vault.one.close();
    await vault.other.close();
    const again = vault.open({ device: 'phone' });
    vault.clock.advance(MINUTE);
    await putWorkspace(again, 'Again');
    const found = await devices(vault);
    expect(found.map(({ device, state }) => `${device} ${state}`)).toEqual([
      'mac agrees',
      'phone agrees',
    ]);
    expect(found[1]?.at).toBe('2026-11-20T09:03:00.000Z');
  });

  it('lags if the device had not seen all earlier events', async () => {
    const vault = await vaultOfTwo();
    const late = createVault();
    const third = late.open({
      device: 'tablet',
      clock: { ...vault.clock, now: () => vault.clock.now() - 30_000 },
    });
    await putWorkspace(third, 'Late');
    for (const { path, bytes } of await segmentsIn(late.files)) vault.files.put(path, bytes);
    expect(await devices(vault)).toMatchObject([
      { device: 'phone', state: 'lags', here: 6, there: 3 },
    ]);
  });

  it('is ahead if events are missing, and differs if they are replaced', async () => {
    const vault = await vaultOfTwo();
    const [first] = await segmentsIn(vault.files);
    const lines = new TextDecoder().decode(first!.bytes).split('\n');
    const [path, text] = first!.events.some(({ d }) => d['name'] === 'One')
      ? [first!.path, lines]
      : await segmentsIn(vault.files).then(
          (all) => [all[1]!.path, new TextDecoder().decode(all[1]!.bytes).split('\n')] as const,
        );
    vault.files.put(path, `${text.slice(0, 2).join('\n')}\n`);
    expect(await devices(vault)).toMatchObject([
      { device: 'phone', state: 'ahead', here: 2, there: 3 },
    ]);
    const foreign = createVault();
    await putWorkspace(foreign.open({ device: 'x' }), 'Elsewhere');
    const other = new TextDecoder()
      .decode((await segmentsIn(foreign.files))[0]!.bytes)
      .split('\n')[0]!;
    vault.files.put(`${ROOT}/core/other.jsonl`, `${other}\n`);
    expect(await devices(vault)).toMatchObject([
      { device: 'phone', state: 'differs', here: 3, there: 3 },
    ]);
  });

  it('has sequence numbers and a checksum of the core events', async () => {
    const vault = await vaultOfTwo();
    const watermark = (await eventsIn(vault.files)).find(({ t }) => t === 'log.mark')!;
    expect(Object.keys(watermark.d)).toEqual(['seen', 'core']);
    expect(watermark.d['core']).toEqual({
      count: 3,
      sum: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
    });
  });

  it('is described by its state', () => {
    const agreement = { device: 'mac', at: '2026-11-20T09:01:00.000Z', here: 3, there: 2 };
    const texts = (['agrees', 'lags', 'ahead', 'differs'] as const).map((state) =>
      agreementText({ ...agreement, state }),
    );
    expect(texts.map((text) => text.split(':')[0])).toEqual([
      'agrees',
      'lags',
      'has more',
      'differs',
    ]);
  });

  it('needs this version, a known device and a checksum', () => {
    const core = { count: 0, sum: '0000000000000000' };
    const watermark = (more: Partial<LogEvent>) =>
      eventOf({ t: 'log.mark', h: clockText(5), d: { seen: {}, core }, ...more });
    const named = new Map([[WRITER_A, 'mac']]);
    const untold = [
      watermark({ v: 2 }),
      watermark({ t: 'log.other' }),
      watermark({ w: WRITER_B }),
      watermark({ d: { seen: {} } }),
    ];
    for (const event of untold) expect(agreementsIn([event], named)).toEqual([]);
    expect(agreementsIn([watermark({})], named)).toHaveLength(1);
  });

  it('is found in any order of events, and sorted by device', () => {
    const [early, late] = [1, 2].map((minute) => {
      const d = { seen: {}, core: { count: minute, sum: '0000000000000000' } };
      return eventOf({ t: 'log.mark', n: minute, h: clockText(minute), d });
    });
    const other = eventOf({ ...late!, w: 'cccccccccccc' });
    const events = [
      late!,
      early!,
      other,
      eventOf({ t: 'set', w: WRITER_B, h: clockText(2) }),
      eventOf({ t: 'set', w: WRITER_B, n: 2, h: clockText(3) }),
    ];
    const found = agreementsIn(events, new Map([[WRITER_A, 'phone'], ['cccccccccccc', 'mac']])); // prettier-ignore
    expect(found.map(({ device, at, here, there }) => [device, at, here, there])).toEqual([
      ['mac', clockText(2).slice(0, 24), 1, 2],
      ['phone', clockText(2).slice(0, 24), 0, 2],
    ]);
  });
});

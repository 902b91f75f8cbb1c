import { describe, expect, it } from 'vitest';
import type { JsonObject, LogEvent } from '../../../src/model/event.js';
import { lineHash } from '../../../src/storage/format/line-hash.js';
import { isInRanges, type NumberRange } from '../../../src/storage/format/number-ranges.js';
import { agreementsIn, type HeldWriter } from '../../../src/storage/integrity/device-agreement.js';
import { agreementText } from '../../../src/storage/integrity/findings.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { clockText, eventOf, lineOf, WRITER_A, WRITER_B } from '../../fakes/events.js';
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

const devices = async ({ files, clock }: Pick<Vault, 'files' | 'clock'>) =>
  (await verify(files, ROOT, { now: clock.now() })).devices;

describe("a device's last watermark", () => {
  it('agrees if this vault has the same events, then lags, and has a time', async () => {
    const vault = await vaultOfTwo();
    expect(await devices(vault)).toEqual([
      { device: 'phone', at: '2026-11-20T09:01:00.000Z', state: 'agrees', here: 3, there: 3 },
    ]);
    vault.clock.advance(MINUTE);
    await putWorkspace(vault.one, 'Later');
    expect(await devices(vault)).toMatchObject([{ state: 'lags', here: 4, there: 3 }]);
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
      'mac lags',
      'phone agrees',
    ]);
    expect(found[1]?.at).toBe('2026-11-20T09:03:00.000Z');
  });

  it('lags if the device had not seen all events', async () => {
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
    const { path, events } = (await segmentsIn(vault.files)).find(
      ({ events: [first] }) => first!.d['device'] === 'mac',
    )!;
    const lines = vault.files.text(path).split('\n').slice(0, 2);
    vault.files.put(path, `${lines.join('\n')}\n`);
    expect(await devices(vault)).toMatchObject([
      { device: 'phone', state: 'ahead', here: 0, there: 3 },
    ]);
    const other = lineOf({ ...events[2]!, e: 'other' });
    vault.files.put(path, `${lines.join('\n')}\n${new TextDecoder().decode(other.bytes)}`);
    expect(await devices(vault)).toMatchObject([
      { device: 'phone', state: 'differs', here: 3, there: 3 },
    ]);
  });

  it("has the number and hash of each writer's last event", async () => {
    const { files } = await vaultOfTwo();
    const watermark = (await eventsIn(files)).find(({ t }) => t === 'log.mark')!;
    const { path, events } = (await segmentsIn(files)).find(
      ({ events: [first] }) => first!.d['device'] === 'mac',
    )!;
    const last = files.text(path).trimEnd().split('\n').at(-1)!;
    expect(watermark.d['seen']).toEqual({
      core: { [events[0]!.w]: [3, lineHash(new TextEncoder().encode(last))] },
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
    expect(agreementText({ ...agreement, here: 0, there: 0, state: 'agrees' })).toBe(
      'agrees: it had no events from other devices, and none are here',
    );
  });

  it('is ignored if it is of a later version or its device is unknown', () => {
    const mark = (more: Partial<LogEvent>) =>
      eventOf({ t: 'log.mark', h: clockText(5), d: { seen: {} }, ...more });
    const named = new Map([[WRITER_A, 'mac']]);
    for (const event of [mark({ v: 2 }), mark({ t: 'log.other' }), mark({ w: WRITER_B })])
      expect(agreementsIn([event], named, [])).toEqual([]);
    expect(agreementsIn([mark({})], named, [])).toEqual([
      { device: 'mac', at: '2026-11-20T09:05:00.000Z', state: 'agrees', here: 0, there: 0 },
    ]);
  });

  it('is found in any order of events, and sorted by device', () => {
    const [early, late] = [1, 2].map((minute) =>
      markOf({ [WRITER_B]: [minute] }, { n: minute, h: clockText(minute) }),
    );
    const other = eventOf({ ...late!, w: MAC });
    const events = [
      late!,
      early!,
      other,
      eventOf({ t: 'set', w: WRITER_B, h: clockText(2) }),
      eventOf({ t: 'set', w: WRITER_B, n: 2, h: clockText(3) }),
    ];
    const found = agreementsIn(
      events,
      new Map([
        [WRITER_A, 'phone'],
        [MAC, 'mac'],
      ]),
      [heldOf(3)],
    );
    const at = clockText(2).slice(0, 24);
    expect(found).toEqual([
      { device: 'mac', at, state: 'lags', here: 3, there: 2 },
      { device: 'phone', at, state: 'lags', here: 3, there: 2 },
    ]);
  });
});

const MAC = 'cccccccccccc';
const HASHES = ['1', '2', '3', '4', '5'].map((digit) => digit.repeat(32));

/** A watermark of `WRITER_A`. */
function markOf(core: JsonObject, more: Partial<LogEvent> = {}, gaps: JsonObject = {}): LogEvent {
  return eventOf({ t: 'log.mark', h: clockText(5), d: { seen: { core }, gaps }, ...more });
}

/** The events of `WRITER_B` up to `last` but for `missing`. */
function heldOf(last: number, missing: readonly NumberRange[] = []): HeldWriter {
  const hashesOf = (n: number) =>
    n > last || isInRanges(missing, n) ? [] : HASHES.slice(n - 1, n);
  return { writer: WRITER_B, last, missing, hashesOf };
}

describe('agreementsIn', () => {
  const named = new Map([
    [WRITER_A, 'mac'],
    [WRITER_B, 'phone'],
  ]);
  const compare = (events: readonly LogEvent[], held: readonly HeldWriter[]) => {
    const [{ state, here, there } = { state: 'none', here: 0, there: 0 }] = agreementsIn(
      events,
      named,
      held,
    );
    return `${state} ${here} ${there}`;
  };

  it.each<[string, string, JsonObject, JsonObject, HeldWriter]>([
    ['agrees 3 3', 'the same last event', { [WRITER_B]: [3, HASHES[2]!] }, {}, heldOf(3)],
    ['agrees 3 3', 'an event without a hash', { [WRITER_B]: [3] }, {}, heldOf(3)],
    ['differs 3 3', 'another last event', { [WRITER_B]: [3, HASHES[0]!] }, {}, heldOf(3)],
    [
      'differs 4 3',
      'another event before the last',
      { [WRITER_B]: [3, HASHES[0]!] },
      {},
      heldOf(4),
    ],
    ['lags 4 3', 'fewer events', { [WRITER_B]: [3, HASHES[2]!] }, {}, heldOf(4)],
    ['lags 4 0', 'nothing of a writer', {}, {}, heldOf(4)],
    ['ahead 3 4', 'more events', { [WRITER_B]: [4, HASHES[3]!] }, {}, heldOf(3)],
    ['ahead 3 4', 'an event that is missing here', { [WRITER_B]: [4] }, {}, heldOf(4, [[2, 2]])],
    [
      'agrees 3 3',
      'the same gap',
      { [WRITER_B]: [4] },
      { [WRITER_B]: [[2, 2]] },
      heldOf(4, [[2, 2]]),
    ],
    ['lags 4 3', 'a gap that is here', { [WRITER_B]: [4] }, { [WRITER_B]: [[2, 2]] }, heldOf(4)],
    [
      'agrees 3 3',
      'its last event missing here and there',
      { [WRITER_B]: [4] },
      { [WRITER_B]: [[4, 4]] },
      heldOf(4, [[4, 4]]),
    ],
    [
      'ahead 2 3',
      'a smaller gap',
      { [WRITER_B]: [4] },
      { [WRITER_B]: [[2, 2]] },
      heldOf(4, [[2, 3]]),
    ],
    [
      'ahead 2 3',
      'a later gap',
      { [WRITER_B]: [4] },
      { [WRITER_B]: [[3, 3]] },
      heldOf(4, [[2, 3]]),
    ],
    [
      'lags 3 2',
      'a gap that begins earlier',
      { [WRITER_B]: [4] },
      { [WRITER_B]: [[2, 3]] },
      heldOf(4, [[3, 3]]),
    ],
    [
      'lags 3 2',
      'a gap that ends later',
      { [WRITER_B]: [4] },
      { [WRITER_B]: [[2, 3]] },
      heldOf(4, [[2, 2]]),
    ],
    [
      'ahead 3 3',
      'a last event that is missing here',
      { [WRITER_B]: [3] },
      {},
      heldOf(4, [[3, 3]]),
    ],
    ['lags 4 3', 'none of those around a gap here', { [WRITER_B]: [3] }, {}, heldOf(5, [[4, 4]])],
    [
      'lags 3 3',
      'a gap after its last event',
      { [WRITER_B]: [3] },
      { [WRITER_B]: [[6, 7]] },
      heldOf(3),
    ],
    ['ahead 0 3', 'a writer that is unknown here', { dddddddddddd: [3] }, {}, heldOf(0)],
  ])('is "%s" for a device that had %s', (expected, _, core, gaps, held) => {
    expect(compare([markOf(core, {}, gaps)], [held])).toBe(expected);
  });

  it('combines the watermarks of all writers of a device, with the latest gaps', () => {
    const both = new Map([...named, [MAC, 'mac']]);
    const marks = [
      markOf({ [WRITER_B]: [2, HASHES[1]!] }, { h: clockText(1) }, { [WRITER_B]: [[1, 1]] }),
      markOf({ [WRITER_B]: [4, HASHES[3]!] }, { w: MAC, h: clockText(2) }),
      markOf({ [WRITER_B]: [3, HASHES[2]!] }, { n: 2, h: clockText(3) }),
    ];
    for (const events of [marks, [...marks].reverse()])
      expect(agreementsIn(events, both, [heldOf(4)])).toMatchObject([
        { device: 'mac', at: clockText(3).slice(0, 24), state: 'agrees', here: 4, there: 4 },
      ]);
  });

  it('goes by the latest watermark if several mention the same number', () => {
    const marks = [
      markOf({ [WRITER_B]: [3, HASHES[0]!] }, { h: clockText(1) }, { [WRITER_B]: [[1, 1]] }),
      markOf({ [WRITER_B]: [3, HASHES[2]!] }, { n: 2, h: clockText(2) }),
    ];
    for (const events of [marks, [...marks].reverse()])
      expect(compare(events, [heldOf(3)])).toBe('agrees 3 3');
  });

  it("ignores the device's own writers and other lanes", () => {
    const mark = eventOf({
      t: 'log.mark',
      d: { seen: { core: { [WRITER_A]: [9] }, trace: { [WRITER_B]: [9] } } },
    });
    const own: HeldWriter = { ...heldOf(3), writer: WRITER_A };
    expect(compare([mark], [own])).toBe('agrees 0 0');
  });
});

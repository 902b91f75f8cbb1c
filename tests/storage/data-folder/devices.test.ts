import { describe, expect, it } from 'vitest';
import { confirmDevice, confirmedIn, isConfirmable } from '../../../src/storage/index.js';
import { readDevices, trustOf, withdrawDevice } from '../../../src/storage/index.js';
import type { DeviceActivity, DeviceStore } from '../../../src/storage/index.js';
import type { Json } from '../../../src/model/event.js';
import { allStates } from '../../../src/model/lookup.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { createEagerScheduler } from '../../fakes/eager-scheduler.js';
import { createVault, put } from '../helpers.js';
import {
  joinLines,
  lineOf,
  linesOf,
  stateDraft,
  workspaceDraft,
  WRITER_A,
  WRITER_B,
} from '../../fakes/events.js';

const WRITER_C = 'cccccccccccc';
const ROOT = 'Savepoint';
const LAPTOP = { device: 'laptop', at: '2026-11-29T08:00:00.000Z' };

const opens = (device: Json) => ({ t: 'log.seg', e: '', d: { fmt: 1, app: 'test', device } });

/** Writes a segment of one writer: what opens it, and states. */
async function segment(device: Json, writer: string, ...states: string[]) {
  const drafts = await Promise.all(states.map((name) => stateDraft(name)));
  return joinLines(linesOf([opens(device), ...drafts], writer));
}

async function filesOf(...segments: (Uint8Array | Promise<Uint8Array>)[]) {
  const files = createMemoryFiles();
  for (const [at, text] of segments.entries()) files.put(`${ROOT}/core/${at}.jsonl`, await text);
  return files;
}

const known = (own: readonly string[], ...confirmed: readonly string[]) => ({
  own: new Set(own),
  confirmed: new Map(confirmed.map((writer) => [writer, LAPTOP])),
});

function createMemoryStore(...writers: string[]) {
  let { own, confirmed } = known([], ...writers) as Awaited<ReturnType<DeviceStore['load']>>;
  const store: DeviceStore = {
    load: () => Promise.resolve({ own, confirmed }),
    addOwn: (writer) => Promise.resolve(void (own = new Set([...own, writer]))),
    update: (change) => Promise.resolve(void (confirmed = change(confirmed))),
  };
  return store;
}

const rowsOf = (devices: readonly DeviceActivity[]) =>
  devices.map(({ device, trust, unknown }) => [device, trust, ...unknown]);

describe('trustOf', () => {
  it('tells own writers, confirmed ones and all others apart', () => {
    const writers = known([WRITER_A, WRITER_C], WRITER_B, WRITER_C);
    expect(
      [WRITER_A, WRITER_B, WRITER_C, 'dddddddddddd', ''].map((w) => trustOf(writers, w)),
    ).toEqual(['own', 'confirmed', 'own', 'unknown', 'unknown']);
  });
});

describe('confirmedIn', () => {
  it.each([undefined, null, 'x', [], 5])('reads nothing from %j', (stored) => {
    expect(confirmedIn(stored).size).toBe(0);
  });

  it('leaves out what is damaged', () => {
    const stored = { [WRITER_A]: LAPTOP, [WRITER_B]: { device: 'x' }, [WRITER_C]: null };
    expect(confirmedIn(stored)).toEqual(new Map([[WRITER_A, LAPTOP]]));
  });
});

describe('readDevices', () => {
  it('returns times and numbers of lines, whichever file and lane they are in', async () => {
    const drafts = [
      opens('laptop'),
      await stateDraft('One'),
      workspaceDraft('Two'),
      workspaceDraft('3'),
    ];
    const files = await filesOf(joinLines(linesOf(drafts, WRITER_A)));
    files.put(`${ROOT}/trace/1.jsonl`, await segment('laptop', WRITER_B, 'x', 'y'));
    const all = await readDevices(files, ROOT);
    expect(all).toEqual([
      {
        device: 'laptop',
        trust: 'unknown',
        unknown: new Set([WRITER_A, WRITER_B]),
        states: 3,
        others: 2,
        firstAt: new Date(START_TIME).toISOString(),
        lastAt: new Date(START_TIME + 3 * 60_000).toISOString(),
      },
    ]);
    const [core] = await readDevices(files, ROOT, { lanes: ['core'] });
    expect(core).toMatchObject({ states: 1, others: 2 });
  });

  it('takes names from openings of segments only, and yields to the host', async () => {
    const draft = workspaceDraft('One', 'ws-1', { device: 'laptop' });
    const files = await filesOf(joinLines(linesOf([draft])));
    const { scheduler, turns } = createEagerScheduler();
    expect(rowsOf(await readDevices(files, ROOT, { lanes: ['core'], scheduler }))).toEqual([
      ['', 'unknown', WRITER_A],
    ]);
    expect(turns()).toBe(1);
  });

  it('lists this device first, then confirmed ones, each by its latest line', async () => {
    const files = await filesOf(
      segment('early', 'dddddddddddd'),
      segment('late', 'eeeeeeeeeeee', 'One', 'Two', 'Three'),
      segment('laptop', WRITER_B),
      segment('this', WRITER_A),
    );
    const devices = await readDevices(files, ROOT, { known: known([WRITER_A], WRITER_B) });
    expect(devices.map(({ device }) => device)).toEqual(['this', 'laptop', 'late', 'early']);
  });

  it('does not trust a new writer because it has a confirmed name', async () => {
    const files = await filesOf(segment('laptop', WRITER_B), segment('laptop', WRITER_C, 'Forged'));
    const devices = await readDevices(files, ROOT, { known: known([], WRITER_B) });
    expect(rowsOf(devices)).toEqual([['laptop', 'confirmed', WRITER_C]]);
    expect(isConfirmable(devices[0]!, devices)).toBe(true);
  });

  it('keeps the name with which a writer was confirmed', async () => {
    const renamed = joinLines([
      ...linesOf([opens('laptop')], WRITER_B),
      lineOf({ ...opens('phone'), w: WRITER_B, n: 2, h: '2026-11-21T09:00:00.000Z.0000' }),
    ]);
    const files = await filesOf(renamed);
    expect(rowsOf(await readDevices(files, ROOT, { known: known([], WRITER_B) }))).toEqual([
      ['laptop', 'confirmed'],
    ]);
    expect(rowsOf(await readDevices(files, ROOT))).toEqual([['phone', 'unknown', WRITER_B]]);
  });

  it('separates what has the name of this device, which cannot be confirmed', async () => {
    const files = await filesOf(segment('this', WRITER_A), segment('this', WRITER_C));
    const devices = await readDevices(files, ROOT, { known: known([WRITER_A]) });
    expect(rowsOf(devices)).toEqual([
      ['this', 'own'],
      ['this', 'unknown', WRITER_C],
    ]);
    expect(devices.map((device) => isConfirmable(device, devices))).toEqual([false, false]);
  });

  it('shows a name in one line, without hidden characters, and not endlessly', async () => {
    const names = ['a\n  confirmed  b', 'x\u202Ey', 'z'.repeat(10_000), { toString: 1 }, null];
    const files = await filesOf(
      ...names.map((name, at) => segment(name, `${WRITER_A.slice(1)}${at + 2}`)),
    );
    const shown = (await readDevices(files, ROOT)).map(({ device }) => device);
    expect(shown.sort()).toEqual(['', 'a confirmed b', 'x⟨U+202E⟩y', `${'z'.repeat(79)}…`]);
    const hidden = await readDevices(await filesOf(segment('\u202E'.repeat(99), WRITER_A)), ROOT);
    expect(hidden[0]!.device).toBe(`${'⟨U+202E⟩'.repeat(9)}⟨U+202E…`);
  });
});

describe('a confirmation', () => {
  it('covers the writers that were shown, with name and date, and can be withdrawn', async () => {
    const store = createMemoryStore(WRITER_A);
    await confirmDevice(store, { device: 'phone', unknown: new Set([WRITER_B]) }, START_TIME);
    const at = new Date(START_TIME).toISOString();
    expect((await store.load()).confirmed).toEqual(
      new Map([
        [WRITER_A, LAPTOP],
        [WRITER_B, { device: 'phone', at }],
      ]),
    );
    await withdrawDevice(store, 'laptop');
    expect([...(await store.load()).confirmed.keys()]).toEqual([WRITER_B]);
  });
});

describe('a log with a store of devices', () => {
  it('notes each of its writers before their first line, in every lane', async () => {
    const { files, open } = createVault();
    const store = createMemoryStore();
    const linesAtNotes: number[] = [];
    const addOwn = (writer: string) => {
      linesAtNotes.push(files.paths().filter((path) => path.includes(writer)).length);
      return store.addOwn(writer);
    };
    const log = open({ deviceStore: { addOwn } });
    await put(log, await stateDraft('One'));
    await log.writeChat({ t: 'conv.new', e: 'c1', d: { ws: 'default', title: 'One' } });
    await log.writeTrace({ t: 'trace.new', e: 't1', d: {} });
    await log.close();
    expect(linesAtNotes).toEqual([0, 0, 0]);
    const devices = await readDevices(files, ROOT, { known: await store.load() });
    expect(rowsOf(devices)).toEqual([['test', 'own']]);
  });

  it('saves and warns if its writer cannot be noted', async () => {
    const { open, warnings } = createVault();
    const log = open({ deviceStore: { addOwn: () => Promise.reject(new Error('disk full')) } });
    await put(log, await stateDraft('One'));
    expect(allStates(await log.memory(), 'default')).toHaveLength(1);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^This device could not note that it writes as \w{12}: Error: disk full$/,
      ),
    ]);
    await log.close();
  });
});

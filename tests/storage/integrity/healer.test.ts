import { describe, expect, it, vi } from 'vitest';
import { allStates } from '../../../src/model/lookup.js';
import { stateData } from '../../../src/model/state.js';
import { parseSegment } from '../../../src/storage/format/segment.js';
import type { Log } from '../../../src/storage/vault-log.js';
import { createLog } from '../../../src/storage/vault-log.js';
import { readLogLines } from '../../../src/storage/log-lines.js';
import { vaultIdsIn } from '../../../src/storage/data-folder/vault-identity.js';
import type { VaultRecord } from '../../../src/storage/copies/copies.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import {
  createMemoryIdentities,
  createTestClock,
  createTestRandom,
  type TestClock,
} from '../../fakes/deterministic.js';
import {
  clockText,
  contentOf,
  joinLines,
  lineOf,
  linesOf,
  WRITER_B,
  workspaceDraft,
} from '../../fakes/events.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { twinOf } from '../../simulation/forge.js';
import { createMemoryCopies } from '../helpers.js';

interface Device {
  readonly files: MemoryFiles;
  readonly clock: TestClock;
  readonly copies: ReturnType<typeof createMemoryCopies>;
  readonly warnings: string[];
  open(): Log;
}

let seed = 0;

function createDevice(files = createMemoryFiles(), name = 'test'): Device {
  const copies = createMemoryCopies();
  const clock = createTestClock();
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const open = () =>
    createLog({
      files,
      copies,
      clock,
      warn,
      root: 'Savepoint',
      identities: createMemoryIdentities(),
      random: createTestRandom(++seed),
      app: 'test',
      device: name,
    });
  return { files, clock, copies, warnings, open };
}

const save = (log: Log, name: string) =>
  log.write(() => ({
    drafts: [
      {
        t: 'state.new',
        e: `id-${name.toLowerCase()}`,
        d: stateData('default', contentOf(name), 'sha'),
      },
    ],
    answer: name,
  }));

const names = async (log: Log) =>
  allStates(await log.memory(), 'default')
    .map(({ item }) => item.name)
    .sort();

/** Returns a device whose log has saved the state A, and the path of its segment. */
async function savedDevice() {
  const device = createDevice();
  const log = device.open();
  await save(log, 'A');
  const [path = ''] = core(device.files);
  return { device, log, path };
}

const core = (files: MemoryFiles) => files.paths().filter((path) => path.includes('/core/'));

const isHealed = (path: string) => path.endsWith('-healed.jsonl');

/** Saves two workspaces, A and B, and cuts B off the segment. */
async function loseEnd(device: Device): Promise<void> {
  const log = device.open();
  await save(log, 'A');
  const [path] = core(device.files);
  const before = device.files.text(path!);
  await save(log, 'B');
  await log.close();
  device.files.put(path!, before);
}

/** Advances the clock and runs due timers. */
async function wait({ clock }: Device, ms: number): Promise<void> {
  clock.advance(ms);
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const waitAMinute = (device: Device) => wait(device, MINUTE);

/**
 * Gives the vault another path, for which the device has no record. Returns that of the old path.
 */
function moveVault({ copies }: Device): VaultRecord {
  const record = copies.record()!;
  copies.clearRecord();
  copies.loadMovedRecord = () => Promise.resolve(record);
  return record;
}

/** Gives the data folder an identity, as a disk does. */
function identifyFolder(files: MemoryFiles, identity: () => string): void {
  const stat = files.stat.bind(files);
  files.stat = (path) =>
    path === 'Savepoint'
      ? Promise.resolve({ kind: 'folder', size: 0, mtime: 0, fileId: identity() })
      : stat(path);
}

describe('healing', () => {
  it('restores lines byte for byte a minute after they disappear', async () => {
    const { device, log, path } = await savedDevice();
    await waitAMinute(device);
    const text = device.files.text(path);
    await device.files.remove(path);
    await log.memory();
    await waitAMinute(device);
    const [healed] = core(device.files);
    expect(healed).toMatch(/^Savepoint\/core\/2026-11\/[a-z0-9-]{1,60}\.jsonl$/);
    expect(device.files.text(healed!)).toBe(text);
    expect(await names(device.open())).toEqual(['A']);
    expect(device.warnings).toHaveLength(1);
  });

  it('restores only the rolled-back end of a file', async () => {
    const device = createDevice();
    await loseEnd(device);
    const next = device.open();
    expect(await names(next)).toEqual(['A']);
    await waitAMinute(device);
    expect(await names(next)).toEqual(['A', 'B']);
    const healed = core(device.files).find((other) => other.endsWith('-healed.jsonl'));
    expect(device.files.text(healed!).trim().split('\n')).toHaveLength(1);
    expect(
      (await verify(device.files, 'Savepoint', { now: device.clock.now() })).writers.flatMap(
        ({ missing }) => missing,
      ),
    ).toEqual([]);
  });

  it('restores copies stored under the id from before the first sync', async () => {
    const [first, device] = [createDevice(), createDevice()];
    await save(first.open(), 'Theirs');
    device.clock.advance(1000);
    const log = device.open();
    await save(log, 'A');
    await log.close();
    const [path] = core(device.files);
    // Keeps the `log.vault` event, but not the state.
    const opening = device.files.text(path!).split('\n').slice(0, 2).join('\n');
    device.files.put(path!, `${opening}\n`);
    for (const theirs of core(first.files)) device.files.put(theirs, first.files.text(theirs));
    const next = device.open();
    expect(await names(next)).toEqual(['Theirs']);
    await waitAMinute(device);
    expect(await names(next)).toEqual(['A', 'Theirs']);
  });

  it('restores nothing that reappears within a minute', async () => {
    const { device, log } = await savedDevice();
    await waitAMinute(device);
    const [path] = core(device.files);
    const text = device.files.text(path!);
    await device.files.remove(path!);
    await log.memory();
    await wait(device, 59_000);
    device.files.put(path!, text);
    await waitAMinute(device);
    expect(core(device.files)).toEqual([path]);
  });

  it('restores nothing if the whole data folder was removed', async () => {
    const { device, log } = await savedDevice();
    await waitAMinute(device);
    for (const path of device.files.paths()) await device.files.remove(path);
    await log.memory();
    await waitAMinute(device);
    expect(core(device.files)).toEqual([]);
  });

  it('reports a removed memory also after a second one was removed, and brings each back', async () => {
    const device = createDevice();
    for (const name of ['A', 'B', 'C']) {
      const log = device.open();
      await save(log, name);
      await waitAMinute(device);
      await log.close();
      if (name !== 'C') for (const path of device.files.paths()) await device.files.remove(path);
    }
    const check = () =>
      verify(device.files, 'Savepoint', { now: device.clock.now(), copies: device.copies });
    const { former } = await check();
    expect(former).toHaveLength(2);
    const log = device.open();
    for (const { id, events } of former) {
      expect(events).toMatchObject([{ numbers: [[1, 3]] }]);
      expect(await log.heal(id)).toBe(3);
      expect(await log.heal(id)).toBe(0);
    }
    expect(
      [core(device.files).filter(isHealed), device.warnings].map(({ length }) => length),
    ).toEqual([2, 2]);
    expect(await names(log)).toEqual(['A', 'B', 'C']);
    expect((await check()).former).toEqual([]);
    await waitAMinute(device);
    expect((await device.copies.loadRecord())?.formerIds).toBeUndefined();
  });

  it('never writes into another vault', async () => {
    const { device, log } = await savedDevice();
    await log.close();
    const other = createDevice();
    await save(other.open(), 'Other');
    for (const path of device.files.paths()) await device.files.remove(path);
    for (const path of other.files.paths()) device.files.put(path, other.files.text(path));
    // A loss of the first vault was seen long ago, so any loss may be restored at once.
    await device.copies.updateRecord((record) => ({
      ...record!,
      lossSeenAt: device.clock.now() - 2 * MINUTE,
    }));
    const next = device.open();
    expect(await next.heal()).toBe(0);
    await waitAMinute(device);
    expect(await names(next)).toEqual(['Other']);
  });

  it('restores core lines that a retirement names, because only traces are ever retired', async () => {
    const { device, log } = await savedDevice();
    await save(log, 'B');
    await log.close();
    const [path] = core(device.files);
    const lines = device.files.text(path!).trim().split('\n');
    const lost = JSON.parse(lines.at(-1)!) as { w: string; n: number };
    device.files.put(path!, `${lines.slice(0, -1).join('\n')}\n`);
    const { bytes } = lineOf({
      t: 'log.retire',
      e: '',
      w: 'retirer22222',
      n: 1,
      d: { lane: 'core', w: lost.w, from: lost.n, to: lost.n },
    });
    device.files.put('Savepoint/core/2026-11/20261120-retirer22222-0001.jsonl', bytes);
    const next = device.open();
    await next.memory();
    await waitAMinute(device);
    expect(await names(next)).toEqual(['A', 'B']);
  });

  it('waits at most a day for an unreadable file that may have the missing lines', async () => {
    const { device, log } = await savedDevice();
    await log.close();
    const [path] = core(device.files);
    await device.files.remove(path!);
    const placeholder = `${path!}.icloud`;
    device.files.put(placeholder, '');
    const second = device.open();
    await second.memory();
    await wait(device, DAY - MINUTE);
    expect(core(device.files)).toEqual([placeholder]);
    await second.close();
    const third = device.open();
    await third.memory();
    expect(core(device.files)).toEqual([placeholder]);
    await waitAMinute(device);
    expect(await names(third)).toEqual(['A']);
  });

  describe('in a folder that was replaced, with a file that waits', () => {
    async function replaceFolder(placeholder: (path: string) => string) {
      const device = createDevice();
      const log = device.open();
      await save(log, 'A');
      await log.close();
      const [path] = core(device.files);
      const [opening] = device.files.text(path!).split('\n');
      await device.files.remove('Savepoint/README.md');
      await device.files.remove(path!);
      device.files.put(placeholder(path!), '');
      const { folder: _folder, ...record } = device.copies.record()!;
      await device.copies.updateRecord(() => record);
      return { device, opening };
    }

    it('reads copies if it is named after one of their writers', async () => {
      const { device } = await replaceFolder((path) => `${path}.icloud`);
      expect(await names(device.open())).toEqual(['A']);
    });

    it('reads no copies if nothing says that it belongs to the same vault', async () => {
      const { device } = await replaceFolder(() => 'Savepoint/core/2026-11/other.jsonl.icloud');
      expect(await names(device.open())).toEqual([]);
    });

    it('reads copies once another file names the vault', async () => {
      const { device, opening } = await replaceFolder(
        () => 'Savepoint/core/2026-11/other.jsonl.icloud',
      );
      const log = device.open();
      await log.memory();
      device.files.put('Savepoint/core/2026-11/late.jsonl', `${opening!}\n`);
      expect(await names(log)).toEqual(['A']);
    });
  });

  it('does not wait for an unreadable file of another writer', async () => {
    const { device, log, path } = await savedDevice();
    await waitAMinute(device);
    await device.files.remove(path);
    device.files.put('Savepoint/core/2026-11/20261120-zzzzzzzzzzzz-0001.jsonl.icloud', '');
    await log.memory();
    await waitAMinute(device);
    expect(await names(device.open())).toEqual(['A']);
  });

  it('finds its copies after a sync has given the vault an earlier id', async () => {
    const { device, log, path } = await savedDevice();
    await log.close();
    const earlier = lineOf({
      t: 'log.vault',
      e: '',
      w: WRITER_B,
      n: 1,
      h: '2026-01-01T00:00:00.000Z.0000',
      d: { id: 'e'.repeat(16) },
    });
    device.files.put('Savepoint/core/2026-01/other.jsonl', earlier.bytes);
    const text = device.files.text(path);
    const next = device.open();
    await next.memory();
    device.files.put(path, text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1));
    await next.memory();
    await waitAMinute(device);
    expect(await names(device.open())).toEqual(['A']);
  });

  it('restores nothing if all copied events are present', async () => {
    const { device, log } = await savedDevice();
    await log.close();
    const next = device.open();
    await next.memory();
    await waitAMinute(device);
    expect(core(device.files)).toHaveLength(1);
    expect(device.warnings).toEqual([]);
  });

  it('identifies the vault by any segment if its `log.vault` event is lost', async () => {
    const { device, log: first } = await savedDevice();
    await first.close();
    const second = device.open();
    await save(second, 'B');
    await second.close();
    const [naming] = core(device.files).filter((path) =>
      device.files.text(path).includes('log.vault'),
    );
    const id = (await device.open().memory()).vault?.d['id'];
    await device.files.remove(naming!);
    const next = device.open();
    await next.memory();
    await save(next, 'C'); // must not give the vault another id
    await waitAMinute(device);
    expect(await names(next)).toEqual(['A', 'B', 'C']);
    expect((await next.memory()).vault?.d['id']).toBe(id);
    expect(
      vaultIdsIn((await readLogLines(device.files, 'Savepoint')).lines.map(({ event }) => event)),
    ).toEqual([id]);
  });

  it('restores nothing into a data folder that was recreated', async () => {
    const { device, log } = await savedDevice();
    await waitAMinute(device);
    for (const path of device.files.paths()) await device.files.remove(path);
    await save(log, 'B'); // into a segment that still names the vault
    await log.close();
    const next = device.open();
    await save(next, 'C');
    await waitAMinute(device);
    expect(await names(next)).toEqual(['B', 'C']);
    expect(core(device.files).filter((path) => path.endsWith('-healed.jsonl'))).toEqual([]);
  });

  it('restores a sealed segment that disappears while the log is open', async () => {
    const { device, log } = await savedDevice();
    device.clock.advance(DAY);
    await save(log, 'B');
    await waitAMinute(device);
    await device.files.remove(core(device.files)[0]!);
    await log.memory();
    await waitAMinute(device);
    expect(await names(device.open())).toEqual(['A', 'B']);
  });

  it('copies the last lines when the log is closed', async () => {
    const { device, log } = await savedDevice();
    await log.close();
    const id = ((await device.open().memory()).vault?.d['id'] ?? '') as string;
    const kept = new TextDecoder().decode(await device.copies.read(id));
    expect(kept).toBe(device.files.text(core(device.files)[0]!));
  });

  it.each(['while the log is open', 'while it is closed'])(
    'never writes into a vault that replaced this one, README included, %s',
    async (when) => {
      const { device, log } = await savedDevice();
      await waitAMinute(device);
      const id = (await log.memory()).vault?.d['id'] as string;
      if (when === 'while it is closed') await log.close();
      const readme = device.files.text('Savepoint/README.md');
      for (const path of device.files.paths()) await device.files.remove(path);
      const stranger = [
        lineOf({ t: 'log.vault', w: WRITER_B, n: 1, h: clockText(600), d: { id: 'x'.repeat(16) } }),
        lineOf({ t: 'thing.new', e: 'x', w: WRITER_B, n: 2, h: clockText(601), d: { id } }),
      ];
      device.files.put('Savepoint/README.md', readme);
      device.files.put('Savepoint/core/2026-11/other.jsonl', joinLines(stranger));
      const next = when === 'while it is closed' ? device.open() : log;
      for (let minute = 0; minute < 3; minute++) {
        await next.memory();
        await waitAMinute(device);
      }
      expect(device.files.paths()).toEqual([
        'Savepoint/README.md',
        'Savepoint/core/2026-11/other.jsonl',
      ]);
    },
  );

  it('does not restore lines that are written during a comparison', async () => {
    const { device, log } = await savedDevice();
    const read = device.copies.read.bind(device.copies);
    device.copies.read = async (id) => {
      device.copies.read = read;
      await save(log, 'B');
      return read(id);
    };
    expect(await log.heal()).toBe(0);
    expect([core(device.files).filter(isHealed), device.warnings]).toEqual([[], []]);
  });

  it('identifies the vault by its id without a README, and writes durably', async () => {
    const { device, log } = await savedDevice();
    device.clock.advance(DAY);
    await save(log, 'B'); // into a second segment
    await waitAMinute(device);
    const [first, second] = core(device.files);
    expect(device.files.text(first!)).toContain('log.vault');
    await device.files.remove('Savepoint/README.md');
    await device.files.remove(second!);
    const append = vi.spyOn(device.files, 'append');
    await log.memory();
    await waitAMinute(device);
    expect(await names(device.open())).toEqual(['A', 'B']);
    const [path, , options] = append.mock.calls.find(([to]) => isHealed(to))!;
    expect(options).toEqual({ expect: 'new', durable: true });
    expect(device.warnings).toEqual([
      expect.stringMatching(new RegExp(`^\\d+ entries had disappeared .* restored to ${path}\\.$`)),
    ]);
  });

  it('copies no traces', async () => {
    const device = createDevice();
    const add = vi.spyOn(device.copies, 'add');
    const log = device.open();
    await log.memory();
    await log.writeTrace({ t: 'trace.new', e: 'x', d: { ws: 'default', tool: 't' } });
    await save(log, 'A');
    await wait(device, 250);
    expect(add).toHaveBeenCalledTimes(1);
    expect(new TextDecoder().decode(add.mock.calls[0]![1])).not.toContain('trace.new');
  });

  it('copies no traces that are in the folder of the core lane', async () => {
    const device = createDevice();
    await save(createDevice(device.files).open(), 'A');
    const traces = linesOf([{ t: 'trace.new', e: 'x', d: { ws: 'default', tool: 't' } }]);
    device.files.put('Savepoint/core/2026-11/a.jsonl', joinLines(traces));
    const log = device.open();
    await log.memory();
    await wait(device, 2000);
    const [id] = device.copies.record()!.ids;
    const copied = new TextDecoder().decode(await device.copies.read(id!));
    expect([copied.includes('"A"'), copied.includes('trace.new')]).toEqual([true, false]);
  });

  it('compares the rest if a file disappears before it is read', async () => {
    const { device, log } = await savedDevice();
    const lost = core(device.files)[0]!;
    device.files.put('Savepoint/core/2026-11/a.jsonl', '');
    const read = device.files.read.bind(device.files);
    device.files.read = (path, ...rest) =>
      path.endsWith('/a.jsonl') ? Promise.resolve(undefined) : read(path, ...rest);
    expect(await log.heal()).toBe(0);
    await device.files.remove(lost);
    expect(await log.heal()).toBe(3);
  });

  it('copies written lines before a write is acknowledged', async () => {
    const device = createDevice();
    const log = device.open();
    for (const name of ['A', 'B']) {
      await save(log, name);
      const id = device.copies.record()!.ids[0]!;
      expect(new TextDecoder().decode(await device.copies.read(id))).toBe(
        device.files.text(core(device.files)[0]!),
      );
    }
  });

  it("copies and restores other devices' lines", async () => {
    const files = createMemoryFiles();
    const [here, there] = [createDevice(files, 'here'), createDevice(files, 'there')];
    await save(here.open(), 'Mine');
    const log = there.open();
    await save(log, 'Theirs');
    const [mine] = core(files).filter((path) => files.text(path).includes('"Mine"'));
    const again = here.open();
    await again.memory();
    await waitAMinute(there);
    await files.remove(mine!);
    await log.memory();
    await waitAMinute(there);
    expect(await names(log)).toEqual(['Mine', 'Theirs']);
    expect(core(files).filter(isHealed)).toHaveLength(1);
    expect(there.warnings).toHaveLength(1);
  });

  it('copies what other devices write while the log is open', async () => {
    const files = createMemoryFiles();
    const [here, there] = [createDevice(files, 'here'), createDevice(files, 'there')];
    const [log, other] = [here.open(), there.open()];
    await save(log, 'Mine');
    await save(other, 'One');
    await save(other, 'Two');
    const add = vi.spyOn(here.copies, 'add');
    await log.memory();
    const copied = add.mock.calls.map(([, bytes, origin]) => [
      new TextDecoder().decode(bytes),
      origin,
    ]);
    const [path] = core(files).filter((each) => files.text(each).includes('"Two"'));
    expect(copied).toEqual([[files.text(path!), 'other']]);
  });

  it('restores at the start what was found missing a minute earlier', async () => {
    const { device, log: first, path } = await savedDevice();
    await first.close();
    await device.files.remove(path);
    const second = device.open();
    expect(await names(second)).toEqual([]);
    await second.close();
    expect(device.copies.record()!.lossSeenAt).toBe(device.clock.now());
    await wait(device, MINUTE - 1);
    const third = device.open();
    expect(await names(third)).toEqual([]);
    await third.close();
    await wait(device, 1);
    const fourth = device.open();
    expect(await names(fourth)).toEqual(['A']);
    await fourth.close();
    expect(device.copies.record()!.lossSeenAt).toBeUndefined();
  });

  it('keeps what the user has dismissed when the record changes', async () => {
    const { device, log: first } = await savedDevice();
    await first.close();
    const dismissed = { k3v9q2m7x4tb: [[2, 5]] } as const;
    await device.copies.updateRecord((record) => ({ ...record!, dismissed }));
    await device.files.remove(core(device.files)[0]!);
    const second = device.open();
    await names(second);
    await second.close();
    expect(device.copies.record()).toMatchObject({ lossSeenAt: device.clock.now(), dismissed });
  });

  it('restores missing lines at once if it is asked to', async () => {
    const { device, log } = await savedDevice();
    expect(await log.heal()).toBe(0);
    await device.files.remove(core(device.files)[0]!);
    expect(await log.heal()).toBe(3);
    expect(core(device.files).filter(isHealed)).toHaveLength(1);
    expect(await log.heal()).toBe(0);
    expect(await names(device.open())).toEqual(['A']);
  });

  it('restores a loss of the first minute only a minute after it was noticed', async () => {
    const { device, log, path } = await savedDevice();
    await wait(device, 50_000);
    await device.files.remove(path);
    await log.memory();
    await wait(device, 59_000);
    expect(core(device.files)).toEqual([]);
    for (let turn = 0; turn < 2; turn++) await waitAMinute(device);
    expect(await names(device.open())).toEqual(['A']);
  });

  it('keeps the recorded id if the whole lane is lost but the README is not', async () => {
    const { device, log: first } = await savedDevice();
    await first.close();
    const [id] = device.copies.record()!.ids;
    await device.files.remove(core(device.files)[0]!);
    const log = device.open();
    await save(log, 'B');
    await waitAMinute(device);
    expect(await names(log)).toEqual(['A', 'B']);
    expect((await log.memory()).vault?.d['id']).toBe(id);
  });

  it.each([
    ['restores lines into the same folder', 'folder 1', ['A']],
    ['restores nothing into another folder', 'folder 2', []],
  ])('%s after a sync service replaced all files', async (_, folderAfter, restored) => {
    const device = createDevice();
    let folder = 'folder 1';
    identifyFolder(device.files, () => folder);
    const log = device.open();
    await save(log, 'A');
    await waitAMinute(device);
    await log.close();
    for (const path of device.files.paths()) await device.files.remove(path);
    folder = folderAfter;
    const other = lineOf({
      t: 'log.vault',
      w: WRITER_B,
      n: 1,
      h: clockText(600),
      d: { id: 'x'.repeat(16) },
    });
    device.files.put('Savepoint/core/2026-11/other.jsonl', joinLines([other]));
    device.files.put('Savepoint/README.md', 'Another text');
    const next = device.open();
    await next.memory();
    await waitAMinute(device);
    expect(await names(next)).toEqual(restored);
  });

  it('restores missing lines if others remain, even without README and vault id', async () => {
    const device = createDevice();
    identifyFolder(device.files, () => 'folder 1');
    const log = device.open();
    await save(log, 'A');
    await save(log, 'B');
    await waitAMinute(device);
    await log.close();
    const [path] = core(device.files);
    const lines = device.files.text(path!).trimEnd().split('\n');
    device.files.put(path!, `${lines.at(-1)}\n`);
    await device.files.remove('Savepoint/README.md');
    const next = device.open();
    await next.memory();
    await waitAMinute(device);
    expect(await names(next)).toEqual(['A', 'B']);
  });

  it('copies what the copies lack when a process closes before the scheduled comparison', async () => {
    const { device, log } = await savedDevice();
    await log.close();
    const other = joinLines(linesOf([workspaceDraft('B')], WRITER_B));
    device.files.put('Savepoint/core/2026-11/other.jsonl', other);
    const next = device.open();
    await next.memory();
    await next.close();
    const [id] = device.copies.record()!.ids;
    expect(new TextDecoder().decode(await device.copies.read(id!))).toContain(WRITER_B);
  });

  it('copies everything again if the copies are removed while a process runs', async () => {
    const { device, log } = await savedDevice();
    device.copies.clear();
    await save(log, 'B');
    await wait(device, 1000); // the copies are synced
    await wait(device, 2000);
    for (const path of core(device.files)) device.files.put(path, '\0'.repeat(500));
    const next = device.open();
    expect(await next.heal()).toBeGreaterThan(0);
    expect(await names(next)).toEqual(['A', 'B']);
  });

  it('finds what was copied after the copies were removed, even if it is killed then', async () => {
    const { device, log } = await savedDevice();
    await wait(device, 1000); // the copies are synced
    device.copies.clear();
    await save(log, 'B');
    const [path] = core(device.files);
    await device.files.remove(path!);
    device.files.put(`${path!}.icloud`, '');
    expect(await names(device.open())).toEqual(['B']);
  });

  it('restores a moved vault of which only the README is left', async () => {
    const { device, log } = await savedDevice();
    await log.close();
    const moved = moveVault(device);
    for (const path of core(device.files)) await device.files.remove(path);
    const report = await verify(device.files, 'Savepoint', {
      now: device.clock.now(),
      copies: device.copies,
    });
    expect(report).toMatchObject({ isWhole: false, restorable: [{}] });
    const next = device.open();
    await save(next, 'B');
    await next.heal();
    expect(await names(next)).toEqual(['A', 'B']);
    expect(device.copies.record()?.ids).toEqual(moved.ids);
  });

  it('does not recognize a folder that was removed and created again', async () => {
    const device = createDevice();
    identifyFolder(device.files, () => 'folder 1');
    const log = device.open();
    await save(log, 'A');
    await waitAMinute(device);
    const { ids } = device.copies.record()!;
    for (const path of device.files.paths()) await device.files.remove(path);
    const next = device.open();
    await next.memory();
    await save(next, 'B');
    for (let minute = 0; minute < 3; minute++) await waitAMinute(device);
    expect(await names(next)).toEqual(['B']);
    expect(device.copies.record()).toMatchObject({ ids: [expect.any(String)], formerIds: ids });
  });

  it('restores a line even if a forged line has the same number and CRC', async () => {
    const { device, log, path } = await savedDevice();
    await log.close();
    const [last] = parseSegment((await device.files.read(path)) as Uint8Array).lines.slice(-1);
    const text = device.files.text(path);
    const kept = text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1);
    device.files.put(path, kept + twinOf(last!.event).toString());
    const next = device.open();
    expect(await next.heal()).toBe(1);
    expect(
      core(device.files)
        .filter(isHealed)
        .map((healed) => device.files.text(healed)),
    ).toEqual([text.slice(kept.length)]);
  });

  it('copies nothing without writes, and reads no copies without a vault', async () => {
    const device = createDevice();
    const [add, read] = [vi.spyOn(device.copies, 'add'), vi.spyOn(device.copies, 'read')];
    const update = vi.spyOn(device.copies, 'updateRecord');
    const empty = device.open();
    await empty.memory();
    await waitAMinute(device);
    await empty.close();
    expect([add, read, update].map(({ mock }) => mock.calls)).toEqual([[], [], []]);
    const log = device.open();
    await save(log, 'A');
    await log.close();
    const kept = add.mock.calls.length;
    const next = device.open();
    await next.memory();
    await waitAMinute(device);
    await next.close();
    expect(add).toHaveBeenCalledTimes(kept);
  });

  it('reads the vault again only once if it has all copied lines at the start', async () => {
    const { device, log } = await savedDevice();
    await log.close();
    const next = device.open();
    const read = vi.spyOn(device.files, 'read');
    await next.memory();
    await wait(device, 2000);
    expect(read).toHaveBeenCalledTimes(1);
    for (let minute = 0; minute < 3; minute++) await waitAMinute(device);
    expect(read).toHaveBeenCalledTimes(2); // to copy what others have written
  });

  it.each([
    ['a minute later', async (device: Device) => waitAMinute(device)],
    ['when the process closes', async (_: Device, log: Log) => log.close()],
  ])('copies %s what could not be copied at once', async (_, proceed) => {
    const device = createDevice();
    const failing = vi.spyOn(device.copies, 'add').mockRejectedValue(new Error('no room'));
    const log = device.open();
    await save(log, 'A');
    failing.mockRestore();
    await proceed(device, log);
    const [id] = device.copies.record()!.ids;
    expect(new TextDecoder().decode(await device.copies.read(id!))).toContain('"name":"A"');
  });

  it("records the vault's id before the lines of other devices are copied", async () => {
    const device = createDevice();
    const log = device.open();
    await log.memory();
    await save(createDevice(device.files).open(), 'Theirs');
    expect(await names(log)).toEqual(['Theirs']);
    const [id] = vaultIdsIn(
      (await readLogLines(device.files, 'Savepoint')).lines.map(({ event }) => event),
    );
    expect(device.copies.record()).toMatchObject({ ids: [id] });
  });

  it('warns once if copying fails, and the write still succeeds', async () => {
    const device = createDevice();
    device.copies.add = () => Promise.reject(new Error('no room'));
    const log = device.open();
    await save(log, 'A');
    await wait(device, 250);
    expect(await names(log)).toEqual(['A']);
    expect(device.warnings).toEqual(['No backup copy was made for healing: Error: no room']);
    await save(log, 'B');
    await wait(device, 250);
    expect(device.warnings).toHaveLength(1);
    const add = device.copies.add.bind(device.copies);
    device.copies.add = () => Promise.resolve();
    await save(log, 'C');
    await wait(device, 250);
    device.copies.add = add;
    await save(log, 'D');
    await wait(device, 250);
    expect(device.warnings).toHaveLength(2);
  });

  it('warns if copies cannot be read, and retries after the next loss', async () => {
    const { device, log, path } = await savedDevice();
    await waitAMinute(device);
    const read = vi.spyOn(device.copies, 'read').mockRejectedValueOnce(new Error('no such disk'));
    const text = device.files.text(path);
    await device.files.remove(path);
    await log.memory();
    await waitAMinute(device);
    expect(device.warnings).toEqual(['Missing entries could not be restored: Error: no such disk']);
    expect(read).toHaveBeenCalled();
    device.files.put(path, text);
    await log.memory();
    await device.files.remove(path);
    await log.memory();
    await waitAMinute(device);
    expect(await names(device.open())).toEqual(['A']);
  });

  it('finds copies under its original id after the whole lane is deleted', async () => {
    const { device, log: first } = await savedDevice();
    await first.close();
    const [own] = core(device.files);
    const earlier = lineOf({
      t: 'log.vault',
      e: '',
      w: WRITER_B,
      n: 1,
      h: '2026-01-01T00:00:00.000Z.0000',
      d: { id: 'e'.repeat(16) },
    });
    device.files.put('Savepoint/core/2026-01/other.jsonl', earlier.bytes);
    const log = device.open();
    await log.memory();
    await save(log, 'B');
    await waitAMinute(device);
    expect(device.files.text(own!)).toContain('"id-a"');
    for (const path of core(device.files)) await device.files.remove(path);
    await log.memory();
    await waitAMinute(device);
    expect(await names(device.open())).toEqual(['A', 'B']);
  });

  it('reads nothing if a log is closed that was never used', async () => {
    const { device, log } = await savedDevice();
    await log.close();
    const reads = [vi.spyOn(device.copies, 'read'), vi.spyOn(device.files, 'read')];
    await device.open().close();
    expect(reads.map(({ mock }) => mock.calls)).toEqual([[], []]);
  });

  it('syncs the copies of what was written, and only then, before a log is closed', async () => {
    const device = createDevice();
    const sync = vi.spyOn(device.copies, 'sync');
    const log = device.open();
    await save(log, 'A');
    expect(sync).not.toHaveBeenCalled();
    await log.close();
    expect(sync.mock.calls).toEqual([[device.copies.record()!.ids[0]]]);
    const next = device.open();
    await next.memory();
    await next.close();
    expect(sync).toHaveBeenCalledTimes(1);
  });

  it('reads no copies when a log is closed whose lines are all copied', async () => {
    const device = createDevice();
    const other = createDevice();
    await save(other.open(), 'Theirs');
    for (const path of other.files.paths()) device.files.put(path, other.files.text(path));
    const log = device.open();
    await log.memory();
    await wait(device, 2000); // their lines are copied
    await save(log, 'A');
    const read = vi.spyOn(device.copies, 'read');
    await log.close();
    expect(read).not.toHaveBeenCalled();
  });

  it('copies within seconds what others wrote before the start, and records the vault', async () => {
    const device = createDevice();
    const other = createDevice();
    await save(other.open(), 'Theirs');
    for (const path of other.files.paths()) device.files.put(path, other.files.text(path));
    const log = device.open();
    await log.memory();
    await wait(device, 2000);
    const { ids, ...record } = device.copies.record()!;
    expect(ids).toEqual([(await log.memory()).vault?.d['id']]);
    expect(Object.keys(record).sort()).toEqual(['folder', 'readme']);
    expect(new TextDecoder().decode(await device.copies.read(ids[0]!))).toContain('"Theirs"');
    expect(device.warnings).toEqual([]);
  });

  it('copies what an earlier process of the same writer could not copy', async () => {
    const { device, log } = await savedDevice();
    const failing = vi.spyOn(device.copies, 'add').mockRejectedValue(new Error('no room'));
    await save(log, 'B');
    failing.mockRestore(); // and the process ends without closing the log
    const next = device.open();
    await next.memory();
    await next.close();
    const [id] = device.copies.record()!.ids;
    expect(new TextDecoder().decode(await device.copies.read(id!))).toContain('"name":"B"');
  });

  describe('after a comparison that could not copy', () => {
    async function failToCompare(device: Device): Promise<Log> {
      const log = device.open();
      await save(log, 'A');
      const failing = vi.spyOn(device.copies, 'add').mockRejectedValue(new Error('no room'));
      await save(log, 'B');
      await waitAMinute(device);
      failing.mockRestore();
      return log;
    }

    async function copied({ copies }: Device): Promise<string> {
      return new TextDecoder().decode(await copies.read(copies.record()!.ids[0]!));
    }

    it('copies everything once a line can be copied again', async () => {
      const device = createDevice();
      const log = await failToCompare(device);
      await save(log, 'C');
      await waitAMinute(device);
      expect(await copied(device)).toContain('"name":"B"');
      expect(await device.copies.lacking()).toEqual(new Map());
    });

    it('copies everything when the log is closed', async () => {
      const device = createDevice();
      const log = await failToCompare(device);
      await log.close();
      expect(await copied(device)).toContain('"name":"B"');
    });
  });

  it('compares nothing early because of traces or of copies under an older id', async () => {
    const { device, log } = await savedDevice();
    await log.writeTrace({ t: 'trace.new', e: 'x', d: { ws: 'default', tool: 't' } });
    await log.close();
    const [id] = device.copies.record()!.ids;
    const [first] = device.files.text(core(device.files)[0]!).split('\n');
    const older = 'e'.repeat(16);
    await device.copies.add(older, new TextEncoder().encode(`${first!}\n`), 'other');
    await device.copies.updateRecord((record) => ({ ...record!, ids: [id!, older] }));
    const next = device.open();
    await next.traceList('default');
    await next.memory();
    const read = vi.spyOn(device.copies, 'read');
    await wait(device, 2000);
    expect(read).not.toHaveBeenCalled();
    await waitAMinute(device);
    expect(read.mock.calls).toEqual([[id], [older]]);
  });

  it('changes the record only if something has changed', async () => {
    const { device, log } = await savedDevice();
    await waitAMinute(device);
    const update = vi.spyOn(device.copies, 'updateRecord');
    expect(await log.heal()).toBe(0);
    expect(update).not.toHaveBeenCalled();
  });

  it('copies nothing of lines that give the vault no id, and records nothing', async () => {
    const device = createDevice();
    const add = vi.spyOn(device.copies, 'add');
    const log = device.open();
    await log.memory();
    device.files.put('Savepoint/core/2026-11/a.jsonl', joinLines(linesOf([workspaceDraft('A')])));
    await log.memory();
    await waitAMinute(device);
    expect(await log.heal()).toBe(0);
    await log.close();
    expect([add.mock.calls, device.copies.record(), device.warnings]).toEqual([[], undefined, []]);
  });

  it('restores lines from copies whose record is lost', async () => {
    const device = createDevice();
    await loseEnd(device);
    device.copies.clearRecord();
    const next = device.open();
    await next.memory();
    expect(device.copies.record()).toMatchObject({ lossSeenAt: device.clock.now() });
    expect(await next.heal()).toBeGreaterThan(0);
    expect(await names(next)).toEqual(['A', 'B']);
  });

  it('finds such copies by the id that a segment repeats if there is a README', async () => {
    const { device, log } = await savedDevice();
    device.clock.advance(DAY);
    await save(log, 'B'); // into a second segment
    await log.close();
    const [first] = core(device.files);
    await device.files.remove(first!);
    device.copies.clearRecord();
    expect(await device.open().heal()).toBeGreaterThan(0);
    expect(await names(device.open())).toEqual(['A', 'B']);
  });

  it('restores lines although the record cannot be read any more', async () => {
    const { device, log } = await savedDevice();
    await log.memory();
    await device.files.remove(core(device.files)[0]!);
    device.copies.loadRecord = () => Promise.reject(new Error('no such disk'));
    expect(await log.heal()).toBe(3);
  });

  it('takes over the record of an old path only without one of this path', async () => {
    const { device, log } = await savedDevice();
    const load = vi.fn(() => Promise.resolve(undefined));
    device.copies.loadMovedRecord = load;
    await log.close();
    const next = device.open();
    await next.memory();
    await next.close();
    expect(load).not.toHaveBeenCalled();
  });

  it.each(['heads', 'loadMovedRecord'] as const)(
    'warns at the start if %s of the copies fails, and reads the vault nevertheless',
    async (name) => {
      const device = createDevice();
      await save(createDevice(device.files).open(), 'A');
      Object.assign(device.copies, { [name]: () => Promise.reject(new Error('no such disk')) });
      expect(await names(device.open())).toEqual(['A']);
      const [warning] = device.warnings;
      expect(warning).toBe('Missing entries could not be restored: Error: no such disk');
    },
  );

  it('warns if the last comparison of a log fails, and closes it', async () => {
    const device = createDevice();
    device.copies.add = () => Promise.reject(new Error('no room'));
    device.copies.read = () => Promise.reject(new Error('no such disk'));
    const log = device.open();
    await save(log, 'A');
    await log.close();
    expect(device.warnings).toEqual([
      'No backup copy was made for healing: Error: no room',
      'Missing entries could not be restored: Error: no such disk',
    ]);
  });

  it('keeps the id of a folder that has neither README nor a line with an id', async () => {
    const device = createDevice();
    identifyFolder(device.files, () => 'folder 1');
    const log = device.open();
    await save(log, 'A');
    await log.close();
    const [id] = device.copies.record()!.ids;
    const [path] = core(device.files);
    const lines = device.files.text(path!).trimEnd().split('\n');
    device.files.put(path!, `${lines.at(-1)}\n`);
    await device.files.remove('Savepoint/README.md');
    const next = device.open();
    await next.memory();
    await save(next, 'B');
    expect((await next.memory()).vault?.d['id']).toBe(id);
  });

  it('records an earlier id of the vault at once, even without a README', async () => {
    const device = createDevice();
    identifyFolder(device.files, () => 'folder 1');
    const log = device.open();
    await save(log, 'A');
    await waitAMinute(device);
    const { ids } = device.copies.record()!;
    const id = 'e'.repeat(16);
    const earlier = lineOf({
      t: 'log.vault',
      w: WRITER_B,
      h: '2026-01-01T00:00:00.000Z.0000',
      d: { id },
    });
    device.files.put('Savepoint/core/2026-01/other.jsonl', earlier.bytes);
    await device.files.remove('Savepoint/README.md');
    await log.memory();
    expect(device.copies.record()!.ids).toEqual([id, ...ids]);
    expect(device.warnings).toEqual([]);
  });

  it('copies everything again even if no comparison is due', async () => {
    const { device, log } = await savedDevice();
    await waitAMinute(device);
    await waitAMinute(device);
    device.copies.clear();
    await save(log, 'B');
    await wait(device, 1000); // the copies are synced
    await wait(device, 2000);
    const [id] = device.copies.record()!.ids;
    expect(new TextDecoder().decode(await device.copies.read(id!))).toContain('"name":"A"');
    expect(device.warnings).toEqual([]);
  });

  it('restores what only a comparison has noticed', async () => {
    const { device } = await savedDevice();
    await device.files.remove(core(device.files)[0]!);
    await waitAMinute(device);
    expect(core(device.files)).toEqual([]);
    await waitAMinute(device);
    expect(core(device.files).filter(isHealed)).toHaveLength(1);
  });

  it('does not restore at the start what was found missing at the same time', async () => {
    const { device, log } = await savedDevice();
    await log.close();
    await device.files.remove(core(device.files)[0]!);
    for (let start = 0; start < 3; start++) {
      const next = device.open();
      expect(await names(next)).toEqual([]);
      await next.close();
    }
    expect(device.copies.record()).not.toHaveProperty('waitingSince');
  });

  it('restores at the start what was found missing at a time that is still to come', async () => {
    const { device, log } = await savedDevice();
    await log.close();
    await device.files.remove(core(device.files)[0]!);
    await device.copies.updateRecord((record) => ({
      ...record!,
      lossSeenAt: device.clock.now() + 1,
    }));
    expect(await names(device.open())).toEqual(['A']);
  });

  it('keeps what the user has dismissed without a README, and forgets it for another vault', async () => {
    const device = createDevice();
    let folder = 'folder 1';
    identifyFolder(device.files, () => folder);
    const log = device.open();
    await save(log, 'A');
    await log.close();
    const dismissed = { k3v9q2m7x4tb: [[2, 5]] } as const;
    await device.copies.updateRecord((record) => ({ ...record!, dismissed }));
    await device.files.remove('Savepoint/README.md');
    await device.open().heal();
    expect(device.copies.record()).toMatchObject({ readme: undefined, dismissed });
    const other = createDevice();
    await save(other.open(), 'Other');
    for (const path of device.files.paths()) await device.files.remove(path);
    for (const path of other.files.paths()) device.files.put(path, other.files.text(path));
    folder = 'folder 2';
    await device.open().heal();
    expect(device.copies.record()).not.toHaveProperty('dismissed');
  });
});

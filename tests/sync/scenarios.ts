import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { countMissing, expectAgreement, expectNothingLost, inspect, type Findings } from './check.js';
import { createDevice, type Device } from './device.js';
import { createLedger, type Ledger } from './ledger.js';
import type { ListedWorkspace } from './listing.js';
import type { SyncedPair } from './pair.js';
import { bringBackKeptVersions, coreSegments, isToldMissing, lastCoreSegment, placesIn, type Place } from './segments.js';
import { addRow } from './table.js';

interface Scene {
  readonly pair: SyncedPair;
  readonly ledger: Ledger;
  readonly near: Device;
  readonly far: Device;
  /** Tells how long the scenario took up to here, and lays both programs down; then what both sides hold is looked at and printed. */
  readonly conclude: (after: string) => Promise<Findings>;
  /** What the running programs list, once all is synced. */
  readonly listLive: () => Promise<[ListedWorkspace[], ListedWorkspace[]]>;
}

/** The same scenarios for every tool that carries the files. */
export function describeScenarios(tool: string, createPair: () => Promise<SyncedPair>): void {
  /** A pair with both programs running. */
  async function open(): Promise<Scene> {
    const pair = await createPair();
    const ledger = createLedger();
    const [near, far] = [createDevice('a', pair.vaults[0], ledger), createDevice('b', pair.vaults[1], ledger)];
    await Promise.all([near.open(), far.open()]);
    let started = performance.now();
    return {
      ...{ pair, ledger, near, far },
      async conclude(after) {
        await Promise.all([near.close(), far.close()]);
        await pair.settle();
        const seconds = (performance.now() - started) / 1000;
        const findings = await inspect(pair, ledger);
        addRow(tool, after, ledger, findings, seconds);
        expectAgreement(pair, ledger, findings);
        started = performance.now();
        return findings;
      },
      async listLive() {
        await pair.settle();
        return [await near.list(), await far.list()];
      },
    };
  }

  it('lose nothing when both sides write at once', async () => {
    const { pair, near, far, listLive, conclude } = await open();
    await pair.exchangeDuring(Promise.all([near.work(250), far.work(250)]));
    const live = await listLive();
    const findings = await conclude('both write at once');
    expectNothingLost(findings);
    expect(live).toEqual(findings.listings);
  });

  it('lose nothing in windows in which the sides are apart, and keep both of what was given one name', async () => {
    const { pair, ledger, near, far, listLive, conclude } = await open();
    await pair.exchangeDuring(Promise.all([near.work(20), far.work(20)]));
    for (const how of ['paused', 'stopped'] as const) {
      await pair.part(how);
      if (how === 'stopped') for (const device of [near, far]) await device.close().then(device.open);
      await Promise.all([near, far].map((device, index) => workUnderSameNames(device, how, 'ab'[index]!)));
      await pair.rejoin();
      await pair.exchangeDuring(Promise.all([near.work(20), far.work(20)]));
    }
    const live = await listLive();
    const findings = await conclude('two windows apart, same names');
    expectNothingLost(findings);
    expect(live).toEqual(findings.listings);
    const names = findings.listings[0].flatMap(({ name, states }) => [name, ...states.map((state) => state.name)]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.startsWith('paused same')).length).toBe(20);
    expect(names.filter((name) => name.startsWith('paused twin'))).toHaveLength(5);
    expect(names.filter((name) => name.startsWith('Joint')).length).toBe(4);
    expect(ledger.states.size).toBe(2 * 60 + 2 * 2 * 40 + 2 * 20 + 2 * 5);
  });

  it.each(['earlier', 'later'] as const)(
    'lose nothing when an older copy of a segment is put back on the other side, %s than its writer goes on',
    async (when) => {
      const { pair, near, far, conclude } = await open();
      const [path, older] = await growOver(pair, near, 20, 20);
      await pair.part('paused');
      if (when === 'later') await near.work(15);
      writeFileSync(join(far.vault, path), older);
      if (when === 'earlier') await near.work(15);
      await far.work(15);
      expect(lastCoreSegment(near.vault)).toBe(path);
      await pair.rejoin();
      await pair.settle();
      await pair.exchangeDuring(Promise.all([near.work(15), far.work(15)]));
      const findings = await conclude(`older copy, other side, ${when}`);
      expectNothingLost(findings, ['marker']);
      const hasConflict = [...coreSegments(near.vault)].some(([name, bytes]) => name.includes('conflict') || bytes.includes('<<<<<<<'));
      expect(hasConflict).toBe(true);
    },
  );

  it('lose nothing that verify does not tell of when the tool merges into a segment in the very moment in which it grows', async () => {
    const { pair, near, far, conclude } = await open();
    const [path, older] = await growOver(pair, near, 20, 20);
    await pair.part('paused');
    writeFileSync(join(far.vault, path), older);
    await Promise.all([near.work(15), far.work(15)]);
    await pair.rejoin();
    await pair.exchangeDuring(Promise.all([near.workHard(100), far.work(10)]));
    const findings = await conclude('merge while the segment grows');
    if (findings.lost.length === 0) return expectNothingLost(findings, ['marker', 'seal']);
    // Between looking at a file and putting the merged one in its place git takes some milliseconds: until healing they are lost.
    for (const { isWhole, writers } of findings.reports) {
      expect(isWhole).toBe(false);
      expect(countMissing(writers)).toBeGreaterThanOrEqual(findings.lost.length);
    }
  });

  it.each(['under the writer', 'on the other side'] as const)(
    'lose what an older copy takes away that is put back %s while it rests, until healing: verify tells of each, and a kept version mends it',
    async (where) => {
      const { pair, ledger, near, far, conclude } = await open();
      const [path, older] = await growOver(pair, near, 22, 18);
      const before = placesIn(near.vault);
      writeFileSync(join(where === 'under the writer' ? near.vault : far.vault, path), older);
      if (where === 'on the other side') await pair.settle();
      await pair.exchangeDuring(Promise.all([near.work(10), far.work(10)]));
      const hurt = await conclude(`older copy ${where}`);
      const tail = [...ledger.states.keys()].filter((token) => numberOf(token, 'a') > 22 && numberOf(token, 'a') <= 40);
      expect(hurt.lost).toEqual(tail.sort());
      expect(hurt.lostWorkspaces).toEqual(['a project 21']);
      expectLossTold(hurt, before, near.vault);
      await expectMendedByKeptVersions(pair, () => conclude('  its kept version brought back'));
    },
  );

  it('lose what a deleted data folder takes away, until healing: verify tells of each, and kept versions mend it', async () => {
    const { pair, near, far, conclude } = await open();
    await pair.exchangeDuring(Promise.all([near.work(30), far.work(130)]));
    await pair.settle();
    const before = placesIn(near.vault);
    await pair.part('paused');
    rmSync(join(near.vault, 'Savepoint'), { recursive: true });
    await Promise.all([near.work(10), far.work(10)]);
    await pair.rejoin();
    const hurt = await conclude('folder deleted on one side');
    expect(hurt.lost.length).toBeGreaterThan(0);
    expectLossTold(hurt, before, near.vault);
    await expectMendedByKeptVersions(pair, () => conclude('  kept versions brought back'));
  });

  it('lose all when the data folder is deleted while no program runs: verify cannot tell, and kept versions mend it', async () => {
    const { pair, ledger, near, far, conclude } = await open();
    await pair.exchangeDuring(Promise.all([near.work(30), far.work(30)]));
    const whole = await conclude('  before: programs ended');
    expectNothingLost(whole);
    rmSync(join(near.vault, 'Savepoint'), { recursive: true });
    await pair.settle();
    const hurt = await conclude('folder deleted, nothing runs');
    expect(hurt.lost).toHaveLength(ledger.states.size);
    // Nothing is left that could tell of anything.
    for (const report of hurt.reports) expect(report).toMatchObject({ events: 0, writers: [], isWhole: true });
    await far.open();
    await far.save('After', 'after the loss');
    const later = await conclude('  one program started again');
    // The device's own state folder knew how far its writers had come, but whoever takes such a record drops it.
    for (const report of later.reports) expect(report.isWhole).toBe(true);
    const mended = await expectMendedByKeptVersions(pair, () => conclude('  kept versions brought back'));
    for (const [side, { events }] of mended.reports.entries())
      expect(events).toBe(whole.reports[side]!.events + later.reports[side]!.events);
  });

  it('lose nothing to conflict copies, whole or cut, whatever their names', async () => {
    const { pair, near, far, conclude } = await open();
    await pair.exchangeDuring(Promise.all([near.work(20), far.work(20)]));
    await pair.settle();
    await pair.part('paused');
    for (const [index, device] of [near, far].entries()) {
      await device.work(10);
      layConflictCopies(device.vault, index + 1);
      await device.work(10);
    }
    await pair.rejoin();
    await pair.exchangeDuring(Promise.all([near.work(20), far.work(20)]));
    expectNothingLost(await conclude('conflict copies on both sides'), ['pending', 'damaged', 'marker']);
  });
}

async function workUnderSameNames(device: Device, window: string, side: string): Promise<void> {
  await device.work(20);
  await device.createWorkspace(`Joint ${window}`, `joint workspace ${window} of ${side}`);
  for (let index = 0; index < 10; index++) await device.save(`${window} same ${index}`, `${window} same ${index} of ${side}`);
  for (let index = 0; index < 5; index++) await device.save(`${window} twin ${index}`, `${window} twin ${index}`);
  await device.work(20);
}

/** Two stretches of work on one side, both synced: the segment that grows, and what stood in it between them. */
async function growOver(pair: SyncedPair, device: Device, first: number, second: number): Promise<[string, Buffer]> {
  await pair.exchangeDuring(device.work(first));
  await pair.settle();
  const path = lastCoreSegment(device.vault);
  const older = coreSegments(device.vault).get(path)!;
  await pair.exchangeDuring(device.work(second));
  await pair.settle();
  expect(lastCoreSegment(device.vault)).toBe(path);
  return [path, older];
}

/** The number of a state that `work` has saved on a side; else 0. */
function numberOf(token: string, side: string): number {
  return Number(new RegExp(`^${side} state (\\d+)$`).exec(token)?.[1] ?? 0);
}

function expectLossTold({ reports, lost }: Findings, before: ReadonlyMap<string, Place>, vault: string): void {
  const places = new Map([...before, ...placesIn(vault)]);
  for (const report of reports) {
    expect(lost.filter((token) => !isToldMissing(report, places, token))).toEqual([]);
    expect(report.isWhole).toBe(false);
  }
}

/** What a person can do now. */
async function expectMendedByKeptVersions(pair: SyncedPair, conclude: () => Promise<Findings>): Promise<Findings> {
  expect(await bringBackKeptVersions(pair)).toBeGreaterThan(0);
  const mended = await conclude();
  expectNothingLost(mended);
  return mended;
}

const COPY_NAMES = [
  '.sync-conflict-20261120-045258-ABCDEFG',
  ' (conflicted copy)',
  ' (1)',
  ' 2',
  '-DESKTOP-AB12',
  '.dup',
  " (Anna's conflicted copy 2026-11-20)",
];

/** The same names on both sides, with other contents: the tool itself then finds a conflict. Every second copy is cut in a line. */
function layConflictCopies(vault: string, cut: number): void {
  for (const [path, bytes] of coreSegments(vault)) {
    const original = basename(path, '.jsonl');
    for (const [index, suffix] of COPY_NAMES.entries()) {
      const copy = index % 2 === 0 ? bytes : bytes.subarray(0, bytes.length - cut * (100 + index));
      writeFileSync(join(vault, path, '..', `${original}${suffix}.jsonl`), copy);
    }
  }
}

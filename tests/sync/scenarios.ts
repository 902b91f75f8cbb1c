import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import {
  coreWriters,
  countMissing,
  expectAgreement,
  expectNothingLost,
  inspect,
  verify,
  type Findings,
} from './check.js';
import { createDevice, type Device } from './device.js';
import { createLedger, type Ledger } from './ledger.js';
import type { ListedWorkspace } from './listing.js';
import { until, type SyncedPair } from './pair.js';
import {
  bringBackKeptVersions,
  coreSegments,
  isToldMissing,
  lastCoreSegment,
  placesIn,
  type Place,
} from './segments.js';
import { addRow } from './table.js';

/** A program checks for losses a minute after it detects one, and after its start. */
const HEALING_SECONDS = 150;
const LOOK_EVERY_MS = 3000;

interface Scene {
  readonly pair: SyncedPair;
  readonly ledger: Ledger;
  readonly near: Device;
  readonly far: Device;
  /** Ends both programs, checks both sides and records the findings with the elapsed time. */
  readonly conclude: (after: string) => Promise<Findings>;
  /**
   * Runs both programs until both folders have everything acknowledged and nothing is reported
   * missing.
   */
  readonly heal: () => Promise<void>;
  /** Returns the lists of the running programs once everything is synced. */
  readonly listLive: () => Promise<[ListedWorkspace[], ListedWorkspace[]]>;
}

/** Declares the scenarios for a sync tool. */
export function describeScenarios(tool: string, createPair: () => Promise<SyncedPair>): void {
  /** Returns a pair with both programs running. */
  async function open(): Promise<Scene> {
    const pair = await createPair();
    // it stays a vault without its data folder
    for (const vault of pair.vaults) mkdirSync(join(vault, '.obsidian'), { recursive: true });
    const ledger = createLedger();
    const [near, far] = [
      createDevice('a', pair.vaults[0], ledger),
      createDevice('b', pair.vaults[1], ledger),
    ];
    await Promise.all([near.open(), far.open()]);
    let started = performance.now();
    return {
      pair,
      ledger,
      near,
      far,
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
      async heal() {
        await Promise.all([near.open(), far.open()]);
        await pair.settle();
        await Promise.all([near.list(), far.list()]); // a program reads only when it is called
        const isHealed = async () => {
          await pair.settle();
          for (const vault of pair.vaults)
            if (
              unheld(ledger, vault).length > 0 ||
              countMissing(coreWriters(await verify(vault))) > 0
            )
              return false;
          return true;
        };
        const trouble = () =>
          `not written again: ${pair.vaults.map((vault) => unheld(ledger, vault).join(', ')).join(' | ')}`;
        await until(isHealed, HEALING_SECONDS, trouble, LOOK_EVERY_MS);
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

  it('lose nothing while disconnected, and keep items with equal names', async () => {
    const { pair, ledger, near, far, listLive, conclude } = await open();
    await pair.exchangeDuring(Promise.all([near.work(20), far.work(20)]));
    for (const how of ['paused', 'stopped'] as const) {
      await pair.part(how);
      if (how === 'stopped')
        for (const device of [near, far]) await device.close().then(device.open);
      await Promise.all(
        [near, far].map((device, index) => workUnderSameNames(device, how, 'ab'[index]!)),
      );
      await pair.rejoin();
      await pair.exchangeDuring(Promise.all([near.work(20), far.work(20)]));
    }
    const live = await listLive();
    const findings = await conclude('two windows apart, same names');
    expectNothingLost(findings);
    expect(live).toEqual(findings.listings);
    const names = findings.listings[0].flatMap(({ name, states }) => [
      name,
      ...states.map((state) => state.name),
    ]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.startsWith('paused same')).length).toBe(20);
    expect(names.filter((name) => name.startsWith('paused twin'))).toHaveLength(5);
    expect(names.filter((name) => name.startsWith('Joint')).length).toBe(4);
    expect(ledger.states.size).toBe(2 * 60 + 2 * 2 * 40 + 2 * 20 + 2 * 5);
  });

  it.each(['earlier', 'later'] as const)(
    'lose nothing to an older copy that the other side gets %s than a write',
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
      const hasConflict = [...coreSegments(near.vault)].some(
        ([name, bytes]) => name.includes('conflict') || bytes.includes('<<<<<<<'),
      );
      expect(hasConflict).toBe(true);
    },
  );

  it('recover everything when the tool merges into a growing segment', async () => {
    const { pair, near, far, heal, conclude } = await open();
    const [path, older] = await growOver(pair, near, 20, 20);
    await pair.part('paused');
    writeFileSync(join(far.vault, path), older);
    await Promise.all([near.work(15), far.work(15)]);
    await pair.rejoin();
    await pair.exchangeDuring(Promise.all([near.workHard(100), far.work(10)]));
    const hurt = await conclude('merge while the segment grows');
    if (hurt.reports.every(({ isWhole }) => isWhole)) return expectNothingLost(hurt, EXPLAINED);
    // Git takes a few milliseconds between reading a file and replacing it with the merged version.
    // One missing workspace hides all of its states, which are reported as stray.
    for (const { writers, problems } of hurt.reports) {
      const strays = problems.filter(({ kind }) => kind === 'stray');
      expect(countMissing(writers) + strays.length).toBeGreaterThanOrEqual(hurt.lost.length);
    }
    await heal();
    expectNothingLost(await conclude('  healed'), EXPLAINED);
  });

  it('rewrite events that vanish when an older copy replaces an idle file', async () => {
    const { pair, ledger, near, far, heal, conclude } = await open();
    const [path, older] = await growOver(pair, near, 22, 18);
    writeFileSync(join(near.vault, path), older);
    await pair.exchangeDuring(Promise.all([near.work(10), far.work(10)]));
    await pair.settle();
    expect(unheld(ledger, near.vault)).toEqual(takenAway(ledger));
    await heal();
    // Both devices have copies, and see the loss at the same time when the tool syncs between them
    // only now and then.
    expect([1, 2]).toContain(healedSegments(near.vault).length);
    expectNothingLost(await conclude('older copy under the writer'));
  });

  it('rewrite events at the next start after an older copy removed them', async () => {
    const { pair, ledger, near, far, heal, conclude } = await open();
    const [path, older] = await growOver(pair, near, 22, 18);
    const before = placesIn(near.vault);
    writeFileSync(join(far.vault, path), older);
    await pair.settle();
    await pair.exchangeDuring(Promise.all([near.work(10), far.work(10)]));
    const hurt = await conclude('older copy on the other side');
    expect(hurt.lost).toEqual(takenAway(ledger));
    expect(hurt.lostWorkspaces).toEqual(['a project 21']);
    expectLossTold(hurt, before, near.vault);
    await heal();
    expect(healedSegments(near.vault)).toHaveLength(1);
    expectNothingLost(await conclude('  healed after a start'));
  });

  it('lose nothing when one side deletes the lane: each rewrites its events', async () => {
    const { pair, near, far, heal, conclude } = await open();
    await pair.exchangeDuring(Promise.all([near.work(30), far.work(130)]));
    await pair.settle();
    await pair.part('paused');
    rmSync(join(near.vault, 'Savepoint', 'core'), { recursive: true });
    await Promise.all([near.work(10), far.work(10)]);
    await pair.rejoin();
    await heal();
    expect(healedSegments(near.vault).length).toBeGreaterThanOrEqual(2);
    expectNothingLost(await conclude('lane deleted on one side'));
  });

  it('keep a deleted data folder deleted until kept versions are restored', async () => {
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
    await expectRepairedByKeptVersions(pair, () => conclude('  kept versions brought back'));
  });

  it('take a data folder that was deleted as a whole for a fresh start', async () => {
    const { pair, ledger, near, far, conclude } = await open();
    await pair.exchangeDuring(Promise.all([near.work(30), far.work(30)]));
    const whole = await conclude('  before: programs ended');
    expectNothingLost(whole);
    rmSync(join(near.vault, 'Savepoint'), { recursive: true });
    await pair.settle();
    const hurt = await conclude('folder deleted, nothing runs');
    expect(hurt.lost).toHaveLength(ledger.states.size);
    // Nothing is left that could reveal the loss.
    for (const report of hurt.reports)
      expect(report).toMatchObject({ events: 0, writers: [], isWhole: true });
    await far.open();
    await far.save('After', 'after the loss');
    const later = await conclude('  one program started again');
    for (const report of later.reports) expect(report).toMatchObject({ isWhole: true });
    const repaired = await expectRepairedByKeptVersions(pair, () =>
      conclude('  kept versions brought back'),
    );
    for (const [side, { events }] of repaired.reports.entries())
      expect(events).toBe(whole.reports[side]!.events + later.reports[side]!.events);
  });

  it('lose nothing to conflict copies, complete or truncated, of any name', async () => {
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
    expectNothingLost(await conclude('conflict copies on both sides'), [
      'pending',
      'damaged',
      'marker',
    ]);
  });
}

async function workUnderSameNames(device: Device, window: string, side: string): Promise<void> {
  await device.work(20);
  await device.createWorkspace(`Joint ${window}`, `joint workspace ${window} of ${side}`);
  for (let index = 0; index < 10; index++)
    await device.save(`${window} same ${index}`, `${window} same ${index} of ${side}`);
  for (let index = 0; index < 5; index++)
    await device.save(`${window} twin ${index}`, `${window} twin ${index}`);
  await device.work(20);
}

/**
 * Works twice on one side, with a sync after each. Returns the growing segment and its content
 * after the first.
 */
async function growOver(
  pair: SyncedPair,
  device: Device,
  first: number,
  second: number,
): Promise<[string, Buffer]> {
  await pair.exchangeDuring(device.work(first));
  await pair.settle();
  const path = lastCoreSegment(device.vault);
  const older = coreSegments(device.vault).get(path)!;
  await pair.exchangeDuring(device.work(second));
  await pair.settle();
  expect(lastCoreSegment(device.vault)).toBe(path);
  return [path, older];
}

/** Returns the acknowledged descriptions of both sides that no line in a vault contains. */
function unheld({ states, workspaces }: Ledger, vault: string): string[] {
  const places = placesIn(vault);
  return [...states.keys(), ...workspaces.keys()].filter((token) => !places.has(token)).sort();
}

/** Returns the states of the first side after its 22nd and up to its 40th. */
function takenAway({ states }: Ledger): string[] {
  const tail = [...states.keys()].filter(
    (token) => numberOf(token, 'a') > 22 && numberOf(token, 'a') <= 40,
  );
  return [...tail].sort();
}

function healedSegments(vault: string): string[] {
  return [...coreSegments(vault).keys()].filter((path) => path.endsWith('-healed.jsonl'));
}

/** Returns the number of a state that `work` saved on a side, or 0. */
function numberOf(token: string, side: string): number {
  return Number(new RegExp(`^${side} state (\\d+)$`).exec(token)?.[1] ?? 0);
}

function expectLossTold(
  { reports, lost }: Findings,
  before: ReadonlyMap<string, Place>,
  vault: string,
): void {
  const places = new Map([...before, ...placesIn(vault)]);
  for (const report of reports) {
    expect(lost.filter((token) => !isToldMissing(report, places, token))).toEqual([]);
    expect(report.isWhole).toBe(false);
  }
}

/** Restores kept versions, as a user can, and expects nothing to be lost afterwards. */
async function expectRepairedByKeptVersions(
  pair: SyncedPair,
  conclude: () => Promise<Findings>,
): Promise<Findings> {
  expect(await bringBackKeptVersions(pair)).toBeGreaterThan(0);
  const repaired = await conclude();
  expectNothingLost(repaired);
  return repaired;
}

/** Kinds of bad lines that merges by git leave. */
const EXPLAINED = ['marker', 'seal'];

const COPY_NAMES = [
  '.sync-conflict-20261120-045258-ABCDEFG',
  ' (conflicted copy)',
  ' (1)',
  ' 2',
  '-DESKTOP-AB12',
  '.dup',
  " (Anna's conflicted copy 2026-11-20)",
];

/**
 * Writes conflict copies with the same names but different contents on both sides, so that the tool
 * finds conflicts. Truncates every second copy within a line.
 */
function layConflictCopies(vault: string, cut: number): void {
  for (const [path, bytes] of coreSegments(vault)) {
    const original = basename(path, '.jsonl');
    for (const [index, suffix] of COPY_NAMES.entries()) {
      const copy = index % 2 === 0 ? bytes : bytes.subarray(0, bytes.length - cut * (100 + index));
      writeFileSync(join(vault, path, '..', `${original}${suffix}.jsonl`), copy);
    }
  }
}

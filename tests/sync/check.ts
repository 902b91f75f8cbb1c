import { expect } from 'vitest';
import type { VerifyReport } from '../../src/storage/integrity/verify-report.js';
import { runProgram } from '../fakes/program.js';
import { lostStates, lostWorkspaces, type Ledger } from './ledger.js';
import { listAfresh, type ListedWorkspace } from './listing.js';
import { differences, type SyncedPair } from './pair.js';
import { placesIn } from './segments.js';

/** Findings on both sides once everything is synced. */
export interface Findings {
  readonly reports: readonly [VerifyReport, VerifyReport];
  readonly listings: readonly [ListedWorkspace[], ListedWorkspace[]];
  /** Descriptions of acknowledged states that at least one side does not list. */
  readonly lost: readonly string[];
  /** Lost states whose events are present, but whose workspace is missing. */
  readonly hidden: readonly string[];
  readonly lostWorkspaces: readonly string[];
  /** Number of transfers by the sync tool. */
  readonly carried: number;
  readonly isDigestEqual: boolean;
}

/**
 * Checks both sides with newly started programs, without changes. Nothing else may write meanwhile.
 */
export async function inspect(pair: SyncedPair, ledger: Ledger): Promise<Findings> {
  const [a, b] = pair.vaults;
  const reports = [await verify(a), await verify(b)] as const;
  const listings = [await listAfresh(a), await listAfresh(b)] as const;
  const lost = unique(listings.flatMap((listing) => lostStates(ledger, listing)));
  const places = placesIn(a);
  return {
    reports,
    listings,
    lost,
    carried: await pair.carried(),
    hidden: lost.filter((token) => places.has(token)),
    lostWorkspaces: unique(listings.flatMap((listing) => lostWorkspaces(ledger, listing))),
    isDigestEqual: reports[0].digest === reports[1].digest,
  };
}

export async function verify(vault: string): Promise<VerifyReport> {
  const { stdout } = await runProgram(['verify', '--vault', vault, '--json']);
  return JSON.parse(stdout) as VerifyReport;
}

/**
 * Expects what must hold after any change to the files: both sides agree, and no call was refused.
 */
export function expectAgreement(
  pair: SyncedPair,
  ledger: Ledger,
  { reports, listings, isDigestEqual }: Findings,
): void {
  expect(differences(pair.vaults)).toEqual([]);
  expect(isDigestEqual).toBe(true);
  expect(reports[1].writers).toEqual(reports[0].writers);
  expect(listings[1]).toEqual(listings[0]);
  expect(ledger.refusals).toEqual([]);
  for (const { problems } of reports)
    expect(problems.filter(({ kind }) => kind === 'content' || kind === 'waiting')).toEqual([]);
}

/** `explained` lists the kinds of bad lines that the scenario or the sync tool writes. */
export function expectNothingLost(
  { reports, lost, lostWorkspaces: workspaces }: Findings,
  explained: readonly string[] = [],
): void {
  expect(lost).toEqual([]);
  expect(workspaces).toEqual([]);
  for (const report of reports) {
    const { isWhole, problems } = report;
    const incomplete = coreWriters(report).filter(
      ({ missing, replaced, forks }) => missing.length + replaced.length + forks > 0,
    );
    expect(incomplete).toEqual([]);
    expect(isWhole).toBe(
      report.writers.every(({ missing }) => missing.length === 0) &&
        !problems.some(({ kind }) => kind === 'damaged'),
    );
    expect(problems.filter(({ kind }) => !explained.includes(kind))).toEqual([]);
  }
}

/** Returns the writers whose lines are copied outside the vault and healed; traces are not. */
export function coreWriters({ writers }: VerifyReport): VerifyReport['writers'] {
  return writers.filter(({ lane }) => lane === 'core');
}

export function countMissing(writers: VerifyReport['writers']): number {
  return writers
    .flatMap(({ missing }) => missing)
    .reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

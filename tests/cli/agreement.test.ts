import { afterAll, expect, it } from 'vitest';
import type { FindingKind } from '../../src/storage/integrity/findings.js';
import { inFull, someOf } from '../tier.js';
import { SITUATIONS, titleOf, type Expected, type Notice } from './agreement-situations.js';
import { AgreementVault } from './agreement-vault.js';

/** How an answer says it. */
const NOTICES: Readonly<Record<Notice, RegExp>> = {
  waiting: /\d+ files? of the memory cannot be read or (?:is|are) not downloaded yet/gu,
  sibling: /next to the data folder contains one, as if the data folder had been renamed/gu,
  missing: /\d+ entr(?:y|ies) had disappeared from the vault/gu,
  gaps: /Entries that were saved before are not here/gu,
  asked: /ha(?:s|ve) asked to remove \d+ entr/gu,
};

const SITUATIONS_OF_TIER = inFull('most situations that verify, doctor and answers agree about')
  ? SITUATIONS
  : someOf(SITUATIONS, 8);

let prepared: Promise<AgreementVault> | undefined;

afterAll(async () => (await prepared)?.remove());

/** The findings of which a notice counts the same. */
const COUNTED: Readonly<Partial<Record<Notice, FindingKind>>> = {
  waiting: 'waiting',
  missing: 'restorable',
  asked: 'asked',
};

/** Returns what an answer says, each notice as often as it says it, with the number in it. */
function noticesIn(answer: object): { readonly name: Notice; readonly count: number }[] {
  const text = 'notice' in answer ? String(answer.notice) : '';
  const names = Object.keys(NOTICES) as Notice[];
  return names.flatMap((name) =>
    [...text.matchAll(NOTICES[name])].map(([words]) => {
      return { name, count: Number(/\d+/u.exec(words)?.[0]) };
    }),
  );
}

interface Findings {
  readonly isWhole: boolean;
  readonly findings: readonly { readonly kind: FindingKind; readonly count: number }[];
}

interface Doctor {
  readonly isOk: boolean;
  readonly vaults: readonly {
    readonly checks: readonly Check[];
  }[];
}

interface Check {
  readonly name: string;
  readonly isOk: boolean;
  readonly text: string;
}

/** Returns the number of open requests that doctor counts, and on how many days it has told one. */
function requestsIn(checks: readonly Check[]): Pick<Expected, 'requests' | 'toldDays'> {
  const text = checks.find(({ name }) => name === 'requests')?.text ?? '';
  const numberIn = (words: RegExp) => Number(words.exec(text)?.[1] ?? 0);
  return { requests: numberIn(/^(\d+) request/u), toldDays: numberIn(/told on (\d+) day/u) };
}

/** Asks verify, doctor and one session, in that order, since a session may heal. */
async function observe(at: AgreementVault, tool: string): Promise<Expected> {
  const verified = await at.run('verify', '--json');
  const report = JSON.parse(verified.stdout) as Findings;
  expect(verified.code).toBe(report.isWhole ? 0 : 1);
  const checked = await at.doctor();
  const { isOk, vaults } = JSON.parse(checked.stdout) as Doctor;
  expect(checked.code).toBe(isOk ? 0 : 1);
  const failed = vaults.flatMap(({ checks }) => checks.filter((check) => !check.isOk));
  const { call, client } = await at.connect();
  const first = noticesIn(await call(tool));
  const second = noticesIn(await call(tool));
  await client.close();
  const counts = new Map(report.findings.map(({ kind, count }) => [kind, count]));
  for (const { name, count } of first) {
    const kind = COUNTED[name];
    if (!kind || !counts.has(kind)) continue;
    // a session has restored lost requests before its first answer
    if (name === 'missing') expect(count).toBeLessThanOrEqual(counts.get(kind)!);
    else expect({ name, count }).toEqual({ name, count: counts.get(kind) });
  }
  return {
    kinds: report.findings.map(({ kind }) => kind),
    isWhole: report.isWhole,
    failed: failed.map(({ name }) => name) as Expected['failed'],
    ...requestsIn(failed),
    first: first.map(({ name }) => name),
    second: second.map(({ name }) => name),
  };
}

it.each(SITUATIONS_OF_TIER.map((situation) => [titleOf(situation), situation] as const))(
  'verify, doctor and answers agree if %s',
  async (_, { hasCopies, prepare, expected, tool = 'listStates' }) => {
    const at = await (prepared ??= AgreementVault.prepare());
    at.reset(hasCopies);
    await prepare(at);
    expect(await observe(at, tool)).toEqual(expected);
  },
);

it('the table has at least 40 situations, each of them once', () => {
  expect(new Set(SITUATIONS.map(titleOf)).size).toBe(SITUATIONS.length);
  expect(SITUATIONS.length).toBeGreaterThanOrEqual(40);
});

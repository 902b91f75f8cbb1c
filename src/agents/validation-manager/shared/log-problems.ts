import { isWithin, type VaultPath } from '../../../model/paths.js';
import { conflictOriginal } from '../../../platform/conflict-names.js';
import { findingsOf, isHarmless, verify, type FindingKind } from '../../../storage/index.js';
import type { RuleFinding, Severity } from './findings.js';
import type { RuleContext } from './rule-context.js';

/** Of kinds that are neither errors nor harmless. */
const LOG_SEVERITIES: Readonly<Partial<Record<FindingKind, Severity>>> = {
  stray: 'warning',
  future: 'warning',
  fork: 'warning',
  foreign: 'warning',
  edited: 'warning',
  damaged: 'warning',
  waiting: 'warning',
  uncopied: 'info',
  asked: 'info',
};

/** Retired and forgotten events were removed on purpose. */
const EXPECTED: ReadonlySet<FindingKind> = new Set(['retired', 'forgotten', 'refused', 'alone']);

/** Finds problems of the whole data folder, including conflict copies of sync services. */
export async function* findLogProblems(context: RuleContext): AsyncGenerator<RuleFinding> {
  const { files, dataFolder, search, clock, copies } = context.services;
  const { scheduler } = search.access;
  const report = await verify(files, dataFolder, { scheduler, now: clock.now(), copies });
  for (const { kind, places, means, advice } of findingsOf(report)) {
    if (EXPECTED.has(kind)) continue;
    const severity = LOG_SEVERITIES[kind] ?? (isHarmless(kind) ? 'info' : 'error');
    for (const { name, count, detail } of places)
      yield {
        severity,
        where: name,
        what: `${count} ${means}${detail === '' ? '' : ` (${detail})`}.`,
        fix: advice,
      };
  }
  yield* findConflictCopies((await context.files()).filter((path) => isWithin(path, dataFolder)));
}

function* findConflictCopies(paths: readonly VaultPath[]): Generator<RuleFinding> {
  const names = new Set(paths.map(nameOf));
  for (const path of paths) {
    const original = conflictOriginal(nameOf(path), names);
    if (original === undefined) continue;
    yield {
      severity: 'info',
      where: path,
      what: `A sync service created this copy of "${original}" after a conflict.`,
      fix: path.endsWith('.jsonl')
        ? 'Keep it: its lines count like those of any other file.'
        : 'Compare the two, keep what is right in the original, and delete the copy.',
    };
  }
}

function nameOf(path: VaultPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

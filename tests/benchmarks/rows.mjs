/** Compares the rows of docs/benchmarks.md with what was changed since they were measured. */
import { spawnSync } from 'node:child_process';
import { commitOf } from './results.mjs';
import { fileOf } from './suite.mjs';

/** How many changed files a reason names. */
const MAX_NAMED = 2;

/**
 * Returns the benchmarks whose row is missing or out of date, each with the reason: the folders that
 * it measures or its own file differ from those of the row's commit.
 * @param {string} root The repository.
 * @param {string} page docs/benchmarks.md
 * @param {readonly { name: string, question: string, measures: readonly string[] }[]} benchmarks
 * @returns {{ name: string, question: string, reason: string }[]}
 */
export function outdatedRows(root, page, benchmarks) {
  return benchmarks.flatMap(({ name, question, measures }) => {
    const reason = reasonOf(root, commitOf(page, question), [...measures, fileOf(name)]);
    return reason === undefined ? [] : [{ name, question, reason }];
  });
}

function reasonOf(root, measured, paths) {
  if (measured === undefined) return 'the page has no figures of a commit';
  const { commit, hadChanges } = measured;
  if (hadChanges) return `it was measured with changes to commit ${commit} that are in no commit`;
  const { status } = git(root, 'cat-file', '-e', `${commit}^{commit}`);
  if (status !== 0)
    return `its commit ${commit} is unknown here (git fetch --unshallow gets the commits that a shallow clone lacks)`;
  const changed = [
    ...linesOf(git(root, 'diff', '--name-only', '--no-renames', commit, '--', ...paths)),
    ...linesOf(git(root, 'ls-files', '--others', '--exclude-standard', '--', ...paths)),
  ];
  if (changed.length === 0) return undefined;
  const more = changed.length > MAX_NAMED ? ` and ${changed.length - MAX_NAMED} more` : '';
  return `${changed.slice(0, MAX_NAMED).join(', ')}${more} changed since commit ${commit}`;
}

function git(root, ...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

function linesOf({ status, stdout, stderr }) {
  if (status !== 0) throw new Error(`git failed: ${stderr}`);
  return stdout.split('\n').filter((line) => line !== '');
}

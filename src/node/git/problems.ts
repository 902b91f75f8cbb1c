import { Refusal } from '../../model/refusal.js';

/** Problems of a repository, each with advice. `detail` completes some of the sentences. */
const PROBLEMS = {
  none: 'is in no git repository. Run git init in it, or use a workspace whose folder is in one.',
  bare: 'is in a bare git repository, which has no files. Clone it, and work in the clone.',
  foreign:
    'is in a git repository of another user, so it is not read. Change its owner, or allow it with git config --global --add safe.directory.',
  noCommits: 'is in a git repository without commits. Commit something first.',
  damaged: 'is in a damaged git repository: {detail}. Run git fsck there, and restore a backup.',
  unsupported:
    'is in a git repository that {detail}, which cannot be read here. Use git itself for this.',
} as const;

/** Creates the errors of a repository. `folder` is its name for people, never an absolute path. */
export type Problems = (problem: keyof typeof PROBLEMS, detail?: string) => Refusal;

export function createProblems(folder: string): Problems {
  return (problem, detail = '') =>
    new Refusal(`The folder "${folder}" ${PROBLEMS[problem].replace('{detail}', detail)}`);
}

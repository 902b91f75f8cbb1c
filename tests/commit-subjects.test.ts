import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

const MAX_LENGTH = 72;
const UNRELEASED_COMMITS = 50;

/** Matches `area: imperative`, with one area or several, and no full stop. */
const SUBJECT =
  /^[a-z][\w-]*(?:, [a-z][\w-]*)*: (?!(?:(?!bring)\w+ing|(?!embed|shed)\w+[^e]ed|(?!focus|canvas)\w+[^s]s)\b)[a-z].*[^.]$/;

const isRight = (subject: string) => subject.length <= MAX_LENGTH && SUBJECT.test(subject);

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Returns the subjects since the newest tag, or the latest ones; undefined without a history. */
function newSubjects(): string[] | undefined {
  try {
    const tag = git('tag', '--merged', 'HEAD', '--sort=-creatordate').split('\n')[0];
    const range = tag ? [`${tag}..HEAD`] : ['-n', String(UNRELEASED_COMMITS), 'HEAD'];
    return git('log', '--no-merges', '--format=%s', ...range)
      .split('\n')
      .filter(Boolean);
  } catch {
    console.log('Commit subjects are not checked: git is missing, or this is no repository.');
    return undefined;
  }
}

it('the subjects of new commits are an area and a short imperative', () => {
  expect((newSubjects() ?? []).filter((subject) => !isRight(subject))).toEqual([]);
});

it.each([
  ['storage: look up decisions before copying', true],
  ['search, indexing: bring back what was lost', true],
  ['Storage: look up decisions', false],
  ['look up decisions', false],
  ['storage: Look up decisions', false],
  ['storage: looked up decisions', false],
  ['storage: looks up decisions', false],
  ['storage: looking up decisions', false],
  ['storage: look up decisions.', false],
  [`storage: look up ${'x'.repeat(60)}`, false],
])('the subject "%s" is right: %s', (subject, expected) => {
  expect(isRight(subject)).toBe(expected);
});

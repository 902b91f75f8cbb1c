import fc from 'fast-check';
import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { perTier, inFull } from '../../tier.js';
import { createFolder, node } from '../folders.js';
import { openRepository } from './built-repository.js';
import { commitAll, createRepository, git, gitChanges, put } from './run-git.js';

const itInFull = it.runIf(inFull('random histories'));

const HISTORIES = perTier(20, 30, 1000);
/** Each history starts about thirty processes. */
const TIMEOUT_MS = HISTORIES * 1200 + 60_000;

/** A home without settings of git, because those of the test's git are off, too. */
const home = createFolder();
const os = { ...node.os, homedir: () => home };

const open = (folder: string) => openRepository({ ...node, os }, folder, 'Notes');

const linesOf = (changes: readonly { change: string; path: string }[]) =>
  changes.map(({ change, path }) => `${change} ${path}`).sort();

type Step = readonly [kind: string, path: string, text: string];

const paths = ['a.md', 'b.md', 'd', 'd/a.md', 'd/e/b.md', 'd/e', 'x y/ü.md'];
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant('write') },
    fc.constantFrom('remove', 'link', 'execute', 'touch', 'stage', 'intend', 'unstage'),
    { weight: 3, arbitrary: fc.constantFrom('commit', 'commit staged') },
    fc.constantFrom('branch', 'merge', 'pack'),
  ),
  fc.constantFrom(...paths),
  fc.constantFrom('one', 'two', 'six', 'more\r\nlines\r\n', 'more\nlines\n', ''),
);

/** Takes a step in a repository. A step that git or the disk refuses changes nothing. */
function take(folder: string, [kind, path, text]: Step): void {
  const file = join(folder, path);
  try {
    if (kind === 'write') put(folder, { [path]: undefined });
    if (kind === 'write') put(folder, { [path]: text });
    else if (kind === 'remove') rmSync(file, { recursive: true });
    else if (kind === 'link') {
      rmSync(file, { recursive: true, force: true });
      mkdirSync(dirname(file), { recursive: true });
      // A link to itself would be an error, for which git lists nothing.
      const folder = path.startsWith('d') ? 'x y' : 'd';
      symlinkSync(text === '' ? folder : text.trim(), file);
    } else if (kind === 'execute' && lstatSync(file).isFile()) chmodSync(file, 0o755);
    else if (kind === 'touch') utimesSync(file, 1_700_000_000, 1_700_000_000);
    else if (kind === 'stage') git(folder, 'add', '--all', path);
    else if (kind === 'intend') git(folder, 'add', '--intent-to-add', path);
    else if (kind === 'unstage') git(folder, 'reset', '--quiet', 'HEAD', '--', path);
    else if (kind === 'commit') commitAll(folder);
    else if (kind === 'commit staged') git(folder, 'commit', '--quiet', '--message', 'Staged');
    else if (kind === 'branch') git(folder, 'checkout', '--quiet', '-b', `topic-${path.length}`);
    else if (kind === 'pack') git(folder, 'repack', '-a', '-d', '--quiet');
    else if (kind === 'merge') merge(folder, path, text);
  } catch {
    // The step does not apply here, such as a file in the way of a folder.
  }
}

function merge(folder: string, path: string, text: string): void {
  commitAll(folder);
  const branch = git(folder, 'branch', '--show-current');
  git(folder, 'checkout', '--quiet', '-B', 'side', 'HEAD~1');
  put(folder, { [path]: `${text}!` });
  commitAll(folder, 'Side');
  git(folder, 'checkout', '--quiet', branch);
  try {
    git(folder, 'merge', '--quiet', '--no-edit', '-X', 'ours', 'side');
  } catch {
    git(folder, 'reset', '--hard', '--quiet'); // conflicts have a test of their own
  }
}

describe('in random histories', () => {
  itInFull(
    `git agrees on what changed, in ${HISTORIES} of them`,
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 14 }),
          fc.nat(),
          fc.nat(),
          async (steps, one, other) => {
            const folder = createRepository();
            put(folder, { 'a.md': 'one', 'd/a.md': 'two' });
            commitAll(folder);
            for (const each of steps) take(folder, each);
            const commits = git(folder, 'rev-list', '--all').split('\n');
            const from = commits[one % commits.length]!;
            const to = commits[other % commits.length]!;
            const repository = await open(folder);
            expect(linesOf(await repository.changesSince(from))).toEqual(gitChanges(folder, from));
            expect(linesOf(await repository.changesSince(from, to))).toEqual(
              gitChanges(folder, from, to),
            );
            const unstaged = gitChanges(folder).map((line) => line.replace(/^\w+ /, ''));
            expect(await repository.countUnstaged()).toBe(new Set(unstaged).size);
            const found = await repository.commitsSince(from, 1000, () => true);
            const merges = git(folder, 'rev-list', '--merges', 'HEAD').split('\n');
            const listed = git(
              folder,
              'rev-list',
              '--no-merges',
              '--full-history',
              `${from}..HEAD`,
              '--',
              '.',
            );
            expect(
              found
                .map(({ id }) => id)
                .filter((id) => !merges.includes(id))
                .sort(),
            ).toEqual(listed.split('\n').filter(Boolean).sort());
            rmSync(folder, { recursive: true });
          },
        ),
        { numRuns: HISTORIES },
      );
    },
    TIMEOUT_MS,
  );

  it('git agrees on what changed in a folder', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 10 }),
        fc.nat(),
        async (steps, one) => {
          const folder = createRepository();
          put(folder, { 'a.md': 'one', 'd/a.md': 'two', 'd/e/b.md': 'six' });
          commitAll(folder);
          for (const each of steps) take(folder, each);
          const inner = join(folder, 'd');
          if (!lstatSync(inner, { throwIfNoEntry: false })?.isDirectory()) return;
          const commits = git(folder, 'rev-list', '--all').split('\n');
          const from = commits[one % commits.length]!;
          expect(linesOf(await (await open(inner)).changesSince(from))).toEqual(
            gitChanges(inner, '--relative', from),
          );
          rmSync(folder, { recursive: true });
        },
      ),
      { numRuns: perTier(8, 20, 200) },
    );
  });
});

describe('a file', () => {
  const create = (files: Readonly<Record<string, string>>) => {
    const folder = createRepository();
    put(folder, files);
    return { folder, head: commitAll(folder) };
  };

  it('with a merge conflict is changed', async () => {
    const { folder, head } = create({ 'a.md': 'one' });
    git(folder, 'checkout', '--quiet', '-b', 'side');
    put(folder, { 'a.md': 'two' });
    commitAll(folder);
    git(folder, 'checkout', '--quiet', 'main');
    put(folder, { 'a.md': 'six' });
    commitAll(folder);
    expect(() => git(folder, 'merge', 'side')).toThrow('Command failed');
    put(folder, { 'a.md': 'one' });
    const repository = await open(folder);
    expect(linesOf(await repository.changesSince(head))).toEqual(['changed a.md']);
    expect(await repository.countUnstaged()).toBe(1);
  });

  it.each([
    ['core.autocrlf', 'true', ''],
    ['core.autocrlf', 'input', ''],
    ['core.eol', 'lf', '* text=auto\n'],
  ])('is unchanged if only its line endings differ and %s is %s', async (key, value, rules) => {
    const { folder, head } = create({ '.gitattributes': rules, 'a.md': 'one\ntwo\n' });
    git(folder, 'config', key, value);
    put(folder, { 'a.md': 'one\r\ntwo\r\n' });
    expect(gitChanges(folder, head)).toEqual([]);
    expect(linesOf(await (await open(folder)).changesSince(head))).toEqual([]);
    put(folder, { 'a.md': 'one\r\nsix\r\n' });
    expect(linesOf(await (await open(folder)).changesSince(head))).toEqual(['changed a.md']);
  });

  it('that is left out of a sparse checkout is unchanged', async () => {
    const { folder, head } = create({ 'a/a.md': 'one', 'b/b.md': 'two' });
    git(folder, 'sparse-checkout', 'set', '--no-cone', 'a/');
    expect(linesOf(await (await open(folder)).changesSince(head))).toEqual([]);
  });

  it('of more than 8 MB is compared by content', async () => {
    const { folder, head } = create({ 'a.md': 'x'.repeat(9_000_000) });
    const file = join(folder, 'a.md');
    utimesSync(file, 1_700_000_000, 1_700_000_000);
    expect(linesOf(await (await open(folder)).changesSince(head))).toEqual([]);
    put(folder, { 'a.md': `${'x'.repeat(8_999_999)}y` });
    expect(linesOf(await (await open(folder)).changesSince(head))).toEqual(['changed a.md']);
  });
});

describe('a commit', () => {
  const create = () => {
    const folder = createRepository();
    put(folder, { 'notes/a.md': 'one', 'code.ts': 'x' });
    const first = commitAll(folder, 'First line\n\nMore lines');
    put(folder, { 'notes/a.md': 'two' });
    const second = commitAll(folder, 'Second');
    return { folder, first, second };
  };

  it('is found by its id, the beginning of that, a branch and a tag', async () => {
    const { folder, first, second } = create();
    git(folder, 'tag', '--annotate', '--message', 'Tag', 'v1', first);
    git(folder, 'branch', 'topic/one', first);
    const repository = await open(folder);
    const resolve = (name: string) => repository.resolve(name);
    for (const name of [first, first.slice(0, 7), 'v1', 'topic/one'])
      expect(await resolve(name)).toBe(first);
    expect(await resolve('main')).toBe(second);
    const tree = git(folder, 'rev-parse', `${first}^{tree}`);
    for (const name of ['nothing', 'abcdef1', '0'.repeat(40), tree, '../HEAD', 'a b', ''])
      expect(await resolve(name)).toBeUndefined();
  });

  it('returns the content of a file of the folder', async () => {
    const { folder, first } = create();
    const repository = await open(join(folder, 'notes'));
    expect(new TextDecoder().decode(await repository.readFile(first, 'a.md'))).toBe('one');
    expect(await repository.readFile(first, 'b.md')).toBeUndefined();
    expect(await repository.readFile(first, '')).toBeUndefined();
  });

  it('is listed with its author, time and first line', async () => {
    const { folder, first } = create();
    const repository = await open(folder);
    const base = git(folder, 'commit-tree', '-m', 'Base', `${first}^{tree}`);
    const all = await repository.commitsSince(base, 10, () => true);
    expect(all).toEqual([
      expect.objectContaining({ subject: 'Second' }),
      {
        id: first,
        author: 'Ana',
        authoredAt: new Date(git(folder, 'log', '-1', '--format=%aI', first)).toISOString(),
        subject: 'First line',
      },
    ]);
    expect(await repository.commitsSince(first, 10, () => true)).toHaveLength(1);
    expect(await repository.commitsSince(base, 1, () => true)).toHaveLength(1);
    expect(await repository.commitsSince(base, 10, (path) => path === 'code.ts')).toHaveLength(1);
  });
});

// Tier full: starts many processes and every benchmark
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outdatedRows } from '../benchmarks/rows.mjs';
import { withResults } from '../benchmarks/results.mjs';
import {
  benchmarkNames,
  declarationProblem,
  describeBenchmarks,
  runBenchmark,
} from '../benchmarks/suite.mjs';
import { rowProblems } from '../../scripts/release-check.mjs';
import { createFolder } from '../node/folders.js';
import { commitAll, createRepository, git, put } from '../node/git/run-git.js';

const TIMEOUT_MS = 60_000;

describe('a benchmark', () => {
  const question = 'How many?';
  const measures = ['src/some'];
  const declared = `export const question = '${question}'; export const measures = ${JSON.stringify(measures)};`;

  /** Runs a benchmark with this code. */
  function run(code: string, timeoutMs = TIMEOUT_MS) {
    const folder = createFolder();
    put(folder, { 'some.mjs': `${declared}\n${code}` });
    return runBenchmark({ program: join(folder, 'some.mjs') }, { timeoutMs });
  }

  it('ends with its figures', async () => {
    const figures = [
      { what: 'some', value: 1.5 },
      { what: 'other', value: NaN, isMissing: true },
    ];
    const code = `export const answer = async () => [{ what: 'some', value: 1.5 }, { what: 'other', value: NaN, isMissing: true }];`;
    expect(await run(code)).toEqual({ question, measures, figures });
  });

  it('knows whether it runs in the short form', async () => {
    const code = `export const answer = () => [{ what: 'short', value: Number(process.env.SAVEPOINT_SHORT ?? 0) }];`;
    const folder = createFolder();
    put(folder, { 'some.mjs': `${declared}\n${code}` });
    const how = { timeoutMs: TIMEOUT_MS, isShort: true };
    expect(await runBenchmark({ program: join(folder, 'some.mjs') }, how)).toMatchObject({
      figures: [{ value: 1 }],
    });
    expect(await run(code)).toMatchObject({ figures: [{ value: 0 }] });
  });

  it.each([
    ['throws', `throw new Error('no vault')`, 'threw "no vault"'],
    [
      'throws later, in a callback',
      `setTimeout(() => { throw new Error('late') }, 1); await new Promise((resolve) => setTimeout(resolve, 60_000))`,
      'threw "late"',
    ],
    ['exits', 'process.exit(0)', 'ended with exit code 0 before it answered'],
    [
      'is killed',
      `process.kill(process.pid, 'SIGKILL')`,
      'was ended by SIGKILL before it answered',
    ],
    [
      'waits for a promise that nothing settles',
      'await new Promise(() => undefined)',
      'waited for something that cannot happen any more (exit code 13)',
    ],
    ['answers nothing', 'return []', 'answered without figures'],
    ['has no number', `return [{ what: 'some', value: NaN }]`, 'has no number for "some"'],
  ])('that %s fails with a reason', async (_, body, problem) => {
    const outcome = await run(`export const answer = async () => { ${body} };`);
    expect(outcome).toEqual({ question, measures, problem });
  });

  it('that fails while it is loaded fails with a reason', async () => {
    expect(await run(`throw new Error('no module')`)).toEqual({ problem: 'threw "no module"' });
    expect(await run('await new Promise(() => undefined)')).toEqual({
      problem: 'waited for something that cannot happen any more (exit code 13)',
    });
  });

  it('that hangs is ended, with the programs that it started', async () => {
    const folder = createFolder();
    const program = `import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      export const answer = () => {
        const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
        writeFileSync(${JSON.stringify(join(folder, 'pid'))}, String(pid));
        setInterval(() => undefined, 1000);
        return new Promise(() => undefined);
      };`;
    expect(await run(program, 5000)).toMatchObject({ problem: 'did not end within 5 seconds' });
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('that lacks something of the machine is not run, and says what', async () => {
    const code = `class NotRunError extends Error { name = 'NotRunError'; }
      export const answer = () => { throw new NotRunError('no Chromium') };`;
    expect(await run(code)).toEqual({ question, measures, notRun: 'no Chromium' });
  });

  it('leaves no files behind when it is ended', async () => {
    const folder = createFolder();
    const path = join(folder, 'place');
    await run(`import { mkdtempSync, writeFileSync } from 'node:fs';
      import { tmpdir } from 'node:os';
      writeFileSync(${JSON.stringify(path)}, mkdtempSync(tmpdir() + '/some-'));
      export const answer = () => process.exit(1);`);
    expect(existsSync(readFileSync(path, 'utf8'))).toBe(false);
  });
});

/** Returns true if a process runs. One that has ended and was not waited for does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false; // it is gone
  }
}

describe('the folders that a benchmark declares', () => {
  const modules = ['src/model/state.ts', 'src/storage/read/cache.ts'];

  it.each([
    ['each of its modules', ['src/model', 'src/storage'], undefined],
    ['all of main.js', ['src'], undefined],
    ['nothing', undefined, 'exports no folders as `measures`'],
    [
      'too little',
      ['src/model'],
      'measures src/storage/read/cache.ts, which is in none of its `measures`',
    ],
    [
      'too much',
      ['src/model', 'src/storage', 'src/sto'],
      'has src/sto in its `measures`, and no module of it',
    ],
  ])('may hold %s', (_, measures, problem) => {
    expect(declarationProblem(modules, measures)).toBe(problem);
  });

  it('are right in each benchmark', async () => {
    const names = await benchmarkNames();
    const described = await describeBenchmarks(names);
    expect(described.map(({ name }) => name)).toEqual(names);
    const wrong = described.filter(({ problem }) => problem !== undefined);
    expect(wrong.map(({ name, problem }) => `${name} ${problem}`)).toEqual([]);
    expect(new Set(described.map(({ question }) => question)).size).toBe(names.length);
  });
});

describe('a row of docs/benchmarks.md', () => {
  const benchmarks = [
    { name: 'write', question: 'What does a write cost?', measures: ['src/storage', 'src/model'] },
    { name: 'size', question: 'How large is it?', measures: ['src'] },
    { name: 'words', question: 'How good is it?', measures: ['src/search'] },
  ];
  const [write, size, words] = benchmarks.map(({ name }) => name);
  const questions = benchmarks.map(({ question }) => question);

  /** Returns a page with all questions, measured at a commit. */
  const pageOf = (commit: string) =>
    withResults(
      '',
      benchmarks.map(({ name, question }) => ({
        name,
        question,
        figures: [{ what: name, value: 1 }],
        facts: `Node, a machine; commit ${commit}, 2026-11-26`,
      })),
      questions,
    );

  function create() {
    const folder = createRepository();
    put(folder, {
      'src/storage/log.ts': 'one',
      'src/model/state.ts': 'one',
      'src/search/index.ts': 'one',
      'docs/page.md': 'one',
      'tests/benchmarks/write.bench.ts': 'one',
    });
    const page = pageOf(commitAll(folder).slice(0, 10));
    const outdated = () => outdatedRows(folder, page, benchmarks).map(({ name }) => name);
    return { folder, page, outdated };
  }

  it('is current at its commit, and after changes elsewhere', () => {
    const { folder, outdated } = create();
    expect(outdated()).toEqual([]);
    put(folder, { 'docs/page.md': 'two', 'tests/benchmarks/other.bench.ts': 'one' });
    commitAll(folder);
    expect(outdated()).toEqual([]);
  });

  it.each([
    ['a change', { 'src/model/state.ts': 'two' }, [write, size]],
    ['a new file', { 'src/search/more/new.ts': 'one' }, [size, words]],
    ['a removed file', { 'src/storage/log.ts': undefined }, [write, size]],
    ['another benchmark', { 'tests/benchmarks/write.bench.ts': 'two' }, [write]],
  ])('is out of date after %s, committed or not', (_, files, names) => {
    const { folder, outdated } = create();
    put(folder, files);
    expect(outdated()).toEqual(names);
    commitAll(folder);
    expect(outdated()).toEqual(names);
  });

  it('is current again once a change is taken back', () => {
    const { folder, outdated } = create();
    put(folder, { 'src/search/index.ts': 'two' });
    commitAll(folder);
    put(folder, { 'src/search/index.ts': 'one' });
    commitAll(folder);
    expect(outdated()).toEqual([]);
  });

  it('is named by release-check, with the reason and what to do', () => {
    const { folder, page } = create();
    put(folder, { 'src/search/index.ts': 'two' });
    commitAll(folder);
    const commit = git(folder, 'rev-parse', '--short=10', 'HEAD~1');
    expect(rowProblems(folder, page, benchmarks)).toEqual([
      `docs/benchmarks.md: the row of size is out of date: src/search/index.ts changed since commit ${commit}. Run npm run bench -- --write size.`,
      `docs/benchmarks.md: the row of words is out of date: src/search/index.ts changed since commit ${commit}. Run npm run bench -- --write words.`,
    ]);
  });

  it('is out of date if its commit is unknown, had changes or is missing', () => {
    const { folder } = create();
    const reasonAt = (page: string) => outdatedRows(folder, page, benchmarks)[0]?.reason;
    expect(reasonAt(pageOf('1234567890'))).toContain('its commit 1234567890 is unknown here');
    const head = git(folder, 'rev-parse', 'HEAD');
    expect(reasonAt(pageOf(`${head} and changes`))).toContain('that are in no commit');
    expect(reasonAt('# Benchmarks\n')).toBe('the page has no figures of a commit');
  });

  it('is out of date in a shallow clone that lacks its commit', () => {
    const { folder, page } = create();
    put(folder, { 'docs/page.md': 'two' });
    commitAll(folder);
    const clone = join(createFolder(), 'clone');
    git(folder, 'clone', '--quiet', '--depth', '1', `file://${folder}`, clone);
    expect(outdatedRows(clone, page, benchmarks)).toHaveLength(benchmarks.length);
    git(clone, 'fetch', '--quiet', '--unshallow');
    expect(outdatedRows(clone, page, benchmarks)).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHECKPOINT_INTERVAL_MS } from '../../../src/capture/checkpoint-trace.js';
import { findClientProcess } from '../../../src/node/capture/client-process.js';
import { readHookFailures } from '../../../src/node/capture/failure-log.js';
import { checkpointsIn, messagesIn } from '../../fakes/captured-project.js';
import { runInProcess } from '../../fakes/in-process.js';
import { temporaryFolder } from '../../fakes/program.js';
import { node } from '../../node/folders.js';

let home: string;
let project: string;
let other: string;

beforeEach(async () => {
  home = realpathSync(temporaryFolder('home'));
  [project, other] = [join(home, 'project'), join(home, 'other')];
  for (const folder of [project, other]) {
    mkdirSync(join(folder, 'src'), { recursive: true });
    mkdirSync(join(`${folder}-vault`, '.obsidian'), { recursive: true });
    const vault = `${folder}-vault`;
    const where = ['--project', folder, '--workspace', 'Default', '--vault', vault];
    await run('link', ...where, '--capture', 'on');
  }
});

const env = (more: NodeJS.ProcessEnv = {}) => ({
  PATH: process.env['PATH'],
  SAVEPOINT_STATE: join(home, 'state'),
  ...more,
});
const run = (...args: string[]) => runInProcess(home, env(), args);
const transcriptOf = (id: string) => join(home, `${id}.jsonl`);
const hook = (
  event: string,
  id: string,
  input: object = {},
  more: NodeJS.ProcessEnv = {},
  background = ['--background'],
) => {
  const given = { session_id: id, transcript_path: transcriptOf(id), cwd: project, ...input };
  const args = ['hook', event, '--client', 'claude-code', ...background];
  return runInProcess(home, env(more), args, JSON.stringify(given));
};
const brief = () => run('brief', '--vault', `${project}-vault`, '--workspace', 'Default');
const stored = (folder = project) => checkpointsIn(`${folder}-vault`);

let count = 0;
type Line = Record<string, unknown>;
const line = (value: Line, cwd = project): Line => ({
  uuid: `u${++count}`,
  timestamp: new Date().toISOString(),
  cwd,
  entrypoint: 'cli',
  ...value,
});
const typed = (text: string, cwd?: string) =>
  line({ type: 'user', message: { role: 'user', content: text } }, cwd);
const use = (name: string, input: object, cwd?: string) => {
  const content = [{ type: 'tool_use', id: `call-${count}`, name, input }];
  return line({ type: 'assistant', message: { content, stop_reason: 'tool_use' } }, cwd);
};
const edit = (path: string, cwd?: string) => use('Edit', { file_path: path }, cwd);
const answer = (text: string, cwd?: string) =>
  line({ type: 'assistant', message: { content: [{ type: 'text', text }] } }, cwd);
const record = (id: string, ...lines: Line[]) =>
  appendFileSync(transcriptOf(id), lines.map((each) => `${JSON.stringify(each)}\n`).join(''));

describe('a session', () => {
  it('belongs to where it began, and what it does elsewhere is left out', async () => {
    record('one', typed('Fix the login page'), edit(join(project, 'a.ts')));
    record('one', typed('And the secret of the other', other), edit(join(other, 'b.ts'), other));
    record('one', answer('It is fixed.'));
    await hook('session-end', 'one', { cwd: other });
    expect(stored(other)).toEqual([]);
    expect(stored()).toMatchObject([
      { turns: [{ message: 'Fix the login page', isTask: true }], written: ['project:a.ts'] },
    ]);
    expect(JSON.stringify(stored())).not.toContain('secret');
  });

  it('is captured by no project if it began elsewhere', async () => {
    const elsewhere = join(home, 'unlinked');
    mkdirSync(elsewhere);
    record('one', typed('A private task', elsewhere), typed('Fix the login page'));
    await hook('session-end', 'one');
    record('two', typed('A task of the other', other), typed('Fix the login page'));
    await hook('session-end', 'two', {}, { CLAUDE_PROJECT_DIR: project });
    expect([...stored(), ...stored(other)]).toEqual([]);
    await hook('session-end', 'two');
    expect(stored()).toEqual([]);
    expect(stored(other)).toMatchObject([{ turns: [{ message: 'A task of the other' }] }]);
  });

  it('in another repository inside a linked one is not captured there', async () => {
    const nested = join(project, 'nested');
    for (const folder of [project, nested]) {
      mkdirSync(folder, { recursive: true });
      execFileSync('git', ['init', '-q', folder]);
    }
    record('one', typed('A private task', nested), edit(join(nested, 'a.ts'), nested));
    expect(await hook('session-start', 'one', { cwd: nested, source: 'startup' })).toBe('exit 0');
    await hook('session-end', 'one', { cwd: nested });
    record('two', typed('Fix the login page'), edit(join(project, 'a.ts')));
    record('two', edit(join(nested, 'secret.ts'), nested), answer('It is fixed.'));
    await hook('session-end', 'two');
    expect(stored()).toMatchObject([
      { turns: [{ message: 'Fix the login page', isTask: true }], written: ['project:a.ts'] },
    ]);
    expect(JSON.stringify(stored())).not.toMatch(/private|secret/);
  });

  it('that continues a private one shows nothing of that', async () => {
    const secret = { SAVEPOINT_PRIVATE: '1' };
    await hook('session-start', 'one', { source: 'startup' }, secret);
    const lines = [typed('Plan the surprise party'), edit(join(project, 'party.ts'))];
    record('one', ...lines);
    await hook('turn', 'one', {}, secret);
    await hook('session-start', 'fork', { source: 'fork' });
    record('fork', ...lines, typed('Fix the login page'), edit(join(project, 'a.ts')));
    await hook('session-end', 'fork');
    expect(stored()).toMatchObject([
      { turns: [{ message: 'Fix the login page', isTask: true }], written: ['project:a.ts'] },
    ]);
    expect(JSON.stringify(stored())).not.toContain('party');
  });

  it('is not captured while the settings are damaged', async () => {
    record('one', typed('Fix the login page'), edit(join(project, 'a.ts')));
    writeFileSync(join(home, 'state', 'capture', 'settings.json'), '{"links":[],"excl');
    await hook('session-end', 'one');
    expect(stored()).toEqual([]);
    expect(await run('links')).toContain('are damaged, so nothing is');
  });

  it('has its task and its last files even if a turn has 60 MB of screenshots', async () => {
    const image = { type: 'image', source: { data: 'A'.repeat(5_000_000) } };
    const screenshot = { type: 'tool_result', tool_use_id: 'x', content: [image] };
    record('one', typed('Compare all pages with their designs'), edit(join(project, 'a.ts')));
    for (let index = 0; index < 12; index++)
      record('one', line({ type: 'user', message: { content: [screenshot] } }));
    record('one', edit(join(project, 'b.ts')), answer('They are the same now.'));
    await hook('session-end', 'one');
    expect(stored()).toMatchObject([
      {
        turns: [
          {
            message: 'Compare all pages with their designs',
            answer: 'They are the same now.',
          },
        ],
        written: ['project:b.ts', 'project:a.ts'],
      },
    ]);
  });
});

describe('the versions of a session that go on', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const LONG = 'Each line of the export is read by itself. '.repeat(60);
  const pass = () => vi.setSystemTime(Date.now() + CHECKPOINT_INTERVAL_MS);
  const turn = async (text: string) => {
    vi.setSystemTime(Date.now() + 1000);
    record('one', typed(text), edit(join(project, 'a.ts')), answer(LONG));
    await hook('turn', 'one');
    return stored().map((each) => messagesIn(each).length);
  };

  it('are written after a while, if enough has changed', async () => {
    await hook('session-start', 'one', { source: 'startup' });
    expect(await turn('Fix the login page')).toEqual([]);
    pass();
    expect(await turn('and a test')).toEqual([2]);
    expect(await turn(`and this: ${LONG}`)).toEqual([2]);
    pass();
    expect(await turn(`and that: ${LONG}`)).toEqual([2, 4]);
    pass();
    expect(await turn('thanks')).toEqual([2, 4]);
  });
});

describe('a turn that began before the last one was read', () => {
  const lines = () => [typed('Add a search field'), edit(join(project, 'b.ts'))];
  const withoutTime = (line: Line): Line => ({ ...line, timestamp: '' });
  it.each([
    ['has times', (line: Line) => line],
    ['has none', withoutTime],
  ])('is not answered by the answer of that, if the transcript %s', async (_, change) => {
    record('one', ...[typed('Fix the login page'), edit(join(project, 'a.ts'))].map(change));
    record('one', change(answer('The login page is fixed.')));
    const called = {
      savepoint_at: Date.now(),
      savepoint_size: statSync(transcriptOf('one')).size,
      last_assistant_message: 'The login page is fixed.',
    };
    await new Promise((resolve) => setTimeout(resolve, 2));
    record('one', ...lines().map(change));
    await hook('pre-compact', 'one', called);
    const [checkpoint] = stored();
    expect(checkpoint).toMatchObject({
      turns: [
        { message: 'Fix the login page', answer: 'The login page is fixed.' },
        { message: 'Add a search field', isTask: true },
      ],
    });
    expect(checkpoint).not.toHaveProperty(['turns', 1, 'answer']);
    expect(checkpoint).not.toHaveProperty('isFinished');
  });
});

it('a hook that has failed is not reported once it has succeeded', async () => {
  const failures = () => readHookFailures(node, join(home, 'state'), 5);
  await runInProcess(home, env(), ['hook', 'turn', '--background'], '{');
  const failed = [expect.stringContaining('Z turn of Claude Code: The input is not a JSON object')];
  expect(await failures()).toEqual(failed);
  record('one', typed('Fix the login page'), answer('It is fixed.'));
  await hook('session-end', 'one');
  expect(await failures()).toEqual(failed);
  await hook('turn', 'one');
  expect(await failures()).toEqual([]);
});

describe('an excluded folder', () => {
  it('is never named, however its path is written', async () => {
    const folder = join(project, 'Geh\u00e9im');
    mkdirSync(folder);
    symlinkSync(folder, join(project, 'alias'));
    await run('links', '--exclude', folder);
    const bash = (command: string, cwd?: string) => use('Bash', { command }, cwd);
    record(
      'one',
      typed('Fix the login page'),
      edit(join(project, 'a.ts')),
      ...[
        `${project}/src/../GEH\u00c9IM/key.ts`,
        `${project}//${'Geh\u00e9im'.normalize('NFD')}/key.ts`,
        `${project}/alias/key.ts`,
      ].map((path) => edit(path)),
      bash('npm test'),
      bash('cat "Geh\u00e9im/key.ts"'),
      bash('cd src && cat ../alias/key.ts'),
      bash('cat ../alias/key.ts', join(project, 'src')),
      bash(`tar --file=${project}/src/../alias/key.ts`),
    );
    await hook('session-end', 'one');
    expect(stored()).toMatchObject([{ written: ['project:a.ts'], writtenCount: 1 }]);
    const text = JSON.stringify(stored());
    expect(text).not.toMatch(/geh|alias|key\.ts/i);
  });

  it('takes a turn with it that has worked there', async () => {
    const folder = join(project, 'hidden');
    mkdirSync(folder);
    await run('links', '--exclude', folder);
    record('one', typed('Fix the login page'), answer('Done, and tested.'));
    record('one', typed('Now the hidden things'), answer('They are done.', folder));
    await hook('session-end', 'one');
    expect(stored().map(messagesIn)).toEqual([['Fix the login page']]);
    expect(JSON.stringify(stored())).not.toContain('hidden');
  });
});

describe('a folder that was excluded', () => {
  it('is not captured later, either, of what was done there from elsewhere', async () => {
    const folder = join(project, 'clients');
    mkdirSync(folder);
    await hook('session-start', 'one', { source: 'startup' });
    await run('links', '--exclude', folder);
    record('one', typed('Fix the login page'), edit(join(folder, 'acme.ts')));
    record('one', use('Bash', { command: 'node clients/acme.ts' }), answer('Fixed.'));
    await run('links', '--include', folder);
    record('one', typed('Thanks, and the footer'), edit(join(project, 'footer.ts')));
    await hook('session-end', 'one');
    expect(stored()).toMatchObject([{ written: ['project:footer.ts'] }]);
    expect(JSON.stringify(stored())).not.toContain('acme');
  });

  it('has its worktrees excluded with it', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', project, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args]);
    git('init', '--quiet');
    git('commit', '--quiet', '--allow-empty', '--message', 'Start');
    const worktree = join(home, 'worktree');
    git('worktree', 'add', '--quiet', '--detach', worktree);
    const turn = async (id: string) => {
      record(id, typed(`Task of ${id}`, worktree), answer('Done.', worktree));
      await hook('session-end', id, { cwd: worktree });
    };
    await turn('one');
    expect(stored().map(messagesIn)).toEqual([['Task of one']]);
    expect(stored()).toMatchObject([{ worktree: 'worktree' }]);
    await run('links', '--exclude', project);
    await turn('two');
    await run('links', '--include', project);
    await hook('session-end', 'two', { cwd: worktree });
    expect(JSON.stringify(stored())).not.toContain('Task of two');
  });
});

describe('the brief after work that was interrupted', () => {
  /** Starts a session whose client is gone at once. */
  async function begin(
    id: string,
    source = 'startup',
    background = ['--background'],
    at = Date.now(),
  ): Promise<void> {
    const own = await findClientProcess(node, process.pid);
    const client = own && { ...own, start: 'before the last start' };
    const input = { source, savepoint_client: client, savepoint_at: at };
    await hook('session-start', id, input, {}, background);
  }

  // only Linux tells whether a client is gone
  it.runIf(process.platform === 'linux').each([1, 5])(
    'shows its task and what was said to it after %i trivial sessions',
    async (trivial) => {
      await begin('work');
      record('work', typed('Rewrite the importer so that it reads line by line'));
      record('work', edit(join(project, 'a.ts')), answer('Should I keep the old file?'));
      record('work', typed('yes'), edit(join(project, 'b.ts')));
      for (let index = 0; index < trivial; index++) {
        await begin(`hi-${index}`);
        record(`hi-${index}`, typed('hello'), answer('Hello! What can I do?'));
        await hook('session-end', `hi-${index}`);
      }
      const text = await brief();
      expect(text).toContain('> Task: Rewrite the importer so that it reads line by line');
      expect(text).toContain('> Then: yes');
      expect(text).toContain('> Files written (2): b.ts, a.ts');
    },
  );

  describe.runIf(process.platform === 'linux')('and had been resumed', () => {
    beforeEach(async () => {
      await begin('work');
      record('work', typed('Rewrite the footer'), edit(join(project, 'footer.ts')));
      record('work', answer('It is rewritten.'));
    });
    const goOn = () => record('work', typed('Now the header'), edit(join(project, 'header.ts')));
    const INTERRUPTED = /## Interrupted work, .*\n> Task: Now the header\n> Files written \(2\)/;

    it('shows it even if its end before is handled only now', async () => {
      const at = Date.now();
      await begin('work', 'resume');
      await hook('session-end', 'work', { savepoint_at: at - 1, savepoint_client: undefined });
      goOn();
      expect(await brief()).toMatch(INTERRUPTED);
    });

    it('shows it even if no process has gone on in the background', async () => {
      await hook('session-end', 'work');
      await begin('work', 'resume', []);
      goOn();
      expect(await brief()).toMatch(INTERRUPTED);
    });

    it('names it as running if no hook has said so', async () => {
      await hook('session-end', 'work');
      goOn();
      expect(await brief()).toContain('> Running now in Claude Code: Now the header');
    });

    it('shows no session that has ended, even if its start is handled only now', async () => {
      const at = Date.now();
      goOn();
      await hook('session-end', 'work');
      await begin('work', 'resume', ['--background'], at - 1);
      expect(await brief()).not.toContain('Interrupted');
    });
  });

  it.runIf(process.platform === 'linux')(
    'no longer comes first once a later session has finished with all of its files',
    async () => {
      await begin('work');
      record('work', typed('Rewrite the footer'), edit(join(project, 'footer.ts')));
      await begin('other');
      record('other', typed('Fix the header'), edit(join(project, 'header.ts')));
      record('other', answer('Fixed.'));
      await hook('session-end', 'other');
      expect(await brief()).toMatch(/## Interrupted work, .*\n> Task: Rewrite the footer/);
      await begin('again');
      record('again', typed('Rewrite the footer again'), edit(join(project, 'footer.ts')));
      record('again', answer('It is rewritten.'));
      await hook('session-end', 'again');
      const text = await brief();
      expect(text).not.toContain('Interrupted');
      expect(text).toMatch(/## Last session, .*\n> Task: Rewrite the footer again/);
    },
  );

  it.runIf(process.platform === 'linux')('has what only a subagent has answered', async () => {
    await begin('work');
    record('work', typed('Find out why the sum is wrong'), use('Agent', { prompt: 'Look' }));
    const text = 'Each line is rounded, so it is a cent too high.';
    const content = [{ type: 'text', text }];
    const toolUseResult = { agentId: 'a1', status: 'completed', content };
    const result = { type: 'tool_result', tool_use_id: 'a1', content };
    record('work', line({ type: 'user', toolUseResult, message: { content: [result] } }));
    const task = 'Find out why the sum is wrong';
    expect(await brief()).toContain(` in Claude Code: ${task}. Last answer: ${text}`);
    record('work', edit(join(project, 'sum.ts')));
    expect(await brief()).toMatch(
      new RegExp(`## Interrupted work, .*\n> Task: ${task}\n> Last answer: ${text}\n`),
    );
  });

  it('is not displaced by a program that has worked in the same folder', async () => {
    await begin('work');
    record('work', typed('Rewrite the importer so that it reads line by line'));
    record('work', edit(join(project, 'a.ts')), answer('Rewritten.'));
    await hook('session-end', 'work');
    const script = { entrypoint: 'sdk-cli' };
    record('script', { ...typed('Observe the session and write notes about it'), ...script });
    record('script', { ...edit(join(project, 'notes.md')), ...script });
    await hook('session-end', 'script');
    const text = await brief();
    expect(text).toMatch(/## Last session, .*\n> Task: Rewrite the importer/);
    expect(text).not.toContain('> Task: Observe');
  });
});

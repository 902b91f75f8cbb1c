import {
  cpSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openMcpBackend } from '../../../src/cli/mcp-backend.js';
import type { ProgramHost } from '../../../src/cli/program.js';
import { runCommand } from '../../../src/cli/run-command.js';
import { findHiddenCharacter } from '../../../src/model/text/visible-text.js';
import { createProcessHost } from '../../../src/program/process-host.js';
import { recordedSession } from '../../fakes/captured-project.js';
import { PROGRAM, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { CAPTURED_CLIENTS, type SessionStep } from '../../fakes/transcripts.js';
import { someOf } from '../../tier.js';

type Params = Record<string, unknown>;

const STEPS: readonly SessionStep[] = [
  { kind: 'task', text: 'Fix the login' },
  { kind: 'read', path: 'src/session.ts' },
  { kind: 'write', path: 'src/login.ts' },
  { kind: 'command', command: 'npm test', fails: true },
  { kind: 'todos', todos: [{ text: 'Log out', isDone: false }] },
  { kind: 'answer', text: 'We use JWT.' },
];
const HIDDEN = 'a\u202eb\u200bc\u{E0041}d';
const LONG = 'Many words about a long piece of work. '.repeat(30);

/** A device with a project that is linked to a workspace. The commands run in this process. */
class Device {
  readonly state = realpathSync(temporaryFolder('state'));
  readonly project = realpathSync(temporaryFolder('project'));
  readonly transcripts = temporaryFolder('transcripts');
  readonly vault: string;
  readonly workspace: string;

  constructor(vault = realpathSync(temporaryFolder()), workspace = 'App') {
    this.vault = vault;
    this.workspace = workspace;
  }

  async run(args: readonly string[], input = ''): Promise<string> {
    let output = '';
    const stdout = new PassThrough().on('data', (piece: Buffer) => (output += piece.toString()));
    const code = await runCommand(args, this.host({ stdout, stdin: streamOf(input) }));
    if (code !== 0) throw new Error(`${args.join(' ')}: ${output}`);
    return output;
  }

  host(streams: { readonly stdout: PassThrough; readonly stdin: PassThrough }): ProgramHost {
    const own = {
      env: { PATH: '', SAVEPOINT_STATE: this.state, CLAUDE_PROJECT_DIR: this.project },
      // what goes on in the background is the subject of other tests
      script: '--eval=0',
      exit: () => undefined,
      onStop: () => undefined,
      stderr: new PassThrough(),
      ...streams,
    };
    return { ...createProcessHost(process, PROGRAM, []), ...own } as unknown as ProgramHost;
  }

  async call(tool: string, params: Params): Promise<void> {
    const where = ['--vault', this.vault, '--workspace', this.workspace];
    await this.run(['call', tool, ...where, '--json', JSON.stringify(params)]);
  }

  /** Creates the workspace unless it is the default one, and links the project to it. */
  async link(): Promise<this> {
    const workspace = { name: this.workspace, description: 'd', rootFolder: 'A', purpose: 'p' };
    const create = ['call', 'createWorkspace', '--vault', this.vault, '--json'];
    if (this.workspace !== 'Default') await this.run([...create, JSON.stringify(workspace)]);
    const project = ['--project', this.project, '--vault', this.vault];
    await this.run(['link', '--workspace', this.workspace, ...project, '--capture', 'on']);
    return this;
  }

  save(name: string, more: Params = {}): Promise<void> {
    return this.call('createState', stateNamed(name, more));
  }

  /** Lets an AI app work in the project until it is killed. */
  async work(client: (typeof CAPTURED_CLIENTS)[number], id: string, steps = STEPS): Promise<void> {
    const { input, record } = recordedSession(this, client, id);
    await this.hook('session-start', { ...input, source: 'startup' }, '--client', client);
    record(...steps);
  }

  hook(event: string, input: Params, ...more: string[]): Promise<string> {
    return this.run(['hook', event, ...more], JSON.stringify({ cwd: this.project, ...input }));
  }

  /** Returns the brief that a session gets when it starts; empty if it gets none. */
  async started(source = 'startup'): Promise<string> {
    const output = await this.hook('session-start', { session_id: 'next', source });
    if (output === '') return '';
    const { hookSpecificOutput } = JSON.parse(output) as { hookSpecificOutput: Params };
    return hookSpecificOutput['additionalContext'] as string;
  }

  /** Returns the times at which this device has stored briefs. */
  storedBriefs(): number[] {
    const names = readdirSync(this.state, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => /briefs.*\.json$/.test(name));
    expect(files).not.toEqual([]);
    return files.map((name) => statSync(join(this.state, name)).mtimeMs);
  }

  async shell(): Promise<string> {
    const where = ['--vault', this.vault, '--workspace', this.workspace];
    return (await this.run(['brief', ...where])).replace(/\n$/, '');
  }

  /** Returns what the tool and the prompt of an MCP server answer. */
  async served(readOnly = false): Promise<(string | undefined)[]> {
    const backend = await openMcpBackend(
      this.host({ stdout: new PassThrough(), stdin: streamOf('') }),
      {
        vault: this.vault,
        state: undefined,
        surface: 'full',
        toolsets: undefined,
        readOnly,
        create: false,
        isOwnProcess: true,
        session: 'served',
        workspace: this.workspace,
        report: (problem) => expect(problem).toBe(undefined),
      },
    );
    const roots = [pathToFileURL(this.project).href];
    const { signal } = new AbortController();
    const location = { client: 'test', named: undefined, roots };
    const project = await backend.projects?.find(location);
    const { host, sessions } = backend.toolkit;
    const workspaceId = sessions.get('served') ?? '';
    const defaults = { sessionId: 'served', workspaceId };
    const answer = await backend.call({ tool: 'brief', params: {}, defaults }, signal, location);
    const prompt = await backend.briefText(await host.memory(), workspaceId, undefined, project);
    await backend.close();
    return [answer.data as string, prompt];
  }
}

function streamOf(text: string): PassThrough {
  const stream = new PassThrough();
  stream.end(text);
  return stream;
}

/** What is in a memory, and a line of its brief. */
interface Case {
  readonly title: string;
  readonly fill: (at: Device) => Promise<unknown> | void;
  readonly shows: string;
  readonly workspace?: string;
  readonly readOnly?: boolean;
}

const CASES: readonly Case[] = [
  { title: 'nothing', fill: () => undefined, shows: 'Brief of workspace "App".' },
  { title: 'one state', fill: (at) => at.save('Plan'), shows: '## State "Plan"' },
  {
    title: 'many states',
    async fill(at) {
      for (let number = 1; number <= 5; number++) await at.save(`State ${number}`);
    },
    shows: '## State "State 5"',
  },
  {
    title: 'an archived state',
    async fill(at) {
      await at.save('Kept');
      await at.save('Gone');
      await at.call('archiveState', { name: 'Gone' });
    },
    shows: '## State "Kept"',
  },
  {
    title: 'records, one of them due',
    async fill(at) {
      const remindAt = '2020-01-01';
      await at.call('createRecord', { resource: 'phase', title: 'Beta' });
      await at.call('createRecord', { resource: 'issue', title: 'Renew', remindAt });
      await at.call('createRecord', { resource: 'issue', title: 'Later', remindAt: '2999-01-01' });
    },
    shows: ', due 2020-01-01)',
  },
  {
    title: 'questions and decisions',
    fill: (at) => at.save('Plan', { questions: ['Why?'], decisions: ['Use JWT', 'Use Rust'] }),
    shows: '> question: Why?',
  },
  {
    title: 'a pinned trace and a lesson',
    async fill(at) {
      const pinned = { kind: 'error_pattern', content: 'Two watchers leak', pin: true };
      await at.call('logTrace', pinned);
      await at.call('logTrace', { kind: 'observation', content: 'Tests are slow' });
    },
    shows: '## Pinned',
  },
  {
    title: 'an interrupted session',
    async fill(at) {
      await at.save('Plan');
      await at.work('codex', 'one');
    },
    shows: '> Files written (1): src/login.ts',
  },
  {
    title: 'sessions of several apps',
    async fill(at) {
      for (const client of CAPTURED_CLIENTS)
        await at.work(client, client, [{ kind: 'task', text: `Task of ${client}` }]);
    },
    shows: '> Running now in ',
  },
  {
    title: 'a checkpoint that only the log has',
    async fill(at) {
      const { input, record } = recordedSession(at, 'codex', 'one');
      record(...STEPS);
      await at.hook('session-end', input, '--background', '--client', 'codex');
      rmSync(input.transcript_path);
      rmSync(join(at.state, 'capture', 'sessions'), { recursive: true });
    },
    shows: '> Last answer: We use JWT.',
  },
  {
    title: 'files of the linked project that have changed',
    async fill(at) {
      const files = ['src/pay.ts', 'a.md'];
      mkdirSync(join(at.project, 'src'));
      writeFileSync(join(at.project, 'src/pay.ts'), 'one');
      writeFileSync(join(at.vault, 'a.md'), 'one');
      await at.save('Plan', { activeFiles: files });
      await at.started();
      writeFileSync(join(at.project, 'src/pay.ts'), 'other');
      writeFileSync(join(at.vault, 'a.md'), 'other');
    },
    shows: '> project:src/pay.ts: modified',
  },
  {
    title: 'files that were deleted',
    async fill(at) {
      writeFileSync(join(at.project, 'a.ts'), 'one');
      writeFileSync(join(at.vault, 'a.md'), 'one');
      await at.save('Plan', { activeFiles: ['a.ts', 'a.md', 'never.md'] });
      await at.started();
      rmSync(join(at.project, 'a.ts'));
      rmSync(join(at.vault, 'a.md'));
    },
    shows: '> a.md: missing',
  },
  {
    title: 'a state of another device',
    async fill(at) {
      await at.save('Here');
      await at.started();
      await new Device(at.vault).save('There', { questions: ['Who?'] });
    },
    shows: '## State "There"',
  },
  {
    title: 'long texts over the budget',
    async fill(at) {
      const more = { activeTask: LONG, nextSteps: [LONG, LONG], conversationContext: LONG };
      const titles = Array.from({ length: 8 }, (_, number) => `${number} ${LONG.slice(0, 150)}`);
      await at.save('Plan', { ...more, questions: titles, decisions: titles });
      await at.work('claude-code', 'one');
    },
    shows: '> question: 0 Many',
  },
  {
    title: 'hidden characters everywhere',
    async fill(at) {
      const text = `${HIDDEN} z`;
      const texts = { conversationContext: text, activeTask: text, description: text };
      await at.save('Plan', { ...texts, nextSteps: [text], activeFiles: [text] });
      await at.call('logTrace', { kind: 'error_pattern', content: text, outcome: text });
      await at.work('gemini', 'one', [
        { kind: 'task', text },
        { kind: 'write', path: 'a.ts' },
        { kind: 'answer', text },
      ]);
    },
    shows: '> Task: a⟨U+202E⟩b⟨U+200B⟩c⟨U+E0041⟩d z',
  },
  {
    title: 'other languages',
    async fill(at) {
      await at.save('Pläne für „Zürich“', { activeTask: '登录页面', nextSteps: ['می‌خواهم 👩‍🌾'] });
      await at.work('codex', 'one', [{ kind: 'task', text: 'Исправить вход' }]);
    },
    shows: '> Next 1: می‌خواهم 👩‍🌾',
  },
  {
    title: 'two states of one name',
    async fill(at) {
      const copy = new Device(realpathSync(temporaryFolder()));
      cpSync(at.vault, copy.vault, { recursive: true });
      await at.save('Plan', { activeTask: 'Here' });
      await copy.save('Plan', { activeTask: 'There' });
      cpSync(copy.vault, at.vault, { recursive: true, force: false });
    },
    shows: '> Task: There',
  },
  {
    title: 'only the default workspace',
    fill: (at) => at.save('Plan'),
    shows: 'Brief of workspace "Default".',
    workspace: 'Default',
  },
  {
    title: 'settings that forbid writing',
    async fill(at) {
      await at.save('Plan');
      const folder = join(at.vault, '.obsidian', 'plugins', 'savepoint');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'data.json'), JSON.stringify({ isReadOnly: true }));
    },
    shows: '## State "Plan"',
    readOnly: true,
  },
  {
    title: 'an excluded folder, whose sessions it leaves out',
    async fill(at) {
      await at.work('codex', 'one');
      await at.save('Plan');
      expect(await at.started()).toContain('Fix the login');
      const inner = join(at.project, 'inner');
      mkdirSync(inner);
      const { input, record } = recordedSession(at, 'codex', 'two');
      const start = { ...input, cwd: inner, source: 'startup' };
      await at.hook('session-start', start, '--client', 'codex');
      record({ kind: 'task', text: 'A private matter' }, { kind: 'write', path: 'a.ts' });
      expect(await at.started()).toContain('A private matter');
      await at.run(['links', '--exclude', inner]);
      expect(await at.hook('session-start', start, '--client', 'codex')).toBe('');
    },
    shows: '> Task: Fix the login',
  },
];

describe('the brief of a session that starts', () => {
  it.each(someOf(CASES, 8))('is that of shell, tool and prompt: $title', async (given) => {
    const at = await new Device(undefined, given.workspace).link();
    await given.fill(at);
    const shell = await at.shell();
    expect(shell).toContain(given.shows);
    expect(shell).not.toContain('private');
    expect(findHiddenCharacter(shell)).toBe(undefined);
    expect(await at.started()).toBe(shell);
    const composed = at.storedBriefs();
    expect(await at.started()).toBe(shell);
    expect(at.storedBriefs()).toEqual(composed); // it was not composed again
    expect(await at.served(given.readOnly)).toEqual([shell, shell]);
    expect(await at.started('compact')).toBe(shell);
  });
});

it('the brief of an archived workspace is a line that says so', async () => {
  const at = await new Device().link();
  await at.save('Plan');
  expect(await at.started()).toContain('## State "Plan"');
  await at.run(['call', 'archiveWorkspace', '--vault', at.vault, '--json', '{"name":"App"}']);
  const brief = await at.started();
  expect(brief).toMatch(/^The workspace "App", .* is archived, so nothing of it is shown\./);
  expect(brief).not.toContain('Plan');
});

// Tier full: starts the program for each call
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fakes/program.js';
import { toldProject, type ToldProject } from '../../fakes/told-project.js';

const TIME = 120_000;
const RULE = 'Backups of the ledger are encrypted with age before they leave the machine.';
const TASK = 'Write the script that copies encrypted backups of the ledger off the machine';

async function withRule(tell?: string): Promise<ToldProject> {
  const at = await toldProject(tell === undefined ? {} : { tell });
  await at.work(
    'claude-code',
    'first',
    { kind: 'task', text: RULE },
    { kind: 'write', path: 'src/backup.ts' },
    { kind: 'answer', text: 'Done.' },
  );
  return at;
}

let sessions = 0;
/** Returns what a new session is told at a prompt. */
const asked = (at: ToldProject, prompt = TASK, more: object = {}, env: object = {}) =>
  at.told('codex', 'prompt', { session_id: `n${++sessions}`, prompt, ...more }, env);

interface Case {
  readonly what: string;
  /** Does it, and returns what the hook's input has then. */
  readonly make: (at: ToldProject) => Promise<object | void>;
  readonly env?: object;
  /** True if it is told again once it has been undone. */
  readonly undo?: (at: ToldProject) => Promise<unknown>;
}

const link = (at: ToldProject, ...more: string[]) =>
  at.run(
    'link',
    '--project',
    at.project,
    '--workspace',
    at.workspace,
    '--vault',
    at.vault,
    ...more,
  );

const CASES: readonly Case[] = [
  {
    what: 'an unlinked project',
    make: async (at) => void (await at.run('unlink', '--project', at.project)),
  },
  {
    what: 'another folder',
    make: () => Promise.resolve({ cwd: temporaryFolder('elsewhere') }),
  },
  {
    what: 'a paused capture',
    make: async (at) => void (await at.run('links', '--pause')),
    undo: (at) => at.run('links', '--resume'),
  },
  {
    what: 'a private session',
    make: () => Promise.resolve(),
    env: { SAVEPOINT_PRIVATE: '1' },
    undo: () => Promise.resolve(),
  },
  {
    what: 'an excluded project',
    make: async (at) => void (await at.run('links', '--exclude', at.project)),
    undo: (at) => at.run('links', '--include', at.project),
  },
  {
    what: 'an excluded folder of a project',
    async make(at) {
      const cwd = join(at.project, 'inner');
      mkdirSync(cwd);
      await at.run('links', '--exclude', cwd);
      return { cwd };
    },
  },
  {
    what: 'an archived workspace',
    make: (at) => at.call('archiveWorkspace', { name: at.workspace }),
  },
  {
    what: 'a project with --tell off',
    make: async (at) => void (await link(at, '--tell', 'off')),
  },
  {
    what: 'a project with --tell start',
    make: async (at) => void (await link(at, '--tell', 'start')),
  },
  {
    what: 'a deleted vault',
    make: (at) => Promise.resolve(rmSync(at.vault, { recursive: true })),
  },
  {
    what: 'a moved vault',
    make: (at) => Promise.resolve(renameSync(at.vault, `${at.vault}-moved`)),
  },
  {
    what: 'a vault whose data was removed',
    make: (at) => Promise.resolve(rmSync(join(at.vault, 'Savepoint'), { recursive: true })),
  },
];

describe('nothing is told', () => {
  it.each(CASES)(
    'in $what',
    async ({ make, env = {}, undo }) => {
      const at = await withRule();
      expect(await asked(at)).toContain(RULE);
      const more = (await make(at)) ?? {};
      expect(await asked(at, TASK, more, env)).toBe('');
      if (!undo) return;
      await undo(at);
      expect(await asked(at)).toContain(RULE);
    },
    TIME,
  );

  it(
    'in a project that only claims a link',
    async () => {
      const at = await withRule();
      // with the same identity as the linked one, but in another place
      const { execFileSync } = await import('node:child_process');
      const git = (folder: string, ...args: string[]) =>
        execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
      git(at.project, 'init', '-q');
      const commit = ['-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--allow-empty'];
      git(at.project, ...commit, '-qm', 'a');
      git(at.project, 'remote', 'add', 'origin', 'https://example.com/a/app.git');
      await link(at);
      await at.start('codex', 'any');
      expect(await asked(at)).toContain(RULE);
      const clone = join(temporaryFolder('clones'), 'app');
      git(at.project, 'clone', '-q', at.project, clone);
      git(clone, 'remote', 'set-url', 'origin', 'https://example.com/a/app.git');
      expect(existsSync(join(clone, '.git'))).toBe(true);
      expect(await asked(at, TASK, { cwd: clone })).toBe('');
    },
    TIME,
  );

  it(
    'and no brief either with --tell off, but the brief with start',
    async () => {
      const at = await withRule('off');
      expect(await at.start('codex', 'one')).toBe('');
      expect(await asked(at)).toBe('');
      await link(at, '--tell', 'start');
      expect(await at.start('codex', 'two')).toContain(RULE);
      expect(await asked(at)).toBe('');
      await link(at, '--tell', 'prompt');
      await at.start('codex', 'three');
      expect(await asked(at)).toContain(RULE);
    },
    TIME,
  );

  it(
    'of a decision that was superseded, archived or answered',
    async () => {
      const at = await withRule();
      const [old, later] = [
        'Ledger entries are stored as JSON',
        'Ledger entries are stored as CBOR',
      ];
      await at.call('createRecord', { resource: 'decision', title: old });
      await at.start('codex', 'any');
      const prompt = 'Change how the ledger entries are stored';
      // a process in the background notes what can be told
      await expect.poll(() => asked(at, prompt), { timeout: TIME }).toContain(old);
      await at.call('createRecord', { resource: 'decision', title: later, replaces: [old] });
      expect(await asked(at, prompt)).toBe('');
      // the end of another session's turn is enough
      await at.turn('gemini', 'other');
      await expect.poll(() => asked(at, prompt), { timeout: TIME }).toContain(later);
      await at.call('archiveRecord', { title: later });
      expect(await asked(at, prompt)).toBe('');
      await at.start('codex', 'any');
      expect(await asked(at, prompt)).not.toContain('stored as');
    },
    TIME,
  );

  it(
    'at ordinary prompts, or at none',
    async () => {
      const at = await withRule();
      const prompts = [
        'run the tests',
        'thanks, commit it',
        'why is this slow?',
        'continue',
        'ok',
        '',
        '   ',
        'Führe die Tests aus',
        'merci, fais un commit',
        '¿por qué falla?',
        '続けて',
        '谢谢',
        'the machine',
        'ledger',
        '!!!',
        '\u0000',
        '```\n```',
        'fix the typo in the README',
      ];
      for (const prompt of prompts) expect(await asked(at, prompt)).toBe('');
      for (const prompt of [undefined, null, 3, {}, [TASK], true])
        expect(await asked(at, TASK, { prompt })).toBe('');
    },
    TIME,
  );

  it(
    'of another project’s workspace',
    async () => {
      const at = await withRule();
      const { state } = at;
      const elsewhere = await toldProject({ state, workspace: 'Else' });
      await elsewhere.start('codex', 'any');
      expect(await asked(elsewhere)).toBe('');
    },
    TIME,
  );
});

// Tier full: starts the program for each call
import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fakes/program.js';
import { toldProject, type ToldProject } from '../../fakes/told-project.js';

const TIME = 120_000;
const RULE = 'Receipts are numbered per branch, and gaps are explained in the journal.';
const TASK = 'Number the receipts per branch and explain gaps in the journal';
const DECISION = 'Journal pages are printed at night';
const DECISION_TASK = 'When are the pages of the journal printed at night?';

async function withRule(): Promise<ToldProject> {
  const at = await toldProject();
  await at.work(
    'claude-code',
    'first',
    { kind: 'task', text: RULE },
    { kind: 'write', path: 'src/receipts.ts' },
    { kind: 'answer', text: 'Done.' },
  );
  await at.call('createRecord', { resource: 'decision', title: DECISION });
  await at.start('codex', 'any');
  expect(await at.prompted('codex', 'asking', TASK)).toContain(RULE);
  expect(await at.prompted('codex', 'asking', DECISION_TASK)).toContain(DECISION);
  return at;
}

/** Returns the paths of all files in a state folder. */
function filesOf({ state }: ToldProject): string[] {
  const names = readdirSync(state, { recursive: true, encoding: 'utf8' });
  return names.map((name) => join(state, name)).filter((file) => lstatSync(file).isFile());
}

const filesWith = (at: ToldProject, text: string) =>
  filesOf(at).filter((file) => readFileSync(file).includes(text));

const briefsOf = (at: ToldProject) => filesOf(at).filter((file) => /[\\/]briefs[\\/]/.test(file));

const link = (at: ToldProject, ...more: string[]) =>
  at.run('link', '--project', at.project, '--workspace', at.workspace, ...more);

describe('what can be told, and was told,', () => {
  it.skipIf(process.platform === 'win32')(
    'is readable by this user alone',
    async () => {
      const at = await withRule();
      const files = briefsOf(at);
      expect(files.filter((file) => file.endsWith('.recall'))).toHaveLength(1);
      expect(files.filter((file) => /[\\/]told[\\/]/.test(file))).toHaveLength(2);
      for (const file of [...files, join(at.state, 'capture/told.log')])
        expect([file, (statSync(file).mode & 0o777).toString(8)]).toEqual([file, '600']);
    },
    TIME,
  );

  it.each([
    ['unlink', (at: ToldProject) => at.run('unlink', '--project', at.project)],
    ['--tell off', (at: ToldProject) => link(at, '--vault', at.vault, '--tell', 'off')],
    ['--tell start', (at: ToldProject) => link(at, '--vault', at.vault, '--tell', 'start')],
    [
      'a link to another vault',
      async (at: ToldProject) => {
        const { vault } = await toldProject({ state: at.state });
        await link(at, '--vault', vault);
      },
    ],
    [
      'a link to another workspace',
      async (at: ToldProject) => {
        await toldProject({ state: at.state, vault: at.vault, workspace: 'Else' });
        await at.run('link', '--project', at.project, '--workspace', 'Else', '--vault', at.vault);
      },
    ],
  ])(
    'is removed by %s',
    async (_, remove) => {
      const at = await withRule();
      await remove(at);
      expect(briefsOf(at).filter((file) => filesWith(at, RULE).includes(file))).toEqual([]);
      expect(briefsOf(at).filter((file) => filesWith(at, DECISION).includes(file))).toEqual([]);
      expect(await at.prompted('codex', 'other', TASK)).toBe('');
    },
    TIME,
  );

  it(
    'of a session is removed with it, and so is every byte of its text',
    async () => {
      const at = await withRule();
      expect(filesWith(at, RULE).length).toBeGreaterThan(2);
      const where = ['--vault', at.vault, '--workspace', at.workspace];
      await at.run('forget', 'first', '--kind', 'session', ...where, '--yes', '--also');
      expect(filesWith(at, RULE)).toEqual([]);
      await at.start('codex', 'any');
      expect(filesWith(at, RULE)).toEqual([]);
      expect(await at.prompted('codex', 'other', TASK)).toBe('');
      expect(await at.prompted('codex', 'other', DECISION_TASK)).toContain(DECISION);
    },
    TIME,
  );

  it(
    'of a decision is removed with it, and so is every byte of its text',
    async () => {
      const at = await withRule();
      const where = ['--vault', at.vault, '--workspace', at.workspace];
      await at.run('forget', DECISION, '--kind', 'record', ...where, '--yes', '--also');
      expect(filesWith(at, DECISION)).toEqual([]);
      await at.start('codex', 'any');
      expect(filesWith(at, DECISION)).toEqual([]);
      expect(await at.prompted('codex', 'other', DECISION_TASK)).toBe('');
      expect(await at.prompted('codex', 'other', TASK)).toContain(RULE);
    },
    TIME,
  );

  it(
    'is not told any more once another device has forgotten it',
    async () => {
      const at = await withRule();
      const state = realpathSync(temporaryFolder('there'));
      const { vault, workspace } = at;
      const there = await toldProject({ vault, workspace, state, isKnown: true });
      const where = ['--vault', vault, '--workspace', workspace];
      await there.run('forget', 'first', '--kind', 'session', ...where, '--yes', '--also');
      expect(await at.prompted('codex', 'other', TASK)).toBe('');
      await at.start('codex', 'any');
      expect(await at.prompted('codex', 'other', TASK)).toBe('');
      expect(filesWith(at, RULE).filter((file) => file.endsWith('.recall'))).toEqual([]);
    },
    TIME,
  );
});

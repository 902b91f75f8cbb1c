import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../fakes/program.js';
import { failedCall, passedCall, toldProject, type ToldProject } from '../../fakes/told-project.js';
import { stateNamed } from '../../fakes/test-vault.js';
import type { CapturedClient } from '../../fakes/transcripts.js';
import { someOf } from '../../tier.js';

const TIME = 120_000;
const DECISION = 'Amounts are integers of cents';
const SAID = 'In tickets.ts, keep the old spelling of keys for imports.';
const ASKED = 'Which spelling of keys do imports keep in tickets.ts?';
const SAID_OF_ROOT = 'Leave the order in AUTHORS.md as it is.';
const SAVED = 'Addresses are never geocoded twice';

async function withWork(level = 'all'): Promise<ToldProject> {
  const at = await toldProject({ tell: level });
  mkdirSync(join(at.project, 'src'));
  for (const name of ['money', 'tickets', 'address', 'other'])
    writeFileSync(join(at.project, 'src', `${name}.ts`), 'x\n');
  await at.work(
    'claude-code',
    'first',
    { kind: 'task', text: SAID },
    { kind: 'write', path: join(at.project, 'src/tickets.ts') },
    { kind: 'command', command: 'npm run lint:tickets', fails: true },
    { kind: 'answer', text: 'Done.' },
  );
  await at.work(
    'codex',
    'second',
    { kind: 'task', text: `Add me to the authors.\n\n${SAID_OF_ROOT}` },
    { kind: 'write', path: join(at.project, 'AUTHORS.md') },
    { kind: 'answer', text: 'Done.' },
  );
  const state = { decisions: [SAVED], activeFiles: [join(at.project, 'src/address.ts')] };
  await at.call('createState', stateNamed('Geocoding', state));
  const files = [join(at.project, 'src/money.ts')];
  await at.call('createRecord', { resource: 'decision', title: DECISION, files });
  await at.start('codex', 'unused');
  return at;
}

/** What a client sends after it has read or written a file. */
function touched(client: CapturedClient, at: ToldProject, path: string, isEdit: boolean): object {
  switch (client) {
    case 'claude-code': {
      const tool_input = { file_path: join(at.project, path) };
      const edit = { old_string: 'x', new_string: 'y', replace_all: false };
      return isEdit
        ? { tool_name: 'Edit', tool_input: { ...tool_input, ...edit }, tool_response: {} }
        : { tool_name: 'Read', tool_input, tool_response: { type: 'text' } };
    }
    case 'codex': {
      const patch = `*** Begin Patch\n*** Update File: ${path}\n@@\n-x\n+y\n*** End Patch\n`;
      return isEdit
        ? { tool_name: 'apply_patch', tool_input: { command: patch }, tool_response: SUCCESS }
        : { tool_name: 'Bash', tool_input: { command: `cat ${path}` }, tool_response: 'x\n' };
    }
    case 'gemini': {
      const edit = { instruction: 'x', old_string: 'x', new_string: 'y' };
      const tool_response = { llmContent: 'x\n', returnDisplay: '' };
      return isEdit
        ? { tool_name: 'replace', tool_input: { file_path: path, ...edit }, tool_response }
        : { tool_name: 'read_file', tool_input: { file_path: path }, tool_response };
    }
  }
}

const today = new Date().toISOString().slice(0, 10);
const SUCCESS =
  'Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM src/a.ts\n';

describe.each(someOf(['claude-code', 'codex', 'gemini'] as const, 1))('in %s', (client) => {
  it(
    'what is known of a file is told once it is read or written, once',
    async () => {
      const at = await withWork();
      for (const isEdit of someOf([false, true], 1)) {
        const session_id = isEdit ? 'edits' : 'reads';
        const tell = (path: string) =>
          at.told(client, 'tool', { session_id, ...touched(client, at, path, isEdit) });
        expect(await tell('src/other.ts')).toBe('');
        expect(await tell('src/tickets.ts')).toContain(`: ${JSON.stringify(SAID)}`);
        expect(await tell('src/money.ts')).toMatch(
          new RegExp(`\\n- Decision, \\d{4}-\\d\\d-\\d\\d: "${DECISION}"$`),
        );
        expect(await tell('src/address.ts')).toContain(`- Decision, ${today}: "${SAVED}"`);
        expect(await tell('AUTHORS.md')).toContain(`: ${JSON.stringify(SAID_OF_ROOT)}`);
        expect(await tell('src/tickets.ts')).toBe('');
        expect(await tell('src/money.ts')).toBe('');
      }
      expect(
        await at.told(client, 'tool', {
          session_id: 'first',
          ...touched(client, at, 'src/tickets.ts', true),
        }),
      ).toBe('');
    },
    TIME,
  );

  it(
    'nothing is told of a file, a failure or to a subagent with the level prompt',
    async () => {
      const at = await withWork('prompt');
      for (const isEdit of [false, true])
        for (const path of ['src/tickets.ts', 'src/money.ts'])
          expect(await at.told(client, 'tool', touched(client, at, path, isEdit))).toBe('');
      expect(await at.told(client, 'failure', failedCall(client, 'npm run lint:tickets'))).toBe('');
      expect(await at.prompted(client, 'asking', ASKED)).not.toBe('');
      const subagent = { agent_id: 'a', agent_type: 'general-purpose' };
      if (client !== 'gemini') expect(await at.told(client, 'subagent', subagent)).toBe('');
    },
    TIME,
  );
});

const ERROR = "lint: cannot find 'tickets.json' in this folder";

describe.each(someOf(['claude-code', 'codex', 'gemini'] as const, 1))(
  'a command in %s',
  (client) => {
    it(
      'that failed in a session is told of once it fails again',
      async () => {
        const at = await toldProject({ tell: 'all' });
        const command = `cd ${at.project} && npm run lint:tickets`;
        await at.work(
          client === 'codex' ? 'claude-code' : 'codex',
          'first',
          { kind: 'task', text: 'Check the tickets' },
          { kind: 'command', command, fails: true, output: `${'long '.repeat(90)}\n${ERROR}` },
          { kind: 'answer', text: 'It fails.' },
        );
        const passed = passedCall(client, command);
        if (passed) expect(await at.told(client, 'tool', passed)).toBe('');
        const other = failedCall(client, 'npm run lint:others', ERROR);
        expect(await at.told(client, 'failure', other)).toBe('');
        const text = await at.told(client, 'failure', failedCall(client, command, ERROR));
        const [, told = ''] = /\n- Failed in [\w ]+, [\d-]+: (".*")$/.exec(text) ?? [];
        const failed = JSON.parse(told) as string;
        const [, shown, error = ''] = /^(.*?) \((.*)\)$/.exec(failed) ?? [];
        expect(shown).toMatch(/^cd \. && npm run lint:tickets$/);
        expect(error).toMatch(/^… [long ]+ lint: .*folder$/);
        expect(error.replace(/^… ?/, '').length).toBeLessThanOrEqual(200);
        expect(await at.told(client, 'failure', failedCall(client, command, ERROR))).toBe('');
      },
      TIME,
    );
  },
);

describe('a subagent', () => {
  it.each(someOf(['claude-code', 'codex'] as const, 1))(
    'of %s is told what its session was told last, and it not again',
    async (client) => {
      const at = await withWork();
      const subagent = { agent_id: 'a', agent_type: 'general-purpose' };
      expect(await at.told(client, 'subagent', subagent)).toBe('');
      const money = touched(client, at, 'src/money.ts', false);
      const text = await at.told(client, 'tool', money);
      expect(await at.told(client, 'subagent', { ...subagent, session_id: 'another' })).toBe('');
      expect(await at.told(client, 'subagent', subagent)).toBe(text);
      expect(await at.told(client, 'subagent', subagent)).toBe('');
      expect(await at.told(client, 'tool', { ...subagent, ...money })).toBe('');
      const tickets = touched(client, at, 'src/tickets.ts', false);
      expect(await at.told(client, 'tool', { ...subagent, ...tickets })).toContain(SAID);
      expect(await at.told(client, 'tool', tickets)).toContain(SAID);
      expect((await at.told(client, 'subagent', { agent_id: 'b' })).split('\n')).toEqual([
        expect.stringContaining('quoted notes'),
        expect.stringContaining(SAID),
        expect.stringContaining(DECISION),
      ]);
    },
    TIME,
  );
});

describe('outside the path that a link names', () => {
  it(
    'files are found through a link to the project and from a folder in it',
    async () => {
      const at = await withWork();
      const link = join(temporaryFolder('links'), 'link');
      symlinkSync(at.project, link);
      const read = (cwd: string, path: string) => ({
        session_id: cwd,
        cwd,
        tool_name: 'Read',
        tool_input: { file_path: path },
      });
      const named = join(link, 'src/money.ts');
      expect(await at.told('claude-code', 'tool', read(link, named))).toContain(DECISION);
      const cat = (command: string, cwd: string) => ({
        session_id: command,
        cwd,
        tool_name: 'Bash',
        tool_input: { command },
        tool_response: 'x\n',
      });
      const inner = join(at.project, 'src');
      expect(await at.told('codex', 'tool', cat('cat money.ts', inner))).toContain(DECISION);
      expect(await at.told('codex', 'tool', cat('cat ../src/money.ts', inner))).toContain(DECISION);
    },
    TIME,
  );

  it(
    'nothing is told of a file of the same name elsewhere',
    async () => {
      const at = await toldProject({ tell: 'all' });
      const elsewhere = temporaryFolder('elsewhere');
      const text = 'The settings.toml at home needs the new port.';
      await at.work(
        'claude-code',
        'first',
        { kind: 'task', text },
        { kind: 'write', path: join(elsewhere, 'one/settings.toml') },
        { kind: 'answer', text: 'Done.' },
      );
      const path = join(elsewhere, 'two/settings.toml');
      const read = { tool_name: 'Read', tool_input: { file_path: path }, tool_response: {} };
      expect(await at.told('claude-code', 'tool', read)).toBe('');
    },
    TIME,
  );
});

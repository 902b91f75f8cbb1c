import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nodeAdvice, NEEDED_NODE } from '../../../src/node/client-setup/find-node.js';
import { captureProject } from '../../fakes/captured-project.js';
import { runProgram, temporaryFolder } from '../../fakes/program.js';

it('exits with 0 before any AI app is connected, and says how to connect one', async () => {
  const home = temporaryFolder('home');
  const vault = join(home, 'My notes');
  mkdirSync(join(vault, '.obsidian'), { recursive: true });
  const env = { HOME: home, USERPROFILE: home, SAVEPOINT_STATE: join(home, 'state') };
  const { code, stdout } = await runProgram(['doctor', '--vault', vault], { env });
  const named = await runProgram(['doctor'], { env: { ...env, SAVEPOINT_VAULT: vault } });
  expect(named.code).toBe(code);
  expect(named.stdout).toContain(stdout.slice(0, stdout.indexOf('No client')).trimEnd());
  expect(code).toBe(0);
  expect(stdout).toContain(`No client is connected to the vault "${vault}" yet. Run `);
  expect(stdout).not.toContain('need attention');
  const isOld = Number(process.versions.node.split('.')[0]) < 22;
  expect(stdout.includes(`Node ${process.versions.node} runs this program`)).toBe(isOld);
});

it('gives advice as JSON whose commands work as typed', async () => {
  const home = temporaryFolder('home');
  const vault = join(home, 'My notes');
  mkdirSync(join(vault, '.obsidian'), { recursive: true });
  mkdirSync(join(home, '.cursor'));
  const entry = { command: process.execPath, args: ['/gone.js', 'mcp', '--vault', vault] };
  writeFileSync(
    join(home, '.cursor/mcp.json'),
    JSON.stringify({ mcpServers: { savepoint: entry } }),
  );
  const env = { HOME: home, USERPROFILE: home, SAVEPOINT_STATE: join(home, 'state') };
  const { stdout } = await runProgram(['doctor', '--json'], { env });
  const { entries } = JSON.parse(stdout) as {
    entries: { steps: { step: string; fix: string }[] }[];
  };
  const fix = entries[0]?.steps.find(({ step }) => step === 'program')?.fix;
  expect(fix).toMatch(/and run `node .* connect cursor --vault ".*My notes"`$/);
});

it('names a Node that is older than package.json asks for, and the one that is needed', () => {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { engines } = JSON.parse(text) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${NEEDED_NODE}`);
  expect(['22.13.0', '22.14.1', '24.0.0'].flatMap(nodeAdvice)).toEqual([]);
  for (const old of ['20.20.2', '22.12.0', '9.0.0'])
    expect(nodeAdvice(old)).toEqual([
      `Node ${old} runs this program, and it is tested with Node 22.13 and later: update Node.`,
    ]);
});

it('says how many tokens the brief of a linked project has', async () => {
  const at = await captureProject('off');
  const state = {
    name: 'Outline',
    conversationContext: 'x',
    activeTask: 'Draft chapter two',
    activeFiles: [],
    nextSteps: ['Read it'],
  };
  const params = ['--workspace', 'App', '--json', JSON.stringify(state)];
  await at.run('call', 'createState', '--vault', at.vault, ...params);
  const { stdout } = await at.run('doctor', '--vault', at.vault, '--json');
  const { capture } = JSON.parse(stdout) as { capture: { name: string; text: string }[] };
  const [, tokens] =
    /starts with about (\d+) of at most 800 tokens; capture itself costs none$/.exec(
      capture.find(({ name }) => name === 'brief')?.text ?? '',
    ) ?? [];
  expect(Number(tokens)).toBeGreaterThan(20);
});

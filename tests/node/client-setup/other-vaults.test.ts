import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runInProcess } from '../../fakes/in-process.js';
import { temporaryFolder } from '../../fakes/program.js';

let home: string;
let run: (...args: string[]) => Promise<string>;

beforeEach(() => {
  home = realpathSync(temporaryFolder('home'));
  for (const folder of ['one/.obsidian', 'two/.obsidian', 'project', '.claude', '.gemini'])
    mkdirSync(join(home, folder), { recursive: true });
  const env = {
    PATH: join(home, 'bin'), // without the clients of this machine
    HOME: home,
    SAVEPOINT_STATE: join(home, 'state'),
    XDG_RUNTIME_DIR: home,
  };
  run = (...args) => runInProcess(home, env, args);
});

const link = (vault: string) => {
  const where = ['--project', join(home, 'project'), '--vault', join(home, vault)];
  return run('link', '--workspace', 'Default', '--capture', 'off', ...where);
};
const connect = (vault: string, ...apps: string[]) =>
  run('connect', ...apps, '--vault', join(home, vault));

it('names apps that are connected to another vault than a linked project', async () => {
  await connect('one', 'claude-code', 'gemini');
  expect(await link('one')).not.toContain('another vault');
  const [one, two] = [join(home, 'one'), join(home, 'two')];
  const sentence = (apps: string, ids: string) =>
    `What these apps save in projects that are linked to ${two} goes to another vault: ${apps}; to change that, run \`node main.js connect ${ids} --vault ${two}\`.\n`;
  const both = sentence(`Claude Code (${one}), Gemini CLI (${one})`, 'claude-code gemini');
  expect(await link('two')).toContain(both);
  expect(await run('doctor')).toContain(both);
  expect(await run('doctor')).toMatch(/exit 0$/);
  // it says by itself to which vaults apps are connected
  expect(await run('doctor', '--vault', two)).toContain('Other vaults are connected');
  expect(await run('doctor', '--vault', two)).not.toContain('goes to another vault');

  await connect('two', 'gemini');
  const rest = sentence(`Claude Code (${one})`, 'claude-code');
  for (const args of [['doctor'], ['doctor', '--vault', two]])
    expect(await run(...args)).toContain(rest);
  expect(await link('one')).not.toContain('another vault');
  expect(await run('doctor')).not.toContain('another vault');
});

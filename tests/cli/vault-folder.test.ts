import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, runProgram, temporaryFolder } from '../fakes/program.js';
import { stateNamed } from '../fakes/test-vault.js';
import { callProgram } from './program-folders.js';
import { inFull } from '../tier.js';

const testInFull = it.runIf(inFull('every command in a folder that is not a vault'));

const CREATE = ', or add --create to use this folder anyway';
const notVault = (folder: string, create = '') =>
  `This folder is not an Obsidian vault: ${folder}. Pass the folder that contains .obsidian as --vault${create}.`;

/** The commands that need a vault, and the part of their message about `--create`. */
const COMMANDS: [string[], string][] = [
  [['verify'], ''],
  [['search', 'tomatoes'], ''],
  [['export', '--to', 'out'], ''],
  [['restore', 'Plan'], ''],
  [['import', 'export.jsonl'], CREATE],
  [['connect', '--dry-run'], CREATE],
  [['mcp', '--http'], CREATE],
];

describe('a folder that is not a vault', () => {
  testInFull('is reported by each command, which exits with 1 and writes nothing', async () => {
    const [vault, state] = [temporaryFolder('plain'), temporaryFolder('state')];
    const env = { ...process.env, HOME: state, SAVEPOINT_STATE: state };
    for (const [command, create] of COMMANDS) {
      const result = await runProgram([...command, '--vault', vault], { env });
      expect(result, command[0]).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(`${notVault(vault, create)}`) as string,
      });
    }
    for (const tool of ['listStates', 'createState']) {
      const { code, stdout } = await callProgram({ vault, state }, tool, stateNamed('Plan'));
      expect({ code, answer: JSON.parse(stdout) as unknown }, tool).toMatchObject({ code: 1 });
    }
    expect(readdirSync(vault)).toEqual([]);
  });

  it('is reported by call as JSON', async () => {
    const at = { vault: temporaryFolder('plain'), state: temporaryFolder('state') };
    const { code, stdout } = await callProgram(at, 'listStates', {});
    expect({ code, answer: JSON.parse(stdout) as unknown }).toEqual({
      code: 1,
      answer: { success: false, error: notVault(at.vault, CREATE) },
    });
  });

  it('is reported by doctor with the fix', async () => {
    const [vault, state] = [temporaryFolder('plain'), temporaryFolder('state')];
    const { code, stdout } = await runProgram(['doctor', '--vault', vault], {
      env: { ...process.env, HOME: state, SAVEPOINT_STATE: state },
    });
    expect(code).toBe(1);
    expect(stdout).toContain(`NO  vault: This folder is not an Obsidian vault: ${vault}.`);
    expect(stdout).toContain('Fix: connect the folder that contains .obsidian');
  });

  it('is reported to an MCP client by each call, and used once it is a vault', async () => {
    const vault = temporaryFolder('plain');
    const { client, call } = await connect(vault, temporaryFolder('state'));
    const failure = { success: false, error: notVault(vault, CREATE) };
    expect((await client.listTools()).tools).not.toEqual([]);
    expect(await call('listStates')).toEqual(failure);
    expect(await call('createState', stateNamed('Plan'))).toEqual(failure);
    await expect(client.listResources()).rejects.toThrow('is not an Obsidian vault');
    await expect(client.getPrompt({ name: 'resume' })).rejects.toThrow('is not an Obsidian vault');
    expect(readdirSync(vault)).toEqual([]);
    mkdirSync(join(vault, '.obsidian'));
    expect(await call('createState', stateNamed('Plan'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });
  });

  testInFull('is named with the vault that contains it', async () => {
    const vault = realpathSync(temporaryFolder());
    const inside = join(vault, 'Projects/Alpha');
    mkdirSync(inside, { recursive: true });
    const text = `This folder is not an Obsidian vault: ${inside}. It is inside the vault ${vault}; pass --vault ${vault}`;
    expect(await runProgram(['verify', '--vault', inside])).toEqual({
      code: 1,
      stdout: '',
      stderr: `${text}.\n`,
    });
    const at = { vault: inside, state: temporaryFolder('state') };
    expect(JSON.parse((await callProgram(at, 'createState', stateNamed('X'))).stdout)).toEqual({
      success: false,
      error: `${text}${CREATE}.`,
    });
    expect(readdirSync(inside)).toEqual([]);
  });

  testInFull('is used with --create, and is a vault from then on', async () => {
    const at = { vault: temporaryFolder('plain'), state: temporaryFolder('state') };
    expect(await callProgram(at, 'listStates', {}, '--create')).toMatchObject({ code: 0 });
    expect(readdirSync(at.vault)).toEqual([]);
    const { call } = await connect(at.vault, at.state, '--create');
    expect(await call('createState', stateNamed('Plan'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    expect((await callProgram(at, 'listStates', {})).stdout).toContain('Plan');
    expect(await runProgram(['verify', '--vault', at.vault])).toMatchObject({ code: 0 });
  });
});

describe('a folder is a vault', () => {
  it.each([
    ['with the settings of Obsidian', ['.obsidian']],
    ['with the plugin in a settings folder of another name', ['.config', 'plugins', 'savepoint']],
    ['with the data folder', ['Savepoint']],
  ])('%s', async (_, parts) => {
    const vault = temporaryFolder('plain');
    mkdirSync(join(vault, ...parts), { recursive: true });
    expect(await runProgram(['verify', '--vault', vault])).toMatchObject({ code: 0 });
  });

  it('but not with files of these names and an empty hidden folder', async () => {
    const vault = temporaryFolder('plain');
    mkdirSync(join(vault, '.git'));
    writeFileSync(join(vault, '.obsidian'), '');
    writeFileSync(join(vault, 'Savepoint'), '');
    expect(await runProgram(['verify', '--vault', vault])).toMatchObject({ code: 1 });
  });
});

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/toolkit/answer.js';
import { PROGRAM, runProgram } from '../../fakes/program.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { callProgram, createFolders } from '../program-folders.js';
import { inFull } from '../../tier.js';

const testInFull = it.runIf(inFull('further cases of the command call'));

const itInFull = it.runIf(inFull('ten calls by ten processes'));

describe('call', () => {
  it('prints the result as one line of JSON, and exits with 0 or 1', async () => {
    const at = createFolders();
    expect(await callProgram(at, 'createState', stateNamed('Plan'))).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\{"success":true,"workspace":"Default",.*\}\n$/) as string,
      stderr: '',
    });
    const failed = await callProgram(at, 'loadState', { name: 'None' });
    expect(failed).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(failed.stdout)).toEqual({
      success: false,
      workspace: 'Default',
      error: 'State "None" not found. Use listStates to see available states.',
    });
  });

  it('leaves no trace of a call in a private session', async () => {
    const { vault, state } = createFolders();
    const args = ['call', 'createState', '--vault', vault, '--state', state];
    const save = (name: string, env?: NodeJS.ProcessEnv) =>
      runProgram(args, { input: JSON.stringify(stateNamed(name)), ...(env && { env }) });
    await save('Plan', { ...process.env, SAVEPOINT_PRIVATE: '1' });
    expect(readdirSync(join(vault, 'Savepoint'))).not.toContain('trace');
    await save('Plan B');
    expect(readdirSync(join(vault, 'Savepoint'))).toContain('trace');
  });

  it.runIf(process.platform !== 'win32')('may end before its output is read', () => {
    const command = `"${process.execPath}" "${PROGRAM}" tools | true`;
    const { stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  testInFull('reads the parameters from standard input, which may be empty', async () => {
    const { vault, state } = createFolders();
    const args = (tool: string) => ['call', tool, '--vault', vault, '--state', state];
    expect(
      await runProgram(args('createState'), { input: JSON.stringify(stateNamed('Piped')) }),
    ).toMatchObject({ code: 0 });
    expect((await runProgram(args('listStates'))).stdout).toMatch(
      /^\{"success":true,"workspace":"Default","data":\[\{"name":"Piped","description":"Talking","savedOn":"[\d-]+ [\d:]+"\}\]\}\n$/,
    );
  });

  testInFull('uses the workspace and the session of its options', async () => {
    const at = createFolders();
    await callProgram(at, 'createWorkspace', garden);
    await callProgram(
      at,
      'createState',
      stateNamed('Inside'),
      '--workspace',
      'garden',
      '--session',
      'terminal-7',
    );
    const listed = await callProgram(at, 'listStates', {}, '--workspace', 'garden');
    expect(JSON.parse(listed.stdout)).toMatchObject({ data: [{ name: 'Inside' }] });
    const sessions = await callProgram(at, 'listSessions', {}, '--workspace', 'garden');
    expect(sessions.stdout).toContain('terminal-7');
  });

  itInFull('continues a session that another process began', async () => {
    const at = createFolders();
    const inWorkspace = (name: string) => ['--workspace', name];
    const inSession = ['--session', 'terminal-7'];
    const answerOf = async (tool: string, params: unknown, ...more: string[]) =>
      JSON.parse((await callProgram(at, tool, params, ...more)).stdout) as Answer;
    await callProgram(at, 'createWorkspace', garden);
    await callProgram(at, 'createWorkspace', { ...garden, name: 'Shed', rootFolder: 'Shed' });
    await callProgram(at, 'createState', stateNamed('Beds'), ...inWorkspace('Garden'));

    await answerOf('loadState', { name: 'Beds' }, ...inSession);
    const context = { sessionId: 'terminal-7' };
    const saved = await answerOf('createState', { ...stateNamed('More beds'), context });
    expect(saved).toEqual({ success: true, workspace: 'Garden' });
    const loaded = await answerOf('loadState', { name: 'Beds' }, ...inWorkspace('Garden'));
    expect(loaded).toMatchObject({ data: { newer: ['More beds'] } });
  });

  testInFull('gives a notice once in a session of several processes', async () => {
    const at = createFolders();
    const notices: (string | undefined)[] = [];
    for (const [name, session] of [
      ['One', 'a'],
      ['Two', 'a'],
      ['Three', 'b'],
    ] as const) {
      const params = { name, chatInput: 'load it' };
      const { stdout } = await callProgram(at, 'loadState', params, '--session', session);
      notices.push((JSON.parse(stdout) as Answer).notice);
    }
    const first = expect.stringContaining('"chatInput"') as string;
    expect(notices).toEqual([first, undefined, first]);
  });

  itInFull('reuses its writers: ten calls leave one segment per lane', async () => {
    const at = createFolders();
    for (let index = 0; index < 10; index++)
      await callProgram(at, 'createState', stateNamed(`S${index}`));
    for (const lane of ['core', 'trace']) {
      const [month] = readdirSync(join(at.vault, 'Savepoint', lane));
      expect(readdirSync(join(at.vault, 'Savepoint', lane, month!))).toHaveLength(1);
    }
  });

  testInFull("writes only the data folder and a new workspace's root folder", async () => {
    const at = createFolders();
    await callProgram(at, 'createState', stateNamed('Plan'));
    await callProgram(at, 'createWorkspace', garden);
    expect(readdirSync(at.vault).sort()).toEqual(['.obsidian', 'Garden', 'Savepoint']);
    expect(readdirSync(join(at.vault, 'Savepoint')).sort()).toEqual(['README.md', 'core', 'trace']);
  });
});

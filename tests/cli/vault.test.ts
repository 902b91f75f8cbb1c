import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, PROGRAM, runProgram, temporaryFolder } from '../fakes/program.js';
import { garden, stateNamed } from '../fakes/test-vault.js';
import { canMount, growDisk, onSmallDisk } from '../node/small-disk.js';
import { callProgram, createFolders } from './program-folders.js';
import { inFull, isFull } from '../tier.js';

const testInFull = it.runIf(inFull('vaults in unusual states'));

describe('a vault', () => {
  testInFull('that does not exist is reported by call and by verify', async () => {
    const at = { vault: join(temporaryFolder(), 'gone'), state: temporaryFolder('state') };
    const text = `The vault "${at.vault}" does not exist. Check the path, or connect the disk that it is on.`;
    expect(JSON.parse((await callProgram(at, 'listStates', {})).stdout)).toEqual({
      success: false,
      error: text,
    });
    expect(JSON.parse((await callProgram(at, 'createState', stateNamed('X'))).stdout)).toEqual({
      success: false,
      error: text,
    });
    expect(await runProgram(['verify', '--vault', at.vault])).toEqual({
      code: 1,
      stdout: '',
      stderr: `${text}\n`,
    });
    expect(existsSync(at.vault)).toBe(false);
  });

  testInFull('that is a file is reported', async () => {
    const at = { vault: join(temporaryFolder(), 'note.md'), state: temporaryFolder('state') };
    writeFileSync(at.vault, 'text');
    expect((await callProgram(at, 'createState', stateNamed('X'))).stdout).toContain(
      'is a file, not a folder. Pass the folder that contains your notes.',
    );
  });

  testInFull('that is created later is used by the running server', async () => {
    const vault = join(temporaryFolder(), 'later');
    const { call: ask } = await connect(vault, temporaryFolder('state'));
    expect(await ask('listStates')).toMatchObject({
      success: false,
      error: expect.stringContaining('does not exist') as string,
    });
    mkdirSync(join(vault, '.obsidian'), { recursive: true });
    expect(await ask('createState', stateNamed('Now'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    expect(await ask('listStates')).toMatchObject({
      success: true,
      workspace: 'Default',
      data: [{ name: 'Now' }],
    });
  });

  const toMissing = ['--workspace', 'Missing'];
  it.each([
    ['link', '--project', import.meta.dirname, ...toMissing],
    ['restore', 'Plan', ...toMissing],
    ['mcp', ...toMissing],
  ])('is closed by a failing command: %s', async (...args) => {
    const at = createFolders();
    await callProgram(at, 'createState', stateNamed('Plan'));
    const state = temporaryFolder('state');
    const input = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;
    const options = ['--vault', at.vault, '--state', state];
    const { code, stderr } = await runProgram([...args, ...options], { input });
    expect([code, stderr]).toEqual([1, expect.stringContaining('Workspace "Missing" not found')]);
    const files = readdirSync(state, { recursive: true, encoding: 'utf8' });
    // The lines of the other device are copied when the memory is closed.
    expect(files.filter((file) => file.endsWith('-others.jsonl'))).toHaveLength(1);
  });

  testInFull('that is read-only can be read but not written', async () => {
    const at = createFolders();
    await callProgram(at, 'createState', stateNamed('Plan'));
    execFileSync('chmod', ['-R', 'a=rX', at.vault]);
    // Root may write anywhere, so as root the program runs as the user "nobody", from a folder that
    // this user can read.
    const program = join(temporaryFolder('program'), 'main.js');
    copyFileSync(PROGRAM, program);
    for (const folder of [dirname(program), at.state]) chmodSync(folder, 0o777);
    const options = {
      program,
      cwd: '/',
      ...(process.getuid?.() === 0 && { uid: 65534, gid: 65534 }),
    };
    const state = join(at.state, 'of-nobody');
    const run = (tool: string, params: unknown) =>
      runProgram(
        ['call', tool, '--vault', at.vault, '--state', state, '--json', JSON.stringify(params)],
        options,
      );
    expect((await run('listStates', {})).stdout).toMatch(
      /^\{"success":true,"workspace":"Default","data":\[\{"name":"Plan","description":"Talking","savedOn":"[\d-]{10} \d\d:\d\d".*\}\]\}\n$/,
    );
    expect(JSON.parse((await run('createState', stateNamed('X'))).stdout)).toEqual({
      success: false,
      workspace: 'Default',
      error: expect.stringMatching(
        /no permission \(EACCES\)\. Make the vault folder readable and writable/,
      ) as string,
    });
    execFileSync('chmod', ['-R', 'u+w', at.vault]);
  });

  it.runIf(isFull && canMount())(
    'that is on a full disk keeps acknowledged states, and recovers',
    async () => {
      await onSmallDisk(async (vault) => {
        const state = temporaryFolder('state');
        const { call: ask, client } = await connect(vault, state, '--create');
        const filler = 'x'.repeat(20_000);
        const kept: string[] = [];
        let error: string | undefined;
        for (let index = 0; index < 100 && error === undefined; index++) {
          const answer = await ask(
            'createState',
            stateNamed(`S${index}`, { conversationContext: filler }),
          );
          if (answer.success) kept.push(`S${index}`);
          else error = answer.error;
        }
        expect(error).toMatch(
          /the disk is full\. Nothing was saved; free some space and try again\.$/,
        );
        const shown = async () =>
          ((await ask('listStates')) as unknown as { data: { name: string }[] }).data
            .map(({ name }) => name)
            .reverse();
        expect(await shown()).toEqual(kept);
        growDisk(vault);
        expect(await ask('createState', stateNamed('After'))).toMatchObject({
          success: true,
          workspace: 'Default',
        });
        expect(await shown()).toEqual([...kept, 'After']);
        await client.close();
        const { stdout } = await callProgram({ vault, state }, 'listStates', {});
        expect((JSON.parse(stdout) as { data: unknown[] }).data).toHaveLength(kept.length + 1);
      });
    },
  );

  testInFull('with a link out of it rejects a root folder behind the link', async () => {
    const at = createFolders();
    const outside = temporaryFolder('outside');
    symlinkSync(outside, join(at.vault, 'Linked'));
    for (const rootFolder of ['Linked', 'Linked/deeper']) {
      const { stdout } = await callProgram(at, 'createWorkspace', { ...garden, rootFolder });
      expect(JSON.parse(stdout)).toEqual({
        success: false,
        error: `rootFolder "${rootFolder}" leads outside the vault through a symbolic link. Choose another folder in the vault, such as "Projects/Alpha".`,
      });
    }
    expect(readdirSync(outside)).toEqual([]);
    expect(statSync(at.vault).isDirectory()).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('the state folder', () => {
  testInFull('contains only files and folders of this user, whatever the umask', () => {
    const { vault } = createFolders();
    const state = join(temporaryFolder('state'), 'deep', 'state');
    const folders = ['--vault', vault, '--state', state];
    const run = (...args: string[]) => {
      const quoted = [process.execPath, PROGRAM, ...args, ...folders].map((arg) => `'${arg}'`);
      return execFileSync('sh', ['-c', `umask 0; exec ${quoted.join(' ')}`], { encoding: 'utf8' });
    };
    writeFileSync(join(vault, 'note.md'), 'beds');
    run('call', 'createState', '--json', JSON.stringify(stateNamed('Plan')));
    run('search', 'beds');
    const paths = readdirSync(state, { recursive: true, encoding: 'utf8' });
    expect(paths.map((path) => path.split('/')[1] ?? path).sort()).toEqual(
      expect.arrayContaining(['copies', 'device', 'search', 'writers']),
    );
    const modes = paths.map((path) => {
      const stats = statSync(join(state, path));
      return [path, stats.isDirectory() ? 'folder' : 'file', (stats.mode & 0o777).toString(8)];
    });
    expect(modes.filter(([, kind, mode]) => mode !== (kind === 'folder' ? '700' : '600'))).toEqual(
      [],
    );
    expect(statSync(state).mode & 0o777).toBe(0o700);
  });

  it('that other users can open is refused with one sentence', async () => {
    const { vault, state } = createFolders();
    writeFileSync(join(state, 'index.html'), '');
    chmodSync(state, 0o755);
    expect(await callProgram({ vault, state }, 'createState', stateNamed('Plan'))).toEqual({
      code: 1,
      stdout: '',
      stderr: `Other users can open the state folder "${state}". Run chmod 700 "${state}", or choose another folder with --state or SAVEPOINT_STATE.\n`,
    });
    expect([readdirSync(state), readdirSync(vault)]).toEqual([['index.html'], ['.obsidian']]);
  });
});

describe('the access of AI apps in the settings', () => {
  testInFull('applies while Obsidian is closed, but not to the command line', async () => {
    const at = createFolders();
    const settings = join(at.vault, '.obsidian/plugins/savepoint/data.json');
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, JSON.stringify({ readOnlyClients: ['savepoint-tests'] }));
    const { call: callAsClient } = await connect(at.vault, at.state);
    expect(await callAsClient('createState', stateNamed('Plan'))).toMatchObject({
      success: false,
      error: expect.stringContaining('"savepoint-tests" may only read this memory.') as string,
    });
    expect(await callAsClient('listStates')).toEqual({
      success: true,
      workspace: 'Default',
      data: [],
    });
    writeFileSync(settings, JSON.stringify({ isReadOnly: true }));
    expect(await callAsClient('createState', stateNamed('Plan'))).toMatchObject({
      error: expect.stringContaining('AI apps may only read') as string,
    });
    expect(await callProgram(at, 'createState', stateNamed('Plan'))).toMatchObject({ code: 0 });
    writeFileSync(settings, '{}');
    expect(await callAsClient('createState', stateNamed('Plan 2'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });
  });
});

// Tier full: exports and imports through the program; tests/transfer covers them in one process
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, runProgram, temporaryFolder } from '../../fakes/program.js';
import { garden, stateNamed } from '../../fakes/test-vault.js';
import { callInProcess, createFolders, type TestFolders } from '../program-folders.js';

describe('export and import', () => {
  const digestOf = async (vault: string) =>
    (
      JSON.parse((await runProgram(['verify', '--vault', vault, '--json'])).stdout) as {
        digest: string;
      }
    ).digest;

  /** Exports a vault with a workspace and two states. */
  async function exported(): Promise<TestFolders & { out: string; file: string }> {
    const at = createFolders();
    const out = join(temporaryFolder('export'), 'out');
    await callInProcess(at, 'createWorkspace', garden);
    for (const name of ['One', 'Two'])
      await callInProcess(at, 'createState', stateNamed(name), '--workspace', 'Garden');
    expect(await runProgram(['export', '--vault', at.vault, '--to', out])).toEqual({
      code: 0,
      stdout: `Exported 9 events to ${out}.\n`,
      stderr: '',
    });
    const [file] = readdirSync(out).filter((name) => name.endsWith('.jsonl'));
    return { ...at, out, file: join(out, file!) };
  }

  it('copy a memory into an empty vault, and add nothing the second time', async () => {
    const { vault, out, file } = await exported();
    const target = createFolders();
    const load = (from: string, ...more: string[]) =>
      runProgram(['import', from, '--vault', target.vault, ...more]);
    expect(await load(file, '--dry-run')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/9 new, 0 already[\s\S]*nothing was written/) as string,
    });
    expect(readdirSync(target.vault)).toEqual(['.obsidian']);
    expect(await load(out)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^9 events read: 9 new, 0 already here\.\nWrote 2 files, such as Savepoint[\s\S]*new is saved\.\n$/,
      ) as string,
    });
    expect(await digestOf(target.vault)).toBe(await digestOf(vault));
    expect(await load(file)).toEqual({
      code: 0,
      stdout: '9 events read: 0 new, 9 already here.\nThere was nothing to add.\n',
      stderr: '',
    });
    expect(JSON.parse((await load(file, '--json')).stdout)).toEqual({
      events: 9,
      added: 0,
      known: 9,
      retired: 0,
      forgotten: 0,
      lost: 0,
      badLines: [],
      files: [],
      isWhole: true,
    });
    expect(
      (await callInProcess(target, 'loadState', { name: 'one' }, '--workspace', 'Garden')).stdout,
    ).toContain('"name":"One"');
  });

  it('reach a running server with its next call', async () => {
    const { file } = await exported();
    const { vault, state } = createFolders();
    const { call: ask } = await connect(vault, state);
    expect(await ask('listWorkspaces')).toMatchObject({ data: [{ name: 'Default' }] });
    expect(await runProgram(['import', file, '--vault', vault])).toMatchObject({ code: 0 });
    expect(await ask('listWorkspaces')).toMatchObject({
      data: [{ name: 'Default' }, { name: 'Garden' }],
    });
    expect(await ask('createState', stateNamed('Mine'))).toMatchObject({
      success: true,
      workspace: 'Default',
    });
    expect(await runProgram(['verify', '--vault', vault])).toMatchObject({ code: 0 });
  });

  it('require --merge for another vault', async () => {
    const { file } = await exported();
    const other = createFolders();
    await callInProcess(other, 'createState', stateNamed('Mine'));
    const refused = await runProgram(['import', file, '--vault', other.vault]);
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^This is an export of another vault \(\w{16}\), .* use --merge .*\n$/,
      ) as string,
    });
    expect(await runProgram(['import', file, '--vault', other.vault, '--merge'])).toMatchObject({
      code: 0,
    });
    expect((await callInProcess(other, 'listStates', {})).stdout).toContain('Mine');
    expect(
      (await callInProcess(other, 'listStates', {}, '--workspace', 'Garden')).stdout,
    ).toContain('One');
  });

  it('import the valid lines of a damaged file, and exit with 1', async () => {
    const { file } = await exported();
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(
      file,
      [...lines.slice(0, 3), lines[3]!.slice(0, 40), ...lines.slice(4, 8)].join('\n'),
    );
    const { code, stdout } = await runProgram(['import', file, '--vault', temporaryFolder()]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^6 events read: 6 new/);
    expect(stdout).toContain('.jsonl, line 4: damaged; skipped\n');
    expect(stdout).toContain('3 events of the original export are missing from this copy.');
  });

  it('export notes under safe file names for any titles', async () => {
    const at = createFolders();
    const names = ['<img src=x onerror=alert(1)>', '../../x', 'con', '.hidden'];
    for (const name of names) {
      expect(
        await callInProcess(at, 'createWorkspace', { ...garden, name, rootFolder: 'Garden' }),
      ).toMatchObject({ code: 0 });
      expect(
        await callInProcess(at, 'createState', stateNamed(name), '--workspace', name),
      ).toMatchObject({
        code: 0,
      });
    }
    const out = join(at.vault, 'Memory');
    expect(await runProgram(['export', '--vault', at.vault, '--to', out, '--as', 'notes'])).toEqual(
      {
        code: 0,
        stdout: `Exported 10 notes to ${out}.\n`,
        stderr: '',
      },
    );
    expect(readdirSync(out).sort()).toEqual([
      'Default',
      'README.md',
      '_con',
      'hidden',
      'img src=x onerror=alert(1)',
      'x',
    ]);
    expect(readdirSync(join(out, 'x')).sort()).toEqual(['_workspace.md', 'x.md']);
    expect(await runProgram(['import', out, '--vault', at.vault])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('an export as notes is for people') as string,
    });
  });

  it('report a problem and write nothing', async () => {
    const { vault, out } = await exported();
    const tell = async (...args: string[]) => {
      const { code, stdout, stderr } = await runProgram(args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      return stderr;
    };
    const gone = join(temporaryFolder(), 'gone');
    expect(await tell('export', '--vault', vault, '--to', out)).toBe(
      `The folder "${out}" is not empty. Pass a new or empty folder as --to.\n`,
    );
    expect(
      await tell('export', '--vault', vault, '--to', join(vault, 'Savepoint/core/x')),
    ).toContain("is inside Savepoint's data folder");
    expect(await tell('export', '--vault', temporaryFolder(), '--to', gone)).toContain(
      'has no memory yet: there is nothing to export',
    );
    expect(await tell('export', '--vault', gone, '--to', gone)).toBe(
      `The vault "${gone}" does not exist. Check the path, or connect the disk that it is on.\n`,
    );
    expect(await tell('import', gone, '--vault', vault)).toContain(
      'does not exist. Choose a .jsonl file or folder that Savepoint has exported;',
    );
    expect(await tell('import', out, '--vault', gone)).toContain('does not exist');
    expect(await tell('import', join(out, 'README.md'), '--vault', vault)).toContain(
      '"README.md" contains nothing that can be imported. Choose a .jsonl file or folder',
    );
    expect(existsSync(gone)).toBe(false);
  });
});

// Tier full: installs the program again and again
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  installProgram,
  launcherPath,
  updateProgram,
} from '../../../src/node/install/install-program.js';
import { runProgram } from '../../fakes/program.js';
import { createFolder, node } from '../folders.js';

const TABLE = '!#, 16OP9{}';

let state: string;
let source: string;

beforeEach(() => {
  state = join(createFolder(), 'state');
  source = createFolder();
});

/**
 * Writes a program whose parts print their names, its version and the arguments, with an embedding
 * table.
 */
function writeProgram(version: string, more = ''): { file: string; version: string } {
  const file = join(source, 'main.js');
  const part = (name: string, end: string) =>
    `var ${name}=()=>({${name}Part:()=>({run:(args)=>{console.log('${name} ${version}',...args${end});return Promise.resolve(args.includes('wrong')?3:0)}})});/*${name}:${name}*/`;
  const table = `var table=()=>/*table*/"${TABLE}";`;
  writeFileSync(
    file,
    `${part('hook', '')}${table}${part('command', ',table()')}module.exports=command().commandPart();${more}`,
  );
  return { file, version };
}

const install = (version: string, more?: string) =>
  installProgram(node, state, writeProgram(version, more));
const versions = () =>
  readdirSync(join(state, 'program'))
    .filter((name) => /^\d/.test(name))
    .map((name) => name.replace(/-[0-9a-f]{8}$/, ''))
    .sort();
/** Returns the folder of the first version. */
function versionFolder(): string {
  const [version = ''] = readdirSync(join(state, 'program')).filter((name) => /^1/.test(name));
  return join(state, 'program', version);
}
const run = (...args: string[]) =>
  runProgram(args, { program: launcherPath(node, state) }).then(({ code, stdout, stderr }) => ({
    code,
    stdout: stdout.trim(),
    stderr,
  }));

describe('an installed program', () => {
  it('starts although its compiled code is damaged', async () => {
    await install('1.0.0');
    const good = { code: 0, stdout: `command 1.0.0 mcp ${TABLE}`, stderr: '' };
    expect(await run('mcp')).toEqual(good);
    const cache = join(versionFolder(), 'cache', 'mcp');
    const whole = readFileSync(cache);
    for (const from of [0, 40, 400]) {
      const damaged = Buffer.from(whole);
      damaged.fill(0x5a, from, from + 64);
      writeFileSync(cache, damaged);
      expect(await run('mcp')).toEqual(good);
      expect(readFileSync(cache).equals(damaged)).toBe(false); // written again
    }
  });

  it('does without compiled code with which a start died, and replaces it', async () => {
    await install('1.0.0');
    await run('mcp');
    const cache = join(versionFolder(), 'cache', 'mcp');
    writeFileSync(cache, 'deadly');
    writeFileSync(`${cache}.starting`, '');
    expect(await run('mcp')).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(dirname(cache))).toEqual(['mcp']);
    expect(readFileSync(cache, 'utf8')).not.toBe('deadly');
    expect(await run('mcp')).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(dirname(cache))).toEqual(['mcp']);
  });

  it.each(['', 'nothing', undefined])(
    'says how to repair it if "current" is %j',
    async (current) => {
      const launcher = await install('1.0.0');
      const file = join(dirname(launcher), 'current');
      if (current === undefined) rmSync(file);
      else writeFileSync(file, current);
      const { code, stderr } = await run('mcp');
      expect(code).toBe(1);
      expect(stderr.trim().split('\n')).toEqual([
        expect.stringMatching(/^Savepoint cannot start from .*run "savepoint connect" again/),
      ]);
      expect(await run('hook', 'turn')).toMatchObject({ code: 0, stderr: '' });
    },
  );

  it('runs from a launcher that does not depend on the source folder', async () => {
    const launcher = await install('1.0.0');
    expect(launcher).toBe(join(state, 'program', 'savepoint.js'));
    rmSync(source, { recursive: true });
    for (let start = 0; start < 3; start++)
      expect(await run('mcp', 'a b')).toEqual({
        code: 0,
        stdout: `command 1.0.0 mcp a b ${TABLE}`,
        stderr: '',
      });
    expect(await run('hook', 'turn')).toMatchObject({ stdout: 'hook 1.0.0 hook turn' });
    expect(await run('unknown', 'wrong')).toMatchObject({ code: 3 });
    expect(readdirSync(join(versionFolder(), 'cache')).sort()).toEqual(['hook-turn', 'mcp']);
  });

  it('has parts without the embedding table, which they read from the program', async () => {
    await install('1.0.0');
    for (const part of ['hook', 'command'])
      expect(readFileSync(join(versionFolder(), `${part}.js`), 'utf8')).not.toContain(TABLE);
    expect(readFileSync(join(versionFolder(), 'main.js'), 'utf8')).toContain(TABLE);
  });

  it('runs whole if the build has not marked its parts', async () => {
    const { file, version } = writeProgram('1.0.0');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/\/\*\w+:\w+\*\//g, ''));
    await installProgram(node, state, { file, version });
    expect(await run('x')).toMatchObject({ stdout: `command 1.0.0 x ${TABLE}` });
  });

  it('is replaced by a newer one, and the version before is kept', async () => {
    for (const version of ['1.0.0', '1.0.1', '1.1.0']) await install(version);
    expect(await run('x')).toMatchObject({ stdout: `command 1.1.0 x ${TABLE}` });
    expect(versions()).toEqual(['1.0.1', '1.1.0']);
  });

  it('is not replaced by an older one', async () => {
    await install('1.10.0');
    await install('1.9.0');
    expect(await run('x')).toMatchObject({ stdout: `command 1.10.0 x ${TABLE}` });
  });

  it('is replaced by another build of the same version', async () => {
    await install('1.0.0');
    await install('1.0.0', '//');
    expect(versions()).toEqual(['1.0.0', '1.0.0']);
    await install('1.0.0', '//');
    expect(versions()).toEqual(['1.0.0', '1.0.0']);
  });

  it('can install the plugin, because its other files are copied', async () => {
    writeFileSync(join(source, 'manifest.json'), '{}');
    await install('1.0.0');
    expect(existsSync(join(versionFolder(), 'manifest.json'))).toBe(true);
  });

  it('is repaired by installing it again', async () => {
    const launcher = await install('1.0.0');
    writeFileSync(launcher, 'broken(');
    writeFileSync(join(dirname(launcher), 'current'), 'nothing');
    await install('1.0.0');
    expect(await run('x')).toMatchObject({ stdout: `command 1.0.0 x ${TABLE}` });
  });

  it('installs itself without change', async () => {
    const launcher = await install('1.0.0');
    const current = readFileSync(join(dirname(launcher), 'current'), 'utf8').trim();
    const file = join(dirname(launcher), current, 'main.js');
    expect(await installProgram(node, state, { file, version: '1.0.0' })).toBe(launcher);
    expect(versions()).toEqual(['1.0.0']);
  });

  it('never fails a hook, even if it is damaged', async () => {
    const launcher = await install('1.0.0');
    rmSync(join(dirname(launcher), 'current'));
    expect(await run('hook', 'turn')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await run('mcp')).stderr).toContain('current');
  });
});

it('updateProgram replaces an earlier version, and installs nothing by itself', async () => {
  await updateProgram(node, state, writeProgram('1.0.0'));
  expect(existsSync(state)).toBe(false);
  await install('1.0.0');
  await updateProgram(node, state, writeProgram('1.1.0'));
  expect(await run('x')).toMatchObject({ stdout: `command 1.1.0 x ${TABLE}` });
});

it('installProgram says what to do if the folder cannot be used', async () => {
  mkdirSync(state, { mode: 0o700 });
  writeFileSync(join(state, 'program'), '');
  await expect(install('1.0.0')).rejects.toThrow(
    /^Savepoint cannot be installed in .*program \(EEXIST\)\. Let this user write there/,
  );
});

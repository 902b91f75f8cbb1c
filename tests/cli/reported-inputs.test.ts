// Tier full: starts the program for each input
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, runProgram, temporaryFolder } from '../fakes/program.js';
import { readReport } from '../fakes/reports/read-report.js';
import { garden, stateNamed } from '../fakes/test-vault.js';

interface Request {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

function createVault() {
  const [vault, state] = [temporaryFolder('vault'), temporaryFolder('state')];
  mkdirSync(join(vault, '.obsidian'));
  const run = async (...args: string[]) => {
    const places = ['--vault', vault, ...(args[0] === 'doctor' ? [] : ['--state', state])];
    const env = { ...process.env, SAVEPOINT_STATE: state, PATH: '' };
    const { code, stdout, stderr } = await runProgram([...args, ...places], { env });
    return { code, text: stdout + stderr };
  };
  return { vault, state, run };
}

const request = (name: string) => JSON.parse(readReport(`mcp/${name}.json`)) as Request;

describe('an MCP client that sends values in a form of its own', () => {
  it('saves a number as the text that it stands for, by which it is loaded', async () => {
    const { vault, state } = createVault();
    const { call } = await connect(vault, state);
    const { name, arguments: params } = request('number-for-text');
    expect(await call(name, params)).toMatchObject({ success: true });
    for (const loaded of ['2026', 2026])
      expect(await call('loadState', { name: loaded })).toMatchObject({
        success: true,
        data: { name: '2026' },
      });
  });

  it('calls a tool whose parameters in a list are JSON text', async () => {
    const { vault, state } = createVault();
    const { call } = await connect(vault, state, '--surface', 'compact');
    const { name, arguments: params } = request('use-tools-params-as-text');
    const answer = await call(name, params);
    expect(answer).toMatchObject({ success: true });
    expect(JSON.stringify(answer)).not.toContain('"success":false');
  });

  it('gets the first page for a cursor that is null', async () => {
    const { vault, state } = createVault();
    const { client } = await connect(vault, state);
    const { params } = JSON.parse(readReport('mcp/list-cursor-null.json')) as {
      params: { cursor: string };
    };
    const { tools } = await client.listTools(params);
    expect(tools.map(({ name }) => name)).toContain('createState');
  });
});

describe('a note', () => {
  it.each([
    ['nul-byte.md', ['gardener', 'numbat']],
    ['hyphens.md', ['email', 'realtime', 'cooperate']],
  ])('%s is found by its words in each mode that needs no model', async (name, queries) => {
    const { vault, run } = createVault();
    writeFileSync(join(vault, name), readReport(`search/${name}`));
    for (const query of queries)
      for (const mode of ['keyword', 'hybrid']) {
        const { text } = await run('search', query, '--mode', mode);
        expect({ query, mode, text }).toMatchObject({
          text: expect.stringContaining(name) as string,
        });
      }
  });
});

describe('a file of the log that a sync service delivers without its content', () => {
  it.each([
    ['zeros', (size: number) => Buffer.alloc(size)],
    ['nothing', () => Buffer.alloc(0)],
  ])('(%s) is reported, and its names are not given away', async (_, contentOf) => {
    const { vault, state, run } = createVault();
    const other = await connect(vault, temporaryFolder('other device'));
    await other.call('createWorkspace', { ...garden, name: 'Shop' });
    await other.call('createState', stateNamed('Prices'));
    await other.client.close();
    const core = join(vault, 'Savepoint', 'core');
    const files = readdirSync(core, { recursive: true, encoding: 'utf8' });
    const file = join(
      core,
      files
        .filter((name) => name.endsWith('.jsonl'))
        .sort()
        .at(-1)!,
    );
    writeFileSync(file, contentOf(statSync(file).size));
    utimesSync(file, 0, 0); // a new empty file may be one that is just created
    const { text } = await run('call', 'listStates', '--workspace', 'Shop', '--json', '{}');
    expect(text).toMatch(/missing|damaged/);
    for (const command of ['verify', 'doctor']) {
      const { code, text: report } = await run(command);
      expect({ command, code, report }).toMatchObject({ code: 1 });
      expect(report).toContain(basename(file));
    }
    const { call } = await connect(vault, state);
    expect(await call('createWorkspace', { ...garden, name: 'Shop' })).toMatchObject({
      success: false,
    });
  });
});

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { allTools } from '../src/toolkit/toolset.js';
import { createScene, openLivePlugin } from './fakes/live-plugin.js';
import {
  connect,
  PROGRAM,
  runProgram,
  temporaryFolder,
  type Connection,
  type RunResult,
} from './fakes/program.js';
import { createTestVault, garden, stateNamed } from './fakes/test-vault.js';
import { canMount, growDisk, onSmallDisk } from './node/small-disk.js';

interface Place {
  readonly vault: string;
  readonly state: string;
}

const place = (): Place => ({ vault: temporaryFolder(), state: temporaryFolder('state') });

const call = (
  { vault, state }: Place,
  tool: string,
  params: unknown,
  ...more: string[]
): Promise<RunResult> =>
  runProgram([
    'call',
    tool,
    '--vault',
    vault,
    '--state',
    state,
    '--json',
    JSON.stringify(params),
    ...more,
  ]);

describe('call', () => {
  it('prints the answer as one line of JSON, exit 0 for success and 1 for a failure', async () => {
    const at = place();
    expect(await call(at, 'createState', stateNamed('Plan'))).toEqual({
      code: 0,
      stdout: '{"success":true}\n',
      stderr: '',
    });
    const failed = await call(at, 'loadState', { name: 'None' });
    expect(failed).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(failed.stdout)).toEqual({
      success: false,
      error: 'State "None" not found. Use listStates to see available states.',
    });
  });

  it('reads the parameters from standard input, and takes none for none', async () => {
    const { vault, state } = place();
    const args = (tool: string) => ['call', tool, '--vault', vault, '--state', state];
    expect(
      await runProgram(args('createState'), { input: JSON.stringify(stateNamed('Piped')) }),
    ).toMatchObject({ code: 0 });
    expect((await runProgram(args('listStates'))).stdout).toBe(
      '{"success":true,"data":[{"name":"Piped"}]}\n',
    );
  });

  it('takes the workspace and the session from its options', async () => {
    const at = place();
    await call(at, 'createWorkspace', garden);
    await call(
      at,
      'createState',
      stateNamed('Inside'),
      '--workspace',
      'garden',
      '--session',
      'terminal-7',
    );
    const { stdout } = await call(at, 'loadWorkspace', { name: 'Garden' });
    expect(JSON.parse(stdout)).toMatchObject({
      data: {
        states: [{ name: 'Inside' }],
        recentActivity: [{ tool: 'createState', sessionId: 'terminal-7' }],
      },
    });
  });

  it('goes on with the writers it laid down: ten calls leave one segment a lane', async () => {
    const at = place();
    for (let index = 0; index < 10; index++) await call(at, 'createState', stateNamed(`S${index}`));
    for (const lane of ['core', 'trace']) {
      const [month] = readdirSync(join(at.vault, 'Savepoint', lane));
      expect(readdirSync(join(at.vault, 'Savepoint', lane, month!))).toHaveLength(1);
    }
  });

  it('writes nothing in the vault but the data folder and the root folder of a new workspace', async () => {
    const at = place();
    await call(at, 'createState', stateNamed('Plan'));
    await call(at, 'createWorkspace', garden);
    expect(readdirSync(at.vault).sort()).toEqual(['Garden', 'Savepoint']);
    expect(readdirSync(join(at.vault, 'Savepoint')).sort()).toEqual(['README.md', 'core', 'trace']);
  });
});

describe('restore', () => {
  it('takes a state out of the archive, and says what it cannot', async () => {
    const at = place();
    await call(at, 'createState', stateNamed('Plan'));
    await call(at, 'archiveState', { name: 'Plan' });
    const restore = (...args: string[]) =>
      runProgram(['restore', ...args, '--vault', at.vault, '--state', at.state]);
    expect(await restore('plan')).toEqual({
      code: 0,
      stdout: 'Restored "plan" in Default.\n',
      stderr: '',
    });
    expect((await call(at, 'listStates', {})).stdout).toBe(
      '{"success":true,"data":[{"name":"Plan"}]}\n',
    );
    expect(await restore('Plan')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'State "Plan" is not archived. There is nothing to restore.\n',
    });
    expect(await restore('Plam')).toMatchObject({
      code: 1,
      stderr:
        'State "Plam" not found. Use listStates to see available states. Did you mean "Plan"?\n',
    });
    expect(await restore('Plan', '--workspace', 'None')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Workspace "None" not found.') as string,
    });
    expect(await restore()).toMatchObject({ code: 2 });
  });
});

describe('wrong usage', () => {
  it.each([
    [[], 'Say what to do.'],
    [['fly'], 'There is no command "fly".'],
    [['__proto__'], 'There is no command "__proto__".'],
    [['call'], 'Name the tool to call, such as listStates.'],
    [['call', 'listStates'], 'call needs --vault DIR, the folder that holds the notes.'],
    [['call', 'listStates', 'twice', '--vault', '.'], '"twice" is one word too many for call.'],
    [
      ['call', 'listStates', '--vault', '.', '--json', '{"a":'],
      'The parameters are not valid JSON',
    ],
    [['mcp'], 'mcp needs --vault DIR, the folder that holds the notes.'],
    [
      ['mcp', '--vault', '.', '--surface', 'round'],
      'There is no surface "round". Valid: full, compact, actions.',
    ],
    [
      ['mcp', '--vault', '.', '--agents', 'storage,post'],
      'There is no agent "post" to switch on. Valid: storage, ',
    ],
    [
      ['connect', '--vault', '.', '--agents', 'post'],
      'There is no agent "post" to switch on. Valid: storage, ',
    ],
    [['tools', '--agents', ''], 'There is no agent "" to switch on. Valid: storage, '],
    [
      ['tools', '--agents', '__proto__'],
      'There is no agent "__proto__" to switch on. Valid: storage, ',
    ],
    [['tools', '--vault', '.'], "Unknown option '--vault'."],
    [['export', '--vault', '.'], 'export needs --to DIR, a folder that is new or empty.'],
    [['export', '--to', 'x'], 'export needs --vault DIR, the folder that holds the notes.'],
    [
      ['export', '--vault', '.', '--to', 'x', '--as', 'pdf'],
      'There is no export as "pdf". Valid: jsonl, notes.',
    ],
    [['export', 'x', '--vault', '.', '--to', 'x'], '"x" is one word too many for export.'],
    [
      ['import', '--vault', '.'],
      'Name the file or folder to import, such as savepoint-export.jsonl.',
    ],
    [['import', 'x'], 'import needs --vault DIR, the folder that holds the notes.'],
    [['import', 'x', 'y', '--vault', '.'], '"y" is one word too many for import.'],
    [['import', 'x', '--vault', '.', '--force'], "Unknown option '--force'."],
    [['verify', '--vault'], "Option '--vault <value>' argument missing."],
  ])(
    '%j exits with 2, says what is wrong, and shows the usage on standard error',
    async (args, text) => {
      const { code, stdout, stderr } = await runProgram(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr.startsWith(text)).toBe(true);
      expect(stderr).toContain('Usage: savepoint <command>');
    },
  );
});

describe('help, version and tools', () => {
  it.each([['help'], ['--help'], ['-h']])('%s prints the usage', async (name) => {
    expect(await runProgram([name])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Usage: savepoint <command>') as string,
      stderr: '',
    });
  });

  it('run from bin/savepoint.js too', () => {
    const bin = fileURLToPath(new URL('../bin/savepoint.js', import.meta.url));
    expect(execFileSync(process.execPath, [bin, 'version'], { encoding: 'utf8' })).toBe('0.1.0\n');
    expect(() => execFileSync(process.execPath, [bin, 'fly'], { stdio: 'pipe' })).toThrow(
      expect.objectContaining({ status: 2 }) as Error,
    );
  });

  it('tell of every tool, for people and as JSON', async () => {
    const all = allTools(createTestVault().toolset).map(({ tool }) => tool.name);
    expect(namesIn((await runProgram(['tools'])).stdout)).toEqual(all);
    const facts = JSON.parse((await runProgram(['tools', '--json'])).stdout) as {
      name: string;
      failures: unknown;
      examples: unknown[];
    }[];
    expect(facts.map(({ name }) => name)).toContain('createState');
    for (const { examples } of facts) expect(examples.length).toBeGreaterThan(0);
  });

  it('tell of the tools as a client of a surface sees them, and of those of some agents', async () => {
    expect(namesIn((await runProgram(['tools', '--surface', 'compact'])).stdout)).toEqual([
      'getTools',
      'useTools',
    ]);
    const { stdout } = await runProgram([
      'tools',
      '--surface',
      'actions',
      '--agents',
      'storage',
      '--json',
    ]);
    const listed = JSON.parse(stdout) as { name: string; inputSchema: { required: string[] } }[];
    expect(listed.map(({ name }) => name)).toEqual(['workspace', 'state', 'search', 'storage']);
    for (const { inputSchema } of listed) expect(inputSchema.required[0]).toBe('action');
    expect(namesIn((await runProgram(['tools', '--surface', 'full'])).stdout)).not.toContain(
      'workspaceStorageList',
    );
    expect(namesIn((await runProgram(['tools', '--agents', 'none'])).stdout)).not.toContain(
      'workspaceStorageList',
    );
  });
});

function namesIn(stdout: string): (string | undefined)[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0]);
}

describe('the agents beside memory and search', () => {
  const BY_SETTINGS =
    'The tools of storageManager are switched off. The person can turn them on in Obsidian';
  const byConnection = (agents: string) =>
    `The tools of storageManager are switched off for this connection. The person can turn them on by starting Savepoint with --agents ${agents}.`;
  const listFiles = { calls: [{ agent: 'storageManager', tool: 'workspaceStorageList' }] };

  function choose(vault: string, furtherAgents: Record<string, boolean>): void {
    const folder = join(vault, '.obsidian/plugins/savepoint');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'data.json'), JSON.stringify({ furtherAgents }));
  }

  const listed = async ({ client }: Connection) =>
    (await client.listTools()).tools.map(({ name }) => name);

  it('are listed by what is usual for the surface, or as --agents says', async () => {
    const { vault, state } = place();
    const names = async (...args: string[]) => listed(await connect(vault, state, ...args));
    expect(await names()).not.toContain('workspaceStorageList');
    expect(await names('--agents', 'index,storage')).toContain('workspaceStorageList');
    expect(await names('--surface', 'actions')).toContain('storage');
    expect(await names('--surface', 'actions', '--agents', 'index')).toEqual([
      'workspace',
      'state',
      'search',
      'index',
    ]);
    choose(vault, { storage: true });
    expect(await names()).toContain('workspaceStorageList');
    choose(vault, { storage: false });
    expect(await names('--surface', 'actions')).not.toContain('storage');
    expect(await names('--agents', 'all')).not.toContain('workspaceStorageList');
  });

  it('are refused where the connection is not given them, by whichever way they are called', async () => {
    const { vault, state } = place();
    const full = await connect(vault, state);
    expect(await full.call('workspaceStorageList')).toEqual({
      success: false,
      error: byConnection('storage'),
    });
    expect(await full.call('useTools', listFiles)).toEqual({
      success: false,
      error: byConnection('storage'),
    });
    const actions = await connect(vault, state, '--surface', 'actions', '--agents', 'index');
    expect(await actions.call('storage', { action: 'workspaceList' })).toEqual({
      success: false,
      error: byConnection('index,storage'),
    });
    const compact = await connect(vault, state, '--surface', 'compact', '--agents', 'none');
    expect(await compact.call('useTools', listFiles)).toEqual({
      success: false,
      error: byConnection('storage'),
    });
    expect(JSON.stringify(await compact.call('getTools'))).not.toContain('workspaceStorageList');
  });

  it('are refused by a plugin that has the vault open too, where the connection is not given them', async () => {
    const scene = createScene();
    const { calls } = await openLivePlugin(scene);
    const compact = await connect(
      scene.vault,
      scene.state,
      '--surface',
      'compact',
      '--agents',
      'index',
    );
    expect(await compact.call('useTools', listFiles)).toEqual({
      success: false,
      error: byConnection('index,storage'),
    });
    expect(calls).toHaveLength(1);
  });

  it('follow what is switched in the settings while the program serves', async () => {
    const { vault, state } = place();
    const connection = await connect(vault, state, '--agents', 'all');
    expect(await connection.call('workspaceStorageList')).toMatchObject({ success: true });
    choose(vault, { storage: false });
    expect(await connection.call('workspaceStorageList')).toMatchObject({
      error: expect.stringContaining(BY_SETTINGS) as string,
    });
    expect(await connection.call('useTools', listFiles)).toMatchObject({
      error: expect.stringContaining(BY_SETTINGS) as string,
    });
    choose(vault, {});
    expect(await connection.call('workspaceStorageList')).toMatchObject({ success: true });
  });
});

describe('verify', () => {
  it('exits 0 while nothing is missing, and says what is there', async () => {
    const at = place();
    await call(at, 'createState', stateNamed('Plan'));
    const { code, stdout } = await runProgram(['verify', '--vault', at.vault]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^5 events from 2 writers, digest [0-9a-f]{16}\n[\s\S]*Nothing is missing\.\n$/,
    );
    const json = JSON.parse(
      (await runProgram(['verify', '--vault', at.vault, '--json'])).stdout,
    ) as Record<string, unknown>;
    expect(json).toMatchObject({ events: 5, isWhole: true, problems: [] });
  });

  it('exits 1 when an event is missing, names the gap and what to do', async () => {
    const at = place();
    for (const name of ['A', 'B', 'C']) await call(at, 'createState', stateNamed(name));
    const folder = join(
      at.vault,
      'Savepoint',
      'core',
      readdirSync(join(at.vault, 'Savepoint', 'core'))[0]!,
    );
    const file = join(folder, readdirSync(folder)[0]!);
    const lines = readFileSync(file, 'utf8').split('\n');
    writeFileSync(file, [...lines.slice(0, 3), ...lines.slice(4)].join('\n'));
    const { code, stdout } = await runProgram(['verify', '--vault', at.vault]);
    expect(code).toBe(1);
    expect(stdout).toContain('missing 4');
    expect(stdout).toContain('Let every device sync, then verify again');
  });

  it('says in JSON too what each kind of finding means, and what to do', async () => {
    const at = place();
    await call(at, 'createState', stateNamed('Plan'));
    mkdirSync(join(at.vault, 'Savepoint/core/x'), { recursive: true });
    writeFileSync(join(at.vault, 'Savepoint/core/x/notes.jsonl'), 'one\ntwo\n');
    const { stdout } = await runProgram(['verify', '--vault', at.vault, '--json']);
    const { findings } = JSON.parse(stdout) as { findings: Record<string, unknown>[] };
    expect(findings).toEqual([
      {
        kind: 'damaged',
        count: 2,
        places: [{ name: 'Savepoint/core/x/notes.jsonl', count: 2, detail: 'at byte 0' }],
        means: expect.any(String) as string,
        advice: expect.any(String) as string,
      },
    ]);
  });

  it('writes nothing', async () => {
    const { vault } = place();
    expect(await runProgram(['verify', '--vault', vault])).toMatchObject({ code: 0 });
    expect(readdirSync(vault)).toEqual([]);
  });
});

describe('export and import', () => {
  const digestOf = async (vault: string) =>
    (
      JSON.parse((await runProgram(['verify', '--vault', vault, '--json'])).stdout) as {
        digest: string;
      }
    ).digest;

  /** A vault with a workspace and two states, exported. */
  async function exported(): Promise<Place & { out: string; file: string }> {
    const at = place();
    const out = join(temporaryFolder('export'), 'out');
    await call(at, 'createWorkspace', garden);
    for (const name of ['One', 'Two'])
      await call(at, 'createState', stateNamed(name), '--workspace', 'Garden');
    expect(await runProgram(['export', '--vault', at.vault, '--to', out])).toEqual({
      code: 0,
      stdout: `Exported 9 events to ${out}.\n`,
      stderr: '',
    });
    const [file] = readdirSync(out).filter((name) => name.endsWith('.jsonl'));
    return { ...at, out, file: join(out, file!) };
  }

  it('carry a memory into an empty vault, and a second time add nothing', async () => {
    const { vault, out, file } = await exported();
    const target = place();
    const load = (from: string, ...more: string[]) =>
      runProgram(['import', from, '--vault', target.vault, ...more]);
    expect(await load(file, '--dry-run')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/9 new, 0 already[\s\S]*nothing was written/) as string,
    });
    expect(readdirSync(target.vault)).toEqual([]);
    expect(await load(out)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^9 events read: 9 new, 0 already here\.\nWrote 2 files, such as Savepoint[\s\S]*on the disk\.\n$/,
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
      lost: 0,
      badLines: [],
      files: [],
      isWhole: true,
    });
    expect(
      (await call(target, 'loadState', { name: 'one' }, '--workspace', 'Garden')).stdout,
    ).toContain('"name":"One"');
  });

  it('are seen by a running server at its next call', async () => {
    const { file } = await exported();
    const { vault, state } = place();
    const { call: ask } = await connect(vault, state);
    expect(await ask('listWorkspaces')).toMatchObject({ data: [{ name: 'Default' }] });
    expect(await runProgram(['import', file, '--vault', vault])).toMatchObject({ code: 0 });
    expect(await ask('listWorkspaces')).toMatchObject({
      data: [{ name: 'Default' }, { name: 'Garden' }],
    });
    expect(await ask('createState', stateNamed('Mine'))).toEqual({ success: true });
    expect(await runProgram(['verify', '--vault', vault])).toMatchObject({ code: 0 });
  });

  it('into another vault needs --merge', async () => {
    const { file } = await exported();
    const other = place();
    await call(other, 'createState', stateNamed('Mine'));
    const refused = await runProgram(['import', file, '--vault', other.vault]);
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^This is an export of another vault \(\w{16}\), .* give --merge .*\n$/,
      ) as string,
    });
    expect(await runProgram(['import', file, '--vault', other.vault, '--merge'])).toMatchObject({
      code: 0,
    });
    expect((await call(other, 'listStates', {})).stdout).toContain('Mine');
    expect((await call(other, 'listStates', {}, '--workspace', 'Garden')).stdout).toContain('One');
  });

  it('of a damaged file take what is good, name each bad line, and exit 1', async () => {
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
    expect(stdout).toContain('The export was made with 3 events more');
  });

  it('as notes make a folder that people can read, from the strangest names', async () => {
    const at = place();
    const names = ['<img src=x onerror=alert(1)>', '../../x', 'con', '.hidden'];
    for (const name of names) {
      expect(
        await call(at, 'createWorkspace', { ...garden, name, rootFolder: 'Garden' }),
      ).toMatchObject({ code: 0 });
      expect(await call(at, 'createState', stateNamed(name), '--workspace', name)).toMatchObject({
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

  it('say in one sentence what is in the way, and write nothing', async () => {
    const { vault, out } = await exported();
    const tell = async (...args: string[]) => {
      const { code, stdout, stderr } = await runProgram(args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      return stderr;
    };
    const gone = join(temporaryFolder(), 'gone');
    expect(await tell('export', '--vault', vault, '--to', out)).toBe(
      `The folder "${out}" is not empty. Give --to a folder that is new or empty.\n`,
    );
    expect(
      await tell('export', '--vault', vault, '--to', join(vault, 'Savepoint/core/x')),
    ).toContain('is in the folder where Savepoint keeps its data');
    expect(await tell('export', '--vault', temporaryFolder(), '--to', gone)).toContain(
      'holds no memory yet: there is nothing to export',
    );
    expect(await tell('export', '--vault', gone, '--to', gone)).toBe(
      `The vault "${gone}" does not exist. Check the path, or connect the disk that it is on.\n`,
    );
    expect(await tell('import', gone, '--vault', vault)).toContain(
      'does not exist. Give the file or folder that "savepoint export" has written.',
    );
    expect(await tell('import', out, '--vault', gone)).toContain('does not exist');
    expect(await tell('import', join(out, 'README.md'), '--vault', vault)).toContain(
      '"README.md" holds no event of Savepoint.',
    );
    expect(existsSync(gone)).toBe(false);
  });
});

describe('a vault that cannot be used', () => {
  it('that does not exist gets a clear answer, from call and from verify', async () => {
    const at = { vault: join(temporaryFolder(), 'gone'), state: temporaryFolder('state') };
    const text = `The vault "${at.vault}" does not exist. Check the path, or connect the disk that it is on.`;
    expect(JSON.parse((await call(at, 'listStates', {})).stdout)).toEqual({
      success: false,
      error: text,
    });
    expect(JSON.parse((await call(at, 'createState', stateNamed('X'))).stdout)).toEqual({
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

  it('that is a file gets a clear answer', async () => {
    const at = { vault: join(temporaryFolder(), 'note.md'), state: temporaryFolder('state') };
    writeFileSync(at.vault, 'text');
    expect((await call(at, 'createState', stateNamed('X'))).stdout).toContain(
      'is a file, not a folder. Give the folder that holds the notes.',
    );
  });

  it('that comes later is used then: the server lives on', async () => {
    const vault = join(temporaryFolder(), 'later');
    const { call: ask } = await connect(vault, temporaryFolder('state'));
    expect(await ask('listStates')).toMatchObject({
      success: false,
      error: expect.stringContaining('does not exist') as string,
    });
    mkdirSync(vault);
    expect(await ask('createState', stateNamed('Now'))).toEqual({ success: true });
    expect(await ask('listStates')).toEqual({ success: true, data: [{ name: 'Now' }] });
  });

  it('that is read-only can be read, and says so when it should be written', async () => {
    const at = place();
    await call(at, 'createState', stateNamed('Plan'));
    execFileSync('chmod', ['-R', 'a=rX', at.vault]);
    // Root may write everywhere, so as root the program runs as nobody, from where nobody may read it.
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
    expect((await run('listStates', {})).stdout).toBe(
      '{"success":true,"data":[{"name":"Plan"}]}\n',
    );
    expect(JSON.parse((await run('createState', stateNamed('X'))).stdout)).toEqual({
      success: false,
      error: expect.stringMatching(
        /no permission \(EACCES\)\. Make the vault folder readable and writable/,
      ) as string,
    });
    execFileSync('chmod', ['-R', 'u+w', at.vault]);
  });

  it.skipIf(!canMount())(
    'that is on a full disk says so, keeps what was acknowledged, and goes on when there is room',
    async () => {
      await onSmallDisk(async (vault) => {
        const state = temporaryFolder('state');
        const { call: ask, client } = await connect(vault, state);
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
        expect(await ask('createState', stateNamed('After'))).toEqual({ success: true });
        expect(await shown()).toEqual([...kept, 'After']);
        await client.close();
        const { stdout } = await call({ vault, state }, 'listStates', {});
        expect((JSON.parse(stdout) as { data: unknown[] }).data).toHaveLength(kept.length + 1);
      });
    },
  );

  it('with a link that leads out of it does not let a root folder follow', async () => {
    const at = place();
    const outside = temporaryFolder('outside');
    symlinkSync(outside, join(at.vault, 'Linked'));
    for (const rootFolder of ['Linked', 'Linked/deeper']) {
      const { stdout } = await call(at, 'createWorkspace', { ...garden, rootFolder });
      expect(JSON.parse(stdout)).toEqual({
        success: false,
        error: `rootFolder "${rootFolder}" leads outside the vault through a link. Choose a folder of your own in the vault, such as "Projects/Alpha".`,
      });
    }
    expect(readdirSync(outside)).toEqual([]);
    expect(statSync(at.vault).isDirectory()).toBe(true);
  });
});

describe('what the person allows AI apps in Obsidian', () => {
  it('holds with Obsidian closed, for all and by name, and not for the person at the shell', async () => {
    const at = place();
    const settings = join(at.vault, '.obsidian/plugins/savepoint/data.json');
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, JSON.stringify({ readOnlyClients: ['savepoint-tests'] }));
    const { call: callAsClient } = await connect(at.vault, at.state);
    expect(await callAsClient('createState', stateNamed('Plan'))).toMatchObject({
      success: false,
      error: expect.stringContaining('"savepoint-tests" may only read this memory.') as string,
    });
    expect(await callAsClient('listStates')).toEqual({ success: true, data: [] });
    writeFileSync(settings, JSON.stringify({ isReadOnly: true }));
    expect(await callAsClient('createState', stateNamed('Plan'))).toMatchObject({
      error: expect.stringContaining('AI apps may only read') as string,
    });
    expect(await call(at, 'createState', stateNamed('Plan'))).toMatchObject({ code: 0 });
    writeFileSync(settings, '{}');
    expect(await callAsClient('createState', stateNamed('Plan 2'))).toEqual({ success: true });
  });
});

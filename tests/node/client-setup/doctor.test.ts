import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { configCandidates, type HostEnvironment } from '../../../src/node/client-setup/clients.js';
import { doctorText } from '../../../src/node/client-setup/connect-texts.js';
import { diagnose, type DoctorReport } from '../../../src/node/client-setup/doctor.js';
import { ipcLocation, startIpcServer } from '../../../src/node/serve/ipc-server.js';
import { vaultStateFolder } from '../../../src/node/ports/state-folder.js';
import { PROGRAM, runProgram } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { createFolder, node } from '../folders.js';
import { inFull } from '../../tier.js';

const itInFull = it.runIf(inFull('further findings of the doctor'));

let home: string;
let vault: string;
let state: string;
let host: HostEnvironment;
let version: string;

beforeEach(async () => {
  home = createFolder();
  vault = join(home, 'vault');
  state = join(home, 'state');
  mkdirSync(join(vault, '.obsidian'), { recursive: true });
  mkdirSync(join(home, '.cursor'));
  mkdirSync(join(home, 'run'), { mode: 0o700 });
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    SAVEPOINT_STATE: state,
    XDG_RUNTIME_DIR: join(home, 'run'),
  };
  host = { platform: process.platform, env, home, execPath: process.execPath };
  version = (await runProgram(['version'])).stdout.trim();
});

const look = (only?: string) =>
  diagnose(node, host, { vault: only, version, dataFolder: 'Savepoint' });
const fileOf = (client: string) =>
  configCandidates(node.path, host, []).find(({ app }) => app.id === client)?.file ?? '';
const configure = (folder = vault, program = PROGRAM, more: readonly string[] = []) =>
  writeFileSync(
    fileOf('cursor'),
    JSON.stringify({
      mcpServers: {
        savepoint: {
          command: process.execPath,
          args: [program, 'mcp', '--vault', folder, ...more],
        },
      },
    }),
  );
const checks = ({ vaults }: DoctorReport) =>
  Object.fromEntries(vaults.flatMap((each) => each.checks.map((check) => [check.name, check])));
const bad = (report: DoctorReport) => [
  ...report.entries.flatMap(({ steps }) =>
    steps.filter(({ isOk: isDone }) => !isDone).map(({ step }) => step),
  ),
  ...report.vaults.flatMap((each) =>
    each.checks.filter(({ isOk: isWell }) => !isWell).map(({ name }) => name),
  ),
];
const ownFolder = () => vaultStateFolder(node, state, vault);

describe('diagnose', () => {
  it('finds no problem in a working setup', async () => {
    configure();
    const report = await look();
    expect([report.isOk, report.advice, bad(report)]).toEqual([true, [], []]);
    expect(checks(report)).toMatchObject({
      'state folder': { text: state }, // created by the program that the check started
      Obsidian: { text: 'does not have this vault open; calls are answered from the folder' },
      memory: { text: 'Savepoint/ is empty or does not exist yet' },
    });
    expect(doctorText(report)).toMatch(
      /Cursor: "savepoint" for .*\n {2}ok {2}node [^]*All connections work\.\n$/,
    );
  });

  it('advises how to start if nothing is connected, which is no fault', async () => {
    const report = await look();
    expect(report).toEqual({
      isOk: true,
      entries: [],
      vaults: [],
      packages: [],
      capture: [],
      advice: [expect.stringContaining('savepoint connect --vault DIR')],
    });
    expect(doctorText(report)).toMatch(/^No client on this machine is connected yet\. Run .*\.\n$/);
  });

  itInFull('names the entries of other vaults if the given one has none', async () => {
    configure();
    const other = join(home, 'other');
    mkdirSync(join(other, '.obsidian'), { recursive: true });
    const report = await look(other);
    expect(report.isOk).toBe(true);
    expect(report.advice).toEqual([
      expect.stringContaining(`Other vaults are connected: Cursor: "savepoint" is for ${vault}.`),
    ]);
    expect(bad(await look(join(home, 'gone')))).toEqual(['vault']);
  });

  itInFull('reports a memory that was removed as a whole', async () => {
    configure();
    const params = JSON.stringify(stateNamed('Plan'));
    const places = ['--vault', vault, '--state', state];
    expect(await runProgram(['call', 'createState', ...places, '--json', params])).toMatchObject({
      code: 0,
    });
    rmSync(join(vault, 'Savepoint'), { recursive: true });
    const report = await look();
    expect(bad(report)).toEqual(['memory']);
    expect(checks(report)).toMatchObject({
      memory: {
        text: expect.stringContaining('removed') as string,
        fix: `run "savepoint verify --vault ${vault}" for details`,
      },
    });
  });

  it('reports excluded folders and permissions that are not understood', async () => {
    configure();
    const folder = join(vault, '.obsidian/plugins/savepoint');
    mkdirSync(folder, { recursive: true });
    const excludedFolders = ['Diary', { path: 'Private' }];
    const settings = { excludedFolders, isReadOnly: 'true', otherClients: 'none' };
    writeFileSync(join(folder, 'data.json'), JSON.stringify(settings));
    const report = await look();
    expect(bad(report)).toEqual(['excluded folders', 'permissions']);
    expect(checks(report)).toMatchObject({
      permissions: {
        text: 'isReadOnly, otherClients in the settings cannot be understood, so what they may forbid is forbidden.',
      },
    });
  });

  it('checks an entry that names no vault, or names it in a variable', async () => {
    const command = [process.execPath, PROGRAM, 'mcp'] as const;
    const write = (env: object) => {
      const entry = { command: command[0], args: command.slice(1), env };
      writeFileSync(fileOf('cursor'), JSON.stringify({ mcpServers: { savepoint: entry } }));
    };
    write({});
    const found = await look();
    expect(doctorText(found)).toContain('Cursor: "savepoint", which names no vault (');
    expect([bad(found), found.vaults]).toEqual([['tools/call'], []]);
    write({ SAVEPOINT_VAULT: vault });
    expect(await look(vault)).toMatchObject({ isOk: true, entries: [{ vault }], advice: [] });
  });

  it('names the step that fails', async () => {
    configure(vault, join(home, 'gone.js'));
    const report = await look();
    expect(bad(report)).toEqual(['program']);
    expect(doctorText(report)).toContain(`and run "savepoint connect cursor --vault ${vault}".`);
    const gone = join(home, 'gone');
    configure(gone);
    const moved = await look(gone);
    expect(bad(moved)).toEqual(['vault', 'vault']);
    expect(doctorText(moved)).toContain(`run "savepoint connect cursor --undo --vault ${gone}"`);
  });

  itInFull('names the position in a malformed file, and checks the others', async () => {
    configure();
    mkdirSync(join(home, '.codex'));
    writeFileSync(fileOf('codex'), 'a = \n');
    const report = await look();
    expect(report.isOk).toBe(false);
    expect(
      report.entries.map(({ client, problem }) => [client, problem.includes('line 1, column')]),
    ).toEqual([
      ['cursor', false],
      ['codex', true],
    ]);
    expect(doctorText(report)).not.toContain('Nothing was done');
    expect(doctorText(report)).toContain('NO  Codex cannot read its own file');
  });

  itInFull('detects whether Obsidian has the vault open', async () => {
    configure();
    const socket = await startIpcServer(
      node,
      { version: '1.0.0', ...ipcLocation(node, ownFolder(), host.env, host.platform) },
      () => Promise.reject(new Error('not called')),
      () => undefined,
    );
    expect(checks(await look())['Obsidian']?.text).toBe('has this vault open; calls go there');
    await socket.close();
  });

  it.skipIf(process.platform === 'win32')(
    'does not trust a socket that other users can reach',
    async () => {
      configure();
      const folder = join(ownFolder(), 'live');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'live.json'), '{}');
      chmodSync(folder, 0o777);
      const report = await look();
      expect(bad(report)).toEqual(['Obsidian']);
      expect(checks(report)['Obsidian']?.text).toContain('so it is not trusted');
    },
  );

  it.skipIf(process.platform === 'win32')(
    'names a state folder that other users can open',
    async () => {
      configure();
      mkdirSync(state);
      chmodSync(state, 0o777);
      const report = await look();
      expect(bad(report)).toContain('state folder');
      expect(checks(report)['state folder']).toMatchObject({
        text: expect.stringContaining(`Run chmod 700 "${state}"`) as string,
        fix: 'follow that message',
      });
    },
  );

  itInFull('names a state folder that cannot be created', async () => {
    configure();
    writeFileSync(state, '');
    const report = await look();
    expect(bad(report)).toContain('state folder');
    expect(checks(report)['state folder']).toMatchObject({
      text: `${state} is a file.`,
      fix: expect.stringContaining('SAVEPOINT_STATE') as string,
    });
  });

  itInFull(
    'names a folder that is not a vault, unless it was connected with --create',
    async () => {
      rmSync(join(vault, '.obsidian'), { recursive: true });
      configure();
      const report = await look();
      expect(bad(report)).toContain('vault');
      expect(checks(report)['vault']).toMatchObject({
        text: `This folder is not an Obsidian vault: ${vault}.`,
        fix: expect.stringContaining('with --create') as string,
      });
      configure(vault, PROGRAM, ['--create']);
      expect(bad(await look())).toEqual([]);
    },
  );

  itInFull('summarizes what verify finds', async () => {
    configure();
    for (const name of ['One', 'Two']) {
      const json = JSON.stringify(stateNamed(name));
      const place = ['--vault', vault, '--state', state];
      await runProgram(['call', 'createState', ...place, '--json', json]);
    }
    expect(checks(await look())['memory']?.text).toMatch(
      /^\d+ events from \d+ writers?; nothing is missing$/,
    );
    const data = join(vault, 'Savepoint');
    const [log = ''] = (await node.fs.readdir(data, { recursive: true })).filter((file) =>
      file.endsWith('.jsonl'),
    );
    const lines = (await node.fs.readFile(join(data, log), 'utf8')).split('\n');
    await node.fs.writeFile(join(data, log), [...lines.slice(0, 1), ...lines.slice(2)].join('\n'));
    const report = await look();
    expect(bad(report)).toEqual(['memory']);
    expect(checks(report)['memory']).toMatchObject({
      text: expect.stringContaining('missing 1') as string,
      fix: expect.stringContaining('savepoint verify') as string,
    });
  });
});

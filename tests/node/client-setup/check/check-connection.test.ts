import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { HostEnvironment } from '../../../../src/node/client-setup/clients.js';
import type { OwnEntry } from '../../../../src/node/client-setup/entries.js';
import type { ConnectionStep } from '../../../../src/apps/health-check.js';
import { checkConnection } from '../../../../src/node/client-setup/check/check-connection.js';
import { SURFACES } from '../../../../src/toolkit/surfaces.js';
import { PROGRAM } from '../../../fakes/program.js';
import { createFolder, node } from '../../folders.js';
import { inFull } from '../../../tier.js';
import { someOf } from '../../../tier.js';

const itInFull = it.runIf(inFull('further ways in which a connection fails'));

let folder: string;
let vault: string;
let host: HostEnvironment;

beforeEach(() => {
  folder = createFolder();
  vault = join(folder, 'a "vault" 工作 %PATH%');
  mkdirSync(join(vault, '.obsidian'), { recursive: true });
  host = {
    platform: process.platform,
    env: { ...process.env, SAVEPOINT_STATE: join(folder, 'state') },
    home: homedir(),
    execPath: process.execPath,
  };
});

const VERSION = '9.9.9';
const entryOf = (program: string, more: Partial<OwnEntry> = {}): OwnEntry => ({
  name: 'savepoint',
  command: process.execPath,
  args: [program, 'mcp', '--vault', vault],
  env: {},
  vault,
  ...more,
});
const prove = (entry: OwnEntry) => checkConnection(node, host, entry, { version: VERSION });
const rows = (steps: ConnectionStep[]) =>
  steps.map(({ step, isOk }) => `${isOk ? 'ok' : 'NO'} ${step}`);

/** Writes a program that plays the server. */
function program(lines: string): string {
  const file = join(folder, 'main.js');
  writeFileSync(file, lines);
  return file;
}

/** Source of a server that answers each method from a table. */
const ANSWERING = (answers: Record<string, unknown>) => `
  process.stdin.setEncoding('utf8').on('data', (text) => {
    for (const line of text.trim().split('\\n')) {
      const { id, method, params } = JSON.parse(line);
      const result = ${JSON.stringify(answers)}[method === 'tools/call' ? params.name : method];
      if (id !== undefined && result) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...result }) + '\\n');
    }
  });`;
const INITIALIZED = { result: { serverInfo: { name: 'savepoint', version: VERSION } } };
const LISTED = { result: { tools: [{ name: 'listWorkspaces' }] } };

describe('checkConnection', () => {
  it.each(someOf(SURFACES, 1))(
    'runs the entry and writes nothing into the vault, on surface %s',
    async (surface) => {
      const reported: ConnectionStep[] = [];
      const entry = entryOf(PROGRAM, {
        args: [PROGRAM, 'mcp', '--vault', vault, '--surface', surface],
      });
      const steps = await checkConnection(node, host, entry, {
        version: VERSION,
        onStep: (step) => reported.push(step),
      });
      expect(rows(steps)).toEqual([
        'ok node',
        'ok program',
        'ok vault',
        'ok initialize',
        'ok tools/list',
        'ok tools/call',
        'NO version',
      ]);
      expect(steps[5]?.text).toBe('listWorkspaces: 1 listed');
      expect(reported).toEqual(steps);
      expect(readdirSync(vault)).toEqual(['.obsidian']);
    },
  );

  it('fails if the program lists no tool that the check can call', async () => {
    const answers = {
      initialize: INITIALIZED,
      'tools/list': { result: { tools: [{ name: 'other' }] } },
    };
    const [last] = (await prove(entryOf(program(ANSWERING(answers))))).slice(-1);
    expect([last?.isOk, last?.text]).toEqual([
      false,
      'None of these tools is listed: listWorkspaces, workspace, useTools.',
    ]);
  });

  itInFull('asks for the newer program if the version differs', async () => {
    const [last] = (await prove(entryOf(PROGRAM))).slice(-1);
    expect(last?.text).toMatch(
      /^The client starts version \d+\.\d+\.\d+, and this program is version 9\.9\.9\.$/,
    );
    expect(last?.fix).toContain(`install --vault '${vault}'`);
  });

  itInFull('passes if every request is answered', async () => {
    const answers = {
      initialize: INITIALIZED,
      'tools/list': LISTED,
      listWorkspaces: { result: { structuredContent: { success: true, data: [] } } },
    };
    expect(rows(await prove(entryOf(program(ANSWERING(answers)))))).toEqual([
      'ok node',
      'ok program',
      'ok vault',
      'ok initialize',
      'ok tools/list',
      'ok tools/call',
    ]);
  });

  itInFull('passes the environment of the entry to the program', async () => {
    const file = program(
      `process.stderr.write(\`\${process.env.MINE} \${process.env.SAVEPOINT_STATE}\`); process.exit(3);`,
    );
    const [last] = (await prove(entryOf(file, { env: { MINE: 'seen' } }))).slice(-1);
    expect(last?.text).toBe(`It exited unexpectedly (code 3): seen ${join(folder, 'state')}`);
  });
});

describe('checkConnection names what is missing', () => {
  itInFull('if it is Node, given by its path or looked up on the PATH', async () => {
    for (const command of [join(folder, 'bin/node'), 'no-such-node']) {
      const steps = await prove(entryOf(PROGRAM, { command }));
      expect(rows(steps)).toEqual(['NO node']);
      expect(steps[0]).toMatchObject({
        text: expect.stringContaining(`There is no program "${command}"`) as string,
        fix: expect.stringContaining('install Node') as string,
      });
    }
    expect(rows(await prove(entryOf(PROGRAM, { command: 'node' })))[0]).toBe('ok node');
  });

  it('if it is the program', async () => {
    expect(rows(await prove(entryOf(join(folder, 'gone', 'main.js'))))).toEqual([
      'ok node',
      'NO program',
    ]);
  });

  it('if it is the vault', async () => {
    const steps = await prove(entryOf(PROGRAM, { vault: join(folder, 'gone') }));
    expect(rows(steps)).toEqual(['ok node', 'ok program', 'NO vault']);
    expect(steps[2]?.fix).toContain('"savepoint connect CLIENT --undo --vault ');
  });

  itInFull('if the command is not executable', async () => {
    const command = join(folder, 'node');
    writeFileSync(command, 'text', { mode: 0o600 });
    const steps = await prove(entryOf(PROGRAM, { command }));
    expect(rows(steps)).toEqual(['ok node', 'ok program', 'ok vault', 'NO initialize']);
    expect(steps[3]).toMatchObject({
      text: 'It cannot be started (EACCES).',
      fix: 'give this user permission to read and execute it',
    });
  });
});

describe('checkConnection with a misbehaving program', () => {
  itInFull.each([
    [
      'throw new TypeError("process.getBuiltinModule is not a function")',
      'initialize',
      /It exited unexpectedly \(code 1\): TypeError: process\.getBuiltinModule/,
      /or too old: install Node 22\.13 or later/,
    ],
    [
      'console.log("hello"); setInterval(() => {}, 1000)',
      'initialize',
      /other than the protocol: hello/,
      /start the command by hand/,
    ],
    [
      ANSWERING({ initialize: { result: { serverInfo: { name: 'other' } } } }),
      'initialize',
      /Another program answers/,
      /savepoint connect/,
    ],
    [
      ANSWERING({ initialize: { error: { code: 1, message: 'Not today' } } }),
      'initialize',
      /It returned an error: Not today/,
      /by hand/,
    ],
    [
      ANSWERING({ initialize: INITIALIZED, 'tools/list': { result: { tools: [] } } }),
      'tools/list',
      /No tools are listed/,
      /reinstall/,
    ],
    [
      ANSWERING({
        initialize: INITIALIZED,
        'tools/list': LISTED,
        listWorkspaces: { result: { structuredContent: { success: false, error: 'No disk.' } } },
      }),
      'tools/call',
      /listWorkspaces failed: No disk\./,
      /follow that message/,
    ],
    [
      ANSWERING({
        initialize: INITIALIZED,
        'tools/list': LISTED,
        listWorkspaces: { result: { content: [] } },
      }),
      'tools/call',
      /the response is not readable/,
      /./,
    ],
  ])(
    'reports the failing step, the reason and the fix (case %#)',
    async (lines, failing, text, fix) => {
      const steps = await prove(entryOf(program(lines)));
      expect(steps.at(-1)).toMatchObject({ step: failing, isOk: false });
      expect(steps.at(-1)?.text).toMatch(text);
      expect(steps.at(-1)?.fix).toMatch(fix);
    },
  );
});

itInFull('checkConnection kills a program that does not exit', async () => {
  const idFile = join(folder, 'id');
  const stays = `require('fs').writeFileSync(${JSON.stringify(idFile)}, String(process.pid)); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
  const answers = { initialize: { error: { message: 'no' } } };
  await prove(entryOf(program(`${stays}${ANSWERING(answers)}`)));
  const id = Number(await node.fs.readFile(idFile, 'utf8'));
  expect(() => process.kill(id, 0)).toThrow('ESRCH');
});

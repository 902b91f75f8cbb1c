import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Host } from '../../../src/node/connect/clients.js';
import type { OwnEntry } from '../../../src/node/connect/entries.js';
import { proveConnection, type ProofStep } from '../../../src/node/connect/prove.js';
import { SURFACES } from '../../../src/toolkit/surfaces.js';
import { PROGRAM } from '../../fakes/program.js';
import { createFolder, node } from '../folders.js';

let folder: string;
let vault: string;
let host: Host;

beforeEach(() => {
  folder = createFolder();
  vault = join(folder, 'a "vault" 工作 %PATH%');
  mkdirSync(vault);
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
const prove = (entry: OwnEntry) => proveConnection(node, host, entry, { version: VERSION });
const rows = (steps: ProofStep[]) =>
  steps.map(({ step, isDone }) => `${isDone ? 'ok' : 'NO'} ${step}`);

/** A server of a test's own, as a program. */
function program(lines: string): string {
  const file = join(folder, 'main.js');
  writeFileSync(file, lines);
  return file;
}

/** One that answers what the table says for a method. */
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

describe('a proof', () => {
  it.each(SURFACES)(
    'runs what the entry says and writes nothing into the vault, on the surface %s',
    async (surface) => {
      const told: ProofStep[] = [];
      const entry = entryOf(PROGRAM, {
        args: [PROGRAM, 'mcp', '--vault', vault, '--surface', surface],
      });
      const steps = await proveConnection(node, host, entry, {
        version: VERSION,
        onStep: (step) => told.push(step),
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
      expect(told).toEqual(steps);
      expect(readdirSync(vault)).toEqual([]);
    },
  );

  it('fails where nothing is listed that it could call', async () => {
    const answers = {
      initialize: INITIALIZED,
      'tools/list': { result: { tools: [{ name: 'other' }] } },
    };
    const [last] = (await prove(entryOf(program(ANSWERING(answers))))).slice(-1);
    expect([last?.isDone, last?.text]).toEqual([
      false,
      'None of these tools is listed: listWorkspaces, workspace, useTools.',
    ]);
  });

  it('asks for the newer program where the version is another', async () => {
    const [last] = (await prove(entryOf(PROGRAM))).slice(-1);
    expect(last?.text).toMatch(
      /^The client starts version \d+\.\d+\.\d+, and this program is version 9\.9\.9\.$/,
    );
    expect(last?.mend).toContain(`install --vault '${vault}'`);
  });

  it('is whole where all is answered', async () => {
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

  it('gives the program the environment of the entry', async () => {
    const file = program(
      `process.stderr.write(\`\${process.env.MINE} \${process.env.SAVEPOINT_STATE}\`); process.exit(3);`,
    );
    const [last] = (await prove(entryOf(file, { env: { MINE: 'seen' } }))).slice(-1);
    expect(last?.text).toBe(`It ended at once (code 3): seen ${join(folder, 'state')}`);
  });
});

describe('a proof names what is missing', () => {
  it('when it is Node, by its path or on the path', async () => {
    for (const command of [join(folder, 'bin/node'), 'no-such-node']) {
      const steps = await prove(entryOf(PROGRAM, { command }));
      expect(rows(steps)).toEqual(['NO node']);
      expect(steps[0]).toMatchObject({
        text: expect.stringContaining(`There is no program "${command}"`) as string,
        mend: expect.stringContaining('install Node') as string,
      });
    }
    expect(rows(await prove(entryOf(PROGRAM, { command: 'node' })))[0]).toBe('ok node');
  });

  it('when it is the program', async () => {
    expect(rows(await prove(entryOf(join(folder, 'gone', 'main.js'))))).toEqual([
      'ok node',
      'NO program',
    ]);
  });

  it('when it is the vault', async () => {
    const steps = await prove(entryOf(PROGRAM, { vault: join(folder, 'gone') }));
    expect(rows(steps)).toEqual(['ok node', 'ok program', 'NO vault']);
    expect(steps[2]?.mend).toContain('connect --undo');
  });

  it('when the command is no program', async () => {
    const command = join(folder, 'node');
    writeFileSync(command, 'text', { mode: 0o600 });
    const steps = await prove(entryOf(PROGRAM, { command }));
    expect(rows(steps)).toEqual(['ok node', 'ok program', 'ok vault', 'NO initialize']);
    expect(steps[3]).toMatchObject({
      text: 'It cannot be started (EACCES).',
      mend: 'give this user the right to run and read it',
    });
  });
});

describe('a proof says what the program does instead', () => {
  it.each([
    [
      'throw new TypeError("process.getBuiltinModule is not a function")',
      'initialize',
      /It ended at once \(code 1\): TypeError: process\.getBuiltinModule/,
      /older than 20\.16/,
    ],
    [
      'console.log("hello"); setInterval(() => {}, 1000)',
      'initialize',
      /not the protocol: hello/,
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
      /It answered an error: Not today/,
      /by hand/,
    ],
    [
      ANSWERING({ initialize: INITIALIZED, 'tools/list': { result: { tools: [] } } }),
      'tools/list',
      /No tool is listed/,
      /anew/,
    ],
    [
      ANSWERING({
        initialize: INITIALIZED,
        'tools/list': LISTED,
        listWorkspaces: { result: { structuredContent: { success: false, error: 'No disk.' } } },
      }),
      'tools/call',
      /listWorkspaces failed: No disk\./,
      /do what the answer says/,
    ],
    [
      ANSWERING({
        initialize: INITIALIZED,
        'tools/list': LISTED,
        listWorkspaces: { result: { content: [] } },
      }),
      'tools/call',
      /no answer that can be read/,
      /./,
    ],
  ])('%#', async (lines, failing, text, mend) => {
    const steps = await prove(entryOf(program(lines)));
    expect(steps.at(-1)).toMatchObject({ step: failing, isDone: false });
    expect(steps.at(-1)?.text).toMatch(text);
    expect(steps.at(-1)?.mend).toMatch(mend);
  });
});

it('ends a program that stays when it is told to go', async () => {
  const idFile = join(folder, 'id');
  const stays = `require('fs').writeFileSync(${JSON.stringify(idFile)}, String(process.pid)); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`;
  const answers = { initialize: { error: { message: 'no' } } };
  await prove(entryOf(program(`${stays}${ANSWERING(answers)}`)));
  const id = Number(await node.fs.readFile(idFile, 'utf8'));
  expect(() => process.kill(id, 0)).toThrow('ESRCH');
});

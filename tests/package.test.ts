import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { endOf, PROGRAM, temporaryFolder } from './fakes/program.js';
import { inFull } from './tier.js';

const testInFull = it.runIf(inFull('packing the npm package'));

const itInFull = it.runIf(inFull('running the packed program in a separate folder'));

const root = fileURLToPath(new URL('..', import.meta.url));
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

interface Packed {
  readonly filename: string;
  readonly files: readonly {
    readonly path: string;
    readonly size: number;
    readonly mode: number;
  }[];
}

/** Packs the existing main.js, since it skips the build hook. */
function pack(...args: string[]): Packed {
  const told = execFileSync(npm, ['pack', '--json', '--ignore-scripts', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  return (JSON.parse(told) as Packed[])[0] as Packed;
}

testInFull('the npm package contains only the files that the program needs', () => {
  const { files } = pack('--dry-run');
  const names = [
    'LICENSE',
    'README.md',
    'bin/savepoint.js',
    'main.js',
    'manifest.json',
    'package.json',
    'styles.css',
  ];
  expect(files.map(({ path }) => path).sort()).toEqual(names.sort());
  expect(files.find(({ path }) => path === 'main.js')?.size).toBe(readFileSync(PROGRAM).length);
});

itInFull('the npm package runs without other packages', async () => {
  const folder = temporaryFolder('package');
  const { filename } = pack('--pack-destination', folder);
  const place = join(folder, 'unpacked');
  mkdirSync(place);
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', place]);
  const { code, stdout } = await endOf(
    spawn(process.execPath, [join(place, 'package/bin/savepoint.js'), 'version'], {
      stdio: 'pipe',
    }),
  );
  expect(code).toBe(0);
  expect(stdout).toBe(
    `${(JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')) as { version: string }).version}\n`,
  );
});

it('the program serves MCP requests without code generation from strings', async () => {
  const child = spawn(
    process.execPath,
    [
      '--disallow-code-generation-from-strings',
      PROGRAM,
      'mcp',
      '--vault',
      temporaryFolder(),
      '--state',
      temporaryFolder('state'),
    ],
    { stdio: 'pipe' },
  );
  const clientInfo = { name: 'package-test', version: '1.0.0' };
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'listStates', arguments: {} } },
  ];
  child.stdin.write(
    messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
  );
  const answers: unknown[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (answers.push(JSON.parse(line)) === 3) child.stdin.end();
  }
  expect(answers).toMatchObject([
    { id: 1, result: { serverInfo: { name: 'savepoint' } } },
    {
      id: 2,
      result: {
        tools: expect.arrayContaining([
          expect.objectContaining({ name: 'createState' }),
        ]) as unknown,
      },
    },
    { id: 3, result: { structuredContent: { success: true } } },
  ]);
});

it('the npm package cannot be published by mistake', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).toMatchObject({
    private: true,
  });
});

it('main.js names the licence of each dependency', () => {
  const notices = readFileSync(PROGRAM, 'utf8').split('Third-party notices')[1] ?? '';
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies))
    expect(notices).toMatch(
      new RegExp(
        `^${name} \\d+\\.\\d+\\.\\d+\\S*, (?:MIT|Apache-2\\.0|ISC|BSD-3-Clause|SEE LICENSE \\S.*) licence$`,
        'm',
      ),
    );
});

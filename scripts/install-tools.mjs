/**
 * Installs the packages that only some scripts need: each folder of `tools/` with a package.json has
 * a lockfile of its own. Run by itself, it installs the named folders.
 *
 *   node scripts/install-tools.mjs NAME...
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const TOOLS = fileURLToPath(new URL('../tools', import.meta.url));
/** Written after an installation: the lockfile that it was made from. */
const MARK = 'node_modules/.installed-lock.json';
const TIMEOUT_MS = 30 * 60_000;

/**
 * Installs tools/NAME unless its lockfile has been installed already. Returns its node_modules.
 * Throws an error with npm's reason if npm fails.
 * @param {string} name
 * @returns {string}
 */
export function installTools(name) {
  const folder = join(TOOLS, name);
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const mark = join(folder, MARK);
  const isInstalled = () => existsSync(mark) && readFileSync(mark, 'utf8') === lock;
  if (isInstalled()) return join(folder, 'node_modules');
  const turn = join(folder, 'node_modules.turn');
  takeTurn(turn);
  try {
    if (!isInstalled()) install(name, folder);
    writeFileSync(mark, lock);
  } finally {
    rmdirSync(turn);
  }
  return join(folder, 'node_modules');
}

/**
 * Waits until no other process installs there: two at once leave a folder without some files.
 * @param {string} turn
 */
function takeTurn(turn) {
  for (;;)
    try {
      return mkdirSync(turn);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const { mtimeMs = Date.now() } = statSync(turn, { throwIfNoEntry: false }) ?? {};
      if (Date.now() - mtimeMs > TIMEOUT_MS) rmdirSync(turn); // of a process that was killed
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
}

/**
 * @param {string} name
 * @param {string} folder
 */
function install(name, folder) {
  process.stderr.write(`Installing the packages of tools/${name}\n`);
  const { status, stderr, error } = spawnSync(
    'npm',
    // `npm ci` refuses a lockfile that lacks the packages of other platforms
    ['install', '--no-save', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: folder, encoding: 'utf8', timeout: TIMEOUT_MS, shell: process.platform === 'win32' },
  );
  if (status !== 0) {
    const [reason = String(error)] = /^npm (?:error|ERR!).*$/m.exec(stderr ?? '') ?? [];
    throw new Error(
      `The packages of tools/${name} cannot be installed (${reason}). Connect to the npm registry and run "node scripts/install-tools.mjs ${name}".`,
    );
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const name of process.argv.slice(2)) installTools(name);

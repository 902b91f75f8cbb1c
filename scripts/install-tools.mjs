/**
 * Installs the packages that only some scripts need: each folder of `tools/` with a package.json has
 * a lockfile of its own. Run by itself, it installs the named folders.
 *
 *   node scripts/install-tools.mjs NAME...
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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
  if (!existsSync(mark) || readFileSync(mark, 'utf8') !== lock) {
    process.stderr.write(`Installing the packages of tools/${name}\n`);
    const { status, stderr, error } = spawnSync(
      'npm',
      ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'],
      { cwd: folder, encoding: 'utf8', timeout: TIMEOUT_MS, shell: process.platform === 'win32' },
    );
    if (status !== 0) {
      const [reason = String(error)] = /^npm (?:error|ERR!).*$/m.exec(stderr ?? '') ?? [];
      throw new Error(
        `The packages of tools/${name} cannot be installed (${reason}). Connect to the npm registry and run "node scripts/install-tools.mjs ${name}".`,
      );
    }
    writeFileSync(mark, lock);
  }
  return join(folder, 'node_modules');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const name of process.argv.slice(2)) installTools(name);

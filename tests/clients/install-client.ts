import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Below node_modules, so that the clients are kept between runs and are no dependencies of the
 * project.
 */
const CACHE = fileURLToPath(
  new URL('../../node_modules/.cache/savepoint-clients', import.meta.url),
);
const INSTALL_TIMEOUT_MS = 30 * 60_000;

/**
 * Installs a version of an npm package, unless it is there. Returns the folder of its programs, or
 * why it is unavailable.
 */
export function installClient(
  npmPackage: string,
  version: string,
): { readonly bin: string } | { readonly problem: string } {
  const folder = join(CACHE, `${npmPackage.replace(/^@/, '').replace('/', '-')}-${version}`);
  const bin = join(folder, 'node_modules/.bin');
  const mark = join(folder, 'complete');
  if (existsSync(mark)) return { bin };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const { status, stderr, error } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', `${npmPackage}@${version}`],
    { cwd: folder, encoding: 'utf8', timeout: INSTALL_TIMEOUT_MS },
  );
  if (status !== 0) {
    const [reason] = /^npm (?:error|ERR!).*$/m.exec(stderr ?? '') ?? [];
    return { problem: `${npmPackage}@${version} cannot be installed: ${reason ?? String(error)}` };
  }
  writeFileSync(mark, '');
  return { bin };
}

/**
 * Collects the files of a release in `release/`, with checksums and the newest changelog entries as
 * notes. main.js must be built. Refuses to while the owner's public addresses are missing.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { missingAddresses, readFiles } from './manifest.mjs';
import { newestOf } from './version-bump.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'release');
const packages = join(root, 'packages');
/**
 * The packages and the entry for the MCP registry, which is built only where the repository is
 * known.
 */
const PACKAGES = /^(?:savepoint.*\.(?:mcpb|zip)|server\.json)$/;
const COPIED = ['main.js', 'manifest.json', 'styles.css'];

const missing = missingAddresses(readFiles(root));
if (missing.length > 0) throw new Error(`Not a release yet. ${missing.join(' ')}`);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const name of COPIED) copyFileSync(join(root, name), join(folder, name));
const { status } = spawnSync(
  process.execPath,
  [join(root, 'scripts/make-packages.mjs'), '--checked', '--out', packages],
  { stdio: 'inherit' },
);
if (status !== 0) throw new Error('The packages were not built, or their validation failed.');
const built = readdirSync(packages).filter((name) => PACKAGES.test(name));
for (const name of built) copyFileSync(join(packages, name), join(folder, name));
const sums = [...COPIED, ...built, pack()].map((name) => `${sha256(name)}  ${name}\n`).join('');
writeFileSync(join(folder, 'SHA256SUMS'), sums);
writeFileSync(
  join(folder, 'NOTES.md'),
  `${newestOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).entries.trim()}\n`,
);
process.stdout.write(sums);

/** Packs the file that `npm install -g` installs. Returns its name. */
function pack() {
  const { status, stdout } = spawnSync(
    'npm',
    ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
    { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  if (status !== 0) throw new Error('npm could not pack the program.');
  return stdout.trim();
}

function sha256(name) {
  return createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex');
}

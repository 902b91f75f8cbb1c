/**
 * Builds the packages for AI apps from one template: a folder and an archive for each app, the
 * bundle for Claude Desktop, and the entry for the MCP registry, which names the release of a
 * repository. main.js must be built.
 *
 *   --out FOLDER               where they are written (default: packages/)
 *   --repository OWNER/NAME    the repository of the release (default: GITHUB_REPOSITORY)
 *   --checked                  validates the bundle with the format's own tool, which has to be
 *                              fetched
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packageFiles, registryEntry } from './package-template.mjs';
import { zip } from './zip.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const BUNDLE = 'savepoint.mcpb';
const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'packages') },
    repository: { type: 'string', default: process.env.GITHUB_REPOSITORY ?? '' },
    checked: { type: 'boolean', default: false },
  },
});
const out = resolve(values.out);
const { repository } = values;
if (repository !== '' && !REPOSITORY.test(repository))
  throw new Error(`"${repository}" is not a repository: pass --repository OWNER/NAME.`);

mkdirSync(out, { recursive: true });
for (const [name, files] of Object.entries(await packageFiles())) {
  rmSync(join(out, name), { recursive: true, force: true });
  for (const [path, bytes] of Object.entries(files)) write(join(out, name, path), bytes);
  write(join(out, `savepoint-${name}.zip`), zip(files));
}
makeBundle();
if (repository === '')
  process.stdout.write('server.json was left out: pass --repository OWNER/NAME to build it.\n');
else {
  const sha256 = createHash('sha256')
    .update(readFileSync(join(out, BUNDLE)))
    .digest('hex');
  write(join(out, 'server.json'), registryEntry(repository, BUNDLE, sha256));
}
process.stdout.write(`The packages are in ${out}\n`);

function write(file, bytes) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

function makeBundle() {
  const script = join(root, 'scripts/make-mcpb.mjs');
  const options = values.checked ? [] : ['--unchecked'];
  const { status } = spawnSync(process.execPath, [script, '--out', join(out, BUNDLE), ...options], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The bundle was not built, or its validation failed.');
}

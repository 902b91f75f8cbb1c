/**
 * Builds main.js and the bundle for Claude Desktop in two folders, and compares them byte by byte.
 * The second folder has another name and depth, and its processes have another time zone, language
 * and home folder. Exit code: 0 identical, 1 different.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const BUNDLE = 'savepoint.mcpb';
const MADE = ['main.js', BUNDLE];
const LEFT_OUT = new Set(['node_modules', '.git', 'coverage', 'packages', 'release', ...MADE]);

const away = mkdtempSync(join(tmpdir(), 'savepoint-reproduced-'));
try {
  const bundleHere = join(away, BUNDLE);
  const here = make(root, bundleHere, {});
  const there = join(away, 'a folder', 'far from the first');
  copyTo(there);
  const other = make(there, join(there, BUNDLE), {
    TZ: 'Pacific/Chatham',
    LANG: 'tr_TR.UTF-8',
    LC_ALL: 'tr_TR.UTF-8',
    HOME: away,
  });
  const differing = MADE.filter((name) => !here[name].equals(other[name]));
  for (const name of MADE) {
    process.stdout.write(`${sha256(here[name])}  ${name}\n`);
    if (differing.includes(name))
      process.stdout.write(`${sha256(other[name])}  ${name}, built elsewhere\n`);
  }
  process.stdout.write(
    differing.length === 0
      ? 'reproduce: yes, the same bytes\n'
      : `reproduce: no (${differing.join(', ')})\n`,
  );
  process.exitCode = differing.length === 0 ? 0 : 1;
} finally {
  rmSync(away, { recursive: true, force: true });
}

/** Copies the sources and the packages that the build bundles or uses. */
function copyTo(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(root, folder, {
    recursive: true,
    filter: (path) => {
      const names = relative(root, path).split(sep);
      return !LEFT_OUT.has(names[0]) && !names.includes('node_modules');
    },
  });
  const metafile = join(root, 'node_modules/.cache/savepoint/metafile.json');
  const bundled = Object.keys(JSON.parse(readFileSync(metafile, 'utf8')).inputs).flatMap(
    (path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
  const builders = readdirSync(join(root, 'node_modules/@esbuild')).map(
    (name) => `@esbuild/${name}`,
  );
  const used = ['esbuild', ...builders].map((name) => `node_modules/${name}`);
  for (const path of new Set([...bundled, ...used])) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    const inner = (from) => !relative(join(root, path), from).split(sep).includes('node_modules');
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      dereference: true,
      filter: inner,
    });
  }
}

/** Builds in a folder and returns the results' bytes by name. */
function make(folder, bundle, environment) {
  run(folder, environment, 'esbuild.config.mjs');
  run(folder, environment, 'scripts/make-mcpb.mjs', '--out', bundle, '--unchecked');
  return { 'main.js': readFileSync(join(folder, 'main.js')), [BUNDLE]: readFileSync(bundle) };
}

function run(cwd, environment, ...args) {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed in ${cwd}:\n${stderr}`);
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

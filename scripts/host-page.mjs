/**
 * Builds the script, styles and sample vault of the simulated Obsidian. Nothing here is part of the
 * plugin.
 */
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const hostFolder = join(root, 'tests/host');
/** Folder of what this checkout builds and unpacks for itself. `npm ci` deletes it. */
export const CACHE_FOLDER = join(root, 'node_modules/.cache/savepoint');

export const PLAYGROUND_FILE = join(CACHE_FOLDER, 'playground.html');

/** Bundles built by this process. */
const bundled = new Map();

/**
 * Bundles the simulated Obsidian's stylesheet and a script of `tests/host`. The result is cached
 * until a file there changes.
 * @param {'browser-entry' | 'playground-entry'} entry
 * @returns {Promise<{ script: string, styles: string }>}
 */
export function bundleHost(entry) {
  const making =
    bundled.get(entry) ??
    cached(entry, async () => ({
      script: await bundle(`tests/host/${entry}.ts`, { format: 'iife', target: 'es2022' }),
      styles: await bundle('tests/host/styles/app.css', {}),
    }));
  bundled.set(entry, making);
  return making;
}

async function bundle(file, options) {
  const form = {
    absWorkingDir: root,
    entryPoints: [file],
    bundle: true,
    write: false,
    minify: true,
    legalComments: 'none',
  };
  const { outputFiles } = await build({ ...form, ...options });
  return outputFiles[0].text;
}

/**
 * Returns the compiled plugin as it is installed in a vault.
 * @returns {Promise<{ source: string, styles: string, manifest: Record<string, unknown> }>}
 */
export async function readPlugin() {
  const read = (name) => readFile(join(root, name), 'utf8');
  const [source, styles, manifest] = await Promise.all(
    ['main.js', 'styles.css', 'manifest.json'].map(read),
  );
  return { source, styles, manifest: JSON.parse(manifest) };
}

/**
 * Returns the notes of examples/ and two weeks of memory created by the real tools. Times are in
 * milliseconds since 1970.
 * @returns {Promise<Record<string, { text: string, mtime: number }>>}
 */
export async function readSampleVault() {
  const code = await bundle('tests/host/sample-vault.ts', {
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const { tellStory, noteTimes, STORY_START } = await import(
    `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`
  );
  const notes = {
    ...(await readNotes('examples/vault')),
    ...(await readNotes('examples/playground')),
  };
  const dated = Object.entries(notes).map(([path, text]) => [
    path,
    { text, mtime: noteTimes[path] ?? STORY_START },
  ]);
  return { ...Object.fromEntries(dated), ...(await tellStory(notes)) };
}

async function readNotes(folder) {
  const base = join(root, folder);
  const entries = await readdir(base, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const inVault = (path) => relative(base, path).split(sep).join('/');
  const notes = paths.filter((path) => !/^(\.|Savepoint\/)/.test(inVault(path))).sort();
  return Object.fromEntries(
    await Promise.all(notes.map(async (path) => [inVault(path), await readFile(path, 'utf8')])),
  );
}

/**
 * Returns the cached result if no file has changed, otherwise the result of `make`, which it
 * caches.
 */
async function cached(name, make) {
  const file = join(CACHE_FOLDER, `${name}-${await hashOfHost()}.json`);
  const kept = await readFile(file, 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (kept !== undefined) return JSON.parse(kept);
  const made = await make();
  await mkdir(CACHE_FOLDER, { recursive: true });
  const half = `${file}.${process.pid}`; // several test files may write it at the same time
  await writeFile(half, JSON.stringify(made));
  await rename(half, file);
  const earlier = (await readdir(CACHE_FOLDER)).filter(
    (other) => other.startsWith(`${name}-`) && other.endsWith('.json'),
  );
  for (const other of earlier)
    if (join(CACHE_FOLDER, other) !== file) await rm(join(CACHE_FOLDER, other), { force: true });
  return made;
}

async function hashOfHost() {
  const inHost = await readdir(hostFolder, { recursive: true, withFileTypes: true });
  const files = inHost
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const hash = createHash('sha256');
  for (const path of [
    ...files,
    join(root, 'package-lock.json'),
    fileURLToPath(import.meta.url),
  ].sort()) {
    hash.update(`${relative(root, path)}\n`).update(await readFile(path));
  }
  return hash.digest('hex').slice(0, 16);
}

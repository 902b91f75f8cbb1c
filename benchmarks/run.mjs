/** `npm run bench [-- NAME...]`: answers each question of this folder, as ratios within one run. */
import { build } from 'esbuild';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const names = (await readdir(folder)).filter(
  (name) => name.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((part) => name.includes(part))),
);
if (names.length === 0) throw new Error(`No question here is called ${wanted.join(' or ')}.`);

/** In a bundle each file still finds what lies beside it. */
const ownPlace = {
  name: 'own-place',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    }),
};

const cache = fileURLToPath(new URL('../node_modules/.cache/savepoint/', import.meta.url)); // where packages are found from
await mkdir(cache, { recursive: true });
const out = await mkdtemp(join(cache, 'bench-'));
try {
  await build({
    entryPoints: names.map((name) => join(folder, name)),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    plugins: [ownPlace],
    logLevel: 'warning',
  });
  console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}\n`);
  let areKept = true;
  for (const name of names.sort()) {
    const { question, answer } = await import(pathToFileURL(join(out, name.replace(/\.ts$/, '.mjs'))).href);
    console.log(question);
    for (const { what, value, limit, least, unit = '' } of await answer()) {
      const isKept = (limit === undefined || value <= limit) && (least === undefined || value >= least);
      areKept &&= isKept;
      const bound = limit !== undefined ? `at most ${limit}` : `at least ${least}`;
      const isBound = limit !== undefined || least !== undefined;
      console.log(
        `  ${what.padEnd(58)} ${value.toFixed(value < 2 ? 3 : 2).padStart(9)}${unit}${isBound ? `  (${bound}${unit}${isKept ? '' : ', MISSED'})` : ''}`,
      );
    }
    console.log('');
  }
  process.exitCode = areKept ? 0 : 1;
} finally {
  await rm(out, { recursive: true });
}

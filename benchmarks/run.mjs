/** `npm run bench [-- NAME...]`: answers each question of this folder, as ratios within one run. */
import { build } from 'esbuild';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const wanted = process.argv.slice(2);
const names = (await readdir(folder)).filter(
  (name) => name.endsWith('.bench.ts') && (wanted.length === 0 || wanted.some((part) => name.includes(part))),
);
if (names.length === 0) throw new Error(`No question here is called ${wanted.join(' or ')}.`);

const out = await mkdtemp(join(tmpdir(), 'savepoint-bench-'));
try {
  await build({
    entryPoints: names.map((name) => join(folder, name)),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim() ?? 'unknown'}\n`);
  let areKept = true;
  for (const name of names.sort()) {
    const { question, answer } = await import(pathToFileURL(join(out, name.replace(/\.ts$/, '.mjs'))).href);
    console.log(question);
    for (const { what, value, limit, unit = '' } of await answer()) {
      const isKept = limit === undefined || value <= limit;
      areKept &&= isKept;
      console.log(
        `  ${what.padEnd(58)} ${value.toFixed(2).padStart(9)}${unit}${limit === undefined ? '' : `  (at most ${limit}${unit}${isKept ? '' : ', MISSED'})`}`,
      );
    }
    console.log('');
  }
  process.exitCode = areKept ? 0 : 1;
} finally {
  await rm(out, { recursive: true });
}

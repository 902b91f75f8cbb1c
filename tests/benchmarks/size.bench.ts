import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, perForm, type Figure } from './lib.js';

export const question =
  'How large is main.js, and how long does evaluating it take compared with an empty program?';
export const measures = ['src'];

const ROUNDS = perForm(25, 2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const program = path.join(root, 'main.js');

interface Metafile {
  readonly outputs: Record<
    string,
    { readonly bytes: number; readonly inputs: Record<string, { readonly bytesInOutput: number }> }
  >;
}

export async function answer(): Promise<Figure[]> {
  const [empty, ours, answering]: number[][] = [[], [], []];
  const { total, code, table, notices } = await sizes();
  for (let round = 0; round < ROUNDS; round++) {
    empty?.push(timeOfNode('-e', '0'));
    ours?.push(timeOfNode('-e', `require(${JSON.stringify(program)})`));
    answering?.push(timeOfNode(program, 'version'));
  }
  const [bare, evaluated, answered] = [empty, ours, answering].map((times) => median(times ?? []));
  return [
    { what: 'main.js', value: total / 1e6, unit: ' MB', limit: 4.6, isHighlighted: true },
    { what: 'its code', value: code / 1e6, unit: ' MB' },
    { what: 'its embedding table', value: table / 1e6, unit: ' MB' },
    { what: 'its third-party notices', value: notices / 1e6, unit: ' MB' },
    { what: 'node -e 0, median', value: bare ?? NaN, unit: ' ms' },
    { what: 'the same, evaluating main.js, median', value: evaluated ?? NaN, unit: ' ms' },
    { what: 'node main.js version, median', value: answered ?? NaN, unit: ' ms' },
    {
      what: 'evaluating main.js, relative to an empty program',
      value: (evaluated ?? NaN) / (bare ?? NaN),
      isHighlighted: true,
    },
  ];
}

/** Returns the sizes in bytes, from the build's metafile. */
async function sizes() {
  run('esbuild.config.mjs', '--metafile');
  const file = path.join(root, 'node_modules/.cache/savepoint/metafile.json');
  const output = (JSON.parse(await readFile(file, 'utf8')) as Metafile).outputs['main.js'];
  const table = output?.inputs['assets/meaning.txt']?.bytesInOutput;
  if (!output || table === undefined)
    throw new Error('The metafile does not contain main.js or its table');
  const total = (await readFile(program)).length;
  return { total, table, code: output.bytes - table, notices: total - output.bytes };
}

function timeOfNode(...args: string[]): number {
  const start = performance.now();
  run(...args);
  return performance.now() - start;
}

function run(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr}`);
}

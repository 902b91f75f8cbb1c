/** Says yes or no to the whole folder: form, types, rules, build and generated pages. The output of what fails is printed, and of what measures. */
import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** How many run at a time. */
const LANES = 2;
const root = fileURLToPath(new URL('..', import.meta.url));
const tool = (path, ...args) => [`node_modules/${path}`, ...args];

/** The order keeps both lanes busy. What is `after` the build reads main.js; what has no file yet is left out. */
const steps = [
  { name: 'build', command: ['esbuild.config.mjs'] },
  { name: 'eslint', command: tool('eslint/bin/eslint.js', '--max-warnings=0', '.') },
  { name: 'tsc', command: tool('typescript/bin/tsc', '--project', 'tsconfig.json') },
  { name: 'stylelint', command: tool('stylelint/bin/stylelint.mjs', 'styles.css') },
  { name: 'prettier', command: tool('prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.') },
  { name: 'knip', command: tool('knip/bin/knip.js', '--no-progress') },
  {
    name: 'imports',
    command: tool('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.mjs', '--output-type=err-long', 'src'),
  },
  { name: 'docs', command: ['scripts/write-docs.mjs', '--check'], after: 'build' },
  { name: 'tokens', command: ['scripts/measure-tokens.mjs'], after: 'build', isTelling: true },
].filter(({ command: [file] }) => existsSync(`${root}/${file}`));

const started = performance.now();
const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;
const runs = new Map();
const failed = [];

function run({ name, command, isTelling }) {
  const since = performance.now();
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  child.stdout.on('data', (bytes) => output.push(bytes));
  child.stderr.on('data', (bytes) => output.push(bytes));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.stdout.write(`${code === 0 ? 'yes' : 'NO '}  ${name.padEnd(10)}${seconds(since).padStart(8)}\n`);
      if (code !== 0) {
        failed.push(name);
        process.stdout.write(`\n${Buffer.concat(output).toString().trim()}\n\n`);
      } else if (isTelling) process.stdout.write(`${Buffer.concat(output).toString().trim()}\n`);
      resolve();
    });
  });
}

const waiting = [...steps];

async function lane() {
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    await runs.get(step.after);
    const current = run(step);
    runs.set(step.name, current);
    await current;
  }
}

await Promise.all(Array.from({ length: LANES }, lane));

if (!failed.includes('build')) process.stdout.write(`main.js is ${(statSync(`${root}/main.js`).size / 1000).toFixed(0)} kB\n`);
process.stdout.write(`took ${seconds(started)}\n`);
process.stdout.write(failed.length === 0 ? 'check: yes\n' : `check: no (${failed.join(', ')})\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

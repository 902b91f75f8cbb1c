/**
 * Builds the playground, an HTML file with the compiled plugin, the simulated Obsidian and a sample
 * vault, to be opened from disk.
 */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleHost, PLAYGROUND_FILE, readPlugin, readSampleVault } from './host-page.mjs';

const FIRST_NOTE = 'Start here';
/** Makes the browser block every request of the page. */
const POLICY =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:";

const HELP = `Usage: node scripts/playground.mjs [options]

Builds the playground from main.js and prints where it lies.

  --to FILE   Where to write it. Default: node_modules/.cache/savepoint/playground.html
  --open      Open it in the browser.
  --help      Show this text.
`;

/**
 * Writes the page; `main.js` must have been built. Returns its path and its size.
 * @param {{ to: string }} options
 * @returns {Promise<{ file: string, bytes: number }>}
 */
export async function buildPlayground({ to }) {
  const [{ script, styles }, plugin, files] = await Promise.all([
    bundleHost('playground-entry'),
    readPlugin(),
    readSampleVault(),
  ]);
  const { source, manifest } = plugin;
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${manifest.name} playground</title>`,
    `<style>${inStyle(styles)}</style>`,
    `<style>${inStyle(plugin.styles)}</style>`,
    '</head>',
    '<body>',
    `<script type="application/json" id="sample">${inJson({ files, plugin: { source, manifest }, open: FIRST_NOTE })}</script>`,
    `<script type="application/json" id="script">${inJson(script)}</script>`,
    // Code is encoded because some of it contains tags.
    `<script>{const code=document.createElement('script');code.textContent=JSON.parse(document.getElementById('script').textContent);document.body.append(code)}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
  const file = resolve(to);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, html);
  return { file, bytes: Buffer.byteLength(html) };
}

const inJson = (value) => JSON.stringify(value).replaceAll('<', '\\u003c');
const inStyle = (css) => css.replaceAll('</', '<\\/');

/**
 * Opens a file with the platform's default program. Throws if there is none.
 * @param {string} file
 * @returns {Promise<void>}
 */
export function openFile(file) {
  const openers = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] };
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, file], { stdio: 'ignore', detached: true });
  return new Promise((done, reject) => {
    child.once('error', () =>
      reject(
        new Error(
          `Cannot open a browser from here ("${command}" is missing). Open the file yourself: ${file}`,
        ),
      ),
    );
    child.once('spawn', () => {
      child.unref();
      done();
    });
  });
}

async function main() {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: PLAYGROUND_FILE },
      open: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const { file, bytes } = await buildPlayground({ to: values.to });
  process.stdout.write(
    `${file}\n${(bytes / 1e6).toFixed(1)} MB. Open it from the disk: ${pathToFileURL(file)}\n`,
  );
  if (values.open) await openFile(file);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}

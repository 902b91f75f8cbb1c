/**
 * Packs main.js as savepoint.mcpb, which Claude Desktop installs with one click, and validates it
 * with the format's own tool. `--out FILE` changes the path, `--unchecked` skips validation. Exit
 * code: 0 valid, 1 invalid, 2 packed but the validator is unavailable.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installTools } from './install-tools.mjs';
import { readAbout } from './package-template.mjs';
import { zip } from './zip.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/**
 * The validator, which is fetched on demand and is not a dependency, because it brings forty
 * packages.
 */
const PACKAGE = '@anthropic-ai/mcpb';
const { devDependencies } = JSON.parse(
  readFileSync(new URL('../tools/mcpb/package.json', import.meta.url), 'utf8'),
);
const TOOL = `${PACKAGE}@${devDependencies[PACKAGE]}`;

/**
 * Source of the entry point. Claude Desktop imports it into its own process with its own arguments,
 * so the command is set here and the vault comes from the environment.
 */
const STARTER = `'use strict';

require('./main.js')
  .run(['mcp', '--vault', process.env.SAVEPOINT_VAULT])
  .then((code) => {
    process.exitCode = code;
  });
`;

const read = (name) => readFileSync(join(root, name));
const project = JSON.parse(read('package.json'));
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'savepoint.mcpb') },
    unchecked: { type: 'boolean' },
  },
});
const out = resolve(values.out);

if (!existsSync(join(root, 'main.js'))) fail('main.js does not exist: run npm run build first.');
const files = {
  'manifest.json': Buffer.from(`${JSON.stringify(createManifest(), null, 2)}\n`),
  'server/index.js': Buffer.from(STARTER),
  'server/main.js': read('main.js'),
  LICENSE: read('LICENSE'),
};
writeFileSync(out, zip(files));
process.stdout.write(`${out} is made (${(readFileSync(out).length / 1000).toFixed(0)} kB)\n`);
if (!values.unchecked) validate();

function createManifest() {
  const tools = JSON.parse(
    spawnSync(process.execPath, [join(root, 'main.js'), 'tools', '--json'], { encoding: 'utf8' })
      .stdout,
  );
  return {
    manifest_version: '0.3',
    name: project.name,
    display_name: 'Savepoint',
    version: project.version,
    description: readAbout().description,
    long_description:
      'Agents save the state of their work under a name in your vault and continue from there in another conversation, on another device, with another model. Works with Obsidian open or closed, and sends nothing anywhere.',
    author: { name: project.author },
    license: project.license,
    keywords: project.keywords,
    server: {
      type: 'node',
      entry_point: 'server/index.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/server/index.js'],
        env: { SAVEPOINT_VAULT: '${user_config.vault}' },
      },
    },
    tools: tools.map(({ name, description }) => ({ name, description })),
    prompts_generated: true,
    user_config: {
      vault: {
        type: 'directory',
        title: 'Vault',
        description: 'The folder of your Obsidian vault.',
        required: true,
      },
    },
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      runtimes: { node: project.engines.node },
    },
  };
}

/**
 * Unpacks and validates the archive with the format's own tool. Ends the process if it is invalid.
 */
function validate() {
  const tool = fetchTool();
  if (!tool) return;
  const folder = mkdtempSync(join(tmpdir(), 'savepoint-mcpb-'));
  const unpacked = spawnSync(process.execPath, [tool, 'unpack', out, folder], { encoding: 'utf8' });
  const checked = spawnSync(process.execPath, [tool, 'validate', join(folder, 'manifest.json')], {
    encoding: 'utf8',
  });
  const isWhole = Object.entries(files).every(
    ([name, bytes]) =>
      existsSync(join(folder, name)) && readFileSync(join(folder, name)).equals(bytes),
  );
  rmSync(folder, { recursive: true });
  if (unpacked.status !== 0 || checked.status !== 0 || !isWhole)
    fail(
      `${TOOL} says that it is not valid:\n${unpacked.stderr}${checked.stdout}${checked.stderr}`,
    );
  process.stdout.write(`${TOOL} says that it is valid\n`);
}

/** Returns the path of the validator; undefined if it cannot be installed. */
function fetchTool() {
  try {
    return join(installTools('mcpb'), PACKAGE, 'dist/cli/cli.js');
  } catch (error) {
    process.stderr.write(`Not validated: ${error.message}\n`);
    process.exitCode = 2;
    return undefined;
  }
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

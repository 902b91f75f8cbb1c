/**
 * Runs the README's own commands in a clean folder: clones, plays the demo, installs into a new
 * vault, connects an app and calls two tools through the written configuration. Prints the time of
 * each step. `--tests` also runs the tests. Exit code: 0 everything worked as the README says, 1
 * something failed, or the first resumed state came too late.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** Maximum time from an empty folder to the first resumed state, with a warm npm cache. */
const MOST_SECONDS = 90;
const ORIGIN = fileURLToPath(new URL('..', import.meta.url));
const CLIENT = 'claude-desktop';
/** Printed by the demo once the state of the first conversation was resumed in the second. */
const RESUMED = /Every answer was as expected\./;

/**
 * Environment variables that describe the machine: program and temporary folders, proxies,
 * certificates, the npm registry.
 */
const OF_THE_MACHINE =
  /^(?:PATH|SystemRoot|COMSPEC|PATHEXT|TE?MP|TMPDIR|CHROME_BIN|NODE_EXTRA_CA_CERTS|(?:HTTPS?|NO)_PROXY|npm_config_registry)$/i;

const { values } = parseArgs({ options: { tests: { type: 'boolean', default: false } } });
const folder = mkdtempSync(join(tmpdir(), 'savepoint-newcomer-'));
const [home, clone, vault] = ['home', 'savepoint', 'my vault'].map((name) => join(folder, name));
const config = configFolder();
let spent = 0;

try {
  for (const path of [home, join(vault, '.obsidian'), config]) mkdirSync(path, { recursive: true });
  await step('git clone', folder, ['git', 'clone', '--quiet', ORIGIN, clone]);
  const readme = readFileSync(join(clone, 'README.md'), 'utf8');
  const commands = [...readme.matchAll(/^```sh\n(.*?)\n```$/gms)].flatMap(([, block]) =>
    block.split('\n'),
  );
  const told = (pattern) => {
    const command = commands.find((line) => pattern.test(line));
    if (command === undefined) throw new Error(`The README has no command like ${pattern}.`);
    return command.replace('/path/to/vault', `"${vault}"`);
  };

  const shown = await shell(told(/^npm ci && npm start$/));
  if (!RESUMED.test(shown))
    throw new Error(`The demo did not say that the state was resumed:\n${shown.slice(-2000)}`);
  const first = spent;
  say(`   the first resumed state after ${seconds(first)}, at most ${MOST_SECONDS} s`);
  if (values.tests) await shell(told(/^npm ci && npm test$/));
  await shell('npm pack');
  await shell(told(/^npm install -g /));
  await shell(told(/^savepoint install --vault/));
  await shell(told(/^savepoint connect claude-code --vault/).replace('claude-code', CLIENT));
  await timed('a call through what was written', callAsWritten);
  say(`took ${seconds(spent)}`);
  if (first > MOST_SECONDS * 1000)
    throw new Error(`The first resumed state took ${seconds(first)}, more than ${MOST_SECONDS} s.`);
  say('newcomer: yes');
} catch (error) {
  say(`newcomer: no\n${error.message}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Claude Desktop's settings folder; if it exists, the app counts as installed. */
function configFolder() {
  if (process.platform === 'win32') return join(home, 'AppData', 'Roaming', 'Claude');
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Claude');
  return join(home, '.config', 'Claude');
}

/** Environment of a user who has nothing but npm's cache. */
function environment() {
  const kept = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => OF_THE_MACHINE.test(name)),
  );
  const folders = {
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'AppData', 'Roaming'),
    LOCALAPPDATA: join(home, 'AppData', 'Local'),
  };
  const prefix = join(home, 'npm');
  const bin = process.platform === 'win32' ? prefix : join(prefix, 'bin');
  return {
    ...kept,
    ...folders,
    PATH: [bin, kept.PATH ?? kept.Path].join(delimiter),
    npm_config_prefix: prefix,
    npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'),
  };
}

/** Runs a README command unchanged in the clone. Returns its output. */
function shell(command) {
  return step(
    command.replaceAll(folder, '...'),
    clone,
    process.platform === 'win32' ? ['cmd', '/d', '/s', '/c', command] : ['sh', '-c', command],
  );
}

function step(title, cwd, [command, ...args]) {
  return timed(title, async () => {
    const child = spawn(command, args, {
      cwd,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => (printed += bytes));
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`"${title}" ended with ${code}:\n${printed.slice(-4000)}`);
    return printed;
  });
}

async function timed(title, task) {
  const since = performance.now();
  const answer = await task();
  const took = performance.now() - since;
  spent += took;
  say(`${seconds(took).padStart(8)}  ${title}`);
  return answer;
}

/** Runs the configured command over standard input and output, as the app does. */
async function callAsWritten() {
  const { mcpServers } = JSON.parse(
    readFileSync(join(config, 'claude_desktop_config.json'), 'utf8'),
  );
  const [entry] = Object.values(mcpServers);
  const require = createRequire(join(clone, 'package.json'));
  const load = (name) => import(pathToFileURL(require.resolve(name)));
  const [{ Client }, { StdioClientTransport }] = await Promise.all(
    ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio'].map(load),
  );
  const client = new Client({ name: 'newcomer', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: entry.command,
      args: entry.args,
      env: { ...environment(), ...entry.env },
    }),
  );
  const state = {
    name: 'First',
    conversationContext: 'It is connected.',
    activeTask: 'To try it',
    activeFiles: [],
    nextSteps: ['Go on'],
  };
  const call = async (name, params) =>
    (await client.callTool({ name, arguments: params })).structuredContent;
  const saved = await call('createState', state);
  const loaded = await call('loadState', { name: state.name });
  await client.close();
  if (!saved?.success || loaded?.data?.activeTask !== state.activeTask)
    throw new Error(
      `The call through the written configuration failed: ${JSON.stringify([saved, loaded])}`,
    );
}

function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

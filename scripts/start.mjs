/**
 * Runs the demo: builds the program, has a real MCP client set up a project, save a state and
 * resume it in another conversation, compares each answer with the expected one, and then leaves
 * the vault open for the user's own calls.
 */
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { PLAYGROUND_FILE } from './host-page.mjs';
import { buildPlayground, openFile } from './playground.mjs';

const HELP = `Usage: npm start [-- options]

Plays a short demo of Savepoint in a new sample vault, checks every answer, and
then opens a prompt for your own calls.

  --vault DIR   Use this vault instead. The demo adds a workspace, a state in it
                and the folder projects/alpha, and removes nothing.
  --state DIR   Folder for this device's own data (writers, caches).
                Default: a temporary folder; with --vault, the program's default.
  --once        End after the demo and remove the temporary folder. Implied
                if input or output is not a terminal.
  --open        Open the playground in your browser: the plugin with a sample
                vault, without Obsidian.
  --keep        Keep the temporary folder.
  --help        Show this text.

Exit code: 0 every answer was as expected, 1 one was not, 2 usage error.
NO_COLOR=1 turns colours off.
`;

const PROMPT_HELP = `   TOOL {json}   call a tool, such as: listStates {}
   tools         all tools
   help TOOL     a tool's parameters
   exit          end (or Ctrl+D)
`;

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'main.js');
const WIDTH = Math.max(40, Math.min(process.stdout.columns ?? 80, 80));
const CALL_TIMEOUT_MS = 20_000;
const INDENT = 3;

const hasColours = process.stdout.isTTY && !process.env.NO_COLOR;
const ink = (code) => (text) => (hasColours ? `\x1b[${code}m${text}\x1b[0m` : text);
const bold = ink('1');
const faint = ink('2');
const red = ink('31');
const green = ink('32');
const blue = ink('36');

/** Ends the demo early with a message for the user. */
class Stop extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

const say = (text = '') => process.stdout.write(`${text}\n`);

async function main() {
  const options = readOptions();
  if (options.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const isInteractive = !options.once && process.stdin.isTTY && process.stdout.isTTY;
  const connectTo = await loadConnector();
  build();
  const place = await openPlace(options);
  const isRemoved = place.folder !== undefined && !isInteractive && !options.keep;
  const opened = [];
  const connect = async () => {
    const connection = connectTo(place);
    opened.push(connection);
    await connection.start();
    return connection;
  };
  try {
    const since = Date.now();
    introduce(place, isRemoved);
    const { connection, workspace } = await play(connect);
    say(green(bold('Every answer was as expected.')));
    say();
    await listLogFiles(place, since);
    await showPlayground(options.open);
    suggestNext(place, workspace, isInteractive);
    if (isInteractive) await explore(connection, workspace);
    return 0;
  } finally {
    // an open one would keep this process alive
    for (const connection of opened) await connection.close();
    if (isRemoved) await rm(place.folder, { recursive: true, force: true });
    else if (place.folder) say(`The vault is kept here:\n  ${place.vault}`);
  }
}

function readOptions() {
  const flag = { type: 'boolean', default: false };
  const text = { type: 'string' };
  try {
    return parseArgs({
      options: {
        vault: text,
        state: text,
        once: flag,
        open: flag,
        keep: flag,
        help: { ...flag, short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new Stop(`${error.message.split('. ')[0]}. All options: npm start -- --help`, 2);
  }
}

function build() {
  const { status } = spawnSync(process.execPath, [join(root, 'esbuild.config.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0)
    throw new Stop(
      'The build failed, so there is nothing to show. Fix the errors above and run npm start again.',
    );
}

/**
 * Returns the vault and state folder to use; a temporary folder with both unless a vault is given.
 */
async function openPlace({ vault, state }) {
  const typedIn = process.env.npm_lifecycle_event === 'start' ? (process.env.INIT_CWD ?? '.') : '.';
  const named = (folder) => resolve(typedIn, folder);
  if (vault !== undefined) {
    const info = await stat(named(vault)).catch(() => undefined);
    if (!info?.isDirectory())
      throw new Stop(
        `The folder "${named(vault)}" does not exist. Pass an existing folder, or omit --vault.`,
        2,
      );
    return { vault: named(vault), ...(state !== undefined && { state: named(state) }) };
  }
  const folder = await mkdtemp(join(tmpdir(), 'savepoint-demo-'));
  const copy = join(folder, 'vault');
  await cp(join(root, 'examples/vault/projects'), join(copy, 'projects'), { recursive: true });
  await cp(join(root, 'docs/guide'), join(copy, 'Guide'), { recursive: true });
  await mkdir(join(copy, '.obsidian'));
  await mkdir(join(folder, 'state'));
  return { folder, vault: copy, state: state === undefined ? join(folder, 'state') : named(state) };
}

// The conversations

async function loadConnector() {
  const modules = ['@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio'];
  const [{ Client }, { StdioClientTransport }] = await Promise.all(
    modules.map((name) => import(name)),
  ).catch(() => {
    throw new Stop('The packages are not installed yet. Run "npm ci" first.', 2);
  });
  return (place) =>
    createConnection(
      new Client({ name: 'savepoint-demo', version: '1.0.0' }),
      StdioClientTransport,
      place,
    );
}

/**
 * Starts the program and connects to it, as an AI app does. The program's log is shown only if
 * something fails.
 */
function createConnection(client, StdioClientTransport, { vault, state }) {
  const args = [
    program,
    'mcp',
    '--vault',
    vault,
    ...(state === undefined ? [] : ['--state', state]),
  ];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: process.env,
    stderr: 'pipe',
  });
  let log = '';
  transport.stderr.on('data', (bytes) => (log += bytes));
  const takeLog = () => {
    const taken = log.trim();
    log = '';
    return taken && `\nThe program's own log says:\n${taken}`;
  };
  const orStop = (doing) => (error) => {
    throw new Stop(`${doing} failed: ${error.message}${takeLog()}`);
  };
  return {
    start: () =>
      client
        .connect(transport, { timeout: CALL_TIMEOUT_MS })
        .catch(orStop('Connecting to the program')),
    process: () => transport.pid,
    takeLog,
    tools: async () => (await client.listTools()).tools,
    async call(tool, params) {
      const request = client.callTool(
        { name: tool, arguments: params },
        { timeout: CALL_TIMEOUT_MS },
      );
      const { structuredContent } = await request.catch(orStop(`The call of ${tool}`));
      return structuredContent;
    },
    close: () => client.close(),
  };
}

/**
 * Plays two conversations in two processes. Returns the second connection, still open, and the
 * workspace's name.
 */
async function play(connect) {
  const first = await connect();
  const workspace = await freeName(first, 'Project Alpha');
  sayHeading('First conversation', `process ${first.process()}`);
  if (workspace !== 'Project Alpha')
    sayText(
      `This vault already has a workspace "Project Alpha", so the demo creates "${workspace}".\n`,
    );
  await step(first, 1, {
    title: 'Set up a project',
    text: 'The agent creates a workspace for everything it will remember about the project.',
    call: {
      context: { workspaceId: 'default', sessionId: 'setup', memory: '', goal: 'Setup project' },
      calls: [
        {
          agent: 'memoryManager',
          tool: 'createWorkspace',
          params: {
            name: workspace,
            description: 'E-commerce platform rebuild',
            rootFolder: 'projects/alpha',
            purpose: 'Rebuild legacy e-commerce platform',
          },
        },
      ],
    },
    promise: { success: true },
  });
  const state = {
    name: 'Auth Module Progress',
    conversationContext: 'We decided on JWT tokens for auth and set up the basic structure.',
    activeTask: 'Implementing token refresh logic',
    activeFiles: ['src/auth/jwt.ts', 'src/auth/middleware.ts'],
    nextSteps: ['Add refresh token endpoint', 'Test token expiration', 'Add logout flow'],
    tags: ['auth', 'in-progress'],
  };
  await step(first, 2, {
    title: 'Save the state of the work',
    text: 'Before the conversation ends, the agent saves a state. A state never changes.',
    call: {
      context: { workspaceId: workspace, sessionId: 'session-1' },
      calls: [{ agent: 'memoryManager', tool: 'createState', params: state }],
    },
    promise: { success: true },
  });
  await first.close();

  const second = await connect();
  sayHeading('Another conversation', `process ${second.process()}`);
  sayText('The first process has ended. This one starts without any context.\n');
  await step(second, 3, {
    title: 'Continue',
    text: 'The agent loads the state by its name and has everything back.',
    note: 'otherFiles says that the demo vault does not contain these files.',
    call: {
      context: { workspaceId: workspace, sessionId: 'session-2' },
      calls: [{ agent: 'memoryManager', tool: 'loadState', params: { name: state.name } }],
    },
    promise: { success: true, data: state },
    isPart: true,
  });
  await step(second, 4, {
    title: 'Find it without its name',
    text: 'Any word works, here one from the next steps: "expiration".',
    call: {
      context: { workspaceId: workspace, sessionId: 'session-2' },
      calls: [
        {
          agent: 'searchManager',
          tool: 'searchMemory',
          params: { query: 'expiration', workspaceId: workspace, memoryTypes: ['states'] },
        },
      ],
    },
    promise: {
      success: true,
      data: [{ name: state.name, content: state.nextSteps[1] }],
    },
    isPart: true,
  });
  return { connection: second, workspace };
}

/**
 * Returns the name, with a number appended if a workspace in the vault has it already. Archived
 * ones keep their names.
 */
async function freeName(connection, name) {
  const { success, data, error } = await connection.call('listWorkspaces', {
    includeArchived: true,
  });
  if (!success) throw new Stop(`${error}${connection.takeLog()}`);
  const asCompared = (text) => text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
  const taken = new Set(data.map((workspace) => asCompared(workspace.name)));
  let free = name;
  for (let number = 2; taken.has(asCompared(free)); number++) free = `${name} ${number}`;
  return free;
}

/**
 * Makes one call, prints it with its answer, and ends the demo if the answer is not the expected
 * one.
 */
async function step(connection, number, { title, text, note, call, promise, isPart = false }) {
  say(`${blue(`${number}`.padEnd(INDENT))}${bold(title)}`);
  sayText(text);
  say();
  sayJson(call, 'useTools ');
  const answer = await connection.call('useTools', call);
  sayJson(answer, '→ ');
  if (isPart ? !holds(answer, promise) : !isDeepStrictEqual(answer, promise)) {
    say(red(`${' '.repeat(INDENT)}✗ not as expected. Expected${isPart ? ' to contain' : ''}:`));
    sayJson(promise);
    throw new Stop(
      `The demo ends here: "${title}" did not do what it should.${connection.takeLog()}`,
    );
  }
  say(`${' '.repeat(INDENT)}${green('✓ as expected')}${note ? faint(`  ${note}`) : ''}`);
  say();
}

/** Returns true if `value` contains everything in `promised`; extra keys are ignored. */
function holds(value, promised) {
  if (typeof promised !== 'object' || promised === null) return Object.is(value, promised);
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) !== Array.isArray(promised)
  )
    return false;
  if (Array.isArray(promised) && value.length !== promised.length) return false;
  return Object.entries(promised).every(([key, part]) => holds(value[key], part));
}

// Texts around the calls

function introduce({ vault, folder }, isRemoved) {
  const kind = folder
    ? `a new sample vault with the guide${isRemoved ? ', removed at the end' : ''}`
    : 'yours; the demo adds to it and removes nothing';
  say();
  say(bold('Savepoint: one AI agent saves the state of its work, another continues from it.'));
  say();
  say(`   Vault    ${vault}`);
  say(`            ${faint(kind)}`);
  say('   Program  node main.js mcp --vault <that vault>');
  say(`            ${faint('started and called over MCP, as an AI app does')}`);
  say();
}

/** Lists the log files that this run has written. */
async function listLogFiles({ vault }, since) {
  sayHeading('Where the memory is stored');
  sayText('In plain text files in the vault, one line per event:\n');
  const names = await readdir(join(vault, 'Savepoint'), { recursive: true });
  for (const name of names.filter((path) => path.endsWith('.jsonl')).sort()) {
    const file = join(vault, 'Savepoint', name);
    if ((await stat(file)).mtimeMs < since - 1000) continue;
    const lines = (await readFile(file, 'utf8')).split('\n').length - 1;
    const content = name.startsWith('core')
      ? 'the workspace and the state'
      : 'traces: a record of each call';
    say(`   ${`${lines}`.padStart(4)} lines  ${blue(relative(vault, file))}`);
    say(`               ${faint(content)}`);
  }
  say();
}

function suggestNext({ vault, folder }, workspace, isInteractive) {
  const shown = folder ? '<your vault>' : /\s/.test(vault) ? `"${vault}"` : vault;
  sayHeading('What next');
  if (!isInteractive)
    say(
      `   Try it    npm start ${faint('(in a terminal, it ends with a prompt for your own calls)')}`,
    );
  say(`   Read      docs/guide/First steps.md ${faint('(the guide, also in the sample vault)')}`);
  say(`   Install   node main.js install --vault ${shown}`);
  say(`   Connect   node main.js connect --vault ${shown}`);
  say('   Commands  node main.js help');
  if (!folder) {
    say(`   Tidy up   node main.js call archiveWorkspace --vault ${shown} \\`);
    say(`               --json '${JSON.stringify({ name: workspace })}'`);
  }
  say();
}

/** Builds the playground and prints where it is. */
async function showPlayground(isOpened) {
  const { file } = await buildPlayground({ to: PLAYGROUND_FILE });
  sayHeading('The plugin');
  sayText('The plugin with a sample vault, without Obsidian: open this file in your browser.\n');
  say(`   ${blue(file)}`);
  say();
  if (isOpened) await openFile(file).catch(({ message }) => process.stderr.write(`${message}\n`));
}

// The prompt

async function explore(connection, workspace) {
  const tools = await connection.tools();
  await connection.call('loadWorkspace', { name: workspace });
  const query = inline({ query: 'jwt', workspaceId: workspace });
  sayHeading('Your turn');
  sayText(`Type a tool and its parameters as JSON. You are in "${workspace}".\n`);
  for (const call of [
    'listStates {}',
    'loadState {"name": "auth module progress"}',
    `searchMemory ${query}`,
  ])
    say(`   ${blue(call)}`);
  say();
  process.stdout.write(PROMPT_HELP);
  say();
  const words = [...tools.map(({ name }) => name), 'tools', 'help', 'exit'];
  const completer = (line) => [words.filter((word) => word.startsWith(line)), line];
  const lines = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: bold('savepoint> '),
    completer,
  });
  await new Promise((resolve) => {
    let last = Promise.resolve(); // pasted lines arrive faster than they are answered
    let isOver = false;
    lines.on('SIGINT', () => lines.close());
    lines.on('close', () => {
      isOver = true;
      resolve(last);
    });
    lines.on('line', (line) => {
      last = last.then(async () => {
        if (['exit', 'quit'].includes(line.trim())) return lines.close();
        if (!isOver) await obey(line.trim(), tools, connection);
        if (!isOver) lines.prompt();
      });
    });
    lines.prompt();
  });
  say();
}

async function obey(line, tools, connection) {
  const [, word, rest] = /^([^\s{]*)\s*(.*)$/s.exec(line);
  if (line === '') return;
  if (word === 'tools' && rest === '')
    return tools.forEach(({ name, description }) => sayRow(name, 18, description));
  if (word === 'help' && rest === '') return void process.stdout.write(PROMPT_HELP);
  const name = word === 'help' ? rest : word;
  const tool = tools.find((other) => other.name.toLowerCase() === name.toLowerCase());
  if (!tool)
    return say(
      red(
        name === '' ? 'Begin with the name of a tool, such as: listStates {}' : unknownTool(name),
      ),
    );
  if (word === 'help') return sayParameters(tool);
  let params;
  try {
    params = JSON.parse(rest || '{}');
  } catch (error) {
    return say(
      red(`That is not valid JSON (${error.message}). Write it like: ${tool.name} {"name": "..."}`),
    );
  }
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    return say(red(`The parameters are an object. Write it like: ${tool.name} {"name": "..."}`));
  try {
    const answer = await connection.call(tool.name, params);
    sayJson(answer, answer.success ? `${green('→')} ` : `${red('→')} `);
    if (!answer.success && connection.takeLog()) say(faint('   (the program logged more details)'));
  } catch (error) {
    say(red(error.message));
  }
}

const unknownTool = (name) => `There is no tool "${name}". Type "tools" to see which there are.`;

function sayParameters({ description, inputSchema: { properties, required = [] } }) {
  sayText(`${description}\n`);
  for (const [
    key,
    { type, enum: values, default: standard, description: meaning },
  ] of Object.entries(properties)) {
    const kind = [
      values?.join(' | ') ?? type,
      required.includes(key) && 'required',
      standard !== undefined && `default ${inline(standard)}`,
    ];
    sayRow(key, 21, [kind.filter(Boolean).join(', '), meaning].filter(Boolean).join('. '));
  }
}

// Output

function sayHeading(title, note = '') {
  const left = `── ${title} `;
  const right = note && ` ${note} ──`;
  say(`${bold(left)}${faint('─'.repeat(Math.max(2, WIDTH - left.length - right.length)) + right)}`);
  say();
}

/** Prints a text at the indent, wrapped at spaces. */
function sayText(text) {
  for (const line of wrap(text, ' '.repeat(INDENT)).split('\n')) say(line.trimEnd());
}

/** Prints a word at the indent and a text in a second column. */
function sayRow(word, width, text) {
  const column = wrap(text, ' '.repeat(INDENT + width));
  say(`${' '.repeat(INDENT)}${blue(word.padEnd(width))}${column.trimStart()}`);
}

/** Wraps the text to the page width, with `margin` at the start of each line. */
function wrap(text, margin) {
  const room = WIDTH - margin.length;
  const cut = new RegExp(`(?!$)(.{1,${room}})(?: +|$)|(\\S{${room + 1},}) *`, 'gm');
  return text
    .replace(cut, (_, line, longWord) => `${margin}${line ?? longWord}\n`)
    .replace(/\n$/, '');
}

function sayJson(value, before = '') {
  const text = layOut(value, INDENT, INDENT + before.length);
  const coloured = text.replace(/("(?:[^"\\]|\\.)*")(:)?/g, (_, string, colon) =>
    colon ? faint(string + colon) : blue(string),
  );
  say(`${' '.repeat(INDENT)}${before}${coloured}`);
}

/** Formats JSON in few lines: short values share a line, long ones are wrapped at spaces. */
function layOut(value, indent, column) {
  const flat = inline(value);
  if (column + flat.length <= WIDTH || typeof value !== 'object') return flat;
  if (Array.isArray(value) && value.length === 1)
    return `[${layOut(value[0], indent, column + 1)}]`;
  const inner = indent + 2;
  const space = ' '.repeat(inner);
  const parts = Object.entries(value).map(([key, part]) => {
    const label = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    const isLongText =
      typeof part === 'string' && inner + label.length + inline(part).length >= WIDTH;
    if (isLongText && label) return `${label.trimEnd()}\n${wrap(inline(part), `${space}  `)}`;
    return label + layOut(part, inner, inner + label.length);
  });
  const isShort = (text) => text.length <= 40 && !/[{[\n]/.test(text);
  const lines = parts.reduce((done, part) => {
    const last = done.at(-1);
    const fits =
      last !== undefined &&
      isShort(part) &&
      done.isOpen &&
      inner + last.length + part.length + 3 <= WIDTH;
    const next = fits ? [...done.slice(0, -1), `${last}, ${part}`] : [...done, part];
    return Object.assign(next, { isOpen: isShort(part) });
  }, []);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map((line) => space + line).join(',\n')}\n${' '.repeat(indent)}${close}`;
}

function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(
    ([key, part]) => `${JSON.stringify(key)}: ${inline(part)}`,
  );
  return parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}';
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Stop)) throw error;
  process.stderr.write(`${red(error.message)}\n`);
  process.exitCode = error.exitCode;
}

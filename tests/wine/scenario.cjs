/*
 * Runs on Windows, under Wine: what a user and AI apps do with the program. Wine's Node cannot use
 * the pipes of Linux, so this script starts the other processes and writes what it saw to a file.
 * Called with the path of its settings (JSON); the settings and results are those of wine.test.ts.
 */
'use strict';
const { spawn, spawnSync } = require('node:child_process');
const {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
  existsSync,
} = require('node:fs');
const { dirname, join } = require('node:path');

const {
  program,
  home,
  vault,
  project,
  hooks,
  results: resultFile,
} = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const local = join(home, 'AppData', 'Local');
const commands = join(local, 'Microsoft', 'WindowsApps');
const env = {
  ...process.env,
  USERPROFILE: home,
  LOCALAPPDATA: local,
  APPDATA: join(home, 'AppData', 'Roaming'),
  Path: `${commands};${dirname(process.execPath)};${process.env.Path ?? process.env.PATH}`,
};
delete env.PATH;
const TIMEOUT_MS = 60_000;
const results = {};

main().then(
  () => writeFileSync(resultFile, JSON.stringify(results)),
  (error) => writeFileSync(resultFile, JSON.stringify({ ...results, error: String(error.stack) })),
);

async function main() {
  for (const folder of [commands, env.APPDATA, join(vault, '.obsidian'), project])
    mkdirSync(folder, { recursive: true });
  mkdirSync(join(env.APPDATA, 'Claude'), { recursive: true });
  mkdirSync(join(home, '.claude'), { recursive: true });
  mkdirSync(join(vault, 'Übung'));
  writeFileSync(join(vault, 'Übung', 'Größe & Co.md'), '# Tomaten\nRot und süß.');

  results.install = run(['install', '--vault', vault]);
  results.installed = readdirSync(join(vault, '.obsidian', 'plugins', 'savepoint')).sort();
  results.connect = run(['connect', 'claude-desktop', '--vault', vault]);
  results.connectHooks = run(['connect', 'claude-code', '--hooks', '--vault', vault]);
  results.doctor = run(['doctor']);
  results.calls = await callOverStdio(40);
  results.together = await Promise.all([1, 2, 3, 4].map((number) => saveFrom(number)));
  results.loaded = callOnce('loadState', { name: 'Stand 40 für Jörg' });
  results.search = callOnce('searchContent', { query: 'Tomaten' });
  results.refused = callOnce('createWorkspace', {
    name: 'Con',
    description: 'd',
    purpose: 'p',
    rootFolder: 'con',
  });
  results.link = run(['link', '--workspace', 'Default', '--vault', vault, '--capture', 'on'], {
    cwd: project,
  });
  results.hooks = hooks.map(({ hook, input, lines = '' }) => {
    appendFileSync(input.transcript_path, lines); // not before the session has begun
    return run(['hook', hook, '--client', 'claude-code', '--background'], {
      cwd: project,
      input: JSON.stringify(input),
    });
  });
  results.brief = run(['brief', '--vault', vault], { cwd: project });
  const lines = join(home, 'Savepoint export (1)');
  results.export = run(['export', '--vault', vault, '--to', lines]);
  results.exported = existsSync(lines) ? readdirSync(lines) : [];
  results.verify = run(['verify', '--vault', vault]);
  results.command = existsSync(join(commands, 'savepoint.cmd'));
  results.commandText = results.command
    ? readFileSync(join(commands, 'savepoint.cmd'), 'latin1')
    : '';
  results.shell = start('cmd.exe', ['/d', '/c', 'savepoint', 'version']);
}

function run(args, options) {
  return start(process.execPath, [program, ...args], options);
}

/** Returns the exit code and the output of a program. */
function start(file, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    env,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    ...options,
  });
  return { code: status, stdout, stderr: error ? String(error) : stderr };
}

/** Returns the answer to a call in the shell. */
function callOnce(tool, params) {
  const { code, stdout, stderr } = run([
    'call',
    tool,
    '--vault',
    vault,
    '--json',
    JSON.stringify(params),
  ]);
  return code === 0 || stdout ? JSON.parse(stdout) : { code, stderr };
}

/** Saves states in one session of an MCP client, one after the other. Returns the answers. */
async function callOverStdio(count) {
  const session = openSession();
  const tools = await session.request('tools/list', {});
  const answers = [];
  for (let number = 1; number <= count; number++)
    answers.push(await session.save(`Stand ${number} für Jörg`, ['übung\\größe & co.md']));
  return { tools: tools.tools.length, answers, code: await session.end() };
}

async function saveFrom(number) {
  const session = openSession();
  const answers = [];
  for (let at = 1; at <= 5; at++) answers.push(await session.save(`Von ${number}: ${at}`, []));
  return { answers, code: await session.end() };
}

function openSession() {
  const child = spawn(process.execPath, [program, 'mcp', '--vault', vault], { env });
  const waiting = new Map();
  let [rest, next] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    const lines = (rest + piece).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, result, error } = JSON.parse(line);
      waiting.get(id)?.(result ?? { error });
    }
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const send = (message) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (method, params) => {
    const id = ++next;
    const answer = new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      void ended.then((code) => reject(new Error(`mcp ended with ${code} during ${method}`)));
    });
    send({ id, method, params });
    return answer;
  };
  const ready = request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }).then(() => send({ method: 'notifications/initialized' }));
  return {
    request: async (method, params) => {
      await ready;
      return request(method, params);
    },
    async save(name, activeFiles) {
      await ready;
      const { structuredContent } = await request('tools/call', {
        name: 'createState',
        arguments: {
          name,
          conversationContext: 'Überblick',
          activeTask: 'Testen',
          activeFiles,
          nextSteps: ['Weiter'],
        },
      });
      return structuredContent;
    },
    end() {
      child.stdin.end();
      return ended;
    },
  };
}

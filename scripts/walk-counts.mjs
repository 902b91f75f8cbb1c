/**
 * Prints how much of src four walks run: `createState` over MCP in a fresh vault with one workspace,
 * a warm `searchMemory` (of five, the one with the fewest calls), and the hook `session-start` of
 * Claude Code in a linked project, once when it composes the brief, and once more.
 * `node scripts/walk-counts.mjs [<another checkout> [list]]`, with `list` each climb.
 *
 * The program is bundled so that each function of src reports its caller. Functions are those that
 * run at least once, of a call from its request to its response, of a hook in its whole process;
 * rooms are the folders that they are in. Steps are calls in a row that are in different rooms, and
 * climbs are calls of a folder that stands after the caller's in scripts/architecture.mjs.
 */
import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { folders } from './architecture.mjs';
import { lazyModules } from './lazy-modules.mjs';
import { modulesOfNode } from './modules-of-node.mjs';

const script = fileURLToPath(import.meta.url);
const root = resolve(process.argv[2] ?? join(dirname(script), '..'));
const SETTLE_MS = 1500;

/** Runs a bundle in this process, and sends what has run when it is asked, and at the end. */
function runBundle(bundle) {
  const calls = [];
  globalThis.enter = (callee) => {
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = (_, sites) => sites;
    const caller = new Error().stack.slice(2).find((site) => site.getFileName() !== undefined);
    Error.prepareStackTrace = prepareStackTrace;
    const isOwn = caller?.getFileName() === bundle && !caller.isAsync();
    calls.push({ callee, from: isOwn ? caller.getPosition() : -1 });
  };
  process.on('message', () => process.send(calls.splice(0)));
  process.channel.unref();
  process.on('exit', () => writeFileSync(`${bundle}.json`, JSON.stringify(calls)));
  process.argv.splice(1, 1, bundle);
  void createRequire(bundle)(bundle).run(process.argv.slice(2));
}

/** Returns the text of a module whose functions report that they are entered. */
function withReports(file, code) {
  const added = [];
  const visit = (node) => {
    ts.forEachChild(node, visit);
    if (!ts.isFunctionLike(node) || !node.body) return;
    const start = node.body.getStart();
    const report = `globalThis.enter(${JSON.stringify(`${file}:${start}`)})`;
    if (ts.isBlock(node.body)) added.push([start + 1, `${report};`]);
    else added.push([start, `(${report}, `], [node.body.end, ')']);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true));
  return added
    .sort(([one], [other]) => other - one)
    .reduce((text, [at, piece]) => text.slice(0, at) + piece + text.slice(at), code);
}

const reports = {
  name: 'reports',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/, namespace: 'file' }, ({ path }) => {
      const file = relative(root, path).replaceAll('\\', '/');
      return { contents: withReports(file, readFileSync(path, 'utf8')), loader: 'ts' };
    }),
};

/** Bundles an entry point into a file. The comments of esbuild say which module code is from. */
async function bundleWithReports(entry, outfile) {
  const plugins = [lazyModules(root), modulesOfNode, reports];
  const input = { absWorkingDir: root, entryPoints: [entry], loader: { '.txt': 'text' }, plugins };
  await build({ ...input, outfile, bundle: true, format: 'cjs', external: ['node:*'] });
  return outfile;
}

function print(walk, bundle, calls) {
  const modules = [...readFileSync(bundle, 'utf8').matchAll(/^\s*\/\/ (src\/\S+|\S+:\S+)$/gm)];
  const fileAt = (at) => modules.findLast(({ index }) => index <= at)?.[1] ?? '';
  const rowOf = (file) => folders.findIndex(({ name }) => name === file.split(/[/.]/)[1]);
  const files = calls.map(({ callee }) => callee.split(':')[0]);
  const rooms = files.map((file) => dirname(file));
  const steps = rooms.filter((room, nth) => room !== rooms[nth - 1]);
  const climbs = calls
    .map(({ from }, nth) => ({ caller: fileAt(from), callee: files[nth] }))
    .filter(({ caller, callee }) => rowOf(caller) >= 0 && rowOf(callee) > rowOf(caller));
  const [functions, places] = [new Set(calls.map(({ callee }) => callee)), new Set(files)];
  console.log(`${walk}: ${functions.size} functions in ${places.size} files`);
  console.log(`  ${new Set(rooms).size} rooms, ${steps.length} steps, ${climbs.length} climbs`);
  if (process.argv[3] === 'list')
    for (const { caller, callee } of climbs) console.log(`    ${caller} > ${callee}`);
}

async function printWalks(folder) {
  const [vault, project] = [join(folder, 'vault'), join(folder, 'project')];
  for (const each of [join(vault, '.obsidian'), join(project, '.git')])
    mkdirSync(each, { recursive: true });
  const command = await bundleWithReports('src/headless.ts', join(folder, 'command.cjs'));
  const hook = await bundleWithReports('src/program/hook-program.ts', join(folder, 'hook.cjs'));
  const start = (bundle, args) => {
    const env = { ...process.env, WALK_BUNDLE: bundle, SAVEPOINT_STATE: join(folder, 'state') };
    const stdio = ['pipe', 'pipe', 'inherit', 'ipc'];
    return spawn(process.execPath, [script, ...args], { cwd: project, env, stdio });
  };

  const server = start(command, ['mcp', '--vault', vault]);
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const ask = async (method, params) => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: method, method, params })}\n`);
    await lines.next();
  };
  const take = () => (server.send('take'), once(server, 'message'));
  const call = async (name, params) => {
    await setTimeout(SETTLE_MS);
    await take();
    await ask('tools/call', { name, arguments: params });
    return (await take())[0];
  };
  const clientInfo = { name: 'walks', version: '1.0.0' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  const name = 'Walks';
  await call('createWorkspace', { name, description: name, rootFolder: name, purpose: name });
  const texts = { conversationContext: 'Then.', activeTask: 'This', nextSteps: ['Next'] };
  print('createState', command, await call('createState', { name, activeFiles: [], ...texts }));
  const found = [];
  for (let round = 0; round < 5; round++) found.push(await call('searchMemory', { query: 'then' }));
  print('searchMemory', command, found.sort((one, other) => one.length - other.length)[0]);
  server.stdin.end();
  await once(server, 'close');

  const link = ['link', '--workspace', name, '--vault', vault, '--capture', 'on'];
  await once(start(command, link), 'close');
  for (const nth of ['first', 'second']) {
    const child = start(hook, ['hook', 'session-start', '--client', 'claude-code']);
    child.stdin.end(JSON.stringify({ session_id: nth, cwd: project, source: 'startup' }));
    await once(child, 'close');
    print(`${nth} hook`, hook, JSON.parse(readFileSync(`${hook}.json`, 'utf8')));
    await setTimeout(SETTLE_MS);
  }
  rmSync(folder, { recursive: true });
}

if (process.env.WALK_BUNDLE) runBundle(process.env.WALK_BUNDLE);
else await printWalks(mkdtempSync(join(tmpdir(), 'savepoint-walks-')));

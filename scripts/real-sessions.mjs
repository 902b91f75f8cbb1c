/**
 * Measures what is kept of real sessions of Claude Code, and whether it is found: captures each
 * transcript through the hooks of main.js in a linked project, and compares what is in the memory
 * with the transcript. The set is public and not part of this repository.
 *
 *   node scripts/real-sessions.mjs SWECONTEXTBENCH [even|odd] [MAX]
 *
 * SWECONTEXTBENCH is a checkout of jiayuanz3/SWEContextBench. All sessions are captured; of `even`
 * (the default), those whose instance id ends in an even digit are compared, and later tasks with
 * such an id are asked: decide on those, and confirm on the others.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const [folder = '', half = 'even', max = '1000'] = process.argv.slice(2);
const main = fileURLToPath(new URL('../main.js', import.meta.url));
const PAST = join(resolve(folder), 'cases', 'SWEContextBench Lite Past Experience');
const LATER = join(resolve(folder), 'cases', 'SWEContextBench Lite');

const isInHalf = (id) => Number(id.at(-1)) % 2 === (half === 'even' ? 0 : 1);

/** Returns true if an answer has more than 80 characters of sentences or entries of its own. */
export function saysSomething(answer) {
  const said = answer.split('\n').filter((line) => {
    const text = line.trim();
    const isHeading = /^(?:#{1,6}\s|\*\*[^*]+\*\*:?$|[-=*_]{3,}$)/.test(text);
    return (
      text !== '' && !isHeading && !/[:：]\**$/.test(text) && !/^(?:thanks|thank you)\b/i.test(text)
    );
  });
  return said.join(' ').replace(/\s+/g, ' ').length > 80;
}

/** Reads what is to be kept from a transcript, without the code of the program. */
function readTranscript(text) {
  const lines = text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
  const calls = new Map();
  let task = '';
  for (const line of lines) {
    const content = line.message?.content;
    if (line.type === 'user' && typeof content === 'string' && task === '') task = content;
    for (const part of Array.isArray(content) ? content : []) {
      if (part.type === 'tool_use') calls.set(part.id, { name: part.name, input: part.input });
      const call = part.type === 'tool_result' ? calls.get(part.tool_use_id) : undefined;
      if (call) call.isFailed = part.is_error === true;
    }
  }
  const all = [...calls.values()];
  const written = all
    .filter(
      ({ name, isFailed }) =>
        /^(?:Write|Edit|MultiEdit|NotebookEdit)$/.test(name) && isFailed === false,
    )
    .map(({ input }) => input.file_path ?? input.notebook_path);
  const failed = all.filter(({ name, isFailed }) => name === 'Bash' && isFailed === true);
  const commands = failed.map(({ input }) => input.command.replaceAll(`${project}/`, '')).reverse();
  return { task, written: [...new Set(written)], failed: [...new Set(commands)].slice(0, 20) };
}

const wordsOf = (text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_.-]{2,}/gu) ?? []);

/** Returns true if a text has most words of the beginning of another. */
function holds(text, part, length = 150) {
  const words = [...wordsOf(part.slice(0, length))];
  const own = wordsOf(text);
  return words.length === 0 || words.filter((word) => own.has(word)).length / words.length >= 0.7;
}

const root = mkdtempSync(join(tmpdir(), 'savepoint-real-'));
const [vault, state, project] = ['vault', 'state', 'project'].map((name) => join(root, name));
for (const each of [join(vault, '.obsidian'), state, project, join(root, 'transcripts')])
  mkdirSync(each, { recursive: true });
const env = { ...process.env, HOME: root, SAVEPOINT_STATE: state, SAVEPOINT_VAULT: vault };
const run = (args, input) =>
  execFileSync(process.execPath, [main, ...args], { cwd: project, env, input, encoding: 'utf8' });
const call = (tool, params) =>
  JSON.parse(
    run(['call', tool, '--vault', vault, '--state', state, '--json', JSON.stringify(params)]),
  );

/** Calls a hook and waits for its process in the background, which records. */
async function hook(event, input) {
  const args = [main, 'hook', event, '--client', 'claude-code', '--background'];
  const child = spawn(process.execPath, args, {
    cwd: project,
    env,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(
    JSON.stringify({ cwd: project, hook_event_name: event, savepoint_consent: true, ...input }),
  );
  await new Promise((done) => child.once('close', done));
}

run([
  'call',
  'createWorkspace',
  '--vault',
  vault,
  '--state',
  state,
  '--json',
  JSON.stringify({ name: 'Work', description: 'd', rootFolder: 'work', purpose: 'p' }),
]);
run(['link', '--project', project, '--workspace', 'Work', '--vault', vault, '--capture', 'all']);

const sessions = [];
const files = readdirSync(PAST)
  .filter((name) => name.endsWith('.jsonl'))
  .sort();
for (const name of files) {
  if (sessions.length >= Number(max)) break;
  const raw = readFileSync(join(PAST, name), 'utf8');
  const id = /instance_id: (\S+__\S+-\d+)/.exec(raw)?.[1] ?? '';
  if (id === '') continue;
  // as if it had happened now in the linked project, which is what a hook would see
  const own = /"cwd":"([^"]*)"/.exec(raw)?.[1] ?? '';
  const at = Date.now();
  const moved = raw
    .replaceAll(`"cwd":"${own}"`, `"cwd":"${project}"`)
    .replaceAll(`${own}/`, `${project}/`)
    .replace(/"timestamp":"[^"]*"/g, `"timestamp":"${new Date(at + 50).toISOString()}"`);
  const transcript = join(root, 'transcripts', name);
  const session = name.replace('.jsonl', '');
  await hook('session-start', {
    session_id: session,
    transcript_path: transcript,
    source: 'startup',
  });
  await new Promise((done) => setTimeout(done, 60));
  writeFileSync(transcript, moved);
  await hook('turn', { session_id: session, transcript_path: transcript });
  await hook('session-end', { session_id: session, transcript_path: transcript });
  sessions.push({ session, id, transcript, ...readTranscript(moved) });
}

const kept = new Map();
const lines = [];
for (const path of readdirSync(join(vault, 'Savepoint', 'session'), {
  recursive: true,
  withFileTypes: true,
}))
  if (path.isFile())
    for (const line of readFileSync(join(path.parentPath, path.name), 'utf8').split('\n'))
      if (line.includes('"session.new"')) lines.push(JSON.parse(line));
const sizes = lines.map((line) => JSON.stringify(line.d).length).sort((a, b) => a - b);
for (const { d } of lines) kept.set(d.session, d.checkpoint);

const counts = { says: 0, task: 0, written: 0, writtenOf: 0, failed: 0, failedOf: 0, whole: 0 };
const worst = [];
const compared = sessions.filter(({ id }) => isInHalf(id));
for (const { session, task, written, failed } of compared) {
  const digest = kept.get(session) ?? {};
  const turns = digest.turns ?? [];
  const answer = turns.findLast((turn) => turn.answer)?.answer ?? '';
  const text = JSON.stringify(digest.written ?? []);
  const commands = (digest.failed ?? []).map((each) => each.command);
  const isSaid = saysSomething(answer);
  const hasTask = turns.some((turn) => holds(turn.message ?? '', task));
  const heldFiles = written.filter((path) =>
    text.includes(path.startsWith('~') ? path.split('/').at(-1) : path.replace(`${project}/`, '')),
  );
  const heldCommands = failed.filter((command) =>
    commands.some((each) => holds(each, command, 120)),
  );
  counts.says += isSaid;
  counts.task += hasTask;
  counts.written += heldFiles.length;
  counts.writtenOf += written.length;
  counts.failed += heldCommands.length;
  counts.failedOf += failed.length;
  const isWhole =
    hasTask && heldFiles.length === written.length && heldCommands.length === failed.length;
  counts.whole += isWhole;
  if (!isSaid || !isWhole)
    worst.push(
      `${session} says ${isSaid} task ${hasTask} files ${heldFiles.length}/${written.length} commands ${heldCommands.length}/${failed.length}`,
      ...failed
        .filter((each) => !heldCommands.includes(each))
        .map((each) => `    lacks ${JSON.stringify(each.slice(0, 200))}`),
    );
}

const tasks = readdirSync(LATER).map((name) => JSON.parse(readFileSync(join(LATER, name), 'utf8')));
const later = tasks
  .filter(({ instance_id: id }) => isInHalf(id))
  .flatMap((task) => {
    const [, path] = /^diff --git a\/(\S+)/m.exec(task.patch) ?? [];
    const right = sessions.filter(({ written }) =>
      written.some((each) => each.endsWith(`/${path}`)),
    );
    const title = task.problem_statement.split('\n')[0].slice(0, 300);
    return right.length > 0
      ? [{ title, path, right: new Set(right.map(({ session }) => session)) }]
      : [];
  });
/** Returns the sessions of rows, which name their digest by the beginning of a hash. */
function sessionsIn(rows) {
  return rows.map(({ id }) => {
    const found = call('getMemory', { id });
    const text = JSON.stringify(found);
    return /instance_id: (\S+?)(?:\\n|\s|")/.exec(text)?.[1] ?? '';
  });
}
// the index grows with each search
for (let count = 0; count * 20 < sessions.length; count++)
  call('searchMemory', { query: 'sessions', workspaceId: 'Work', limit: 1 });
const idOf = new Map(sessions.map(({ session, id }) => [session, id]));
const found = { title: 0, path: 0, empty: 0, doubled: 0 };
for (const { title, path, right } of later) {
  const ids = new Set([...right].map((session) => idOf.get(session)));
  for (const [kind, query] of [
    ['title', title],
    ['path', path],
  ]) {
    const { data } = call('searchMemory', { query, workspaceId: 'Work', limit: 5 });
    if (data.length === 0) found.empty++;
    const rows = sessionsIn(data);
    found.doubled += rows.length - new Set(rows).size;
    if (rows.some((id) => ids.has(id))) found[kind]++;
  }
}
let mini = 'not installed';
try {
  const require = createRequire(new URL('../tools/benchmarks/package.json', import.meta.url));
  const { default: MiniSearch } = await import(require.resolve('minisearch'));
  const index = new MiniSearch({ fields: ['text'], idField: 'session' });
  index.addAll(
    sessions.map(({ session, transcript }) => ({
      session,
      text: readFileSync(transcript, 'utf8'),
    })),
  );
  const hit = (query, right) =>
    index
      .search(query)
      .slice(0, 5)
      .some(({ id }) => right.has(id));
  const share = (kind) => later.filter((each) => hit(each[kind], each.right)).length / later.length;
  mini = `title ${share('title').toFixed(3)}, path ${share('path').toFixed(3)}`;
} catch {
  // only a comparison
}

const share = (part, whole) => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
console.log(
  `${sessions.length} sessions, ${lines.length} lines; ${half} half: ${compared.length} sessions, ${later.length} later tasks`,
);
console.log(`last answer says something: ${share(counts.says, compared.length)}`);
console.log(`task: ${share(counts.task, compared.length)}`);
console.log(`written files: ${share(counts.written, counts.writtenOf)}`);
console.log(`failed commands: ${share(counts.failed, counts.failedOf)}`);
console.log(`task, files and commands all kept: ${share(counts.whole, compared.length)}`);
console.log(`bytes: median ${sizes[sizes.length >> 1]}, largest ${sizes.at(-1)}`);
console.log(
  `right session in five, by title: ${share(found.title, later.length)}, by path: ${share(found.path, later.length)}; empty answers ${found.empty}, repeated rows ${found.doubled}`,
);
console.log(`minisearch over whole transcripts: ${mini}`);
if (half === 'even') for (const text of worst) console.log(`  ${text}`);
rmSync(root, { recursive: true, force: true });

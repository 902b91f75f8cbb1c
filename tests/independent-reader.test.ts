// Tier full: reads each log in two programs
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { callInProcess, createFolders, type TestFolders } from './cli/program-folders.js';
import { commandInProcess } from './fakes/in-process.js';
import { stateNamed } from './fakes/test-vault.js';
import { readVault } from './independent-reader.js';

const NAMES = ['Say "hi" \\ {"v":1,"w":', '👩‍💻 Ünï 工', 'Shed', 'Garden'];
/** What the program can see only in an escaped line. */
const PURPOSE = 'One\u2028two\u0085three {"v":2';

it('reads what the program wrote', { timeout: 60_000 }, async () => {
  const at = await writtenVault();
  const vault = await expectSame(at);
  const names = vault.workspaces.map(({ name }) => name);
  expect(names.toSorted()).toEqual([...NAMES, 'Default'].toSorted());
  expect(vault.workspaces).toContainEqual({ name: 'Garden', purpose: PURPOSE, isArchived: false });
  expect(vault.workspaces).toContainEqual({ name: 'Shed', purpose: 'Purpose', isArchived: true });
  expect(vault.states.filter(({ isArchived }) => isArchived)).toEqual([
    { name: 'Archived', workspace: 'Garden', isArchived: true },
  ]);
  expect(vault.states).toContainEqual({ name: 'Back', workspace: 'Default', isArchived: false });
  expect(Object.values(vault.missing).flat()).toEqual([]);
});

const harmless: Record<string, (text: string, path: string) => [string, Buffer][]> = {
  'renamed files': (text, path) => [
    [join(dirname(path), `copy of ${basename(path).slice(9, 14)} (1).jsonl`), Buffer.from(text)],
  ],
  'duplicated files': (text, path) => [
    [path, Buffer.from(text)],
    [path.replace('.jsonl', '.sync-conflict.jsonl'), Buffer.from(text)],
  ],
  'files without line breaks': (text, path) => [[path, Buffer.from(text.replaceAll('\n', ''))]],
  'CRLF, NULs at the ends of lines, and a byte order mark': (text, path) => [
    [path, Buffer.from(`\ufeff${text.replaceAll('\n', '\0\r\n')}\0\0\0`)],
  ],
  'UTF-16': (text, path) => [[path, Buffer.from(`\ufeff${text}`, 'utf16le')]],
};

it.each(Object.entries(harmless))('loses nothing in %s', { timeout: 60_000 }, async (_, change) => {
  const at = await writtenVault();
  const before = readVault(dataFolder(at));
  for (const path of logFiles(at)) {
    const text = readFileSync(path, 'utf8');
    rmSync(path);
    for (const [name, bytes] of change(text, path)) writeFileSync(name, bytes);
  }
  expect(await expectSame(at)).toEqual(before);
});

it('loses nothing when one file has the lines of all others of its lane', async () => {
  const at = await writtenVault();
  const before = readVault(dataFolder(at));
  for (const lane of ['core', 'trace']) {
    const paths = logFiles(at).filter((path) => path.includes(lane));
    const texts = paths.map((path) => readFileSync(path, 'utf8').replaceAll('\n', ''));
    paths.forEach((path) => rmSync(path));
    writeFileSync(paths[0] ?? '', texts.reverse().join(''));
  }
  expect(await expectSame(at)).toEqual(before);
}, 60_000);

const harmful: Record<string, (lines: string[]) => string[]> = {
  'a deleted line': (lines) => lines.toSpliced(3, 1),
  'lines deleted at the end': (lines) => lines.slice(0, -2),
  'flipped bits': (lines) => lines.map((line, at) => (at % 3 === 2 ? flipped(line) : line)),
  'a torn line': (lines) => lines.with(4, (lines[4] ?? '').slice(0, 70)),
};

it.each(Object.entries(harmful))(
  'misses the same events as the program after %s',
  { timeout: 60_000 },
  async (_, harm) => {
    const at = await writtenVault();
    const before = readVault(dataFolder(at));
    const path = logFiles(at).find((file) => file.includes('core')) ?? '';
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    writeFileSync(path, harm(lines).join('\n') + '\n');
    const after = await expectSame(at);
    expect(after.digest).not.toBe(before.digest);
    expect(after.events).toBeLessThan(before.events);
  },
);

it('shows items with the same name apart, and invisible characters', async () => {
  const at = createFolders();
  const one = createWriter('aaaaaaaaaaaa');
  const two = createWriter('bbbbbbbbbbbb');
  const yard = { name: 'Yard', description: '', rootFolder: '/', purpose: '' };
  const archive = { '/isArchived': true };
  writeFiles(at, {
    'core/one.jsonl':
      one('log.seg', '', { fmt: 1, app: 'test', device: 'one' }) +
      one('ws.new', 'wwwwaaaaaaaaaaaa', yard) +
      one('state.new', 'ssssaaaaaaaaaaaa', stateData('Twice')) +
      one('state.new', 'uuuuaaaaaaaaaaaa', stateData('On\u2028e\u202e 👩‍💻 "x" ❤️')),
    'core/two.jsonl':
      two('log.seg', '', { fmt: 1, app: 'test', device: 'two' }) +
      two('ws.new', 'xxxxaaaaaaaaaaaa', { ...yard, name: ' yARD' }) +
      two('state.new', 'ttttaaaaaaaaaaaa', stateData('Twice')) +
      two('set', 'ttttaaaaaaaaaaaa', archive) +
      two('state.new', 'vvvvaaaaaaaaaaaa', stateData('ＴＷＩＣＥ')),
  });
  const { workspaces, states } = await expectSame(at);
  expect(workspaces.map(({ name }) => name)).toEqual(['Default', 'Yard', ' yARD ⟨xxxx⟩']);
  expect(states).toEqual([
    { name: 'ＴＷＩＣＥ ⟨vvvv⟩', workspace: 'Default', isArchived: false },
    { name: 'On⟨U+2028⟩e⟨U+202E⟩ 👩‍💻 "x" ❤️', workspace: 'Default', isArchived: false },
    { name: 'Twice', workspace: 'Default', isArchived: true },
  ]);
}, 60_000);

it('merges edits, leaves out retired traces, and counts what watermarks mention', async () => {
  const at = createFolders();
  const one = createWriter('aaaaaaaaaaaa');
  const two = createWriter('bbbbbbbbbbbb');
  const traces = createWriter('tttttttttttt');
  const yard = { name: 'Yard', description: '', rootFolder: '/', purpose: 'First' };
  const id = 'wwwwaaaaaaaaaaaa';
  writeFiles(at, {
    'core/one.jsonl':
      two('set', id, { '/purpose': 'Third', '/replaces': ['aaaaaaaaaaaa:3'] }) +
      one('log.seg', '', { fmt: 1, app: 'test', device: 'one' }) +
      one('ws.new', id, yard) +
      one('set', id, { '/purpose': 'Second' }) +
      one('log.retire', '', retirement('tttttttttttt', 1, 2)) +
      one('log.retire', '', retirement('bbbbbbbbbbbb', 1, 9)) +
      one('log.mark', '', {
        seen: { trace: { tttttttttttt: [4] }, core: { bbbbbbbbbbbb: [3] } },
      }),
    'trace/one.jsonl':
      traces('log.seg', '', { fmt: 1, app: 'test', device: 'one' }) +
      traces('trace.new', 'ttttaaaaaaaaaaaa', traceData()) +
      traces('trace.new', 'ttttbbbbbbbbbbbb', traceData()),
  });
  const { workspaces, missing } = await expectSame(at);
  expect(workspaces[1]?.purpose).toBe('Third');
  expect(missing).toEqual({ aaaaaaaaaaaa: [], bbbbbbbbbbbb: [[2, 3]], tttttttttttt: [[4, 4]] });
}, 60_000);

it('shows records with their current registers', async () => {
  const at = createFolders();
  const one = createWriter('aaaaaaaaaaaa');
  const two = createWriter('bbbbbbbbbbbb');
  const record = (kind: string, title: string, more: object = {}) => ({
    ws: 'default',
    kind,
    title,
    ...more,
    by: { client: 'test', session: 's', device: 'one' },
  });
  const [jwt, cookies, ship, test] = [
    'rrrraaaaaaaaaaaa',
    'rrrrbbbbbbbbbbbb',
    'rrrrcccccccccccc',
    'rrrrdddddddddddd',
  ] as const;
  writeFiles(at, {
    'core/one.jsonl':
      one('log.seg', '', { fmt: 1, app: 'test', device: 'one' }) +
      one('record.new', cookies, record('decision', 'Use cookies', { body: 'Simple' })) +
      one('record.new', jwt, record('decision', 'Use JWT')) +
      one('set', cookies, { '/supersededBy': jwt }) +
      one('record.new', test, record('task', 'Test it')) +
      one('record.new', ship, record('task', 'Ship it', { needs: [jwt] })),
    'core/two.jsonl':
      two('log.seg', '', { fmt: 1, app: 'test', device: 'two' }) +
      two('set', ship, { [`/needs/${test}`]: true, [`/needs/${jwt}`]: null }) +
      two('set', test, { '/status': 'done' }),
  });
  const { records } = await expectSame(at);
  const plain = { workspace: 'Default', status: 'open', needs: [], isArchived: false };
  expect(records).toEqual([
    { ...plain, kind: 'task', title: 'Ship it', needs: ['Test it'], supersededBy: undefined },
    { ...plain, kind: 'task', title: 'Test it', status: 'done', supersededBy: undefined },
    { ...plain, kind: 'decision', title: 'Use JWT', supersededBy: undefined },
    { ...plain, kind: 'decision', title: 'Use cookies', supersededBy: 'Use JWT' },
  ]);
}, 60_000);

it('knows forgotten lines, whether a device has destroyed them or not', async () => {
  const one = createWriter('aaaaaaaaaaaa');
  const two = createWriter('bbbbbbbbbbbb');
  const opening = one('log.seg', '', { fmt: 1, app: 'test', device: 'one' });
  const plan = one('state.new', 'ssssaaaaaaaaaaaa', stateData('Plan'));
  const access = one('state.new', 'ssssbbbbbbbbbbbb', stateData('Access'));
  const more = one('state.new', 'sssscccccccccccc', stateData('Access 2'));
  const after = one('state.new', 'ssssdddddddddddd', stateData('After'));
  const range = rangeOf([access, more]);
  const forget = (ranges: object[]) => two('log.forget', '', { device: 'one', ranges });
  const event = forget([range, rangeOf([opening])]);
  const read = (...lines: string[]) => {
    const at = createFolders();
    writeFiles(at, { 'core/one.jsonl': lines.join('') });
    return expectSame(at);
  };
  const hidden = await read(opening, plan, access, more, after, event);
  expect(hidden.states.map(({ name }) => name)).toEqual(['After', 'Plan']);
  expect(hidden.events).toBe(6);
  expect(Object.values(hidden.missing).flat()).toEqual([]);
  const both = await read(opening, plan, stubOf(access), stubOf(more), after, event);
  const half = await read(opening, plan, access, stubOf(access), stubOf(more), after, event);
  expect([both, half]).toEqual([hidden, hidden]);
  const unproved = [
    await read(opening, plan, stubOf(access), stubOf(more), after),
    await read(opening, plan, stubOf(access), after, event),
    await read(opening, stubOf(access), more, forget([{ ...range, hash: '0'.repeat(32) }])),
  ];
  for (const { missing, digest } of unproved) {
    expect(missing['aaaaaaaaaaaa']?.flat()).toContain(3);
    expect(digest).not.toBe(hidden.digest);
  }
}, 120_000);

it('counts lines in other folders, of later versions, and with keys in any order', async () => {
  const at = createFolders();
  const one = createWriter('aaaaaaaaaaaa');
  const traces = createWriter('tttttttttttt');
  const yard = { name: 'Yard', description: '', rootFolder: '/', purpose: '' };
  writeFiles(at, {
    'trace/one.jsonl':
      one('log.seg', '', { fmt: 1, app: 'test', device: 'one' }) +
      one('ws.new', 'wwwwaaaaaaaaaaaa', yard) +
      one('set', 'wwwwaaaaaaaaaaaa', { '/isArchived': true }),
    'chat/one.jsonl': one('record.new', 'rrrraaaaaaaaaaaa', {
      ws: 'default',
      kind: 'task',
      title: 'Ship it',
      by: {},
    }),
    'core/one.jsonl': one('log.retire', '', retirement('tttttttttttt', 1, 3)),
    'core/two.jsonl':
      changedLine(traces('trace.new', 'ttttaaaaaaaaaaaa', traceData()), ({ v, ...rest }) => ({
        v: Number(v) + 1,
        ...rest,
      })) +
      changedLine(traces('trace.new', 'ttttbbbbbbbbbbbb', traceData()), ({ v, w, ...rest }) => ({
        w,
        ...rest,
        v,
        more: [],
      })) +
      traces('trace.new', 'ttttcccccccccccc', traceData()),
    'core/~one.jsonl': one('ws.new', 'xxxxaaaaaaaaaaaa', { ...yard, name: 'Temporary' }),
    'core/._two.jsonl': one('ws.new', 'yyyyaaaaaaaaaaaa', { ...yard, name: 'Metadata' }),
  });
  // The program shows misplaced items only once it has read the folder that they are in.
  const { events, workspaces, records } = await expectSameLines(at);
  expect(events).toBe(8);
  expect(workspaces.map(({ name }) => name)).toEqual(['Default', 'Yard']);
  expect(workspaces[1]?.isArchived).toBe(true);
  expect(records.map(({ title }) => title)).toEqual(['Ship it']);
}, 60_000);

/**
 * Compares which lines the reader and the program find in a vault, and returns what the reader
 * finds.
 */
async function expectSameLines(at: TestFolders): Promise<ReturnType<typeof readVault>> {
  const found = readVault(dataFolder(at));
  const { digest, events, missing } = found;
  const told = await commandInProcess([
    'verify',
    '--vault',
    at.vault,
    '--state',
    at.state,
    '--json',
  ]);
  const verified = JSON.parse(told.stdout) as Verified;
  expect({ digest, events, missing }).toEqual({
    digest: verified.digest,
    events: verified.events,
    missing: Object.fromEntries(verified.writers.map(({ writer, missing }) => [writer, missing])),
  });
  return found;
}

/** Compares what the reader and the program find in a vault, and returns what the reader finds. */
async function expectSame({ vault }: TestFolders): Promise<ReturnType<typeof readVault>> {
  const at = { vault, state: createFolders().state };
  const found = await expectSameLines(at);
  const list = await callInProcess(at, 'listWorkspaces', { includeArchived: true });
  const listed = (JSON.parse(list.stdout) as { data: Listed[] }).data;
  const byName = (a: Listed, b: Listed): number => (a.name < b.name ? -1 : 1);
  const workspaces = found.workspaces.map(({ name, isArchived }) => ({ name, isArchived }));
  expect(workspaces.toSorted(byName)).toEqual(listed.map(nameAndMark).toSorted(byName));
  const names = listed.map(({ name }) => name).filter((name) => !isAmbiguous(name, listed));
  const answers = names.map(async (workspace) => {
    const all = { includeArchived: true, context: { workspaceId: workspace } };
    const answer = await callInProcess(at, 'listStates', all);
    const { data } = JSON.parse(answer.stdout) as { data: Listed[] };
    const own = found.states.filter((state) => state.workspace === workspace);
    expect(own.map(nameAndMark)).toEqual(data.map(nameAndMark));
  });
  await Promise.all(answers);
  return found;
}

interface Verified {
  readonly digest: string;
  readonly events: number;
  readonly writers: readonly { writer: string; missing: [number, number][] }[];
}

interface Listed {
  readonly name: string;
  readonly isArchived?: boolean;
}

function nameAndMark({ name, isArchived = false }: Listed): Required<Listed> {
  return { name, isArchived };
}

/** Tells whether another item is listed under the same name with a mark. */
function isAmbiguous(name: string, listed: readonly Listed[]): boolean {
  const start = `${name.toLowerCase()} ⟨`;
  return listed.some((other) => other.name.trim().toLowerCase().startsWith(start));
}

/** Writes several workspaces and states from two devices. */
async function writtenVault(): Promise<TestFolders> {
  const at = createFolders();
  const other = { vault: at.vault, state: createFolders().state };
  const names = ['Plan "B"', '🌱 Ünï', 'Back'];
  const workspaces = NAMES.map((name) => ({
    tool: 'createWorkspace',
    params: { name, description: 'A "place"', rootFolder: '/', purpose: 'Purpose' },
  }));
  const states = names.map((name) => ({
    tool: 'createState',
    params: stateNamed(name),
  }));
  // A new workspace is the current one, so what follows the last one is in Garden.
  await callAll(at, [
    ...states,
    { tool: 'archiveState', params: { name: 'Back' } },
    ...workspaces,
    { tool: 'createState', params: stateNamed('Archived') },
    { tool: 'archiveState', params: { name: 'Archived' } },
    { tool: 'updateWorkspace', params: { name: 'garden', purpose: PURPOSE } },
    { tool: 'archiveWorkspace', params: { name: 'Shed' } },
  ]);
  await commandInProcess(['restore', 'Back', '--vault', at.vault, '--state', at.state]);
  await callAll(other, [{ tool: 'createState', params: stateNamed('Elsewhere') }]);
  return at;
}

async function callAll(at: TestFolders, calls: { tool: string; params: object }[]): Promise<void> {
  const all = calls.map((call) => ({ agent: 'memoryManager', ...call }));
  const { stdout } = await callInProcess(at, 'useTools', { calls: all });
  expect(JSON.parse(stdout)).toMatchObject({ success: true });
}

function dataFolder({ vault }: TestFolders): string {
  return join(vault, 'Savepoint');
}

/** Returns the log's files: the longest first. */
function logFiles(at: TestFolders): string[] {
  return readdirSync(dataFolder(at), { withFileTypes: true, recursive: true })
    .filter(({ name }) => name.endsWith('.jsonl'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted((a, b) => readFileSync(b).length - readFileSync(a).length);
}

function flipped(line: string): string {
  return line.slice(0, 99) + String.fromCharCode(line.charCodeAt(99) ^ 3) + line.slice(100);
}

/** Returns a function that returns the next line of a writer. */
function createWriter(w: string): (t: string, e: string, d: object) => string {
  let n = 0;
  let p = '0'.repeat(32);
  return (t, e, d) => {
    const h = new Date(Date.UTC(2026, 0, 1) + ++n * 1000).toISOString() + '.0000';
    const start = JSON.stringify({ v: 1, w, n, p, h, t, e, d })
      .slice(0, -1)
      .replace('\u2028', '\\u2028');
    const line = `${start},"c":"${crc32(start).toString(16).padStart(8, '0')}"}`;
    p = createHash('sha256').update(line).digest('hex').slice(0, 32);
    return `${line}\n`;
  };
}

/** Returns a line with a changed envelope, and the CRC that belongs to it. */
function changedLine(line: string, change: (fields: Record<string, unknown>) => object): string {
  const { c, ...fields } = JSON.parse(line) as Record<string, unknown>;
  expect(c).toMatch(/^[0-9a-f]{8}$/);
  const start = JSON.stringify(change(fields)).slice(0, -1);
  return `${start},"c":"${crc32(start).toString(16).padStart(8, '0')}"}\n`;
}

/** Returns the stub of a line. */
function stubOf(line: string): string {
  const hash = hashOf(line);
  return changedLine(line, ({ v, w, n, p, h }) => {
    return { v, w, n, p, h, t: 'forgotten', e: '', d: { hash } };
  });
}

/** Returns the range of successive lines of one writer. */
function rangeOf(lines: readonly string[]): object {
  const events = lines.map((line) => JSON.parse(line) as { w: string; n: number; c: string });
  const [first] = events;
  const hash = hashOf(lines.at(-1) ?? '');
  const crcs = events.map(({ c }) => c).join('');
  return { w: first?.w, from: first?.n, to: events.at(-1)?.n, crcs, hash };
}

function hashOf(line: string): string {
  return createHash('sha256').update(line.trimEnd()).digest('hex').slice(0, 32);
}

function stateData(name: string): object {
  const { conversationContext, activeTask, activeFiles, nextSteps } = stateNamed(name);
  const content = [name, conversationContext, activeTask, activeFiles, nextSteps, null, [], [], []];
  const sha = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return { ws: 'default', ...stateNamed(name), sha };
}

function traceData(): object {
  const tool = {
    toolset: 'memoryManager',
    tool: 'listStates',
    input: '{}',
    outcome: 'ok',
    ok: true,
  };
  return { ws: 'default', session: 'session', ...tool };
}

function retirement(w: string, from: number, to: number): object {
  const file = 'trace/2026-01/one.jsonl';
  return { lane: 'trace', file, w, from, to, count: 2, sha256: '0'.repeat(64), why: 'age' };
}

function writeFiles(at: TestFolders, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dataFolder(at), name)), { recursive: true });
    writeFileSync(join(dataFolder(at), name), text);
  }
}

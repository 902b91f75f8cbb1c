import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram, temporaryFolder } from '../../fakes/program.js';
import { stateNamed } from '../../fakes/test-vault.js';
import { callInProcess, createFolders, type TestFolders } from '../program-folders.js';
import { filesWithSecret, SECRET } from './forgotten-text.js';

/** A segment as it was before its line was forgotten. */
interface Segment {
  /** Path below the vault. */
  readonly path: string;
  readonly bytes: Buffer;
}

const NOTE = `---\ntags:\n  - mine\n---\n\nI copied this: Say that ${SECRET}\n`;

/** Files in which sync services, editors and the trash keep a segment. */
const COPIES: readonly (readonly [string, (segment: Segment) => readonly [string, Buffer]])[] = [
  ['an editor', ({ path, bytes }) => [`${path}~`, bytes]],
  ['an editor that is open', ({ path, bytes }) => [besides(path, (name) => `.${name}.swp`), bytes]],
  ['a backup', ({ path, bytes }) => [`${path}.bak`, bytes]],
  ['a merge', ({ path, bytes }) => [`${path}.orig`, bytes]],
  ['a merge of theirs', ({ path, bytes }) => [`${path}.REMOTE.1234`, bytes]],
  ['a disk without case', ({ path, bytes }) => [path.replace(/\.jsonl$/u, '.JSONL'), bytes]],
  ['a download', ({ path, bytes }) => [`${path}.part`, bytes.subarray(0, bytes.length - 10)]],
  ['a program that was killed', ({ path, bytes }) => [`${path}.tmp`, bytes]],
  ['an rsync', ({ path, bytes }) => [besides(path, (name) => `.${name}.aB3xYz`), bytes]],
  ['a text file', ({ path, bytes }) => [path.replace(/\.jsonl$/u, '.txt'), bytes]],
  ['UTF-16', ({ path, bytes }) => [`${path}.bak`, utf16(bytes.toString())]],
  ['a file without its last newline', ({ path, bytes }) => [`${path}.old`, bytes.subarray(0, -1)]],
  ['another lane folder', ({ path, bytes }) => [path.replace('/core/', '/core (1)/'), bytes]],
  ['another data folder', ({ path, bytes }) => [path.replace('Savepoint', 'Savepoint 2'), bytes]],
  [
    'one of another device',
    ({ path, bytes }) => [path.replace('Savepoint', 'Savepoint-PC'), bytes],
  ],
  ['one in lower case', ({ path, bytes }) => [path.replace('Savepoint', 'savepoint (1)'), bytes]],
  ['the trash', ({ path, bytes }) => [`.trash/${basename(path)}`, bytes]],
  ['the trash with its folders', ({ path, bytes }) => [`.trash/${path}`, bytes]],
  ['versions of Syncthing', ({ path, bytes }) => [`.stversions/${path}`, bytes]],
  ['an archive of Resilio', ({ path, bytes }) => [`.sync/Archive/${path}`, bytes]],
  ['versions below the data folder', ({ path, bytes }) => [within('.versions', path), bytes]],
  ['a note that the user has edited', () => ['Savepoint/notes/Default/Mine.md', Buffer.from(NOTE)]],
  ['a note with Windows line breaks', () => ['.trash/Mine.md', windows(NOTE)]],
  ['a note in the trash', () => ['.trash/notes/Access.md', Buffer.from(NOTE)]],
  ['a plugin', () => ['.obsidian/plugins/recent/data.json', json({ last: NOTE })]],
];

/** Files that other programs than the writer's keep, and that are as good as the segment. */
const CONFLICTS: readonly (readonly [string, (name: string) => string])[] = [
  ['Dropbox', (name) => `${name} (PC's conflicted copy 2026-11-28).jsonl`],
  ['a program that hides it', (name) => `.${name}.jsonl`],
  ['Syncthing', (name) => `${name}.sync-conflict-20261128-101010-ABCDEFG.jsonl`],
];

function besides(path: string, change: (name: string) => string): string {
  return join(dirname(path), change(basename(path)));
}

function within(folder: string, path: string): string {
  return path.replace('Savepoint/', `Savepoint/${folder}/`);
}

function windows(text: string): Buffer {
  return Buffer.from(text.replaceAll('\n', '\r\n'));
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function utf16(text: string): Buffer {
  return Buffer.from(`\u{FEFF}${text}`, 'utf16le');
}

async function vaultWithSecret(): Promise<TestFolders> {
  const at = createFolders();
  const secret = { ...stateNamed('Access'), conversationContext: `Say that ${SECRET}` };
  await callInProcess(at, 'createState', secret);
  await callInProcess(at, 'createState', stateNamed('After'));
  return at;
}

/** Returns the segment that holds the state. */
function segmentOf({ vault }: TestFolders): Segment {
  const folder = join(vault, 'Savepoint/core');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const name = names.find(
    (each) =>
      each.endsWith('.jsonl') && readFileSync(join(folder, each)).includes('umbrella-violin'),
  )!;
  return { path: `Savepoint/core/${name}`, bytes: readFileSync(join(folder, name)) };
}

function write({ vault }: TestFolders, [path, bytes]: readonly [string, Buffer]): void {
  mkdirSync(dirname(join(vault, path)), { recursive: true });
  writeFileSync(join(vault, path), bytes);
}

function run({ vault, state }: TestFolders, ...args: string[]) {
  return runProgram([...args, '--vault', vault, '--state', state]);
}

describe('Forgetting names what still holds the text, and leaves it alone', () => {
  it('in each form of a copy', async () => {
    const at = await vaultWithSecret();
    const segment = segmentOf(at);
    const copies = COPIES.map(([, make]) => make(segment));
    // two forms have one name on this disk
    const files = [...new Map(copies)];
    for (const file of files) write(at, file);

    const { stdout } = await run(at, 'forget', 'Access', '--yes');

    expect(stdout).not.toContain('Forgotten.');
    const named = stdout.split('\n').map((line) => line.trim());
    const missed = files.map(([path]) => path).filter((path) => !named.includes(path));
    // the list is cut off, its count is not
    expect(missed).toHaveLength(Math.max(0, files.length - 10));
    expect(stdout).toContain(`${files.length} other files in the vault still have the text`);
    for (const [path, bytes] of files)
      expect(readFileSync(join(at.vault, path)).equals(bytes), path).toBe(true);
  });

  it.each(CONFLICTS)('but removes it from the conflict copies of %s', async (_, rename) => {
    const at = await vaultWithSecret();
    const { path, bytes } = segmentOf(at);
    write(at, [besides(path, (name) => rename(name.replace(/\.jsonl$/u, ''))), bytes]);
    const { stdout } = await run(at, 'forget', 'Access', '--yes');
    expect(stdout).toContain('Forgotten.');
    expect(filesWithSecret(at.vault, at.state)).toEqual([]);
  });

  it('and says that it is forgotten if nothing holds it', async () => {
    const at = await vaultWithSecret();
    write(at, ['.trash/Other.md', Buffer.from('Another note\n')]);
    const { stdout } = await run(at, 'forget', 'Access', '--yes');
    expect(stdout).toContain('Forgotten.');
  });
});

describe('A backup that came back after forgetting', () => {
  it.each([
    ['one start', ['call', 'listStates', '--json', '{}']],
    ['verify --heal', ['verify', '--heal']],
  ])('holds nothing of it after %s', async (_, command) => {
    const at = await vaultWithSecret();
    const backup = temporaryFolder();
    cpSync(join(at.vault, 'Savepoint'), backup, { recursive: true });
    await run(at, 'forget', 'Access', '--yes');
    expect(filesWithSecret(at.vault, at.state)).toEqual([]);

    cpSync(backup, join(at.vault, 'Savepoint'), { recursive: true, force: true });
    expect(filesWithSecret(at.vault, at.state).length).toBeGreaterThan(0);

    const { stdout } = await run(at, ...command);
    expect(stdout).not.toContain('"Access"');
    expect(filesWithSecret(at.vault, at.state)).toEqual([]);
  });
});

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FolderCopies } from '../../../src/node/ports/folder-copies.js';
import { vaultStateFolder } from '../../../src/node/ports/state-folder.js';
import type { EncodedLine } from '../../../src/storage/format/line.js';
import type { Copies } from '../../../src/storage/copies/copies.js';
import { copiesContract } from '../../contracts/copies.js';
import { joinLines, linesOf, WRITER_B } from '../../fakes/events.js';
import { createFolder, node, openFilesIn } from '../folders.js';

const ID = 'aaaabbbbccccdddd';
const MAX_OTHER_BYTES = 64 * 1024 * 1024;

const DRAFT = { t: 'set', e: 'x', d: {} };
const OWN = linesOf(Array.from({ length: 6 }, () => DRAFT));
const OTHERS = linesOf(
  Array.from({ length: 6 }, () => DRAFT),
  WRITER_B,
);

const headsOf = (...lines: readonly EncodedLine[]) =>
  new Map(lines.map(({ event: { w, n, c } }) => [w, { n, c }]));

const textOf = async (copies: Copies) => new TextDecoder().decode(await copies.read(ID));

/** State folder of a device, and the copies of a vault at a path. */
function createDevice() {
  const stateFolder = join(createFolder(), 'state');
  const placesOf = (vault: string) => ({
    stateFolder,
    deviceFolder: vaultStateFolder(node, stateFolder, vault),
    vault,
  });
  return {
    placesOf,
    /** Opens the copies of a vault as a new process does, and closes them after the test. */
    open: (vault: string): Copies => {
      const copies = new FolderCopies(node, placesOf(vault));
      onTestFinished(() => copies.close());
      return copies;
    },
    folderOf: (vault: string) => join(placesOf(vault).deviceFolder, 'copies'),
  };
}

/** Copies of a vault with four own lines and two of another device, whose heads were asked for. */
async function createCopies() {
  const vault = createFolder();
  const { open, folderOf } = createDevice();
  const copies = open(vault);
  await copies.add(ID, joinLines(OWN.slice(0, 4)), 'own');
  await copies.add(ID, joinLines(OTHERS.slice(0, 2)), 'other');
  expect(await copies.heads(ID)).toEqual(headsOf(OWN[3]!, OTHERS[1]!));
  const folder = folderOf(vault);
  return {
    copies,
    again: () => open(vault),
    own: join(folder, `${ID}.jsonl`),
    others: join(folder, `${ID}-others.jsonl`),
    heads: join(folder, `${ID}-heads.json`),
  };
}

describe('copies in the state folder', () => {
  copiesContract(() => {
    const { open } = createDevice();
    const vault = createFolder();
    return Promise.resolve({ copies: open(vault), again: () => open(vault) });
  });

  it('are private to this user', async () => {
    const { copies, own, others, heads } = await createCopies();
    await copies.updateRecord(() => ({ ids: [ID] }));
    expect([own, others, heads].map((file) => statSync(file).mode & 0o777)).toEqual([
      0o600, 0o600, 0o600,
    ]);
    expect(statSync(join(own, '..')).mode & 0o777).toBe(0o700);
    expect(statSync(join(own, '../../vault.json')).mode & 0o777).toBe(0o600);
  });

  it('leave no drafts behind', async () => {
    const { copies, own } = await createCopies();
    await copies.updateRecord(() => ({ ids: [ID] }));
    expect(readdirSync(join(own, '..')).sort()).toEqual([
      `${ID}-heads.json`,
      `${ID}-others.jsonl`,
      `${ID}.jsonl`,
    ]);
    expect(readdirSync(join(own, '../..')).sort()).toEqual(['copies', 'vault.json']);
  });

  it.each([
    ['half a record', '{"path":"/a","ids":["one"'],
    ['a record without ids', '{"path":"/a"}'],
    ['a record with an id that is not text', '{"path":"/a","ids":[5]}'],
    ['a record without a path', '{"ids":["one"]}'],
    ['no object', 'null'],
  ])('have no record if its file contains %s, until the next save', async (_, text) => {
    const { copies, again, own } = await createCopies();
    writeFileSync(join(own, '../../vault.json'), text);
    expect(await copies.loadRecord()).toBeUndefined();
    await copies.updateRecord(() => ({ ids: [ID] }));
    expect(await again().loadRecord()).toMatchObject({ ids: [ID] });
  });

  it('remember what they lack on a disk without room for a new file', async () => {
    const vault = createFolder();
    const { open, placesOf } = createDevice();
    await open(vault).add(ID, OWN[0]!.bytes, 'own');
    await open(vault).heads(ID);
    const noRoom = () => Promise.reject(new Error('No space left'));
    const full = new FolderCopies(
      { ...node, fs: { ...node.fs, writeFile: noRoom } },
      placesOf(vault),
    );
    await full.setLacking(WRITER_B, { n: 3, hash: 'a'.repeat(32) });
    await full.setLacking(WRITER_B, { n: 4, hash: 'b'.repeat(32) });
    expect(await open(vault).lacking()).toEqual(
      new Map([[WRITER_B, { n: 4, hash: 'b'.repeat(32) }]]),
    );
    expect(await open(vault).heads(ID)).toEqual(headsOf(OWN[0]!));
  });

  it('open their file again after a sync', async () => {
    const { copies, own } = await createCopies();
    await copies.sync(ID);
    rmSync(own);
    await copies.add(ID, OWN[4]!.bytes, 'own');
    expect(existsSync(own)).toBe(true);
    await Promise.all([copies.sync(ID), copies.add(ID, OWN[5]!.bytes, 'own'), copies.sync(ID)]);
    expect(readFileSync(own)).toEqual(Buffer.from(joinLines(OWN.slice(4, 6))));
  });

  it.runIf(existsSync('/proc/self/fd'))('keep no file open after they are closed', async () => {
    const { copies, own } = await createCopies();
    await copies.add('eeeeffffgggghhhh', OWN[0]!.bytes, 'own');
    const folder = join(own, '..');
    expect(openFilesIn(folder).sort()).toEqual([`${ID}.jsonl`, 'eeeeffffgggghhhh.jsonl']);
    await copies.close();
    expect(openFilesIn(folder)).toEqual([]);
  });

  it('create their folder again if it was removed', async () => {
    const { copies, own } = await createCopies();
    await copies.sync(ID);
    rmSync(join(own, '../..'), { recursive: true });
    await copies.add(ID, OWN[4]!.bytes, 'own');
    await copies.updateRecord(() => ({ ids: [ID] }));
    expect(existsSync(own)).toBe(true);
    expect(await copies.loadRecord()).toMatchObject({ ids: [ID] });
  });

  it('survive a line that a crash has torn', async () => {
    const { copies, again, own } = await createCopies();
    writeFileSync(own, OWN[4]!.bytes.subarray(0, 30), { flag: 'a' });
    expect(await copies.heads(ID)).toEqual(headsOf(OWN[3]!, OTHERS[1]!));
    await copies.add(ID, OWN[5]!.bytes, 'own');
    expect(await copies.heads(ID)).toEqual(headsOf(OWN[5]!, OTHERS[1]!));
    expect(await again().heads(ID)).toEqual(headsOf(OWN[5]!, OTHERS[1]!));
  });
});

describe('the heads of copies in the state folder', () => {
  it('include lines that another process has added since', async () => {
    const { copies, again } = await createCopies();
    await again().add(ID, joinLines(OWN.slice(4, 6)), 'own');
    await again().add(ID, OTHERS[2]!.bytes, 'other');
    expect(await copies.heads(ID)).toEqual(headsOf(OWN[5]!, OTHERS[2]!));
    expect(await again().heads(ID)).toEqual(headsOf(OWN[5]!, OTHERS[2]!));
  });

  it.each<[string, (file: string) => void]>([
    ['deleted', (file) => rmSync(file)],
    ['cut', (file) => truncateSync(file, 20)],
    ['emptied', (file) => truncateSync(file)],
    ['filled with NULs', (file) => writeFileSync(file, '\0'.repeat(200))],
    ['replaced by a text', (file) => writeFileSync(file, '"text"')],
    ['replaced by an empty object', (file) => writeFileSync(file, '{}')],
    ['replaced by null', (file) => writeFileSync(file, 'null')],
    [
      'replaced by sizes that are no numbers',
      (file) => writeFileSync(file, '{"sizes":{"own":"x","other":null},"heads":{}}'),
    ],
    [
      'replaced by heads that are none',
      (file) => writeFileSync(file, '{"sizes":{"own":0,"other":0},"heads":5}'),
    ],
  ])('are right after their file was %s', async (_, damage) => {
    const { copies, again, heads } = await createCopies();
    damage(heads);
    expect(await again().heads(ID)).toEqual(headsOf(OWN[3]!, OTHERS[1]!));
    damage(heads);
    await copies.add(ID, OWN[4]!.bytes, 'own');
    expect(await copies.heads(ID)).toEqual(headsOf(OWN[4]!, OTHERS[1]!));
  });

  it.each(['own', 'others'] as const)('are right after the %s file was cut', async (which) => {
    const { copies, again, ...paths } = await createCopies();
    truncateSync(paths[which], OWN[0]!.bytes.length);
    const left = which === 'own' ? headsOf(OWN[0]!, OTHERS[1]!) : headsOf(OWN[3]!, OTHERS[0]!);
    expect(await again().heads(ID)).toEqual(left);
    await copies.add(ID, OWN[4]!.bytes, 'own');
    await copies.add(ID, OTHERS[4]!.bytes, 'other');
    expect(await copies.heads(ID)).toEqual(headsOf(OWN[4]!, OTHERS[4]!));
  });

  it('are right after a file was cut and has outgrown its old length', async () => {
    const { copies, own } = await createCopies();
    truncateSync(own, OWN[0]!.bytes.length);
    await copies.add(ID, joinLines(OWN.slice(1, 6)), 'own');
    expect(await copies.heads(ID)).toEqual(headsOf(OWN[5]!, OTHERS[1]!));
  });

  it('are empty after both files were deleted', async () => {
    const { copies, own, others } = await createCopies();
    for (const file of [own, others]) rmSync(file);
    expect(await copies.heads(ID)).toEqual(new Map());
  });

  it('do not reread what was read before', async () => {
    const { again, own } = await createCopies();
    writeFileSync(own, readFileSync(own).fill(0x20)); // of the same length
    expect(await again().heads(ID)).toEqual(headsOf(OWN[3]!, OTHERS[1]!));
  });
});

describe("other devices' lines in the state folder", () => {
  it('are limited to 64 MB, of which the later half is kept', async () => {
    const { copies, own, others } = await createCopies();
    const filler = Buffer.alloc(MAX_OTHER_BYTES, `${'x'.repeat(1023)}\n`);
    writeFileSync(others, filler);
    writeFileSync(own, filler);
    await copies.add(ID, OTHERS[4]!.bytes, 'other');
    const kept = readFileSync(others);
    expect(kept.length).toBeLessThanOrEqual(MAX_OTHER_BYTES / 2);
    expect(kept.length).toBeGreaterThan(MAX_OTHER_BYTES / 2 - 1024);
    expect(kept.indexOf('\n')).toBe(1023); // begins with a whole line
    expect(kept.subarray(-OTHERS[4]!.bytes.length)).toEqual(Buffer.from(OTHERS[4]!.bytes));
    expect((await copies.heads(ID)).get(WRITER_B)?.n).toBe(5);
    await copies.add(ID, OWN[4]!.bytes, 'own');
    expect(statSync(own).size).toBe(MAX_OTHER_BYTES + OWN[4]!.bytes.length);
  });

  it('are all kept up to that size', async () => {
    const { copies, others } = await createCopies();
    const size = MAX_OTHER_BYTES - OTHERS[4]!.bytes.length;
    writeFileSync(others, Buffer.alloc(size, `${'x'.repeat(1023)}\n`));
    await copies.add(ID, OTHERS[4]!.bytes, 'other');
    expect(statSync(others).size).toBe(MAX_OTHER_BYTES);
  });
});

describe('a vault', () => {
  /** A device with a vault of which it has copies. */
  async function createVault() {
    const { open, folderOf } = createDevice();
    const old = join(createFolder(), 'Notes');
    mkdirSync(old);
    const copies = open(old);
    await copies.add(ID, joinLines(OWN.slice(0, 3)), 'own');
    await copies.add(ID, joinLines(OTHERS.slice(0, 2)), 'other');
    await copies.updateRecord(() => ({ ids: ['zzzzzzzzzzzzzzzz', ID] }));
    const text = await textOf(copies);
    return { open, folderOf, old, moved: join(createFolder(), 'Moved'), text };
  }

  it('that was moved takes over the copies of its old path', async () => {
    const { open, folderOf, old, moved, text } = await createVault();
    renameSync(old, moved);
    expect(await open(moved).heads(ID)).toEqual(headsOf(OWN[2]!, OTHERS[1]!));
    expect(await textOf(open(moved))).toBe(text);
    expect(existsSync(join(folderOf(old), `${ID}.jsonl`))).toBe(false);
    expect(existsSync(join(folderOf(old), `${ID}-others.jsonl`))).toBe(false);
  });

  it('that was moved keeps what it has copied at its new path', async () => {
    const { open, old, moved, text } = await createVault();
    renameSync(old, moved);
    await open(moved).add(ID, OWN[3]!.bytes, 'own');
    const both = await textOf(open(moved));
    expect(both).toHaveLength(text.length + OWN[3]!.bytes.length);
    expect(await open(moved).heads(ID)).toEqual(headsOf(OWN[3]!, OTHERS[1]!));
  });

  it('that was moved twice still has its copies', async () => {
    const { open, old, moved, text } = await createVault();
    renameSync(old, moved);
    await open(moved).read(ID);
    await open(moved).updateRecord(() => ({ ids: [ID] }));
    const third = `${moved} again`;
    renameSync(moved, third);
    expect(await textOf(open(third))).toBe(text);
  });

  it('that was moved has its record at the old path', async () => {
    const { open, old, moved } = await createVault();
    expect(await open(moved).loadMovedRecord?.()).toBeUndefined();
    renameSync(old, moved);
    expect(await open(moved).loadRecord()).toBeUndefined();
    expect(await open(moved).loadMovedRecord?.()).toMatchObject({ path: old });
  });

  it('that was moved takes over its copies from under another vault at its old path', async () => {
    const { open, old, moved, text } = await createVault();
    renameSync(old, moved);
    mkdirSync(old);
    expect(await open(old).loadRecord()).toBeUndefined();
    await open(old).updateRecord(() => ({ ids: ['aaaaaaaaaaaaaaaa'] }));
    expect(await textOf(open(moved))).toBe(text);
  });

  it('that swaps its name with another keeps its copies, and offers none of the other', async () => {
    const { open, old, moved, text } = await createVault();
    const other = 'bbbbbbbbbbbbbbbb';
    mkdirSync(moved);
    await open(moved).add(other, OTHERS[0]!.bytes, 'own');
    await open(moved).updateRecord(() => ({ ids: [other] }));
    const between = `${moved} between`;
    renameSync(old, between);
    renameSync(moved, old);
    renameSync(between, moved);
    expect(await open(moved).loadRecord()).toBeUndefined();
    expect(await textOf(open(moved))).toBe(text);
    await open(moved).updateRecord(() => ({ ids: [ID] }));
    expect(await open(old).loadRecord()).toBeUndefined();
    expect(await open(old).read(other)).toEqual(OTHERS[0]!.bytes);
  });

  it('that is back where another vault was for a while finds its record', async () => {
    const { open, old, moved, text } = await createVault();
    const between = `${moved} between`;
    mkdirSync(moved);
    for (const isBack of [false, true]) {
      renameSync(old, between);
      renameSync(moved, old);
      renameSync(between, moved);
      if (!isBack) await open(old).updateRecord(() => ({ ids: ['bbbbbbbbbbbbbbbb'] }));
    }
    expect(await open(old).loadRecord()).toBeUndefined();
    expect(await open(old).loadMovedRecord?.()).toMatchObject({ ids: ['zzzzzzzzzzzzzzzz', ID] });
    expect(await textOf(open(old))).toBe(text);
  });

  it('that was deleted has no record at the path of a new one', async () => {
    const { open, old, moved } = await createVault();
    rmSync(old, { recursive: true });
    mkdirSync(moved);
    expect(await open(moved).loadMovedRecord?.()).toBeUndefined();
  });

  it('that was cloned does not take over the copies while the original exists', async () => {
    const { open, old, moved, text } = await createVault();
    cpSync(old, moved, { recursive: true });
    expect(await textOf(open(moved))).toBe('');
    expect(await open(moved).heads(ID)).toEqual(new Map());
    expect(await textOf(open(old))).toBe(text);
  });

  it('takes over no copies of a vault with other ids', async () => {
    const { open, old, moved } = await createVault();
    renameSync(old, moved);
    const other = open(moved);
    expect(await other.read('eeeeffffgggghhhh')).toHaveLength(0);
    expect(await textOf(open(moved))).not.toBe('');
  });

  it('ignores other files in the state folder', async () => {
    const { open, folderOf, old, moved, text } = await createVault();
    renameSync(old, moved);
    const stateFolder = join(folderOf(old), '../..');
    writeFileSync(join(stateFolder, 'device'), 'linux-1a2b\n');
    mkdirSync(join(stateFolder, 'writers'));
    mkdirSync(join(stateFolder, 'broken'));
    writeFileSync(join(stateFolder, 'broken', 'vault.json'), '{"path":5,"ids":["x"]}');
    expect(await textOf(open(moved))).toBe(text);
  });
});

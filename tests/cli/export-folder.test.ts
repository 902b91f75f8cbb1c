import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/model/refusal.js';
import {
  checkExportFolder,
  readImportSources,
  writeExport,
  type ImportSourceOptions,
} from '../../src/cli/export-folder.js';
import { allBytes } from '../../src/transfer/import-source.js';
import { createFolder, node } from '../node/folders.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('checkExportFolder and writeExport', () => {
  it('accepts an empty or missing folder at any depth', async () => {
    const folder = createFolder();
    for (const target of [folder, join(folder, 'a'), join(folder, 'a/b/..c')])
      await checkExportFolder(node, target, join(folder, 'Savepoint'));
  });

  it.each([
    ['full', 'is not empty. Pass a new or empty folder as --to.'],
    ['file', 'is a file, or inside one. Pass a new or empty folder as --to.'],
    ['file/below', 'is a file, or inside one. Pass a new or empty folder as --to.'],
    ['Savepoint/core', "is inside Savepoint's data folder. Pass another folder as --to."],
    ['Savepoint/core/new', "is inside Savepoint's data folder. Pass another folder as --to."],
    ['link/new', "is inside Savepoint's data folder. Pass another folder as --to."],
  ])('rejects the folder "%s" with a reason and a fix', async (target, text) => {
    const folder = createFolder();
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full/.hidden'), '');
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'Savepoint/core'), { recursive: true });
    symlinkSync(join(folder, 'Savepoint/core'), join(folder, 'link'));
    const check = checkExportFolder(node, join(folder, target), join(folder, 'Savepoint'));
    await expect(check).rejects.toThrow(Refusal);
    await expect(check).rejects.toThrow(text);
  });

  it('writes every file, and overwrites none', async () => {
    const folder = join(createFolder(), 'new/deep');
    const files = [
      { path: 'a.md', bytes: bytesOf('one') },
      { path: 'W 工/b.md', bytes: bytesOf('two') },
    ];
    await writeExport(node, folder, files, true);
    expect([
      readFileSync(join(folder, 'a.md'), 'utf8'),
      readFileSync(join(folder, 'W 工/b.md'), 'utf8'),
    ]).toEqual(['one', 'two']);
    await expect(writeExport(node, folder, files, false)).rejects.toThrow(
      /^Cannot finish the export to ".*", which is now incomplete: /,
    );
  });

  it.each(['../x', 'a/../../x', '/x', 'a//b', '', '.hidden', 'a\\b', 'c:x', 'a\0'])(
    'never writes to %j',
    async (path) => {
      const folder = createFolder();
      await expect(
        writeExport(node, join(folder, 'out'), [{ path, bytes: bytesOf('x') }], false),
      ).rejects.toThrow('is outside its folder');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it.skipIf(process.getuid?.() === 0)('reports a folder without write permission', async () => {
    const folder = createFolder();
    chmodSync(folder, 0o555);
    await expect(
      writeExport(node, join(folder, 'out'), [{ path: 'x', bytes: bytesOf('x') }], false),
    ).rejects.toThrow('no permission');
  });
});

describe('readImportSources', () => {
  const vault = '/nowhere';
  const isImportableNote = () => false;

  it('reads one file, or every .jsonl file below a folder', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'sub'));
    for (const name of ['b.jsonl', 'sub/a.jsonl', 'README.md', '~x.jsonl', 'x.jsonl.icloud'])
      writeFileSync(join(folder, name), name);
    const named = async (target: string) =>
      (await readImportSources(node, target, { vault, isImportableNote })).map(
        ({ name, bytes }) => [name, new TextDecoder().decode(bytes)],
      );
    expect(await named(join(folder, 'README.md'))).toEqual([['README.md', 'README.md']]);
    expect(await named(folder)).toEqual([
      ['b.jsonl', 'b.jsonl'],
      [join('sub', 'a.jsonl'), 'sub/a.jsonl'],
    ]);
  });

  it('reads saved answers of server-memory in the folder itself', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'sub'));
    const answer = '{"entities":[{"name":"A","observations":[]}],"relations":[]}';
    for (const name of ['graph.json', 'sub/other.json']) writeFileSync(join(folder, name), answer);
    writeFileSync(join(folder, 'package.json'), '{\n  "name": "x"\n}');
    const named = async (from?: ImportSourceOptions['from']) =>
      (await readImportSources(node, folder, { vault, isImportableNote, from })).map(
        ({ name }) => name,
      );
    expect(await named()).toEqual(['graph.json']);
    await expect(named('nexus')).rejects.toThrow('contains no .jsonl file');
    writeFileSync(join(folder, 'e.jsonl'), '');
    expect(await named('server-memory')).toEqual(['e.jsonl', 'graph.json']);
  });

  it('reads only the beginning of a large file, and the rest when asked', async () => {
    const file = join(createFolder(), 'large.jsonl');
    writeFileSync(file, new Uint8Array(17 * 1024 * 1024).fill(0x61));
    const [source] = await readImportSources(node, file, { vault, isImportableNote });
    expect(source!.bytes.length).toBe(1024 * 1024);
    expect(await allBytes(source!)).toHaveLength(17 * 1024 * 1024);
  });

  it('reads notes, too, and nothing else if they are requested', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, '.hidden'));
    for (const name of ['a.md', 'B.MD', '.hidden/c.md', 'd.txt'])
      writeFileSync(join(folder, name), name);
    const named = async (wishes: Partial<ImportSourceOptions>) =>
      (
        await readImportSources(node, folder, {
          vault,
          isImportableNote: ({ name }) => name === 'a.md',
          ...wishes,
        })
      ).map(({ name }) => name);
    expect(await named({})).toEqual(['B.MD', 'a.md']);
    writeFileSync(join(folder, 'e.jsonl'), '');
    expect(await named({})).toEqual(['e.jsonl', 'B.MD', 'a.md']);
    expect(await named({ isImportableNote })).toEqual(['e.jsonl']);
    expect(await named({ from: 'server-memory' })).toEqual(['e.jsonl']);
    expect(await named({ from: 'basic-memory' })).toEqual(['B.MD', 'a.md']);
    await expect(named({ from: 'basic-memory', isImportableNote })).rejects.toThrow(
      'contains no notes of Basic Memory',
    );
  });

  it('returns the time of the last change, and the vault path', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'vault/Notes'), { recursive: true });
    for (const name of ['vault/Notes/a.jsonl', 'b.jsonl']) {
      writeFileSync(join(folder, name), name);
      utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
    }
    const read = await readImportSources(node, folder, {
      vault: join(folder, 'vault'),
      isImportableNote,
    });
    expect(read).toEqual([
      { name: 'b.jsonl', bytes: expect.anything() as unknown, modified: 1_700_000_000_000 },
      {
        name: join('vault', 'Notes', 'a.jsonl'),
        bytes: expect.anything() as unknown,
        modified: 1_700_000_000_000,
        vaultPath: 'Notes/a.jsonl',
      },
    ]);
  });

  it('reports a source with nothing to import', async () => {
    const folder = createFolder();
    await expect(
      readImportSources(node, join(folder, 'gone'), { vault, isImportableNote }),
    ).rejects.toThrow(/^".*gone" does not exist\. Choose a \.jsonl file or folder/);
    writeFileSync(join(folder, 'a.md'), '');
    await expect(readImportSources(node, folder, { vault, isImportableNote })).rejects.toThrow(
      'contains no .jsonl file, and an export as notes is for people and cannot be imported. Choose',
    );
  });
});

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
  type SourceWishes,
} from '../../src/cli/export-folder.js';
import { createFolder, node } from '../node/folders.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('the folder of an export', () => {
  it('is fine where it is empty or not there, however deep', async () => {
    const folder = createFolder();
    for (const target of [folder, join(folder, 'a'), join(folder, 'a/b/..c')])
      await checkExportFolder(node, target, join(folder, 'Savepoint'));
  });

  it.each([
    ['full', 'is not empty. Give --to a folder that is new or empty.'],
    ['file', 'is a file, or lies in one. Give --to a folder that is new or empty.'],
    ['file/below', 'is a file, or lies in one. Give --to a folder that is new or empty.'],
    [
      'Savepoint/core',
      'is in the folder where Savepoint keeps its data. Give --to another folder.',
    ],
    [
      'Savepoint/core/new',
      'is in the folder where Savepoint keeps its data. Give --to another folder.',
    ],
    ['link/new', 'is in the folder where Savepoint keeps its data. Give --to another folder.'],
  ])('that is "%s" is refused in one sentence and what to do', async (target, text) => {
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

  it('gets every file, and none is written over', async () => {
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
      /^Cannot write all of the export to ".*", and what is there now is not whole: /,
    );
  });

  it.each(['../x', 'a/../../x', '/x', 'a//b', '', '.hidden', 'a\\b', 'c:x', 'a\0'])(
    'never gets %j',
    async (path) => {
      const folder = createFolder();
      await expect(
        writeExport(node, join(folder, 'out'), [{ path, bytes: bytesOf('x') }], false),
      ).rejects.toThrow('leads out of its folder');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it.skipIf(process.getuid?.() === 0)('that may not be written says so', async () => {
    const folder = createFolder();
    chmodSync(folder, 0o555);
    await expect(
      writeExport(node, join(folder, 'out'), [{ path: 'x', bytes: bytesOf('x') }], false),
    ).rejects.toThrow('no permission');
  });
});

describe('what is to be imported', () => {
  const vault = '/nowhere';
  const takesNote = () => false;

  it('is a file, whatever it is called, or every .jsonl file in a folder and below it', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'sub'));
    for (const name of ['b.jsonl', 'sub/a.jsonl', 'README.md', '~x.jsonl', 'x.jsonl.icloud'])
      writeFileSync(join(folder, name), name);
    const named = async (target: string) =>
      (await readImportSources(node, target, { vault, takesNote })).map(({ name, bytes }) => [
        name,
        new TextDecoder().decode(bytes),
      ]);
    expect(await named(join(folder, 'README.md'))).toEqual([['README.md', 'README.md']]);
    expect(await named(folder)).toEqual([
      ['b.jsonl', 'b.jsonl'],
      [join('sub', 'a.jsonl'), 'sub/a.jsonl'],
    ]);
  });

  it('is every note in view where that is asked for, or where there is nothing else and one of them can be imported', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, '.hidden'));
    for (const name of ['a.md', 'B.MD', '.hidden/c.md', 'd.txt'])
      writeFileSync(join(folder, name), name);
    const named = async (wishes: Partial<SourceWishes>) =>
      (
        await readImportSources(node, folder, {
          vault,
          takesNote: ({ name }) => name === 'a.md',
          ...wishes,
        })
      ).map(({ name }) => name);
    expect(await named({})).toEqual(['B.MD', 'a.md']);
    writeFileSync(join(folder, 'e.jsonl'), '');
    expect(await named({})).toEqual(['e.jsonl']);
    expect(await named({ from: 'basic-memory' })).toEqual(['B.MD', 'a.md']);
    await expect(named({ from: 'basic-memory', takesNote })).rejects.toThrow(
      'holds no note of Basic Memory',
    );
  });

  it('bears the time of its last change, and its path in the vault where it lies in there', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'vault/Notes'), { recursive: true });
    for (const name of ['vault/Notes/a.jsonl', 'b.jsonl']) {
      writeFileSync(join(folder, name), name);
      utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
    }
    const read = await readImportSources(node, folder, { vault: join(folder, 'vault'), takesNote });
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

  it('is told in words where there is nothing', async () => {
    const folder = createFolder();
    await expect(
      readImportSources(node, join(folder, 'gone'), { vault, takesNote }),
    ).rejects.toThrow(/^".*gone" does not exist\. Give the file or folder/);
    writeFileSync(join(folder, 'a.md'), '');
    await expect(readImportSources(node, folder, { vault, takesNote })).rejects.toThrow(
      'holds no .jsonl file. Give what "savepoint export" has written; an export as notes',
    );
  });
});

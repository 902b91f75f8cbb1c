import { expect, it } from 'vitest';
import { Refusal } from '../../src/model/refusal.js';
import { FileChangedError, type Files, type FolderEntry } from '../../src/platform/files.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const isNew = { expect: 'new', durable: false } as const;

async function textOf(
  files: Files,
  path: string,
  from?: number,
  length?: number,
): Promise<string | undefined> {
  const bytes = await files.read(path, from, length);
  return bytes && new TextDecoder().decode(bytes);
}

async function listed(files: Files, folder: string): Promise<FolderEntry[]> {
  return (await files.list(folder)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Defines the tests that every implementation of `Files` must pass. `open` returns a new, empty
 * vault.
 */
export function filesContract(open: () => Promise<Files> | Files): void {
  it('returns nothing for a missing path', async () => {
    const files = await open();
    expect(await files.list('a/b')).toEqual([]);
    expect(await files.stat('a/b')).toBeUndefined();
    expect(await files.read('a/b')).toBeUndefined();
    expect(await files.read('a/b', 5)).toBeUndefined();
    await files.remove('a/b');
    expect(await files.list('')).toEqual([]);
  });

  it('returns nothing for a path below a file', async () => {
    const files = await open();
    await files.append('a', bytesOf('x'), isNew);
    expect([await files.stat('a/b'), await files.read('a/b'), await files.list('a/b')]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  it('creates a file and the folders above it', async () => {
    const files = await open();
    await files.append('a/b/ü 1.jsonl', bytesOf('one'), isNew);
    expect(await textOf(files, 'a/b/ü 1.jsonl')).toBe('one');
    expect(await listed(files, '')).toEqual([{ name: 'a', kind: 'folder' }]);
    expect(await listed(files, 'a')).toEqual([{ name: 'b', kind: 'folder' }]);
    expect(await listed(files, 'a/b')).toEqual([{ name: 'ü 1.jsonl', kind: 'file' }]);
    expect(await files.stat('a/b')).toMatchObject({ kind: 'folder' });
  });

  it('appends to an unchanged file, and returns its new info', async () => {
    const files = await open();
    const first = await files.append('a', bytesOf('one'), isNew);
    expect(first).toEqual(await files.stat('a'));
    const second = await files.append('a', bytesOf(' two'), { expect: first, durable: true });
    expect(second).toEqual(await files.stat('a'));
    expect(second).toMatchObject({ kind: 'file', size: 7 });
    expect(second.fileId).toBe(first.fileId);
    expect(await textOf(files, 'a')).toBe('one two');
  });

  it('preserves every byte', async () => {
    const files = await open();
    const bytes = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7) & 255);
    const info = await files.append('a', bytes, { expect: 'new', durable: true });
    await files.append('a', bytes, { expect: { size: info.size }, durable: false });
    const read = await files.read('a', 299_999);
    expect(read?.length).toBe(300_001);
    expect(Buffer.compare(read!.subarray(1), bytes)).toBe(0);
  });

  it('reads from an offset to the end, and nothing past it', async () => {
    const files = await open();
    await files.append('a', bytesOf('0123456789'), isNew);
    expect([
      await textOf(files, 'a', 4),
      await textOf(files, 'a', 10),
      await textOf(files, 'a', 99),
    ]).toEqual(['456789', '', '']);
  });

  it('reads at most the requested number of bytes', async () => {
    const files = await open();
    await files.append('a', bytesOf('0123456789'), isNew);
    expect([
      await textOf(files, 'a', 0, 4),
      await textOf(files, 'a', 4, 3),
      await textOf(files, 'a', 8, 3),
      await textOf(files, 'a', 10, 3),
      await textOf(files, 'a', 4, 0),
      await textOf(files, 'a', 4, Infinity),
    ]).toEqual(['0123', '456', '89', '', '', '456789']);
    expect(await files.read('b', 0, 4)).toBeUndefined();
  });

  it('refuses to read a folder', async () => {
    const files = await open();
    await files.createFolder('a/b');
    const refusal = files.read('a/b');
    await expect(refusal).rejects.toThrow(Refusal);
    await expect(refusal).rejects.toThrow('Cannot read "a/b" in the vault: it is not a regular');
  });

  it('does not create a file that exists', async () => {
    const files = await open();
    await files.append('a', bytesOf('one'), isNew);
    await expect(files.append('a', bytesOf('two'), isNew)).rejects.toThrow(FileChangedError);
    expect(await textOf(files, 'a')).toBe('one');
  });

  it('appends nothing to a file that was resized, replaced or deleted', async () => {
    const files = await open();
    const { size, fileId } = await files.append('a', bytesOf('one'), isNew);
    for (const expected of [
      { size: size - 1 },
      { size: size + 1 },
      { size, fileId: `not ${fileId}` },
    ])
      await expect(
        files.append('a', bytesOf('two'), { expect: expected, durable: false }),
      ).rejects.toThrow(FileChangedError);
    await expect(
      files.append('b', bytesOf('two'), { expect: { size: 0 }, durable: false }),
    ).rejects.toThrow(FileChangedError);
    await expect(
      files.append('c/d', bytesOf('two'), { expect: { size: 0 }, durable: false }),
    ).rejects.toThrow(FileChangedError);
    expect(await textOf(files, 'a')).toBe('one');
    expect(await listed(files, '')).toEqual([{ name: 'a', kind: 'file' }]);
  });

  it('lets only one of many callers create a file', async () => {
    const files = await open();
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => files.append('s/a', bytesOf(String(i)), isNew)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await files.read('s/a')).toHaveLength(1);
  });

  it('refuses to create anything below a file', async () => {
    const files = await open();
    await files.append('a', bytesOf('one'), isNew);
    await expect(files.append('a/b', bytesOf('two'), isNew)).rejects.toThrow(Refusal);
    await expect(files.createFolder('a')).rejects.toThrow(Refusal);
    await expect(files.createFolder('a/b/c')).rejects.toThrow(Refusal);
    expect(await textOf(files, 'a')).toBe('one');
  });

  it('creates a folder, and accepts an existing one', async () => {
    const files = await open();
    await files.createFolder('a/b');
    await files.createFolder('a/b');
    await files.createFolder('');
    expect(await listed(files, 'a')).toEqual([{ name: 'b', kind: 'folder' }]);
  });

  it('replaces a file, or creates it and the folders above it', async () => {
    const files = await open();
    const made = await files.update('a/b', (before) =>
      Promise.resolve(bytesOf(`was ${String(before)}`)),
    );
    expect(made).toEqual(await files.stat('a/b'));
    expect(await textOf(files, 'a/b')).toBe('was undefined');
    const changed = await files.update('a/b', (before) => Promise.resolve(before!.slice(0, 3)));
    expect([changed, changed.size]).toEqual([await files.stat('a/b'), 3]);
    expect(await textOf(files, 'a/b')).toBe('was');
    expect((await files.update('a/b', () => Promise.resolve(new Uint8Array()))).size).toBe(0);
    expect(await textOf(files, 'a/b')).toBe('');
    expect(await listed(files, 'a')).toEqual([{ name: 'b', kind: 'file' }]);
  });

  it('changes nothing if an update is rejected', async () => {
    const files = await open();
    await files.append('a', bytesOf('one'), isNew);
    const refuse = () => Promise.reject(new Refusal('Not so.'));
    await expect(files.update('a', refuse)).rejects.toThrow('Not so.');
    await expect(files.update('b/c', refuse)).rejects.toThrow('Not so.');
    expect(await textOf(files, 'a')).toBe('one');
    expect(await listed(files, '')).toEqual([{ name: 'a', kind: 'file' }]);
  });

  it('runs concurrent updates of a file one at a time', async () => {
    const files = await open();
    const more = async (before: Uint8Array | undefined) => {
      await files.stat('a');
      return Uint8Array.from([...(before ?? []), 0x78]);
    };
    await Promise.all(Array.from({ length: 20 }, () => files.update('s/a', more)));
    expect(await textOf(files, 's/a')).toBe('x'.repeat(20));
    expect(await listed(files, 's')).toEqual([{ name: 'a', kind: 'file' }]);
  });

  it('runs updates of names that differ only in case one at a time', async () => {
    const files = await open();
    const alone = async () => {
      if ((await files.list('s')).some(({ name }) => !name.startsWith('.')))
        throw new Refusal('Not alone.');
      return bytesOf('x');
    };
    const made = await Promise.allSettled(
      ['Plan', 'plan', 'PLAN'].map((name) => files.update(`s/${name}`, alone)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses to replace a folder and to write below a file', async () => {
    const files = await open();
    await files.append('a/b', bytesOf('one'), isNew);
    for (const path of ['a', 'a/b/c'])
      await expect(files.update(path, () => Promise.resolve(bytesOf('x')))).rejects.toThrow(
        Refusal,
      );
    expect(await textOf(files, 'a/b')).toBe('one');
  });

  it('removes a file', async () => {
    const files = await open();
    await files.append('a/b', bytesOf('one'), isNew);
    await files.remove('a/b');
    expect([await files.stat('a/b'), await files.list('a')]).toEqual([undefined, []]);
  });

  it('treats plain paths as inside the vault, existing or not', async () => {
    const files = await open();
    await files.append('a/b', bytesOf('one'), isNew);
    expect(
      await Promise.all(
        ['', 'a', 'a/b', 'a/b/c', 'x', 'x/y/z'].map((path) => files.isInside(path)),
      ),
    ).toEqual([true, true, true, true, true, true]);
    expect(
      await Promise.all([
        files.isInside('a/b', 'a'),
        files.isInside('a/c/d', 'a'),
        files.isInside('x/y', 'x'),
      ]),
    ).toEqual([true, true, true]);
  });
}

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/model/refusal.js';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { filesContract } from '../../contracts/files.js';
import { diskError } from '../../faults/faulty-disk.js';
import { asNobody } from '../as-nobody.js';
import { createFolder, node } from '../folders.js';
import { canMount, onSmallDisk } from '../small-disk.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const isNew = { expect: 'new', durable: true } as const;

describe('FolderFiles', () => {
  filesContract(() => createFolderFiles(node, createFolder()));

  it('treats a path through a link out of the vault as outside', async () => {
    const [vault, outside] = [createFolder(), createFolder()];
    writeFileSync(join(outside, 'secret.md'), 'secret');
    symlinkSync(outside, join(vault, 'link'));
    symlinkSync(join(outside, 'secret.md'), join(vault, 'file.md'));
    const files = createFolderFiles(node, vault);
    expect(
      await Promise.all(
        ['link', 'link/secret.md', 'link/new/deep.md', 'file.md'].map((path) =>
          files.isInside(path),
        ),
      ),
    ).toEqual([false, false, false, false]);
  });

  it('treats a link within the vault as inside, even if the vault is a link', async () => {
    const vault = createFolder();
    mkdirSync(join(vault, 'notes'));
    symlinkSync('notes', join(vault, 'link'));
    const way = join(createFolder(), 'vault');
    symlinkSync(vault, way);
    for (const files of [createFolderFiles(node, vault), createFolderFiles(node, way)])
      expect(
        await Promise.all(['', 'link', 'link/new.md', 'notes'].map((path) => files.isInside(path))),
      ).toEqual([true, true, true, true]);
  });

  it('treats a sibling folder with the same name prefix as outside', async () => {
    const above = createFolder();
    mkdirSync(join(above, 'vault'));
    mkdirSync(join(above, 'vault-other'));
    symlinkSync(join(above, 'vault-other'), join(above, 'vault', 'link'));
    expect(await createFolderFiles(node, join(above, 'vault')).isInside('link')).toBe(false);
  });

  it('treats a dangling link as outside', async () => {
    const vault = createFolder();
    symlinkSync(join(vault, '..', 'not-there-yet'), join(vault, 'dangling'));
    symlinkSync('loop', join(vault, 'loop'));
    const files = createFolderFiles(node, vault);
    expect(
      await Promise.all(['dangling', 'dangling/x', 'loop'].map((path) => files.isInside(path))),
    ).toEqual([false, false, false]);
  });

  it('treats a file as inside if another program creates it during the check', async () => {
    const vault = createFolder();
    const realpath = async (path: string) => {
      if (!path.endsWith('new.md') || existsSync(path)) return node.fs.realpath(path);
      writeFileSync(path, '');
      throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
    };
    const racing = { ...node, fs: { ...node.fs, realpath: realpath as typeof node.fs.realpath } };
    expect(await createFolderFiles(racing, vault).isInside('new.md')).toBe(true);
  });

  it('treats a path with .. as outside', async () => {
    const files = createFolderFiles(node, createFolder());
    expect(
      await Promise.all(['..', '../x', 'a/../../x'].map((path) => files.isInside(path))),
    ).toEqual([false, false, false]);
  });

  it('reports a missing vault on every operation', async () => {
    const files = createFolderFiles(node, join(createFolder(), 'gone'));
    for (const ask of [
      () => files.list(''),
      () => files.stat('a'),
      () => files.read('a'),
      () => files.append('a', bytesOf('x'), isNew),
      () => files.update('a', () => Promise.resolve(bytesOf('x'))),
      () => files.createFolder('a'),
      () => files.remove('a'),
      () => files.isInside('a'),
    ])
      await expect(ask()).rejects.toThrow(/The vault ".*gone" does not exist\. Check the path/);
  });

  it('reports a vault that is a file', async () => {
    const file = join(createFolder(), 'vault.md');
    writeFileSync(file, '');
    const files = createFolderFiles(node, file);
    await expect(files.list('a')).rejects.toThrow(/is a file, not a folder/);
    await expect(files.append('a', bytesOf('x'), isNew)).rejects.toThrow(/is a file, not a folder/);
  });

  it('appends nothing to a file that was replaced', async () => {
    const vault = createFolder();
    const files = createFolderFiles(node, vault);
    const info = await files.append('a', bytesOf('one'), isNew);
    writeFileSync(join(vault, 'b'), 'two');
    await node.fs.rename(join(vault, 'b'), join(vault, 'a'));
    await expect(files.append('a', bytesOf('x'), { expect: info, durable: false })).rejects.toThrow(
      'has changed',
    );
    expect(readFileSync(join(vault, 'a'), 'utf8')).toBe('two');
  });

  it('checks links against a folder of the vault too', async () => {
    const vault = createFolder();
    for (const folder of ['mine/inner', 'others'])
      mkdirSync(join(vault, folder), { recursive: true });
    writeFileSync(join(vault, 'others', 'secret.md'), 'secret');
    symlinkSync('../others', join(vault, 'mine', 'folder'));
    symlinkSync('../others/secret.md', join(vault, 'mine', 'file.md'));
    symlinkSync('inner', join(vault, 'mine', 'own'));
    symlinkSync(createFolder(), join(vault, 'away'));
    const files = createFolderFiles(node, vault);
    const paths = [
      'mine/folder',
      'mine/folder/secret.md',
      'mine/file.md',
      'others',
      'mine/own/new.md',
      'mine',
    ];
    expect(await Promise.all(paths.map((path) => files.isInside(path, 'mine')))).toEqual([
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(await files.isInside('away/new/x.md', 'away/new')).toBe(false);
  });

  it('replaces a file atomically, and keeps its mode and links to it', async () => {
    const vault = createFolder();
    writeFileSync(join(vault, 'a'), 'one', { mode: 0o640 });
    chmodSync(join(vault, 'a'), 0o640);
    symlinkSync('a', join(vault, 'link'));
    const files = createFolderFiles(node, vault);
    const before = await files.stat('a');
    await files.update('link', (bytes) =>
      Promise.resolve(bytesOf(`${new TextDecoder().decode(bytes)} two`)),
    );
    expect(readFileSync(join(vault, 'a'), 'utf8')).toBe('one two');
    expect((await files.stat('a'))?.fileId).not.toBe(before?.fileId);
    expect(statSync(join(vault, 'a')).mode & 0o777).toBe(0o640);
    expect(lstatSync(join(vault, 'link')).isSymbolicLink()).toBe(true);
    expect(readdirSync(vault).sort()).toEqual(['a', 'link']);
  });

  it('shows readers either the old or the new bytes during an update', async () => {
    const vault = createFolder();
    const files = createFolderFiles(node, vault);
    const whole = (at: number) => String(at % 10).repeat(50_000 + at);
    await files.update('a', () => Promise.resolve(bytesOf(whole(0))));
    let isDone = false;
    const read = async () => {
      while (!isDone) expect(new TextDecoder().decode(await files.read('a'))).toMatch(/^(\d)\1*$/);
    };
    const reading = read();
    for (let at = 1; at < 40; at++)
      await files.update('a', () => Promise.resolve(bytesOf(whole(at))));
    isDone = true;
    await reading;
  });

  it('recovers from a process that crashed during an update', async () => {
    const vault = createFolder();
    const setTimeout = ((task: () => void) => setImmediate(task)) as never;
    const files = createFolderFiles({ ...node, timers: { ...node.timers, setTimeout } }, vault);
    let [lock, draft] = ['', ''];
    // The files in the middle of an update are those that a crashed process leaves behind.
    const rename: typeof node.fs.rename = async (from, to) => {
      [lock, draft] = [
        readdirSync(vault).find((name) => /^\.~savepoint-[0-9a-f]{16}$/.test(name)) ?? '',
        String(from),
      ];
      writeFileSync(join(vault, 'kept'), readFileSync(join(vault, lock)));
      await node.fs.rename(from, to);
    };
    await createFolderFiles({ ...node, fs: { ...node.fs, rename } }, vault).update('a', () =>
      Promise.resolve(bytesOf('one')),
    );
    writeFileSync(join(vault, lock), readFileSync(join(vault, 'kept')));
    writeFileSync(draft, 'half');
    await files.update('a', (bytes) =>
      Promise.resolve(bytesOf(`${new TextDecoder().decode(bytes)} two`)),
    );
    expect(readFileSync(join(vault, 'a'), 'utf8')).toBe('one two');
    expect(readdirSync(vault).sort()).toEqual(['a', 'kept']);
  });

  it('does not mistake an unreadable file for a missing one', async () => {
    const vault = createFolder();
    writeFileSync(join(vault, 'a'), 'one');
    const stat = (() => Promise.reject(diskError('EIO', 'stat'))) as typeof node.fs.stat;
    const files = createFolderFiles({ ...node, fs: { ...node.fs, stat } }, vault);
    await expect(files.update('a', () => Promise.resolve(bytesOf('two')))).rejects.toThrow(
      'the disk reported EIO',
    );
    expect(readFileSync(join(vault, 'a'), 'utf8')).toBe('one');
  });

  it('starts over if its lock was broken meanwhile', async () => {
    const vault = createFolder();
    const files = createFolderFiles(node, vault);
    let calls = 0;
    await files.update('a', async () => {
      // The first call comes before the lock is acquired.
      if (++calls === 2) for (const name of readdirSync(vault)) rmSync(join(vault, name));
      return Promise.resolve(bytesOf(String(calls)));
    });
    expect([calls, readFileSync(join(vault, 'a'), 'utf8'), readdirSync(vault)]).toEqual([
      3,
      '3',
      ['a'],
    ]);
  });

  it('lists a link as the kind of its target', async () => {
    const [vault, outside] = [createFolder(), createFolder()];
    mkdirSync(join(vault, 'notes'));
    writeFileSync(join(outside, 'plan.md'), 'plan');
    const targets = {
      away: outside,
      'dangling.md': join(outside, 'none.md'),
      loop: 'loop',
      near: 'notes',
      'null.md': '/dev/null',
      'plan.md': join(outside, 'plan.md'),
      up: '.',
    };
    for (const [name, target] of Object.entries(targets)) symlinkSync(target, join(vault, name));
    const entries = await createFolderFiles(node, vault).list('');
    expect(entries.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'away', kind: 'folder', isLink: true },
      { name: 'dangling.md', kind: 'other', isLink: true },
      { name: 'loop', kind: 'other', isLink: true },
      { name: 'near', kind: 'folder', isLink: true },
      { name: 'notes', kind: 'folder' },
      { name: 'null.md', kind: 'other', isLink: true },
      { name: 'plan.md', kind: 'file', isLink: true },
      { name: 'up', kind: 'folder', isLink: true },
    ]);
  });

  it('lists a folder in which entries disappear meanwhile', async () => {
    const vault = createFolder();
    writeFileSync(join(vault, 'a.md'), 'a');
    for (const name of ['b.md', 'c.md']) symlinkSync('a.md', join(vault, name));
    const lstat = (path: string) => {
      rmSync(path);
      return node.fs.lstat(path);
    };
    const stat = (path: string) => {
      rmSync(path, { force: true });
      return node.fs.stat(path);
    };
    const listWith = (fs: object) =>
      createFolderFiles({ ...node, fs: { ...node.fs, ...fs } }, vault).list('');
    expect(await listWith({ lstat })).toEqual([{ name: 'a.md', kind: 'file' }]);
    symlinkSync('a.md', join(vault, 'd.md'));
    expect(await listWith({ stat })).toContainEqual({ name: 'a.md', kind: 'file' });
  });

  it('lists a folder again if Node fails on an entry that disappeared', async () => {
    const vault = createFolder();
    writeFileSync(join(vault, 'a.md'), 'a');
    let failures = 1;
    const readdir = (...args: Parameters<typeof node.fs.readdir>) =>
      failures-- > 0 ? Promise.reject(diskError('ENOENT', 'lstat')) : node.fs.readdir(...args);
    const fs = { ...node.fs, readdir: readdir as typeof node.fs.readdir };
    const files = createFolderFiles({ ...node, fs }, vault);
    expect(await files.list('')).toEqual([{ name: 'a.md', kind: 'file' }]);
  });

  it('treats a link that it may not follow as a file, which then cannot be read', async () => {
    const vault = createFolder();
    writeFileSync(join(vault, 'a.md'), 'a');
    symlinkSync('a.md', join(vault, 'b.md'));
    const stat = (path: string) =>
      path === vault ? node.fs.stat(path) : Promise.reject(diskError('EIO', 'stat'));
    const fs = { ...node.fs, stat: stat as typeof node.fs.stat };
    const entries = await createFolderFiles({ ...node, fs }, vault).list('');
    expect(entries).toContainEqual({ name: 'b.md', kind: 'file', isLink: true });
  });

  it('returns the time of the last change', async () => {
    const vault = createFolder();
    const files = createFolderFiles(node, vault);
    await files.append('a', bytesOf('one'), isNew);
    await node.fs.utimes(join(vault, 'a'), 1, 1);
    expect((await files.stat('a'))?.mtime).toBe(1000);
  });

  it('reports a name that is too long', async () => {
    const files = createFolderFiles(node, createFolder());
    await expect(files.createFolder('x'.repeat(300))).rejects.toThrow(/name is too long/);
    await expect(files.stat('x'.repeat(300))).rejects.toThrow(Refusal);
  });

  it('reports missing permissions', () => {
    const vault = createFolder();
    mkdirSync(join(vault, 'locked'));
    writeFileSync(join(vault, 'secret.md'), 'x');
    chmodSync(join(vault, 'secret.md'), 0o000);
    chmodSync(join(vault, 'locked'), 0o555);
    chmodSync(vault, 0o755);
    const answers = asNobody(
      vault,
      `const said = (promise) => promise.then(() => 'done', (error) => error.name + ': ' + error.message);
      const bytes = new TextEncoder().encode('x');
      console.log(JSON.stringify([
        await said(files.append('locked/a.jsonl', bytes, { expect: 'new', durable: false })),
        await said(files.createFolder('locked/b')),
        await said(files.update('locked/a.md', () => Promise.resolve(bytes))),
        await said(files.read('secret.md')),
      ]));`,
    );
    for (const answer of answers)
      expect(answer).toMatch(/^Refusal: .* has no permission \(E[A-Z]+\)/);
    expect(answers).toHaveLength(4);
  });

  it.runIf(canMount())('reports a full disk, and keeps the file unchanged', async () => {
    await onSmallDisk(async (vault) => {
      const files = createFolderFiles(node, vault);
      const info = await files.append('a', bytesOf('first\n'), isNew);
      const big = new Uint8Array(2_000_000).fill(0x78);
      await expect(files.append('a', big, { expect: info, durable: true })).rejects.toThrow(
        /disk is full/,
      );
      expect(statSync(join(vault, 'a')).size).toBe(info.size);
      expect(readFileSync(join(vault, 'a'), 'utf8')).toBe('first\n');
      await expect(files.append('b', big, isNew)).rejects.toThrow(/disk is full/);
      expect(statSync(join(vault, 'b'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
      rmSync(join(vault, 'b'), { force: true });
      for (const path of ['a', 'c'])
        await expect(files.update(path, () => Promise.resolve(big))).rejects.toThrow(
          /disk is full/,
        );
      expect(readdirSync(vault).filter((name) => name !== 'lost+found')).toEqual(['a']);
      expect(readFileSync(join(vault, 'a'), 'utf8')).toBe('first\n');
    });
  });
});

it('FolderFiles syncs every parent folder of a new file once', async () => {
  const vault = createFolder();
  const synced: string[] = [];
  const open: typeof node.fs.open = (path, ...rest) => {
    if (rest[0] === 'r') synced.push(String(path).slice(vault.length));
    return node.fs.open(path, ...rest);
  };
  const files = createFolderFiles({ ...node, fs: { ...node.fs, open } }, vault);
  const append = async (name: string) => {
    synced.length = 0;
    await files.append(`log/core/${name}`, Uint8Array.of(10), { expect: 'new', durable: true });
    return [...synced];
  };
  const all = ['/log/core', '/log', ''];
  expect(await append('a')).toEqual(all);
  expect(await append('b')).toEqual(['/log/core']);
  // a folder created now has another inode
  renameSync(join(vault, 'log/core'), join(vault, 'moved'));
  expect(await append('c')).toEqual(['/log/core', '/log']);
  expect(await append('d')).toEqual(['/log/core']);
});

it('FolderFiles checks once per batch of misses whether the vault exists', async () => {
  const vault = createFolder();
  let looks = 0;
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  const stat = (path: string) => {
    if (path !== vault) return Promise.reject(missing);
    looks++;
    return node.fs.stat(path);
  };
  const files = createFolderFiles(
    { ...node, fs: { ...node.fs, stat: stat as typeof node.fs.stat } },
    vault,
  );
  expect(await Promise.all(['a', 'b', 'c'].map((name) => files.stat(name)))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(looks).toBe(1);
  rmSync(vault, { recursive: true });
  const failed = await Promise.allSettled(['a', 'b'].map((name) => files.stat(name)));
  for (const outcome of failed)
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Refusal) as unknown });
  expect(looks).toBe(2);
});

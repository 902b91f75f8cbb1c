import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { onAnyDisk } from '../../src/node/modules.js';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { realPath } from '../../src/node/real-path.js';
import { diskError } from '../faults/faulty-disk.js';
import { createFolder, node } from './folders.js';

/** Node's `fs` on a disk that Windows' mount manager does not know. */
const unknownDisk = (code: string) => ({
  ...node.fs,
  realpath: (() => Promise.reject(diskError(code, 'realpath'))) as typeof node.fs.realpath,
});

test('finds real paths on a disk on which the system does not', async () => {
  const vault = createFolder();
  mkdirSync(join(vault, 'notes'));
  symlinkSync('notes', join(vault, 'link'));
  symlinkSync(createFolder(), join(vault, 'out'));
  const modules = { ...node, fs: onAnyDisk(unknownDisk('EISDIR'), node.callbackFs) };
  expect(await realPath(modules, join(vault, 'link', 'new'))).toBe(
    join(realpathSync(vault), 'notes', 'new'),
  );
  const files = createFolderFiles(modules, vault);
  expect(
    await Promise.all(['link', 'notes/new', 'out'].map((path) => files.isInside(path))),
  ).toEqual([true, true, false]);
  await expect(modules.fs.realpath(join(vault, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('leaves every other error as it is', async () => {
  const fs = onAnyDisk(unknownDisk('EACCES'), node.callbackFs);
  await expect(fs.realpath(createFolder())).rejects.toMatchObject({ code: 'EACCES' });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDigest } from '../../../src/agents/shared/file-digests.js';
import { createFolderFiles } from '../../../src/node/ports/folder-files.js';
import { createFolderDevice } from '../../../src/node/provenance/folder-device.js';
import { createFolder, node } from '../folders.js';

function create() {
  const vault = createFolder();
  const device = createFolderDevice(node, vault, { program: 'Test', name: () => 'Laptop' });
  return { vault, device, files: createFolderFiles(node, vault) };
}

it('an open file returns parts of its content', async () => {
  const { vault, device } = create();
  writeFileSync(join(vault, 'a.md'), 'abcdef');
  const file = await device.openFile?.('a.md');
  expect(await file?.size()).toBe(6);
  expect(Buffer.from((await file?.read(2, 3)) ?? []).toString()).toBe('cde');
  expect(Buffer.from((await file?.read(4, 10)) ?? []).toString()).toBe('ef');
  file?.close();
  expect(await device.openFile?.('gone.md')).toBeUndefined();
  expect(await device.openFile?.('a.md/inner.md')).toBeUndefined();
});

it('the digest is the same whether parts of a file can be read or not', async () => {
  const access = create();
  mkdirSync(join(access.vault, 'folder'));
  writeFileSync(join(access.vault, 'small.md'), 'text');
  writeFileSync(join(access.vault, 'big.bin'), Buffer.alloc(3_000_000, 'abc'));
  const { openFile: _, ...withoutParts } = access.device;
  for (const path of ['small.md', 'big.bin', 'folder', 'gone.md'])
    expect(await readDigest({ ...access, device: withoutParts }, path)).toEqual(
      await readDigest(access, path),
    );
  expect(await readDigest(access, 'big.bin')).toMatchObject({ size: 3_000_000, sampled: true });
});

it('a pipe and an endless device are not read', async () => {
  const access = create();
  execFileSync('mkfifo', [join(access.vault, 'pipe')]);
  symlinkSync('/dev/zero', join(access.vault, 'zeros'));
  expect(await readDigest(access, 'pipe')).toBeUndefined();
  expect(await readDigest(access, 'zeros')).toBeUndefined();
  const { openFile: _, ...withoutParts } = access.device;
  expect(await readDigest({ ...access, device: withoutParts }, 'pipe')).toMatchObject({ size: 0 });
});

import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDraftFolder } from '../../../src/node/ports/draft-folder.js';
import { FolderCopies } from '../../../src/node/ports/folder-copies.js';
import { createFolderIdentities, readDeviceName } from '../../../src/node/ports/state-folder.js';
import { publishDiscovery } from '../../../src/node/serve/discovery-file.js';
import { diskError } from '../../faults/faulty-disk.js';
import { createFolder, node } from '../folders.js';

/** Node's modules on a disk that has room for names of files, but not for what is in them. */
const onFullDisk = {
  ...node,
  fs: {
    ...node.fs,
    async writeFile(...args: Parameters<typeof node.fs.writeFile>) {
      await node.fs.writeFile(args[0], '', { mode: 0o600 });
      throw diskError('ENOSPC', 'write');
    },
  },
} as typeof node;

const writer = { writer: 'k3v9q2m7x4tb', n: 3 } as never;

it.each<[string, (folder: string) => Promise<unknown>]>([
  ['a file', (folder) => createDraftFolder(onFullDisk, folder).write('a', new Uint8Array(9))],
  ['a writer', (folder) => createFolderIdentities(onFullDisk, folder).release('core', writer)],
  ['an address', (folder) => publishDiscovery(onFullDisk, join(folder, 'http.json'), 'text')],
  ['the device', (folder) => readDeviceName(onFullDisk, folder, 'linux')],
  [
    'the heads of copies',
    async (folder) => {
      const places = { stateFolder: folder, deviceFolder: folder, vault: folder };
      mkdirSync(join(folder, 'copies'));
      await node.fs.writeFile(join(folder, 'copies/v.jsonl'), '{}\n');
      await new FolderCopies(onFullDisk, places).heads('v');
    },
  ],
])('what stores %s on a full disk fails, and leaves no empty file', async (_, store) => {
  const folder = createFolder();
  await expect(store(folder)).rejects.toThrow('ENOSPC');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => statSync(join(folder, name)).size === 0)).toEqual([]);
});

import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/model/refusal.js';
import { createFolderBlobs } from '../../../src/node/ports/folder-blobs.js';
import { blobsContract } from '../../contracts/blobs.js';
import { createFolder, node } from '../folders.js';

describe('FolderBlobs', () => {
  blobsContract(() => createFolderBlobs(node, join(createFolder(), 'search')));

  it('are private to this user', async () => {
    const folder = join(createFolder(), 'search');
    await createFolderBlobs(node, folder).save([{ name: 'a', bytes: new Uint8Array(3) }]);
    expect([statSync(folder).mode & 0o777, statSync(join(folder, 'a')).mode & 0o777]).toEqual([
      0o700, 0o600,
    ]);
  });

  it('hide drafts, and delete old ones', async () => {
    const folder = createFolder();
    const blobs = createFolderBlobs(node, folder);
    await blobs.save([{ name: 'a', bytes: new Uint8Array(3) }]);
    for (const name of ['b.0011.part', 'c.0022.part']) writeFileSync(join(folder, name), 'half');
    utimesSync(join(folder, 'b.0011.part'), 0, 0);
    expect(await blobs.names()).toEqual(['a']);
    expect(readdirSync(folder).sort()).toEqual(['a', 'c.0022.part']);
  });

  it('report disk errors as readable messages, and leave no draft', async () => {
    const folder = createFolder();
    mkdirSync(join(folder, 'a'));
    const blobs = createFolderBlobs(node, folder);
    await expect(blobs.save([{ name: 'a', bytes: new Uint8Array(3) }])).rejects.toThrow(Refusal);
    await expect(blobs.load('a')).rejects.toThrow(
      /^Cannot read the search index in ".*" \(EISDIR\)\./,
    );
    expect(readdirSync(folder)).toEqual(['a']);
  });
});

import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Time } from '../../../src/node/git/git-index.js';
import { WorkingTree } from '../../../src/node/git/working-tree.js';
import { createFolder, node } from '../folders.js';

const STAGED = '0'.repeat(40);

/**
 * Reads a file that was staged in the same second in which it has changed since, with an index
 * written at `indexTime`.
 */
async function readWith(indexTime: (modified: number) => Time): Promise<readonly string[]> {
  const root = createFolder();
  writeFileSync(join(root, 'a.md'), 'two');
  const seconds = Math.floor(statSync(join(root, 'a.md')).mtimeMs / 1000);
  const tree = new WorkingTree(node, {
    root,
    indexTime: indexTime(seconds),
    hasFileModes: false,
    convertsLineEndings: false,
  });
  const file = await tree.read({
    path: 'a.md',
    mode: 0o100644,
    oid: STAGED,
    size: 3,
    modified: { seconds, nanoseconds: 0 },
    changed: { seconds: 0, nanoseconds: 0 },
    isUnmerged: false,
    isIntended: false,
    isAssumedUnchanged: false,
  });
  return file?.oids ?? [];
}

it('a file that is as old as the index is read, because it may have changed afterwards', async () => {
  const oids = await readWith((seconds) => ({ seconds, nanoseconds: 0 }));
  expect(oids).toEqual(['64c5e5885a4b06010b3a0c20edb7900dd0311025']);
});

it('a file that is older than the index is not read', async () => {
  expect(await readWith((seconds) => ({ seconds: seconds + 1, nanoseconds: 0 }))).toEqual([STAGED]);
});

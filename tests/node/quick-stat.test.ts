import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NodeModules } from '../../src/node/modules.js';
import { createFolderFiles } from '../../src/node/ports/folder-files.js';
import { withQuickStat } from '../../src/node/quick-stat.js';
import { filesContract } from '../contracts/files.js';
import { createFolder, node } from './folders.js';

describe('FolderFiles with a quick stat', () => {
  filesContract(() => createFolderFiles(withQuickStat(node), createFolder()));
});

describe('a quick stat', () => {
  /** Returns `stat` of a disk on which each look-up without the pool takes so long. */
  function statOf(duration: () => number) {
    const looked: string[] = [];
    let now = 0;
    const slowly = ((...args: Parameters<typeof statSync>) => {
      looked.push('at once');
      now += duration();
      return statSync(...args);
    }) as typeof statSync;
    const pooled = ((file: string) => {
      looked.push('by the pool');
      return node.fs.stat(file);
    }) as NodeModules['fs']['stat'];
    const modules = {
      ...node,
      callbackFs: { ...node.callbackFs, statSync: slowly },
      fs: { ...node.fs, stat: pooled },
    };
    const { fs } = withQuickStat(modules, () => now);
    return { stat: fs.stat, looked, pass: (ms: number) => (now += ms) };
  }

  function file(): string {
    const path = join(createFolder(), 'a');
    writeFileSync(path, 'one');
    return path;
  }

  it('looks up at once', async () => {
    const path = file();
    const { stat, looked } = statOf(() => 1);
    expect(await stat(path, { bigint: true })).toMatchObject({ size: 3n });
    await expect(stat(`${path}.gone`)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await stat(path)).isFile()).toBe(true);
    expect(looked).toEqual(['at once', 'at once', 'at once']);
  });

  it('leaves a slow disk to the thread pool, and tries again after a second', async () => {
    const path = file();
    let duration = 6;
    const { stat, looked, pass } = statOf(() => duration);
    await expect(stat(`${path}.gone`)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await stat(path)).size).toBe(3);
    pass(999);
    await stat(path);
    duration = 1;
    pass(1);
    await stat(path);
    await stat(path);
    expect(looked).toEqual(['at once', 'by the pool', 'by the pool', 'at once', 'at once']);
  });
});

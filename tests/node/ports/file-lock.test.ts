import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/model/refusal.js';
import { withLock } from '../../../src/node/ports/file-lock.js';
import type { NodeModules } from '../../../src/node/modules.js';
import { diskError } from '../../faults/faulty-disk.js';
import { createFolder, node } from '../folders.js';

/** Replaces waits with immediate ones, and sums up how long they should take. */
function hasty(more: Partial<NodeModules['fs']> = {}): {
  modules: NodeModules;
  waited: () => number;
} {
  let waited = 0;
  const setTimeout = (task: () => void, ms: number) => ((waited += ms), setImmediate(task));
  return {
    modules: {
      ...node,
      fs: { ...node.fs, ...more },
      timers: { ...node.timers, setTimeout: setTimeout as never },
    },
    waited: () => waited,
  };
}

const nothing = () => Promise.resolve();

describe('withLock', () => {
  it('runs one task at a time, and removes its file', async () => {
    const lock = join(createFolder(), 'lock');
    let [running, done] = [0, 0];
    const task = async () => {
      expect(++running).toBe(1);
      await node.fs.stat(lock);
      done++;
      running--;
    };
    await Promise.all(
      Array.from({ length: 12 }, () => withLock(hasty().modules, lock, nothing, task)),
    );
    expect([done, existsSync(lock)]).toEqual([12, false]);
  });

  it('removes its file if the task fails', async () => {
    const lock = join(createFolder(), 'lock');
    await expect(
      withLock(node, lock, nothing, () => Promise.reject(new Refusal('No.'))),
    ).rejects.toThrow('No.');
    expect(existsSync(lock)).toBe(false);
  });

  it('breaks the lock of a crashed holder after ten seconds', async () => {
    const folder = createFolder();
    const lock = join(folder, 'lock');
    for (const left of ['0123456789abcdef', '']) {
      writeFileSync(lock, left);
      const cleared: string[] = [];
      const clear = (token: string) => (cleared.push(token), nothing());
      const { modules, waited } = hasty();
      let running = 0;
      const task = async () => {
        expect(++running).toBe(1);
        await node.fs.stat(lock);
        running--;
      };
      await Promise.all(Array.from({ length: 4 }, () => withLock(modules, lock, clear, task)));
      expect([cleared, readdirSync(folder)]).toEqual([[left], []]);
      expect(waited()).toBeGreaterThanOrEqual(10_000);
    }
  });

  it('does not break fresh locks, and fails with a readable error', async () => {
    const lock = join(createFolder(), 'lock');
    let turn = 0;
    const { modules } = hasty({
      open: () => (
        writeFileSync(lock, `holder ${++turn >> 6}`),
        Promise.reject(diskError('EEXIST', 'open'))
      ),
    });
    await expect(
      withLock(modules, lock, nothing, () => Promise.reject(new Error('It ran'))),
    ).rejects.toThrow('Other programs keep writing to this file. Nothing was saved; try again.');
    expect(readFileSync(lock, 'utf8')).toMatch(/^holder/);
  });

  it('leaves a lock that another process acquires during a break', async () => {
    const folder = createFolder();
    const lock = join(folder, 'lock');
    writeFileSync(lock, 'crashed');
    let left = '';
    const writeFile: NodeModules['fs']['writeFile'] = async (...args) => {
      await node.fs.writeFile(...args);
      writeFileSync(lock, 'living');
    };
    const rm: NodeModules['fs']['rm'] = async (path, options) => {
      await node.fs.rm(path, options);
      if (path === lock || left !== '') return;
      left = readFileSync(lock, 'utf8');
      await node.fs.rm(lock);
    };
    const cleared: string[] = [];
    const clear = (token: string) => (cleared.push(token), nothing());
    await withLock(hasty({ writeFile, rm }).modules, lock, clear, () => nothing());
    expect([left, cleared, readdirSync(folder)]).toEqual(['living', [], []]);
  });

  it('reports a broken lock to its holder, and leaves the lock file alone', async () => {
    const lock = join(createFolder(), 'lock');
    const held = await withLock(node, lock, nothing, async ({ isHeld }) => {
      const before = await isHeld();
      writeFileSync(lock, 'another');
      return [before, await isHeld()];
    });
    expect(held).toEqual([true, false]);
    expect(readFileSync(lock, 'utf8')).toBe('another');
  });

  it('retries while the disk is busy, up to a limit', async () => {
    const lock = join(createFolder(), 'lock');
    let tries = 0;
    const open = ((...args: Parameters<NodeModules['fs']['open']>) =>
      ++tries < 5
        ? Promise.reject(diskError('EPERM', 'open'))
        : node.fs.open(...args)) as NodeModules['fs']['open'];
    expect(
      await withLock(hasty({ open }).modules, lock, nothing, () => Promise.resolve('done')),
    ).toBe('done');
    const never = hasty({ open: () => Promise.reject(diskError('EACCES', 'open')) });
    await expect(
      withLock(never.modules, lock, nothing, () => Promise.resolve('done')),
    ).rejects.toThrow('EACCES');
  });

  it('leaves no file if the token cannot be written', async () => {
    const folder = createFolder();
    const open = (async (...args: Parameters<NodeModules['fs']['open']>) => {
      const handle = await node.fs.open(...args);
      return Object.assign(handle, {
        writeFile: () => Promise.reject(diskError('ENOSPC', 'write')),
      });
    }) as NodeModules['fs']['open'];
    await expect(
      withLock(hasty({ open }).modules, join(folder, 'lock'), nothing, nothing),
    ).rejects.toThrow('ENOSPC');
    expect(readdirSync(folder)).toEqual([]);
  });
});

import type { DataAdapter } from 'obsidian';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/model/refusal.js';
import { createVaultFiles } from '../../../src/obsidian/host/vault-files.js';
import { createLog } from '../../../src/storage/vault-log.js';
import { FileReplacedError, type Files } from '../../../src/platform/files.js';
import { filesContract } from '../../contracts/files.js';
import { createMemoryIdentities, createTestRandom } from '../../fakes/deterministic.js';
import { createNodeClock } from '../../../src/node/ports/host-ports.js';
import { CapacitorAdapter } from '../../host/obsidian/adapter.js';
import { MemoryMedium } from '../../host/obsidian/memory-medium.js';
import { node } from '../../node/folders.js';

const clock = createNodeClock(node.timers);
const bytesOf = (text: string) => new TextEncoder().encode(text);
const isNew = { expect: 'new', durable: true } as const;

function open(change: (adapter: DataAdapter) => DataAdapter = (adapter) => adapter): {
  files: Files;
  medium: MemoryMedium;
} {
  const medium = new MemoryMedium();
  const adapter = new CapacitorAdapter(medium, 'Vault', () => Promise.resolve());
  return { files: createVaultFiles(change(adapter), clock), medium };
}

/** Replaces one method of the adapter. */
function withCall<K extends keyof DataAdapter>(
  name: K,
  call: (adapter: DataAdapter) => DataAdapter[K],
): (adapter: DataAdapter) => DataAdapter {
  return (adapter) =>
    new Proxy(adapter, {
      get: (target, key) => (key === name ? call(adapter) : bound(target, key)),
    });
}

function bound(target: DataAdapter, key: string | symbol): unknown {
  const value: unknown = Reflect.get(target, key);
  return typeof value === 'function' ? (value.bind(target) as unknown) : value;
}

describe('VaultFiles', () => {
  filesContract(() => open().files);

  it('retries listing a folder in which a file vanished', async () => {
    let tries = 0;
    const { files } = open(
      withCall(
        'list',
        (adapter) => (path) =>
          ++tries < 3
            ? Promise.reject(new Error('ENOENT: it was there a moment ago'))
            : adapter.list(path),
      ),
    );
    await files.append('a/b.jsonl', bytesOf('x'), isNew);
    expect(await files.list('a')).toEqual([{ name: 'b.jsonl', kind: 'file' }]);
    expect(tries).toBe(3);
  });

  it('does not mistake an unreadable file for a missing one', async () => {
    const { files, medium } = open();
    await files.append('a/b.jsonl', bytesOf('x'), isNew);
    medium.faults.broken.add('a/b.jsonl');
    await expect(files.stat('a/b.jsonl')).rejects.toThrow('the disk reported EIO');
    await expect(files.read('a/b.jsonl')).rejects.toThrow(Refusal);
    medium.faults.broken.add('a');
    await expect(files.list('a')).rejects.toThrow(Refusal);
  });

  it('fails with a readable error if a folder cannot be listed', async () => {
    const { files } = open(
      withCall('list', () => () => Promise.reject(new Error('the disk is gone'))),
    );
    await files.createFolder('a');
    await expect(files.list('a')).rejects.toThrow(Refusal);
    await expect(files.list('a')).rejects.toThrow('Cannot read the folder "a" in the vault');
  });

  it.each([
    ['isFull', 'the disk is full. Nothing was saved'],
    ['isReadOnly', 'this program has no permission'],
  ] as const)('reports the problem if the vault %s, and the log recovers', async (fault, words) => {
    const { files, medium } = open();
    const log = createLog({
      files,
      root: 'Savepoint',
      clock,
      random: createTestRandom(),
      identities: createMemoryIdentities(),
      app: 'test',
      device: 'phone',
      warn: () => undefined,
    });
    await log.memory();
    const write = () =>
      log.write(() => ({
        drafts: [{ t: 'set', e: 'default', d: { '/purpose': 'Garden' } }],
        answer: 'written',
      }));
    medium.faults[fault] = true;
    await expect(write()).rejects.toThrow(words);
    medium.faults[fault] = false;
    expect(await write()).toBe('written');
    await log.close();
  });

  it('restores a file whose overwrite fails', async () => {
    let writes = 0;
    const { files } = open(
      withCall('writeBinary', (adapter) => async (path, data) => {
        await adapter.writeBinary(path, ++writes % 2 === 1 ? data.slice(0, 2) : data);
        if (writes % 2 === 1) throw Object.assign(new Error('ENOSPC: full'), { code: 'ENOSPC' });
      }),
    );
    writes = 1;
    await files.append('a', bytesOf('one'), isNew);
    for (const path of ['a', 'b'])
      await expect(files.update(path, () => Promise.resolve(bytesOf('three')))).rejects.toThrow(
        'the disk is full. Nothing was saved',
      );
    expect([new TextDecoder().decode(await files.read('a')), await files.stat('b')]).toEqual([
      'one',
      undefined,
    ]);
  });

  it('retries an update after concurrent changes, up to a limit', async () => {
    let writes = 0;
    const { files, medium } = open();
    await files.append('a', bytesOf('one'), isNew);
    const change = (limit: number) => async (bytes: Uint8Array | undefined) => {
      if (++writes <= limit) await medium.write('a', bytesOf(`other ${'x'.repeat(writes)}`));
      return Promise.resolve(bytesOf(`${new TextDecoder().decode(bytes)}!`));
    };
    await files.update('a', change(1));
    expect(new TextDecoder().decode(await files.read('a'))).toBe('other x!');
    await expect(files.update('a', change(Infinity))).rejects.toThrow(
      'Another program keeps changing "a". Nothing was saved',
    );
  });

  it('retries an update of a file whose change shows in no stamp', async () => {
    const { files, medium } = open(
      withCall('stat', (adapter) => async (path) => {
        const info = await adapter.stat(path);
        return info && { ...info, mtime: 1000 }; // of a coarse clock
      }),
    );
    await files.append('a', bytesOf('one'), isNew);
    let attempts = 0;
    await files.update('a', async (bytes) => {
      if (++attempts === 1) await medium.write('a', bytesOf('two'));
      return bytesOf(`${new TextDecoder().decode(bytes)}!`);
    });
    expect(new TextDecoder().decode(await files.read('a'))).toBe('two!');
  });

  it('fails an append to a file that another program resizes meanwhile', async () => {
    const { files } = open(
      withCall('append', (adapter) => async (path, data) => {
        await adapter.append(path, 'other');
        await adapter.append(path, data);
      }),
    );
    const { size } = await files.append('a', bytesOf('one'), isNew);
    await expect(
      files.append('a', bytesOf('two'), { expect: { size }, durable: true }),
    ).rejects.toThrow(FileReplacedError);
  });
});

import { describe, expect, it } from 'vitest';
import {
  MAX_HASHED_BYTES,
  readDigest,
  readDigests,
  SAMPLE_BYTES,
} from '../../../src/agents/shared/file-digests.js';
import { sha256 } from '../../../src/platform/sha256.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';

const device = { program: 'Test', name: () => 'Laptop' };

function create() {
  const files = createMemoryFiles();
  return { files, access: { files, device } };
}

describe('readDigest', () => {
  it('hashes a file of up to 1 MB as a whole', async () => {
    const { files, access } = create();
    files.put('empty.md', '');
    files.put('full.bin', new Uint8Array(MAX_HASHED_BYTES));
    expect(await readDigest(access, 'empty.md')).toEqual({ sha256: await sha256(''), size: 0 });
    expect(await readDigest(access, 'full.bin')).toEqual({
      sha256: await sha256(new Uint8Array(MAX_HASHED_BYTES)),
      size: MAX_HASHED_BYTES,
    });
  });

  it('samples start, middle and end of a larger file', async () => {
    const { files, access } = create();
    const size = 3 * MAX_HASHED_BYTES;
    const bytes = new Uint8Array(size);
    const digests = new Set<string | undefined>();
    for (const at of [undefined, 0, size / 2, size - 1, SAMPLE_BYTES + 1]) {
      const changed = bytes.slice();
      if (at !== undefined) changed[at] = 1;
      files.put('big.bin', changed);
      const digest = await readDigest(access, 'big.bin');
      expect(digest).toMatchObject({ size, sampled: true });
      digests.add(digest?.sha256);
    }
    expect(digests.size).toBe(4); // a change between the samples is not seen
  });

  it('is null for a missing file, and undefined for a folder or an unreadable file', async () => {
    const { files, access } = create();
    files.put('folder/a.md', 'text');
    expect(await readDigest(access, 'gone.md')).toBeNull();
    expect(await readDigest(access, 'folder')).toBeUndefined();
    const failing = { ...files, read: () => Promise.reject(new Error('EACCES')) };
    expect(await readDigest({ files: failing, device }, 'folder/a.md')).toBeUndefined();
  });
});

describe('readDigests', () => {
  it('records each path once, and none outside the vault', async () => {
    const { files, access } = create();
    files.put('a.md', 'text');
    const digests = await readDigests(access, ['a.md', 'a.md', './a.md', '../b.md', 'gone.md'], 0);
    const digest = { sha256: await sha256('text'), size: 4 };
    expect(digests).toEqual({ 'a.md': digest, './a.md': digest, 'gone.md': null });
  });

  it('records a file that is named "__proto__"', async () => {
    const { files, access } = create();
    files.put('__proto__', 'text');
    const stored = JSON.stringify(await readDigests(access, ['__proto__'], 0));
    expect(stored).toContain('"__proto__":{"sha256"');
  });

  it('records at most 200 files and 64 KB', async () => {
    const { files, access } = create();
    const short = Array.from({ length: 300 }, (_, index) => `${index}.md`);
    const long = short.map((name) => `${'x'.repeat(900)}${name}`);
    for (const path of [...short, ...long]) files.put(path, 'text');
    expect(Object.keys(await readDigests(access, short, 0))).toHaveLength(200);
    const json = JSON.stringify(await readDigests(access, long, 0));
    expect(json.length).toBeLessThanOrEqual(64 * 1024 + 2);
    expect(json.length).toBeGreaterThan(60 * 1024);
  });

  it('records no files of a state with a very long content', async () => {
    const { files, access } = create();
    files.put('a.md', 'text');
    expect(await readDigests(access, ['a.md'], 257 * 1024)).toEqual({});
  });
});

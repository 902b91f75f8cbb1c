import { describe, expect, it } from 'vitest';
import type { FolderEntry } from '../../../src/platform/files.js';
import { readUsage } from '../../../src/storage/data-folder/usage.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';

describe('readUsage', () => {
  it('counts segments and bytes by lane, without other files', async () => {
    const files = createMemoryFiles();
    files.put('Savepoint/core/2026-11/a.jsonl', '12345');
    files.put('Savepoint/core/2026-12/b.jsonl', '123');
    files.put('Savepoint/core/.syncthing.b.jsonl', '1');
    files.put('Savepoint/notes/Default/Plan.md', '1');
    files.put('Savepoint/trace/c.jsonl', '1');
    expect(await readUsage(files, 'Savepoint')).toEqual([
      { lane: 'core', segments: 2, bytes: 8 },
      { lane: 'chat', segments: 0, bytes: 0 },
      { lane: 'trace', segments: 1, bytes: 1 },
      { lane: 'session', segments: 0, bytes: 0 },
    ]);
  });

  it('leaves out links and what is not a file, and counts no bytes of a removed file', async () => {
    const memory = createMemoryFiles();
    memory.put('Savepoint/core/a.jsonl', '12345');
    const entries: FolderEntry[] = [
      { name: 'a.jsonl', kind: 'file' },
      { name: 'link.jsonl', kind: 'file', isLink: true },
      { name: 'socket.jsonl', kind: 'other' },
      { name: 'removed.jsonl', kind: 'file' },
    ];
    const list = (folder: string) => Promise.resolve(folder === 'Savepoint/core' ? entries : []);
    const [core] = await readUsage({ ...memory, list }, 'Savepoint');
    expect(core).toEqual({ lane: 'core', segments: 2, bytes: 5 });
  });
});

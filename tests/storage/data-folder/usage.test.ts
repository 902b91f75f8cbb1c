import { describe, expect, it } from 'vitest';
import { readDevices, readUsage } from '../../../src/storage/data-folder/usage.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { joinLines, linesOf, stateDraft, WRITER_A, WRITER_B } from '../../fakes/events.js';

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
    ]);
  });
});

describe('readDevices', () => {
  it('groups writers by their last device name, the most recently active first', async () => {
    const files = createMemoryFiles();
    const opens = (device: string) => ({ t: 'log.seg', e: '', d: { fmt: 1, app: 'test', device } });
    const [one, two, three] = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => stateDraft(name)),
    );
    files.put('Savepoint/core/a.jsonl', joinLines(linesOf([opens('laptop'), one!], WRITER_A)));
    files.put(
      'Savepoint/core/b.jsonl',
      joinLines(linesOf([opens('phone'), two!, three!], WRITER_B)),
    );
    files.put('Savepoint/core/c.jsonl', joinLines(linesOf([three!], 'cccccccccccc')));
    expect(await readDevices(files, 'Savepoint')).toEqual([
      { device: 'phone', events: 2, lastAt: expect.stringMatching(/^2026-\S+Z$/) as string },
      { device: 'laptop', events: 1, lastAt: expect.stringMatching(/^2026-\S+Z$/) as string },
      { device: '', events: 1, lastAt: expect.stringMatching(/^2026-\S+Z$/) as string },
    ]);
  });
});

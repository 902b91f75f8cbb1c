import { describe, expect, it } from 'vitest';
import type { FolderEntry } from '../../../src/platform/files.js';
import { readDevices, readUsage } from '../../../src/storage/data-folder/usage.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { createEagerScheduler } from '../../fakes/eager-scheduler.js';
import {
  joinLines,
  linesOf,
  stateDraft,
  workspaceDraft,
  WRITER_A,
  WRITER_B,
} from '../../fakes/events.js';

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

describe('readDevices', () => {
  it('takes the name of a device from openings of segments, and yields to the host', async () => {
    const files = createMemoryFiles();
    const lines = linesOf([workspaceDraft('One', 'ws-1', { device: 'laptop' })]);
    files.put('Savepoint/core/a.jsonl', joinLines(lines));
    const { scheduler, turns } = createEagerScheduler();
    const devices = await readDevices(files, 'Savepoint', scheduler);
    expect(devices.map(({ device }) => device)).toEqual(['']);
    expect(turns()).toBe(1);
  });

  it('returns the time of the latest event, whichever file it is in', async () => {
    const files = createMemoryFiles();
    const draft = workspaceDraft('One');
    files.put('Savepoint/core/a.jsonl', joinLines(linesOf([draft, draft, draft], WRITER_A)));
    files.put('Savepoint/core/b.jsonl', joinLines(linesOf([draft], WRITER_B)));
    expect(await readDevices(files, 'Savepoint')).toEqual([
      { device: '', events: 4, lastAt: new Date(START_TIME + 2 * 60_000).toISOString() },
    ]);
  });

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

import { describe, expect, it } from 'vitest';
import { NoteScanner } from '../../../src/indexing/notes/note-scanner.js';
import { createFileNoteSource } from '../../../src/indexing/notes/note-source.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { createMemoryFiles, onCoarseDisk, type MemoryFiles } from '../../fakes/memory-files.js';

function setUp(onDisk = (files: MemoryFiles) => files) {
  const clock = createTestClock();
  const files = onDisk(createMemoryFiles(() => clock.now()));
  const removed: string[] = [];
  const warnings: string[] = [];
  let report: (path?: string) => void = () => undefined;
  const watch = {
    start(changed: (path?: string) => void) {
      report = changed;
      return () => undefined;
    },
  };
  const scanner = new NoteScanner({
    source: createFileNoteSource(files, watch),
    skippedFolders: () => Promise.resolve(['Private']),
    scheduler: NOOP_SCHEDULER,
    clock,
    maxNoteBytes: 100,
    warn: (message) => warnings.push(message),
    onRemove: (path) => removed.push(path),
  });
  const put = (path: string, text = 'text') => {
    clock.advance(1000);
    files.put(path, text);
  };
  const takeAll = () => {
    const batch = scanner.nextBatch(100);
    for (const note of batch) {
      scanner.markIndexed(note);
      scanner.settle(note.path);
    }
    return batch.map(({ path }) => path);
  };
  return {
    scanner,
    clock,
    files,
    put,
    takeAll,
    removed,
    warnings,
    report: (path?: string) => report(path),
  };
}

describe('NoteScanner', () => {
  it('returns changed notes, newest first', async () => {
    const { scanner, put, takeAll } = setUp();
    for (const path of ['A.md', 'B.md', 'Private/C.md', 'D.txt']) put(path);
    await scanner.scan();
    expect(takeAll()).toEqual(['B.md', 'A.md']);
    put('A.md');
    await scanner.scan();
    expect(takeAll()).toEqual(['A.md']);
    expect([scanner.isListed(), scanner.isCaughtUp()]).toEqual([true, true]);
  });

  it('reads a note again that was read within the step of a coarse clock', async () => {
    const { scanner, clock, files, put, takeAll, report } = setUp(onCoarseDisk);
    put('A.md', 'sour');
    scanner.watch(() => undefined);
    await scanner.scan();
    takeAll();
    files.put('A.md', 'soup');
    report('A.md');
    await scanner.rescanChanged();
    expect(takeAll()).toEqual(['A.md']);
    const persisted = scanner.toJson();

    clock.advance(2000);
    await scanner.scan();
    expect(takeAll()).toEqual(['A.md']);
    await scanner.scan();
    expect(takeAll()).toEqual([]);

    const again = setUp(onCoarseDisk);
    again.put('A.md', 'soup');
    again.clock.advance(2000);
    const index = { size: () => 1, keys: () => ['A.md'], remove: () => true };
    await again.scanner.restore(index, persisted);
    await again.scanner.scan();
    expect(again.takeAll()).toEqual(['A.md']);
  });

  it('removes deleted notes', async () => {
    const { scanner, files, put, takeAll, removed } = setUp();
    put('A.md');
    await scanner.scan();
    takeAll();
    await files.remove('A.md');
    await scanner.scan();
    expect([removed, scanner.indexedCount]).toEqual([['A.md'], 0]);
  });

  it('looks up only the notes that file events name', async () => {
    const { scanner, put, takeAll, report } = setUp();
    put('A.md');
    put('B.md');
    let events = 0;
    scanner.watch(() => events++);
    await scanner.scan();
    takeAll();
    put('A.md');
    put('B.md');
    report('A.md');
    expect([events, scanner.hasTouched, scanner.isStale]).toEqual([1, true, false]);
    await scanner.rescanChanged();
    expect(takeAll()).toEqual(['A.md']);
  });

  it('is stale for names once a file event names a new file', async () => {
    const { scanner, report } = setUp();
    scanner.watch(() => undefined);
    await scanner.scan();
    scanner.refresh('names');
    expect(scanner.isStale).toBe(false);
    report('New.md');
    scanner.refresh('words');
    expect(scanner.isStale).toBe(false);
    scanner.refresh('names');
    expect(scanner.isStale).toBe(true);
  });

  it('skips an unreadable note until it changes, and warns once', async () => {
    const { scanner, put, takeAll, warnings } = setUp();
    put('A.md');
    await scanner.scan();
    const [note] = scanner.nextBatch(1);
    scanner.markUnreadable(note!, 'broken');
    scanner.markUnreadable(note!, 'broken');
    scanner.settle('A.md');
    await scanner.scan();
    expect([takeAll(), warnings]).toEqual([[], ['"A.md" is left out of the search: broken']]);
    put('A.md');
    await scanner.scan();
    expect(takeAll()).toEqual(['A.md']);
  });

  it('restores its records, and removes other notes from the index', async () => {
    const { scanner, put, takeAll } = setUp();
    put('A.md');
    await scanner.scan();
    takeAll();
    const keys = new Set(['A.md', 'B.md']);
    const index = {
      size: () => keys.size,
      keys: () => [...keys],
      remove: (key: string) => keys.delete(key),
    };
    const again = setUp();
    await again.scanner.restore(index, scanner.toJson());
    expect([[...keys], again.scanner.indexedCount]).toEqual([['A.md'], 1]);
  });

  it('reads nothing from a note that is too large', async () => {
    const { scanner, put } = setUp();
    put('A.md', 'x'.repeat(101));
    await scanner.scan();
    expect(await scanner.read(scanner.nextBatch(1)[0]!)).toBe('');
  });
});

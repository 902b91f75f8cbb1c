import { describe, expect, it } from 'vitest';
import type { LaneName } from '../../../src/storage/format/lanes.js';
import { BlankSegments } from '../../../src/storage/read/blank-segments.js';
import { LaneReader } from '../../../src/storage/read/reader.js';
import { SegmentCache } from '../../../src/storage/read/segment-cache.js';
import { readSegment, segmentRecordOf } from '../../../src/storage/read/segment-record.js';
import { indexEvent, type WriterIndex } from '../../../src/storage/read/writer-index.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { joinLines, linesOf, WRITER_A, workspaceDraft } from '../../fakes/events.js';
import { createMemoryCache } from '../../fakes/memory-cache.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';

const NAME = `20261120-${WRITER_A}-0001.jsonl`;
const PATH = `S/core/2026-11/${NAME}`;
const NOW = 1_000_000;
const encode = (text: string) => new TextEncoder().encode(text);

const SEGMENT = { t: 'log.seg', e: '', d: { fmt: 1 } };
const LINES = linesOf([
  SEGMENT,
  workspaceDraft('One'),
  { t: 'log.seal', e: '', d: {} },
  SEGMENT,
  workspaceDraft('Two'),
]);

/** Indexes the lines with these numbers. */
function indexOf(...numbers: readonly number[]): WriterIndex {
  const writers: WriterIndex = new Map();
  for (const n of numbers) indexEvent(writers, 'core', LINES[n - 1]!.event);
  return writers;
}

interface Blank {
  readonly content?: Uint8Array;
  readonly name?: string;
  readonly lane?: LaneName;
  /** In milliseconds. */
  readonly age?: number;
  readonly writers?: WriterIndex;
}

/** Returns true if a segment is missed. */
function isMissed({
  content = new Uint8Array(100),
  name = NAME,
  lane = 'core',
  age = 5000,
  writers = new Map(),
}: Blank): boolean {
  const blank = new BlankSegments(lane);
  const info = { kind: 'file' as const, size: content.length, mtime: NOW - age + 0.5 };
  const path = `S/${lane}/2026-11/${name}`;
  blank.set(path, segmentRecordOf(readSegment(content), info, undefined));
  return blank.missedAt(NOW, writers).includes(path);
}

const CONTENTS: readonly (readonly [string, Uint8Array])[] = [
  ['NULs', new Uint8Array(3000)],
  ['nothing', new Uint8Array()],
  ['HTML', encode('<!doctype html>\n<html>\n<body>Sign in</body>\n</html>\n')],
  ['a pointer of Git LFS', encode('version https://git-lfs.github.com/spec/v1\noid sha256:0\n')],
  ['cipher text', Uint8Array.from({ length: 3000 }, (_, at) => (at * 197 + 31) % 256)],
  ['lines that were all edited', encode('{"v":1,"w":"aaaaaaaaaaaa","n":1,"c":"00000000"}\n')],
];

describe('a segment is missed', () => {
  it.each(CONTENTS)('if it contains %s', (_, content) => {
    expect(isMissed({ content })).toBe(true);
  });

  it.each([
    ['a copy of a sync service', `20261120-${WRITER_A}-0001.sync-conflict-20261120-100000.jsonl`],
    ['a segment of restored lines', `20261120-${WRITER_A}-healed.jsonl`],
    ['a segment of imported lines', `20261120-${WRITER_A}-imported-0001.jsonl`],
  ])('if it is %s', (_, name) => {
    expect(isMissed({ name })).toBe(true);
  });

  it('unless it has an event', () => {
    expect(isMissed({ content: LINES[0]!.bytes })).toBe(false);
    const torn = joinLines([{ bytes: encode('{"v":1,"w":"aaaaaa') }, LINES[0]!]);
    expect(isMissed({ content: torn.subarray(0, -1) })).toBe(false);
  });

  it('unless its name says nothing', () => {
    expect(isMissed({ name: 'notes.jsonl' })).toBe(false);
  });

  it('unless a power cut may have taken what nobody waits for', () => {
    expect(isMissed({ lane: 'trace' })).toBe(false);
    expect(isMissed({ lane: 'session' })).toBe(true);
  });

  it.each<[string, readonly number[], 1 | 2, boolean]>([
    ['nothing is known of its writer', [], 1, true],
    ['its lines are known from elsewhere', [1, 2], 1, false],
    ['the lines of the one before it are known', [1, 2, 3], 2, true],
    ['its first line is known too', [1, 2, 3, 4], 2, false],
    ['only later lines are known', [4, 5], 1, true],
  ])('or not, if %s', (_, numbers, segment, expected) => {
    const name = NAME.replace('0001', `000${segment}`);
    expect(isMissed({ name, writers: indexOf(...numbers) })).toBe(expected);
  });

  it.each<[string, Uint8Array, boolean]>([
    ['nothing', new Uint8Array(), false],
    ['the beginning of a line', LINES[0]!.bytes.subarray(0, 40), false],
    ['NULs', new Uint8Array(40), true],
  ])('while a program may just be creating it, and it contains %s', (_, content, expected) => {
    expect(isMissed({ content, age: 100 })).toBe(expected);
    expect(isMissed({ content, age: 1000 })).toBe(true);
  });
});

describe('a reader of a segment without any event', () => {
  function setUp() {
    const clock = createTestClock();
    const files = createMemoryFiles(() => clock.now());
    const writers: WriterIndex = new Map();
    const memory = createMemoryCache();
    const open = () => {
      const warn = () => undefined;
      const [cache, scheduler] = [memory, NOOP_SCHEDULER];
      const segments = new SegmentCache({ cache, lane: 'core', files, clock, warn, scheduler });
      const options = { clock, cache: segments };
      return { segments, reader: new LaneReader(files, 'S', 'core', writers, options) };
    };
    return { clock, files, memory, open };
  }

  const whole = joinLines(LINES.slice(0, 2));

  it('waits for it, and reads what comes without changing size and time', async () => {
    const { files, open } = setUp();
    files.put(PATH, new Uint8Array(whole.length));
    const { reader } = open();
    expect(await reader.scan()).toEqual([]);
    expect([reader.waiting(), reader.unreadable()]).toEqual([[PATH], []]);
    files.put(PATH, whole);
    expect(await reader.scan()).toHaveLength(2);
    expect(reader.waiting()).toEqual([]);
  });

  it('does not remember it in a cache', async () => {
    const { clock, files, memory, open } = setUp();
    files.put(PATH, new Uint8Array(whole.length));
    clock.advance(5000);
    const first = open();
    await first.reader.scan();
    await first.segments.close();
    expect(memory.records.get('core')?.size ?? 0).toBe(0);
  });

  it('does not wait for one that was removed', async () => {
    const { files, open } = setUp();
    files.put(PATH, new Uint8Array(10));
    const { reader } = open();
    await reader.scan();
    await files.remove(PATH);
    await reader.scan();
    expect(reader.waiting()).toEqual([]);
  });

  it('does not wait for one of which it has read the lines before', async () => {
    const { clock, files, open } = setUp();
    files.put(PATH, whole);
    const { reader } = open();
    await reader.scan();
    clock.advance(5000);
    files.put(PATH, new Uint8Array(whole.length));
    await reader.scan();
    expect([reader.waiting(), reader.takeLoss()]).toEqual([[], true]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { Refusal } from '../../../src/model/refusal.js';
import type { Files } from '../../../src/platform/files.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { SegmentCache } from '../../../src/storage/read/segment-cache.js';
import type { WriterIndex } from '../../../src/storage/read/writer-index.js';
import { readEventsAt } from '../../../src/storage/read/read-events.js';
import { LaneReader } from '../../../src/storage/read/reader.js';
import {
  joinLines,
  lineOf,
  linesOf,
  WRITER_A,
  WRITER_B,
  workspaceDraft,
} from '../../fakes/events.js';
import { createTestClock } from '../../fakes/deterministic.js';
import { createMemoryCache } from '../../fakes/memory-cache.js';
import { createMemoryFiles, onCoarseDisk, type MemoryFiles } from '../../fakes/memory-files.js';
import { watchFiles } from '../../fakes/watched-files.js';

const LINES = linesOf(['One', 'Two', 'Three', 'Four'].map((name) => workspaceDraft(name)));
const EVENTS = LINES.map(({ event }) => event);
const PATH = 'S/core/2026-11/a.jsonl';

function setUp(): { files: MemoryFiles; reader: LaneReader } {
  let time = 0;
  const files = createMemoryFiles(() => ++time);
  return { files, reader: readerOf(files) };
}

function readerOf(files: Files): LaneReader {
  const writers: WriterIndex = new Map();
  return new LaneReader(files, 'S', 'core', writers);
}

function bytes(from: number, to: number): Uint8Array {
  return joinLines(LINES.slice(from, to));
}

async function found(reader: LaneReader): Promise<LogEvent[]> {
  return (await reader.scan()).map(({ event }) => event);
}

function problemsIn(reader: LaneReader): string[] {
  return [...reader.problems().values()].flat().map(({ kind }) => kind);
}

function keyOf({ w, n, c }: LogEvent): string {
  return `${w} ${n} ${c}`;
}

describe('LaneReader', () => {
  it('returns nothing without a folder', async () => {
    const { reader } = setUp();
    expect(await reader.scan()).toEqual([]);
    expect(reader.unreadable()).toEqual([]);
  });

  it('reports linked folders and special files, and does not read them', async () => {
    const { files } = setUp();
    files.put(PATH, bytes(0, 2));
    const reader = readerOf({
      ...files,
      list: async (folder) =>
        folder === 'S/core'
          ? [
              ...(await files.list(folder)),
              { name: 'pipe.jsonl', kind: 'other' },
              { name: 'dangling.jsonl.icloud', kind: 'other', isLink: true },
              { name: 'up', kind: 'folder', isLink: true },
            ]
          : files.list(folder.replace('/up', '')),
    });
    expect(await found(reader)).toEqual(EVENTS.slice(0, 2));
    expect([reader.unreadable(), [...reader.problems().keys()]]).toEqual([
      ['S/core/pipe.jsonl', 'S/core/dangling.jsonl.icloud', 'S/core/up'],
      [PATH],
    ]);
  });

  it('returns each event once, with its location', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2));
    const located = await reader.scan();
    expect(located.map(({ event }) => event)).toEqual(EVENTS.slice(0, 2));
    expect(await readEventsAt(files, located)).toEqual(EVENTS.slice(0, 2));
    expect(await reader.scan()).toEqual([]);
  });

  it('returns only the new events of a file that has grown', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    files.put(PATH, bytes(0, 4));
    expect(await found(reader)).toEqual(EVENTS.slice(2));
  });

  it('does not read an unchanged file again', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    await reader.scan();
    expect(watched.reads).toEqual([PATH]);
  });

  it('reads every file of the lane and no other', async () => {
    const { files, reader } = setUp();
    ['S/core/x.jsonl', 'S/core/2026-11/y.jsonl', 'S/core/deep/er/z.jsonl'].forEach((path, at) =>
      files.put(path, bytes(at, at + 1)),
    );
    for (const path of [
      'S/trace/x.jsonl',
      'S/x.jsonl',
      'S/core/2026-11/x.md',
      'S/core/.syncthing.x.jsonl',
      'S/core/~x.jsonl',
    ])
      files.put(path, bytes(3, 4));
    expect((await found(reader)).map(keyOf).sort()).toEqual(EVENTS.slice(0, 3).map(keyOf).sort());
  });

  it('accepts any file name, and returns copied events once', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    files.put('S/core/2026-11/a.sync-conflict-20261120-101500-ABCDEFG.jsonl', bytes(0, 3));
    files.put('S/core/2026-11/a (conflicted copy).jsonl', bytes(1, 3));
    files.put('S/core/2026-11/a 2.jsonl', bytes(2, 4));
    expect((await found(reader)).map(keyOf).sort()).toEqual(EVENTS.slice(2).map(keyOf).sort());
    expect(await reader.scan()).toEqual([]);
  });

  it('returns nothing new for a renamed file', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 3));
    await reader.scan();
    await files.remove(PATH);
    files.put('S/core/renamed.jsonl', bytes(0, 3));
    expect(await reader.scan()).toEqual([]);
  });

  it('rereads a file from the start after it shrinks and grows again', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 3));
    await reader.scan();
    files.put(PATH, bytes(0, 1));
    expect(await reader.scan()).toEqual([]);
    files.put(PATH, joinLines([LINES[0]!, LINES[3]!]));
    expect(await found(reader)).toEqual([EVENTS[3]]);
  });

  it('rereads a replaced file from the start', async () => {
    const { files, reader } = setUp();
    const others = linesOf(
      ['Other', 'More', 'And more', 'Still more'].map((name) => workspaceDraft(name)),
      WRITER_B,
    );
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    await files.remove(PATH);
    files.put(PATH, joinLines(others));
    expect((await found(reader)).map(keyOf).sort()).toEqual(
      others.map(({ event }) => keyOf(event)).sort(),
    );
  });

  it('rereads a grown file from the start if a damaged line was repaired', async () => {
    const { files, reader } = setUp();
    const damaged = bytes(0, 3);
    damaged[LINES[0]!.bytes.length + 20]! ^= 1;
    files.put(PATH, damaged);
    expect(await found(reader)).toEqual([EVENTS[0], EVENTS[2]]);
    files.put(PATH, bytes(0, 4));
    expect(await found(reader)).toEqual([EVENTS[1], EVENTS[3]]);
    expect(problemsIn(reader)).toEqual([]);
  });

  it('rereads a grown file from the start if it was replaced', async () => {
    const { files, reader } = setUp();
    const blank = bytes(0, 3);
    blank.fill(0x20, LINES[0]!.bytes.length, LINES[0]!.bytes.length + LINES[1]!.bytes.length - 1);
    files.put(PATH, blank);
    expect(await found(reader)).toEqual([EVENTS[0], EVENTS[2]]);
    await files.remove(PATH);
    files.put(PATH, bytes(0, 4));
    expect(await found(reader)).toEqual([EVENTS[1], EVENTS[3]]);
  });

  it('rereads a file that was edited in place', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    files.put(PATH, files.text(PATH).replace('About Two', 'About Too'));
    expect(await reader.scan()).toEqual([]);
    expect(problemsIn(reader)).toEqual(['edited']);
  });

  it('continues from an incomplete line, and drops its problem', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2).slice(0, -30));
    expect(await found(reader)).toEqual(EVENTS.slice(0, 1));
    expect(problemsIn(reader)).toEqual(['pending']);
    files.put(PATH, bytes(0, 3));
    expect(await found(reader)).toEqual(EVENTS.slice(1, 3));
    expect(problemsIn(reader)).toEqual([]);
  });

  it('reads a UTF-16 file and additions to it', async () => {
    const { files, reader } = setUp();
    const utf16 = (from: number, to: number) =>
      Uint8Array.from([
        0xff,
        0xfe,
        ...Buffer.from(new TextDecoder().decode(bytes(from, to)), 'utf16le'),
      ]);
    files.put(PATH, utf16(0, 2));
    expect(await found(reader)).toEqual(EVENTS.slice(0, 2));
    files.put(PATH, utf16(0, 4));
    expect(await found(reader)).toEqual(EVENTS.slice(2));
  });

  it('returns both events that share a number', async () => {
    const { files, reader } = setUp();
    const fork = lineOf({ ...workspaceDraft('Fork'), n: 2 });
    files.put(PATH, joinLines([LINES[1]!, fork]));
    expect(await found(reader)).toEqual([EVENTS[1], fork.event]);
  });

  it('keeps the events of a missing file', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    await files.remove(PATH);
    expect(await reader.scan()).toEqual([]);
    files.put(PATH, bytes(0, 3));
    expect(await found(reader)).toEqual([EVENTS[2]]);
  });

  it('skips an unreadable file until it becomes readable', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    files.put(PATH, bytes(0, 2));
    files.put('S/core/b.jsonl', bytes(2, 4));
    watched.beforeRead = (path) => {
      if (path === PATH) throw new Refusal('Cannot read it.');
    };
    expect((await found(reader)).map(keyOf)).toEqual(EVENTS.slice(2).map(keyOf));
    expect(reader.unreadable()).toEqual([PATH]);
    watched.beforeRead = () => undefined;
    expect((await found(reader)).map(keyOf)).toEqual(EVENTS.slice(0, 2).map(keyOf));
    expect(reader.unreadable()).toEqual([]);
  });

  it('tries once per scan to read a file that has become unreadable', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    files.put(PATH, bytes(0, 3));
    watched.reads.length = 0;
    watched.read = (path) => (watched.reads.push(path), Promise.reject(new Refusal('Busy.')));
    await reader.scan();
    await reader.scan();
    expect(watched.reads).toEqual([PATH, PATH]);
  });

  it('reads no other file of the folder, even if it is invalidated', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    files.put(PATH, bytes(0, 1));
    const notes = PATH.replace('a.jsonl', 'notes.txt');
    files.put(notes, bytes(1, 2));
    await reader.scan();
    reader.invalidate(notes);
    expect(await reader.scan()).toEqual([]);
    expect(watched.reads).toEqual([PATH]);
  });

  it('reports files that are not downloaded yet as unreadable', async () => {
    const { files, reader } = setUp();
    files.put('S/core/2026-11/.a.jsonl.icloud', 'bplist00');
    expect(await reader.scan()).toEqual([]);
    expect(reader.unreadable()).toEqual(['S/core/2026-11/.a.jsonl.icloud']);
  });

  it('does not check a sealed segment again', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    files.put(PATH, joinLines(linesOf([workspaceDraft('One'), { t: 'log.seal', e: '', d: {} }])));
    await reader.scan();
    files.put(PATH, 'something else');
    await reader.scan();
    expect(watched.reads).toEqual([PATH]);
  });

  it('checks invalidated sealed segments, and others in turn on request', async () => {
    const { files, reader } = setUp();
    const sealed = (at: number) =>
      joinLines(
        linesOf([workspaceDraft(`W${at}`), { t: 'log.seal', e: '', d: {} }], WRITER_A, at * 2 + 1),
      );
    for (let at = 0; at < 3; at++) files.put(`S/core/${at}.jsonl`, sealed(at));
    await reader.scan();
    const other = (at: number) =>
      joinLines([{ bytes: sealed(at) }, ...linesOf([workspaceDraft('Other')], WRITER_B, at + 1)]);
    files.put('S/core/0.jsonl', other(0));
    expect(await reader.scan()).toEqual([]);
    reader.invalidate('S/core/0.jsonl');
    expect(await found(reader)).toHaveLength(1);
    for (const at of [1, 2]) files.put(`S/core/${at}.jsonl`, other(at));
    const counts: number[] = [];
    for (let scan = 0; scan < 3; scan++) counts.push((await reader.scan(1)).length);
    expect(counts.sort()).toEqual([0, 1, 1]);
  });

  it('reports a loss if a file is missing, shorter or lacks its last line', async () => {
    const { files, reader } = setUp();
    const harm: (() => unknown)[] = [
      () => files.put(PATH, bytes(0, 2)),
      () => files.put(PATH, joinLines([LINES[3]!, LINES[3]!, LINES[3]!, LINES[3]!])),
      () => files.remove(PATH),
    ];
    for (const each of harm) {
      files.put(PATH, bytes(0, 3));
      await reader.scan();
      reader.takeLoss();
      await each();
      await reader.scan();
      expect([reader.takeLoss(), reader.takeLoss()]).toEqual([true, false]);
    }
  });

  it('checks a damaged sealed segment again', async () => {
    const { files, reader } = setUp();
    const lines = linesOf([
      workspaceDraft('One'),
      { t: 'log.seal', e: '', d: { count: 1, sha256: 'x' } },
    ]);
    const damaged = joinLines(lines);
    damaged[20]! ^= 1;
    files.put(PATH, damaged);
    expect(await found(reader)).toEqual([lines[1]!.event]);
    files.put(PATH, joinLines(lines));
    expect(await found(reader)).toEqual([lines[0]!.event]);
  });

  it('returns events of other lanes separately, and only once', async () => {
    const { files, reader } = setUp();
    const trace = lineOf({ t: 'trace.new', w: WRITER_B });
    files.put(PATH, joinLines([LINES[0]!, trace]));
    expect(await found(reader)).toEqual([EVENTS[0]]);
    expect(reader.takeMisplaced().map(({ event }) => event)).toEqual([trace.event]);
    expect([await found(reader), reader.takeMisplaced()]).toEqual([[], []]);
  });

  it('returns repeated events separately, and only once', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2));
    files.put('S/core/2026-11/copy.jsonl', bytes(1, 3));
    expect((await found(reader)).sort((a, b) => a.n - b.n)).toEqual(EVENTS.slice(0, 3));
    expect(reader.takeRepeated()).toEqual([EVENTS[1]]);
    expect(reader.takeRepeated()).toEqual([]);
  });

  it('returns no repeated events of the trace lane, which are not folded', async () => {
    const files = createMemoryFiles();
    const reader = new LaneReader(files, 'S', 'trace', new Map());
    const [line] = linesOf([{ t: 'trace.new', e: 't', d: {} }]);
    for (const name of ['a', 'b']) files.put(`S/trace/${name}.jsonl`, line!.bytes);
    expect(await reader.scan()).toHaveLength(1);
    expect(reader.takeRepeated()).toEqual([]);
  });

  it('notes the hash of the last line that it reads or appends, except of a seal', async () => {
    const files = createMemoryFiles();
    const writers: WriterIndex = new Map();
    const reader = new LaneReader(files, 'S', 'core', writers);
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    files.put(PATH, bytes(0, 3));
    await reader.scan();
    files.put(PATH, bytes(0, 4));
    const [from, size] = [bytes(0, 3).length, bytes(0, 4).length];
    const line = { event: EVENTS[3]!, from, to: size - 1 };
    reader.recordAppend(PATH, (await files.stat(PATH))!, [line], LINES[3]!.hash);
    const sealed = linesOf([workspaceDraft('One'), { t: 'log.seal', e: '', d: {} }], WRITER_B);
    files.put('S/core/b.jsonl', joinLines(sealed));
    await reader.scan();
    expect([...writers].map(([writer, { hashes }]) => [writer, [...hashes]])).toEqual([
      [WRITER_A, [1, 2, 3].map((at) => [at + 1, LINES[at]!.hash])],
      [WRITER_B, [[1, sealed[0]!.hash]]],
    ]);
  });

  it('does not reread its own appends', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    let at = 0;
    for (const { event, bytes: line, hash } of LINES) {
      const info = await files.append(PATH, line, {
        expect: at === 0 ? 'new' : { size: at },
        durable: false,
      });
      reader.recordAppend(PATH, info, [{ event, from: at, to: at + line.length - 1 }], hash);
      at += line.length;
    }
    expect(await reader.scan()).toEqual([]);
    expect(watched.reads).toEqual([]);
  });

  it('finds the same events as fresh readers after any file changes', async () => {
    const pool = [
      ...LINES,
      ...linesOf(
        ['A', 'B', 'C'].map((name) => workspaceDraft(name)),
        WRITER_B,
      ),
      ...linesOf([workspaceDraft('Fork')], WRITER_A, 2),
    ];
    const torn = { bytes: LINES[0]!.bytes.slice(0, 70) };
    const unended = { bytes: LINES[1]!.bytes.slice(0, -1) };
    const piece = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...pool) },
      fc.constantFrom(
        torn,
        unended,
        ...['\n', '\0\0', '\r\n', '<<<<<<< HEAD\n', '{"v":'].map((text) => ({
          bytes: new TextEncoder().encode(text),
        })),
      ),
    );
    const path = fc.constantFrom('S/core/a.jsonl', 'S/core/2026-11/b.jsonl', 'S/core/c (1).jsonl');
    const step = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constant('append' as const),
          path,
          pieces: fc.array(piece, { maxLength: 4 }),
          lost: fc.nat(40),
        }),
      },
      fc.record({ kind: fc.constant('cut' as const), path, to: fc.nat(900) }),
      fc.record({ kind: fc.constant('copy' as const), path, other: path }),
      fc.record({ kind: fc.constant('remove' as const), path }),
      fc.record({ kind: fc.constant('edit' as const), path, at: fc.nat(900) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const { files, reader } = setUp();
        const [held, ever] = [new Set<string>(), new Set<string>()];
        for (const now of steps) {
          const content = (await files.read(now.path)) ?? new Uint8Array();
          if (now.kind === 'append') {
            const more = joinLines(now.pieces);
            files.put(
              now.path,
              joinLines([
                { bytes: content },
                { bytes: more.slice(0, more.length - (now.lost > 30 ? now.lost : 0)) },
              ]),
            );
          } else if (now.kind === 'cut') files.put(now.path, content.slice(0, now.to));
          else if (now.kind === 'copy') files.put(now.other, content);
          else if (now.kind === 'remove') await files.remove(now.path);
          else
            files.put(
              now.path,
              content.map((byte, at) => (at === now.at ? byte ^ 1 : byte)),
            );
          for (const event of await found(reader)) held.add(keyOf(event));
          for (const event of await found(readerOf(files))) ever.add(keyOf(event));
        }
        expect([...held].sort()).toEqual([...ever].sort());
      }),
      { numRuns: 150 },
    );
  });

  it('finds the same events as a fresh reader at every length of a file', async () => {
    const [one, two, three, four] = LINES.map((line) =>
      new TextDecoder().decode(line.bytes).trimEnd(),
    );
    const nasty = `\ufeff${one}\r\n${one!.slice(0, 50)}${two}\n${two}${three!.slice(0, 40)}${three}\n\n<<<<<<< HEAD\n${four}\0\0\n`;
    const content = new TextEncoder().encode(nasty);
    for (const stride of [1, 7, 61, 260, 300, 350, 420]) {
      const { files, reader } = setUp();
      const held: string[] = [];
      for (let to = 0; to <= content.length; to += stride) {
        files.put(PATH, content.slice(0, to));
        held.push(...(await found(reader)).map(keyOf));
        expect([...held].sort()).toEqual(
          [...new Set((await found(readerOf(files))).map(keyOf))].sort(),
        );
      }
    }
  });

  it('continues after a line salvaged from an incomplete one', async () => {
    const { files, reader } = setUp();
    const glued = joinLines([
      { bytes: LINES[0]!.bytes.slice(0, 50) },
      { bytes: LINES[1]!.bytes.slice(0, -1) },
    ]);
    files.put(PATH, glued);
    expect(await found(reader)).toEqual([EVENTS[1]]);
    files.put(
      PATH,
      joinLines([{ bytes: glued }, { bytes: Uint8Array.of(0x0a) }, ...LINES.slice(2)]),
    );
    expect(await found(reader)).toEqual(EVENTS.slice(2));
    expect(problemsIn(reader)).toEqual(['damaged']);
  });

  it('reports the same problems as a fresh reader after any growth', async () => {
    const text = new TextDecoder()
      .decode(bytes(0, 4))
      .replace('About Two', 'About Too')
      .replace('\n', '\n<<<<<<< HEAD\n');
    const content = new TextEncoder().encode(text);
    const { files, reader } = setUp();
    for (let to = 0; to <= content.length; to += 7) {
      files.put(PATH, content.slice(0, to));
      await reader.scan();
      const fresh = readerOf(files);
      await fresh.scan();
      expect(reader.problems()).toEqual(fresh.problems());
    }
  });

  it('reads only the end of a growing file, with offsets in the whole file', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    const rubbish = { bytes: new TextEncoder().encode('rubbish\n') };
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    for (const added of [[LINES[2]!], [rubbish], [LINES[3]!]]) {
      files.put(PATH, Buffer.concat([(await files.read(PATH))!, joinLines(added)]));
      const located = await reader.scan();
      expect(await readEventsAt(files, located)).toEqual(located.map(({ event }) => event));
    }
    expect(watched.reads).toHaveLength(4);
    expect(watched.tails).toHaveLength(2); // the read after the damage covers the whole file
    expect([...reader.problems()]).toEqual([
      [PATH, [{ kind: 'damaged', from: bytes(0, 3).length }]],
    ]);
  });

  it('passes all lines of a file to `onLines`, then its growth', async () => {
    const files = createMemoryFiles();
    const calls: [number, boolean][] = [];
    const onLines = (_: string, lines: readonly unknown[], isWhole: boolean) =>
      void calls.push([lines.length, isWhole]);
    const reader = new LaneReader(files, 'S', 'core', new Map(), { onLines });
    files.put(PATH, bytes(0, 3));
    await reader.scan();
    files.put(PATH, bytes(0, 4));
    await reader.scan();
    await files.remove(PATH);
    await reader.scan();
    expect([calls[0], calls[1]?.[1], calls[2]]).toEqual([[3, true], false, [0, true]]);
  });

  it('passes to `onLines` and `onNewLine` only what each growth has added', async () => {
    const files = createMemoryFiles();
    const calls: number[][] = [];
    const added: string[] = [];
    const reader = new LaneReader(files, 'S', 'core', new Map(), {
      onLines: (_, lines) => void calls.push(lines.map(({ event }) => event.n)),
      onNewLine: (line) => void added.push(`${new TextDecoder().decode(line)}\n`),
    });
    for (const count of [2, 3, 4]) {
      files.put(PATH, bytes(0, count));
      await reader.scan();
    }
    expect(calls).toEqual([[1, 2], [3], [4]]);
    expect(added).toEqual(LINES.map((line) => new TextDecoder().decode(line.bytes)));
  });

  it('reads only the end of a file whose last line arrives in pieces', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    for (const size of [bytes(0, 2).length, bytes(0, 3).length - 20, bytes(0, 3).length]) {
      files.put(PATH, bytes(0, 3).subarray(0, size));
      await reader.scan();
    }
    expect(watched.reads).toHaveLength(3);
    expect(watched.tails).toHaveLength(2);
  });

  it('reports an incomplete line of a growth at its place in the file', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    files.put(PATH, bytes(0, 4).subarray(0, -5));
    await reader.scan();
    expect([...reader.problems()]).toEqual([
      [PATH, [{ kind: 'pending', from: bytes(0, 3).length }]],
    ]);
  });

  it('reports a loss if a file is shorter but still has its last line', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    files.put(PATH, bytes(1, 2));
    await reader.scan();
    expect(reader.takeLoss()).toBe(true);
  });

  it('rereads a file if only its id has changed', async () => {
    const files = createMemoryFiles();
    const reader = readerOf(files);
    const other = linesOf([workspaceDraft('Eno')], WRITER_B);
    files.put(PATH, LINES[0]!.bytes);
    await reader.scan();
    await files.remove(PATH);
    files.put(PATH, other[0]!.bytes);
    expect((await files.stat(PATH))?.size).toBe(LINES[0]!.bytes.length);
    expect(await found(reader)).toEqual([other[0]!.event]);
  });

  it('reports no loss if a file has grown or been replaced by a longer one', async () => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    files.put(PATH, bytes(0, 3));
    await reader.scan();
    await files.remove(PATH);
    files.put(PATH, joinLines([...LINES].reverse()));
    await reader.scan();
    expect(reader.takeLoss()).toBe(false);
  });

  it.each([
    ['another writer', { w: WRITER_B }],
    ['another number', { n: 9 }],
    ['other content', { e: 'other' }],
  ])('detects a loss when the last event was replaced by one with %s', async (_, fields) => {
    const { files, reader } = setUp();
    files.put(PATH, bytes(0, 2));
    await reader.scan();
    const last = lineOf({ ...EVENTS[1]!, ...fields });
    files.put(PATH, joinLines([LINES[0]!, last, LINES[2]!]));
    await reader.scan();
    expect(reader.takeLoss()).toBe(true);
  });

  it('checks sealed segments in turn, and only on request', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    const sealed = (w: string) =>
      joinLines([lineOf({ t: 'ws.new', w }), lineOf({ t: 'log.seal', w, n: 2 })]);
    const stats: string[] = [];
    watched.stat = (path) => (stats.push(path), files.stat(path));
    const paths = ['a', 'b', 'c'].map((name) => `S/core/${name}.jsonl`);
    paths.forEach((path, at) => files.put(path, sealed('abc'[at]!.repeat(12))));
    await reader.scan();
    stats.length = 0;
    await reader.scan(0);
    expect(stats).toEqual([]);
    for (const looks of [1, 1, 1, 2]) await reader.scan(looks);
    expect(stats.map((path) => path.slice(-7, -6)).join('')).toBe('abcba');
  });

  it('rethrows unexpected errors, and ignores files that are not segments', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    files.put('S/core/notes.md', 'x');
    await reader.scan();
    expect(reader.unreadable()).toEqual([]);
    files.put(PATH, bytes(0, 1));
    watched.beforeRead = (path) => {
      if (path === PATH) throw new TypeError('oops');
    };
    await expect(reader.scan()).rejects.toThrow('oops');
  });

  it('skips a file that disappears before it is read', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    watched.read = () => Promise.resolve(undefined);
    files.put(PATH, bytes(0, 1));
    const reader = readerOf(watched);
    expect([await reader.scan(), reader.unreadable(), [...reader.problems()]]).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('reads the rest of a file after a short read', async () => {
    const files = createMemoryFiles();
    const watched = watchFiles(files);
    const reader = readerOf(watched);
    files.put(PATH, bytes(0, 1));
    await reader.scan();
    files.put(PATH, bytes(0, 3));
    const whole = bytes(0, 3);
    watched.read = (_, from = 0) => Promise.resolve(whole.slice(from, bytes(0, 2).length));
    expect(await found(reader)).toEqual(EVENTS.slice(1, 2));
    watched.read = (path, from) => files.read(path, from);
    expect(await found(reader)).toEqual(EVENTS.slice(2, 3));
  });

  it('skips own appends only if it knows everything before them', async () => {
    const files = createMemoryFiles();
    const reader = readerOf(files);
    files.put(PATH, bytes(0, 3));
    const from = bytes(0, 2).length;
    const info = (await files.stat(PATH))!;
    reader.recordAppend(
      PATH,
      info,
      [{ event: EVENTS[2]!, from, to: info.size - 1 }],
      LINES[2]!.hash,
    );
    expect(await found(reader)).toEqual(EVENTS.slice(0, 2));
    reader.recordAppend(PATH, info, [], LINES[2]!.hash);
    expect(await reader.scan()).toEqual([]);
  });

  describe('that trusts the times of folders', () => {
    const DAY = 24 * 60 * 60 * 1000;

    /** Reads a vault until its folders are trusted. The events are a day old then, or of today. */
    async function settled({ isOld = true } = {}) {
      const clock = createTestClock(Date.parse(EVENTS[3]!.h.slice(0, 24)));
      const files = createMemoryFiles(() => clock.now());
      const watched = watchFiles(files);
      const reader = new LaneReader(watched, 'S', 'core', new Map(), { clock });
      files.put(PATH, bytes(0, 2));
      if (isOld) clock.advance(2 * DAY);
      for (let at = 0; at < 5; at++) {
        await reader.scan();
        clock.advance(31_000);
      }
      await reader.scan();
      const stats: string[] = [];
      watched.stat = (path) => (stats.push(path), files.stat(path));
      return { clock, files, watched, reader, stats };
    }

    it('lists no folder, and checks the segments that are open', async () => {
      for (const isOld of [true, false]) {
        const { reader, stats, watched } = await settled({ isOld });
        const listed: string[] = [];
        watched.beforeRead = (path) => void listed.push(path);
        await reader.scan();
        expect(listed).toEqual([]);
        expect(stats.sort()).toEqual(['S/core', 'S/core/2026-11', PATH]);
      }
    });

    it('returns at once what was appended to a segment of today', async () => {
      const { files, reader } = await settled({ isOld: false });
      files.put(PATH, bytes(0, 4));
      expect(await found(reader)).toEqual(EVENTS.slice(2));
    });

    it('returns what was appended to an older segment when its turn comes', async () => {
      for (const [rescans, scans] of [
        [0, 63],
        [1, 16],
      ] as const) {
        const { files, reader, clock } = await settled();
        for (let at = 0; at < 999; at++) files.put(`S/core/2026-11/${at}.jsonl`, bytes(0, 1));
        for (let at = 0; at < 3; at++) {
          clock.advance(3000);
          await reader.scan();
        }
        files.put(PATH, bytes(0, 4));
        const all: LogEvent[] = [];
        for (let at = 0; at < scans; at++)
          all.push(...(await reader.scan(rescans)).map(({ event }) => event));
        expect(all).toEqual(EVENTS.slice(2));
      }
    });

    it('checks a few older segments in each scan, and more if it checks sealed ones too', async () => {
      const { files, reader, clock, stats } = await settled();
      for (let at = 0; at < 199; at++) files.put(`S/core/2026-11/${at}.jsonl`, bytes(0, 1));
      for (let at = 0; at < 3; at++) {
        clock.advance(3000);
        await reader.scan();
      }
      const checkedIn = async (rescans: number) => {
        stats.length = 0;
        await reader.scan(rescans);
        return new Set(stats.filter((path) => path.endsWith('.jsonl'))).size;
      };
      expect(await checkedIn(0)).toBe(16);
      expect(await checkedIn(1)).toBeOneOf([64, 65]);
    });

    it('lists the folder of an older segment that it no longer finds', async () => {
      const { files, reader, watched } = await settled();
      const folder = (await files.stat('S/core/2026-11'))!;
      await files.remove(PATH);
      watched.stat = async (path) => (path === 'S/core/2026-11' ? folder : files.stat(path));
      await reader.scan();
      await reader.scan();
      expect([reader.takeLoss(), [...reader.problems()]]).toEqual([true, []]);
    });

    it('returns what was appended to an older segment that was invalidated', async () => {
      const { files, reader } = await settled();
      files.put(PATH, bytes(0, 4));
      reader.invalidate(PATH);
      expect(await found(reader)).toEqual(EVENTS.slice(2));
    });

    it('returns at once what is in a file that replaced an older segment', async () => {
      const { files, reader } = await settled();
      await files.remove(PATH);
      files.put(PATH, bytes(0, 4));
      expect(await found(reader)).toEqual(EVENTS.slice(2));
      expect(reader.takeLoss()).toBe(false);
    });

    it('notices at once that an older segment has disappeared', async () => {
      const { files, reader } = await settled();
      await files.remove(PATH);
      await reader.scan();
      expect([reader.takeLoss(), [...reader.problems()]]).toEqual([true, []]);
    });

    it('retries a new segment that could not be read', async () => {
      const { files, reader, watched } = await settled();
      files.put('S/core/2026-11/b.jsonl', bytes(2, 4));
      watched.read = () => Promise.reject(new Refusal('busy'));
      for (let at = 0; at < 2; at++) {
        expect(await reader.scan()).toEqual([]);
        expect(reader.unreadable()).toEqual(['S/core/2026-11/b.jsonl']);
      }
      watched.read = (...args) => files.read(...args);
      expect(await found(reader)).toEqual(EVENTS.slice(2));
      expect(reader.unreadable()).toEqual([]);
    });
  });

  describe('on a disk whose clock has steps of two seconds', () => {
    const whole = bytes(0, 2);
    const setUpCoarse = () => {
      const clock = createTestClock();
      const files = onCoarseDisk(createMemoryFiles(() => clock.now()));
      files.put(PATH, new Uint8Array(whole.length)); // a sync service reserves the space first
      return { clock, files };
    };

    it('finds what replaced as many bytes within a step', async () => {
      const { clock, files } = setUpCoarse();
      const reader = new LaneReader(files, 'S', 'core', new Map(), { clock });
      clock.advance(1000);
      expect(await found(reader)).toEqual([]);
      files.put(PATH, whole);
      expect(await found(reader)).toEqual(EVENTS.slice(0, 2));
    });

    it('caches only what was read after the step', async () => {
      const { clock, files } = setUpCoarse();
      const memory = createMemoryCache();
      const [warn, scheduler] = [() => undefined, NOOP_SCHEDULER];
      const scan = async () => {
        const cache = new SegmentCache({
          cache: memory,
          lane: 'core',
          files,
          clock,
          warn,
          scheduler,
        });
        const reader = new LaneReader(files, 'S', 'core', new Map(), { clock, cache });
        const events = await found(reader);
        cache.appended(PATH, 1_000_000, false); // makes closing read it again
        await cache.close();
        return events;
      };
      expect(await scan()).toEqual([]);
      expect(memory.records.get('core')?.size ?? 0).toBe(0);
      files.put(PATH, whole);
      expect(await scan()).toEqual(EVENTS.slice(0, 2));
      clock.advance(2000);
      await scan();
      expect(memory.records.get('core')?.size).toBe(1);
    });
  });

  describe('with a cache', () => {
    /**
     * Fills a cache with the files as they are now. Returns a function that opens a reader with
     * that cache.
     */
    async function cached(files: MemoryFiles) {
      const clock = createTestClock();
      const memory = createMemoryCache();
      const watched = watchFiles(files);
      const open = () => {
        const cache = new SegmentCache({
          cache: memory,
          lane: 'core',
          files,
          clock,
          warn: () => undefined,
          scheduler: NOOP_SCHEDULER,
        });
        const writers: WriterIndex = new Map();
        return { cache, writers, reader: new LaneReader(watched, 'S', 'core', writers, { cache }) };
      };
      const first = open();
      await first.reader.scan();
      await first.cache.close();
      watched.reads.length = 0;
      return { ...open(), watched, memory };
    }

    it('reads nothing of sealed segments', async () => {
      const files = createMemoryFiles();
      const sealed = linesOf([workspaceDraft('One'), { t: 'log.seal', e: '', d: {} }]);
      files.put(PATH, joinLines(sealed));
      const { reader, watched } = await cached(files);
      expect(await reader.scan()).toHaveLength(2);
      expect(watched.reads).toEqual([]);
    });

    it('notes the hash of the last line', async () => {
      const files = createMemoryFiles();
      files.put(PATH, bytes(0, 2));
      const { reader, writers } = await cached(files);
      await reader.scan();
      expect([...writers.get(WRITER_A)!.hashes]).toEqual([[2, LINES[1]!.hash]]);
    });

    it('keeps the record of a segment that cannot be read at present', async () => {
      const files = createMemoryFiles();
      files.put(PATH, bytes(0, 2));
      const { reader, cache, watched, memory } = await cached(files);
      watched.stat = () => Promise.reject(new Refusal('Busy.'));
      await reader.scan();
      await cache.close();
      expect([...memory.records.get('core')!.keys()]).toEqual([PATH]);
    });

    it('caches a segment again after another process has added much to it', async () => {
      const files = createMemoryFiles();
      const lines = linesOf(
        [14_000, 4000, 14_000].map((length, at) =>
          workspaceDraft(`W${at}`, `ws-${at}`, { purpose: 'x'.repeat(length) }),
        ),
      );
      files.put(PATH, lines[0]!.bytes);
      const { reader, cache, memory } = await cached(files);
      await reader.scan();
      const before = memory.records.get('core')!.get(PATH)!;
      for (const count of [2, 3]) {
        files.put(PATH, joinLines(lines.slice(0, count)));
        await reader.scan();
        if (count === 2) await cache.close();
        if (count === 2) expect(memory.records.get('core')!.get(PATH)).toEqual(before);
      }
      await cache.close();
      expect(memory.records.get('core')!.get(PATH)).not.toEqual(before);
    });
  });
});

import { describe, expect, it } from 'vitest';
import type { FileInfo } from '../../../src/platform/files.js';
import { parseSegment } from '../../../src/storage/format/segment.js';
import {
  hasLine,
  isSealed,
  isUnchanged,
  mayHaveGrown,
  readSegment,
  recordOf,
  startsWithLine,
} from '../../../src/storage/read/segment-record.js';
import { joinLines, lineOf, linesOf, workspaceDraft } from '../../fakes/events.js';

const INFO: FileInfo = { kind: 'file', size: 0, mtime: 5, fileId: '7' };
const LINES = linesOf(['One', 'Two'].map((name) => workspaceDraft(name)));
const OPEN = joinLines(LINES);
const SEALED = joinLines([...LINES, lineOf({ t: 'log.seal', n: 3 })]);

function record(bytes: Uint8Array, info: Partial<FileInfo> | undefined = {}) {
  const before = info && { ...INFO, size: bytes.length, ...info };
  return recordOf(readSegment(bytes), before, undefined);
}

describe('readSegment', () => {
  it('tells the hash of the last line, unless the segment is sealed', () => {
    expect(readSegment(OPEN).lastHash).toMatch(/^[0-9a-f]{32}$/);
    expect(readSegment(SEALED).lastHash).toBeUndefined();
    expect(readSegment(new Uint8Array()).lastHash).toBeUndefined();
  });
});

describe('recordOf', () => {
  it('names the last line that is settled, which may be the last one of the file', () => {
    expect(record(OPEN).last?.event.n).toBe(2);
    expect(recordOf({ ...readSegment(OPEN), settled: 10 }, undefined, record(SEALED)).last?.event.n).toBe(3); // prettier-ignore
  });

  it('drops the information of a file that was read only in part', () => {
    expect(record(OPEN, { size: OPEN.length + 1 }).info).toBeUndefined();
    expect(record(OPEN, { size: OPEN.length - 1 }).size).toBe(OPEN.length - 1);
  });
});

describe('isSealed', () => {
  it('needs a seal at the end, and no damage', () => {
    expect(isSealed(record(SEALED))).toBe(true);
    expect(isSealed(record(OPEN))).toBe(false);
    expect(isSealed({ ...record(SEALED), settled: SEALED.length - 1 })).toBe(false);
    expect(isSealed({ ...record(SEALED), problems: [{ kind: 'damaged', from: 0 }] })).toBe(false);
  });
});

describe('mayHaveGrown', () => {
  const now = { ...INFO, size: OPEN.length + 1 };

  it('needs more bytes in the same file', () => {
    expect(mayHaveGrown(record(OPEN), now)).toBe(true);
    expect(mayHaveGrown(record(OPEN), { ...now, size: OPEN.length })).toBe(false);
    expect(mayHaveGrown(record(OPEN), { ...now, size: OPEN.length - 1 })).toBe(false);
    expect(mayHaveGrown(record(OPEN), { ...now, fileId: '8' })).toBe(false);
    expect(mayHaveGrown(record(OPEN, undefined), now)).toBe(true);
    expect(mayHaveGrown({ ...record(OPEN), info: undefined }, now)).toBe(false);
  });

  it('allows damage only after the settled part', () => {
    const damagedFrom = (from: number) => ({
      ...record(OPEN),
      problems: [{ kind: 'damaged' as const, from }],
    });
    expect(mayHaveGrown(damagedFrom(OPEN.length), now)).toBe(true);
    expect(mayHaveGrown(damagedFrom(OPEN.length - 1), now)).toBe(false);
  });
});

describe('isUnchanged', () => {
  it('compares size, time and identity', () => {
    const now = { ...INFO, size: OPEN.length };
    expect(isUnchanged(record(OPEN), now)).toBe(true);
    expect(isUnchanged(record(OPEN), { ...now, mtime: 6 })).toBe(false);
    expect(isUnchanged(record(OPEN), { ...now, fileId: '8' })).toBe(false);
    expect(isUnchanged(record(OPEN), { ...now, size: 1 })).toBe(false);
  });

  it('compares only the size of a sealed segment without information', () => {
    const unknown = (bytes: Uint8Array) => ({ ...record(bytes), info: undefined });
    expect(isUnchanged(unknown(SEALED), { ...INFO, size: SEALED.length })).toBe(true);
    expect(isUnchanged(unknown(SEALED), { ...INFO, size: SEALED.length + 1 })).toBe(false);
    expect(isUnchanged(unknown(OPEN), { ...INFO, size: OPEN.length })).toBe(false);
  });
});

describe('a line', () => {
  const [one, two] = parseSegment(OPEN).lines as [never, never];

  it('is at the beginning of what is read from there', () => {
    const { from, to } = two as { from: number; to: number };
    expect(startsWithLine(OPEN.slice(from), two)).toBe(true);
    expect(startsWithLine(OPEN.slice(from, to), two)).toBe(true);
    expect(startsWithLine(OPEN.slice(from, to - 1), two)).toBe(false);
    expect(startsWithLine(OPEN.slice(0, to), two)).toBe(false);
    expect(startsWithLine(new Uint8Array(to - from), two)).toBe(false);
  });

  it('is in a segment only with the same writer, number and checksum', () => {
    const segment = readSegment(OPEN);
    const { event, from, to } = one as { event: object; from: number; to: number };
    const other = (more: object) => ({ from, to, event: { ...event, ...more } }) as never;
    expect(hasLine(segment, one)).toBe(true);
    expect(hasLine(segment, other({ w: 'bbbbbbbbbbbb' }))).toBe(false);
    expect(hasLine(segment, other({ n: 9 }))).toBe(false);
    expect(hasLine(segment, other({ c: '00000000' }))).toBe(false);
  });
});

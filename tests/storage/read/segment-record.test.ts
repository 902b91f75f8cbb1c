import { describe, expect, it } from 'vitest';
import type { FileInfo } from '../../../src/platform/files.js';
import {
  hasLine,
  isSealed,
  isUnchanged,
  mayHaveGrown,
  readSegment,
  segmentRecordOf,
  startsWithLine,
} from '../../../src/storage/read/segment-record.js';
import { joinLines, linesOf, workspaceDraft, WRITER_B } from '../../fakes/events.js';

const DRAFTS = [workspaceDraft('One'), { t: 'log.seal', e: '', d: {} }];
const LINES = linesOf(DRAFTS);
const SEALED = joinLines(LINES);
const ONE = LINES[0]!.bytes;

function infoOf(size: number, more: Partial<FileInfo> = {}): FileInfo {
  return { kind: 'file', size, mtime: 1, fileId: 'f', ...more };
}

function record(bytes: Uint8Array, info?: FileInfo) {
  return segmentRecordOf(readSegment(bytes), info, undefined);
}

/** Appends text to bytes. */
function add(bytes: Uint8Array, text: string): Uint8Array {
  return joinLines([{ bytes }, { bytes: new TextEncoder().encode(text) }]);
}

describe('readSegment', () => {
  it('returns the hash of the last line, except of a seal', () => {
    expect(readSegment(ONE).lastHash).toBe(LINES[0]!.hash);
    expect(readSegment(SEALED).lastHash).toBeUndefined();
  });
});

describe('isSealed', () => {
  it('is true if the segment ends with its seal', () => {
    expect(isSealed(record(SEALED))).toBe(true);
    expect(isSealed(record(add(SEALED.subarray(0, -1), '\0\0')))).toBe(false);
    expect(isSealed(record(add(SEALED, '{"v":')))).toBe(false);
    expect(isSealed(record(ONE))).toBe(false);
  });
});

describe('recordOf', () => {
  it('takes a last line without its newline as settled', () => {
    expect(record(ONE.subarray(0, -1)).last?.event).toEqual(LINES[0]!.event);
  });
});

describe('mayHaveGrown', () => {
  const torn = add(ONE, '{"v":1');
  const before = record(torn, infoOf(torn.length));

  it('is true if the file is longer, also after a line that was torn', () => {
    expect(mayHaveGrown(before, infoOf(torn.length + 1))).toBe(true);
  });

  it('is false if the file is not longer, or another', () => {
    expect(mayHaveGrown(before, infoOf(torn.length))).toBe(false);
    expect(mayHaveGrown(before, infoOf(torn.length - 1))).toBe(false);
    expect(mayHaveGrown(before, infoOf(torn.length + 1, { fileId: 'g' }))).toBe(false);
    expect(mayHaveGrown(record(torn), infoOf(torn.length + 1))).toBe(false);
  });

  it('is false if a line before the end was damaged', () => {
    const damaged = add(ONE, 'rubbish\n');
    expect(mayHaveGrown(record(damaged, infoOf(damaged.length)), infoOf(1000))).toBe(false);
  });
});

describe('isUnchanged', () => {
  it('compares size, time and identity', () => {
    const before = record(ONE, infoOf(ONE.length));
    expect(isUnchanged(before, infoOf(ONE.length))).toBe(true);
    expect(isUnchanged(before, infoOf(ONE.length + 1))).toBe(false);
    expect(isUnchanged(before, infoOf(ONE.length, { mtime: 2 }))).toBe(false);
    expect(isUnchanged(before, infoOf(ONE.length, { fileId: 'g' }))).toBe(false);
  });

  it('compares only the size of a sealed segment without information', () => {
    expect(isUnchanged(record(SEALED), infoOf(SEALED.length))).toBe(true);
    expect(isUnchanged(record(SEALED), infoOf(SEALED.length + 1))).toBe(false);
    expect(isUnchanged(record(ONE), infoOf(ONE.length))).toBe(false);
  });
});

describe('startsWithLine', () => {
  const line = { event: LINES[0]!.event, from: 0, to: ONE.length - 1 };

  it('is true for the whole line, with or without what follows', () => {
    expect(startsWithLine(SEALED, line)).toBe(true);
    expect(startsWithLine(ONE.subarray(0, -1), line)).toBe(true);
  });

  it('is false for a part of it, NULs or another line', () => {
    expect(startsWithLine(ONE.subarray(0, -2), line)).toBe(false);
    expect(startsWithLine(new Uint8Array(ONE.length), line)).toBe(false);
    const [other] = linesOf([workspaceDraft('Two')]);
    expect(startsWithLine(other!.bytes, line)).toBe(false);
  });
});

describe('hasLine', () => {
  it('compares writer, number and CRC', () => {
    const segment = readSegment(ONE);
    const [line] = segment.lines;
    expect(hasLine(segment, line!)).toBe(true);
    for (const more of [{ w: WRITER_B }, { n: 2 }, { c: '00000000' }])
      expect(hasLine(segment, { ...line!, event: { ...line!.event, ...more } })).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { OpenSegments } from '../../../src/storage/read/open-segments.js';
import {
  readSegment,
  segmentRecordOf,
  type SegmentRecord,
} from '../../../src/storage/read/segment-record.js';
import { joinLines, lineOf } from '../../fakes/events.js';

const NOON = Date.UTC(2026, 10, 20, 12);
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

function recordAt(time: number, isSealed = false): SegmentRecord {
  const h = `${new Date(time).toISOString()}.0000`;
  const lines = [lineOf({ t: 'ws.new', h })];
  if (isSealed) lines.push(lineOf({ t: 'log.seal', n: 2, h }));
  return segmentRecordOf(readSegment(joinLines(lines)), undefined, undefined);
}

function setUp(): OpenSegments {
  const open = new OpenSegments();
  open.set('S/core/a/today.jsonl', recordAt(NOON - HOUR));
  open.set('S/core/a/ahead.jsonl', recordAt(NOON + 40 * DAY));
  open.set(
    'S/core/a/empty.jsonl',
    segmentRecordOf(readSegment(new Uint8Array()), undefined, undefined),
  );
  open.set('S/core/a/old.jsonl', recordAt(NOON - 2 * DAY));
  open.set('S/core/b/older.jsonl', recordAt(NOON - 3 * DAY));
  open.set('S/core/b/sealed.jsonl', recordAt(NOON, true));
  return open;
}

function names(paths: readonly string[]): string {
  return paths.map((path) => path.slice('S/core/x/'.length, -'.jsonl'.length)).join(' ');
}

describe('OpenSegments', () => {
  it('treats a segment as current if its last event is of today, later or missing', () => {
    expect(names(setUp().currentAt(NOON))).toBe('today ahead empty');
  });

  it('treats all segments as current without a clock', () => {
    expect(names(setUp().currentAt(undefined))).toBe('today ahead empty old older');
  });

  it("keeps yesterday's segments current for an hour after midnight", () => {
    const open = setUp();
    const midnight = Date.UTC(2026, 10, 21);
    expect(names(open.currentAt(midnight + HOUR - 1))).toBe('today ahead empty');
    expect(names(open.currentAt(midnight + HOUR))).toBe('ahead empty');
  });

  it('makes segments current again if the clock returns to their day', () => {
    const open = setUp();
    open.currentAt(NOON);
    expect(names(open.currentAt(NOON - 2 * DAY))).toBe('today ahead empty old');
  });

  it('returns idle segments in turn, and all of those in given folders', () => {
    const open = setUp();
    open.currentAt(NOON);
    expect([1, 1, 1, 2].map((count) => names(open.takeIdle(count)))).toEqual([
      'old',
      'older',
      'old',
      'older',
    ]);
    expect(names(open.idleIn(new Set(['S/core/b'])))).toBe('older');
    open.delete('S/core/b/older.jsonl');
    expect(names(open.idleIn(new Set(['S/core/b'])))).toBe('');
  });

  it('returns no idle segment that is deleted before its turn, and none of no folders', () => {
    const open = setUp();
    open.currentAt(NOON);
    open.takeIdle(1);
    open.delete('S/core/b/older.jsonl');
    expect(open.takeIdle(1)).toEqual([]);
    expect(open.idleIn(new Set())).toEqual([]);
  });

  it('makes a segment current when it has grown', () => {
    const open = setUp();
    open.currentAt(NOON);
    open.set('S/core/a/old.jsonl', recordAt(NOON));
    expect(names(open.currentAt(NOON))).toBe('today ahead empty old');
  });
});

import { describe, expect, it } from 'vitest';
import {
  dayOf,
  healedPath,
  isPlaceholderName,
  isSegmentName,
  laneOf,
  LANES,
  MAX_SEGMENT_BYTES,
  segmentPath,
} from '../../../src/storage/format/lanes.js';

describe('lanes', () => {
  it('puts a segment under its lane and month', () => {
    const path = segmentPath('Savepoint', 'core', '2026-11-20', 'k3v9q2m7x4tb', 1);
    expect(path).toBe('Savepoint/core/2026-11/20261120-k3v9q2m7x4tb-0001.jsonl');
  });

  it('keeps segment names plain and short for large numbers', () => {
    expect(
      segmentPath('S', 'trace', '2199-12-31', 'k3v9q2m7x4tb', 123456).split('/').at(-1),
    ).toMatch(/^[a-z0-9-]{1,60}\.jsonl$/);
  });

  it('gives a healed segment the suffix "-healed"', () => {
    const path = healedPath('Savepoint', 'core', '2026-11-20', 'k3v9q2m7x4tb');
    expect(path).toBe('Savepoint/core/2026-11/20261120-k3v9q2m7x4tb-healed.jsonl');
  });

  it('are four, each with a maximum segment size', () => {
    expect(LANES).toEqual(['core', 'chat', 'trace', 'session']);
    const [small, large] = [65_536, 131_072];
    expect(MAX_SEGMENT_BYTES).toEqual({ core: small, chat: small, trace: large, session: large });
  });

  it.each([
    ['ws.new', ['core', 'core', 'core', 'core']],
    ['state.new', ['core', 'core', 'core', 'core']],
    ['record.new', ['core', 'core', 'core', 'core']],
    ['pin.new', ['core', 'core', 'core', 'core']],
    ['conv.new', ['chat', 'chat', 'chat', 'chat']],
    ['msg.new', ['chat', 'chat', 'chat', 'chat']],
    ['trace.new', ['trace', 'trace', 'trace', 'trace']],
    ['session.new', ['session', 'session', 'session', 'session']],
    ['set', ['core', 'chat', 'core', 'core']],
    ['log.retire', LANES],
    ['thing.new', LANES],
  ])('assigns %s events in the folders of the lanes to %j', (t, lanes) => {
    expect(LANES.map((folder) => laneOf({ v: 1, t }, folder))).toEqual(lanes);
    expect(LANES.map((folder) => laneOf({ v: 2, t }, folder))).toEqual(LANES);
  });

  it('returns the day in UTC', () => {
    expect(dayOf(Date.UTC(2026, 10, 20, 23, 59, 59, 999))).toBe('2026-11-20');
    expect(dayOf(Date.UTC(2026, 10, 21))).toBe('2026-11-21');
  });

  it.each([
    '20261120-k3v9q2m7x4tb-0001.jsonl',
    'x.sync-conflict-20261120-101500-ABCDEFG.jsonl',
    'x (conflicted copy 2026-11-20).jsonl',
    'x 2.jsonl',
    'x (1).jsonl',
    'x-DESKTOP-AB12.jsonl',
    'x.dup.jsonl',
    '日本.jsonl',
    'x.syncthing.~._y.jsonl',
  ])('accepts %j', (name) => {
    expect(isSegmentName(name)).toBe(true);
  });

  it.each([
    'README.md',
    '.syncthing.x.jsonl',
    '~x.jsonl',
    '._x.jsonl',
    '~syncthing~x.jsonl.tmp',
    'x.jsonl.tmp',
    '.x.jsonl.icloud',
    'x.json',
  ])('ignores %j', (name) => {
    expect(isSegmentName(name)).toBe(false);
  });

  it('recognizes the placeholder of a file that is not downloaded yet', () => {
    expect([
      isPlaceholderName('.x.jsonl.icloud'),
      isPlaceholderName('x.jsonl'),
      isPlaceholderName('.x.jsonl.icloud~'),
    ]).toEqual([true, false, false]);
  });
});

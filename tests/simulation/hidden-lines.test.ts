import { describe, expect, it } from 'vitest';
import { lineOf, WRITER_B } from '../fakes/events.js';
import type { DecidedForget } from '../../src/storage/forget/forget-decisions.js';
import { mayHide } from './forgetting.js';

const FILE = `Savepoint/core/2026-11/20261120-${WRITER_B}-0001 2.jsonl`;
const line = lineOf({ t: 'record.new', e: 'r1', n: 3 });
const other = lineOf({ t: 'record.new', e: 'r2', n: 3 });

/** Returns what a process knows about an event that has forgotten the line. */
function known(choice: 'open' | 'refused'): DecidedForget[] {
  const { w, n, c } = line.event;
  const ranges = [{ w, from: n, to: n, crcs: c, hash: line.hash }];
  const { event } = lineOf({ t: 'log.forget', w: WRITER_B, d: { device: 'C', ranges } });
  const content = { device: 'C', turns: [], ranges: [] };
  return [
    {
      key: 'k',
      event,
      content,
      decision: { choice, seenAt: 0 },
      isHere: true,
      workspaces: new Set(),
      isKept: false,
      isAnswered: false,
    },
  ];
}

describe('a line that a running process hides although its disk holds it', () => {
  it('is no violation if a file that cannot be read may say that it was forgotten', () => {
    expect(mayHide(line, known('open'), [FILE], true)).toBe(true);
  });

  it('is no violation if its user has refused to forget it, and the app does not watch', () => {
    expect(mayHide(line, known('refused'), [], false)).toBe(true);
  });

  it.each([
    ['every file can be read', known('open'), [], false],
    [
      'only a file of another writer cannot',
      known('open'),
      [FILE.replace(WRITER_B, 'c'.repeat(12))],
      true,
    ],
    ['the process has read nothing that forgets it', [], [FILE], false],
    ['its user has refused to forget it, and the app watches', known('refused'), [FILE], true],
  ])('is a violation if %s', (_, forgets, unreadable, isWatching) => {
    expect(mayHide(line, forgets, unreadable, isWatching)).toBe(false);
  });

  it('is a violation if the event names another line', () => {
    expect(mayHide(other, known('open'), [FILE], true)).toBe(false);
    expect(mayHide(other, known('refused'), [], false)).toBe(false);
  });
});

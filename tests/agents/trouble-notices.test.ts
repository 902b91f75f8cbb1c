import { describe, expect, it } from 'vitest';
import { troubleNotices } from '../../src/agents/trouble-notices.js';
import { decidedForgets } from '../../src/storage/forget/forget-decisions.js';
import { ForgottenLines } from '../../src/storage/forget/forgotten-lines.js';
import type { LogTrouble } from '../../src/storage/log.js';
import { forgetLine, lineRun } from '../storage/forget/forget-events.js';

const NOTHING: LogTrouble = {
  isCopyFailing: false,
  waiting: [],
  lacksLines: false,
  lacksSegment: false,
  gaps: () => '',
  asked: [],
  askedCount: 0,
  siblings: [],
  missing: 0,
};

const lines = lineRun(4);

/** Requests of devices with these names, for a line each. */
function askedBy(...devices: readonly string[]): LogTrouble['asked'] {
  const forgotten = new ForgottenLines();
  for (const [at, device] of devices.entries())
    forgotten.add(forgetLine([lines[at]!], device).event);
  return decidedForgets(forgotten, {});
}

const noticesOf = (trouble: Partial<LogTrouble>, isFirst = (_: string) => true) =>
  troubleNotices({ ...NOTHING, ...trouble }, { access: 'read' }, isFirst);

describe('An answer', () => {
  it('has no notice if there is no trouble', () => {
    expect(noticesOf({})).toEqual([]);
  });

  it.each<[string, readonly string[], string]>([
    ['a device', ['phone'], '"phone" has asked to remove 1 entry of the memory'],
    ['a device twice', ['phone', 'phone'], '"phone" has asked to remove 2 entries'],
    ['several devices', ['phone', 'laptop', 'phone'], '2 devices have asked to remove 3 entries'],
  ])('says what was asked by %s', (_, devices, expected) => {
    const [notice, ...others] = noticesOf({
      asked: askedBy(...devices),
      askedCount: devices.length,
    });
    expect(notice).toContain(expected);
    expect(notice).toContain('Tell the user to decide');
    expect(others).toEqual([]);
  });

  it('shows the name of a device without hidden characters, and not all of a long one', () => {
    const [notice] = noticesOf({ asked: askedBy(`\u202e${'x'.repeat(5000)}`) });
    expect(notice).toContain('⟨U+202E⟩xxx');
    expect(notice!.length).toBeLessThan(600);
  });

  it('says it in the first answer of a session', () => {
    const told = new Set<string>();
    const isFirst = (notice: string) => !told.has(notice) && told.add(notice).size > 0;
    const trouble = { asked: askedBy('phone'), gaps: () => 'aaaaaaaaaaaa 1' };
    expect(noticesOf(trouble, isFirst)).toHaveLength(2);
    expect(noticesOf(trouble, isFirst)).toEqual([]);
  });

  it('says that entries are missing unless it says why', () => {
    const gaps = () => 'aaaaaaaaaaaa 1';
    expect(noticesOf({ gaps })[0]).toContain('Entries that were saved before are not here');
    for (const more of [{ missing: 1 }, { waiting: ['a.jsonl'] }])
      expect(noticesOf({ gaps, ...more }).join()).not.toContain('were saved before');
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { findingsOf } from '../../../../src/storage/integrity/findings.js';
import type { VerifyReport } from '../../../../src/storage/integrity/verify-report.js';
import type { WriterReport } from '../../../../src/storage/integrity/writer-reports.js';
import { chooseLanguage } from '../../../../src/obsidian/i18n/index.js';
import {
  placeText,
  reportText,
  verdictOf,
  writerNotes,
} from '../../../../src/obsidian/memory/verify/verify-report.js';

const writer = (more: Partial<WriterReport> = {}): WriterReport => ({
  writer: 'aaaaaaaaaaaa',
  lane: 'core',
  device: 'mac-1a2b',
  held: 1500,
  claimed: 1500,
  missing: [],
  dismissed: [],
  replaced: [],
  retired: 0,
  forks: 0,
  ...more,
});

const report = (more: Partial<VerifyReport> = {}): VerifyReport => ({
  digest: 'd'.repeat(64),
  events: 1500,
  writers: [writer()],
  problems: [],
  silent: [],
  siblings: [],
  devices: [],
  restorable: undefined,
  former: [],
  forgotten: [],
  uncopied: [],
  isWhole: true,
  ...more,
});

const verdict = (each: VerifyReport) => verdictOf(each, findingsOf(each));

describe('the report of a verification', () => {
  it('says that everything is intact', () => {
    expect(verdict(report())).toEqual({
      isGood: true,
      title: 'Everything is intact',
      sentence: 'Nothing is missing, and every state is unchanged.',
    });
    expect(reportText(report())).toBe(
      [
        'Verify memory: Everything is intact',
        'Nothing is missing, and every state is unchanged.',
        '',
        '1,500 events from 1 writer',
        `Digest: ${'d'.repeat(64)}`,
        '',
        'Writers:',
        '- aaaaaaaaaaaa · mac-1a2b · core · 1,500 of 1,500 · complete',
        '',
      ].join('\n'),
    );
  });

  it('describes findings and fixes in the language of the app', () => {
    onTestFinished(() => chooseLanguage('en'));
    chooseLanguage('de');
    const devices = [
      {
        device: 'mac-1a2b',
        at: '2026-11-20T09:05:00.000Z',
        state: 'lags' as const,
        here: 1500,
        there: 1400,
      },
    ];
    const told = reportText(
      report({ problems: [{ kind: 'newer', path: 'a.jsonl', from: 4 }], devices }),
    );
    expect(told).toContain(
      'Zeilen, die ein neueres Savepoint geschrieben hat und dieses nicht versteht: 1',
    );
    expect(told).toContain(
      'Was zu tun ist: Sie sind sicher und zählen wieder, sobald Savepoint auf diesem Gerät aktualisiert ist.',
    );
    expect(told).toContain('liegt zurück: Es hatte 1.400 der 1.500 Ereignisse');
    expect(told).toContain('1.500 Ereignisse von 1 Schreiber');
  });

  it('says that nothing is saved yet if the memory is empty', () => {
    expect(verdict(report({ events: 0, writers: [] }))).toMatchObject({
      isGood: true,
      title: 'Nothing is saved yet',
    });
  });

  it('weakens the verdict after a problem, but not for retired events', () => {
    expect(verdict(report({ writers: [writer({ retired: 3 })] }))).toMatchObject({
      isGood: true,
      title: 'Everything is intact',
    });
    const noticed = report({ problems: [{ kind: 'marker', path: 'a.jsonl', from: 4 }] });
    expect(verdict(noticed)).toMatchObject({
      isGood: true,
      title: 'Nothing is known to be missing',
    });
  });

  it('lists what is missing, by writer, with the fix', () => {
    const missing = report({
      isWhole: false,
      writers: [
        writer({
          held: 2,
          claimed: 6,
          missing: [
            [2, 2],
            [4, 6],
          ],
          forks: 1,
          retired: 2,
        }),
      ],
    });
    expect(verdict(missing)).toMatchObject({
      isGood: false,
      title: 'Some data is missing or damaged',
    });
    expect(writerNotes(missing.writers[0]!)).toBe('missing 2, 4-6, 2 retired, 1 forked');
    const told = reportText(missing);
    expect(told).toContain(
      'Events that were written but are not here: 4\nWhat to do: Let every device sync',
    );
    expect(told).toContain('- aaaaaaaaaaaa (mac-1a2b): 4 (2, 4-6)\n');
  });

  it('gives the position of the first of several damaged lines', () => {
    const [damaged] = findingsOf({
      writers: [],
      problems: [7, 9].map((from) => ({ kind: 'damaged' as const, path: 'b.jsonl', from })),
      restorable: undefined,
      former: [],
      uncopied: [],
    });
    expect(placeText(damaged!, damaged!.places[0]!)).toBe('b.jsonl: 2 (the first at byte 7)');
  });

  it('includes the last report from each device', () => {
    const told = {
      device: 'phone-9z8y',
      at: '2026-11-20T09:05:58.271Z',
      state: 'agrees',
      here: 4,
      there: 4,
    } as const;
    expect(reportText(report({ devices: [told] }))).toContain(
      'Last report from each device:\n- phone-9z8y, 2026-11-20 09:05 UTC: agrees: it had the same 4 events from other devices as are here.\n',
    );
  });

  it('keeps a device name from the log on one line', () => {
    expect(reportText(report({ writers: [writer({ device: 'a\nVerify memory: b' })] }))).toContain(
      '· a\u{FFFD}Verify memory: b ·',
    );
  });
});

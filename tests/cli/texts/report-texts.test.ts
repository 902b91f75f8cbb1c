import { describe, expect, it } from 'vitest';
import {
  exportText,
  importText,
  foreignImportText,
  verifyText,
} from '../../../src/cli/texts/report-texts.js';
import type { ImportReport } from '../../../src/transfer/import.js';
import type { ForeignImportReport } from '../../../src/transfer/foreign/import-foreign.js';
import type { VerifyReport } from '../../../src/storage/integrity/verify-report.js';

const whole: VerifyReport = {
  digest: '0123456789abcdef99',
  events: 1,
  writers: [],
  problems: [],
  devices: [],
  restorable: [],
  former: [],
  forgotten: [],
  uncopied: [],
  silent: [],
  siblings: [],
  isWhole: true,
};

describe('verifyText', () => {
  it('is short if nothing is wrong', () => {
    const row = {
      writer: 'aaaaaaaaaaaa',
      lane: 'core' as const,
      device: 'mac',
      held: 1,
      claimed: 1,
      missing: [],
      dismissed: [],
      replaced: [],
      retired: 0,
      forks: 0,
    };
    expect(verifyText({ ...whole, writers: [row] })).toBe(
      '1 event from 1 writer, digest 0123456789abcdef\n  aaaaaaaaaaaa  core         1 of 1  mac\nNothing is missing.\n',
    );
  });

  it('says so if this device has no copies to compare with', () => {
    expect(verifyText({ ...whole, restorable: undefined })).toBe(
      '1 event from 0 writers, digest 0123456789abcdef\nNo problems found. This device has no copies to compare with.\n',
    );
  });

  it('counts the problems in its last line', () => {
    const problems = [
      { kind: 'edited' as const, path: 'a.jsonl', from: 0 },
      { kind: 'future' as const, path: 'a.jsonl', from: 9 },
      { kind: 'newer' as const, path: 'a.jsonl', from: 20 },
    ];
    const restorable = [{ writer: 'aaaaaaaaaaaa', numbers: [[2, 3]] as const }];
    expect(verifyText({ ...whole, isWhole: false, problems, restorable })).toMatch(
      /\n {2}aaaaaaaaaaaa: 2, 2-3\n.*\n\n4 problems found\.\n$/s,
    );
  });

  it('names each kind once, with a row per file and the fix', () => {
    const problems = [1, 2, 3].map((from) => ({ kind: 'damaged' as const, path: 'a.jsonl', from }));
    expect(verifyText({ ...whole, problems })).toBe(
      `1 event from 0 writers, digest 0123456789abcdef

damaged (3): lines that are torn or broken and have no effect.
  a.jsonl: 3, the first at byte 1
  Fix: If no events are missing, there is nothing to do, since other copies of them are here; otherwise restore the file from another device or a backup.

Nothing is missing.
`,
    );
  });

  it('removes control characters, and limits the rows', () => {
    const problems = Array.from({ length: 50 }, (_, index) => ({
      kind: 'edited' as const,
      path: `\u001b[31m${index}\n.jsonl`,
      from: 0,
    }));
    const text = verifyText({ ...whole, problems });
    expect(text).not.toContain('\u001b');
    expect(text.split('\n')).toHaveLength(21);
    expect(text).toContain('  and 37 more; --json has them all\n');
  });
});

const done: ImportReport = {
  events: 3,
  added: 2,
  known: 1,
  retired: 0,
  forgotten: 0,
  lost: 0,
  badLines: [],
  files: ['Savepoint/core/x.jsonl'],
  isWhole: true,
};

describe('importText', () => {
  it('counts new events, and says that they are saved', () => {
    expect(importText(done, false)).toBe(
      '3 events read: 2 new, 1 already here.\nWrote 1 file, such as Savepoint/core/x.jsonl.\nEverything new is saved.\n',
    );
  });

  it('reports a dry run, and a second run without new events', () => {
    expect(importText(done, true)).toContain('Would write 1 file, such as');
    expect(importText(done, true)).toContain('This was a dry run: nothing was written.\n');
    expect(importText({ ...done, added: 0, known: 3, files: [] }, false)).toBe(
      '3 events read: 0 new, 3 already here.\nThere was nothing to add.\n',
    );
  });

  it('groups consecutive bad lines', () => {
    const badLines = [4, 5, 6, 9].map((line) => ({
      file: 'x.jsonl',
      line,
      kind: 'damaged' as const,
    }));
    const text = importText(
      {
        ...done,
        retired: 1,
        forgotten: 2,
        lost: 2,
        badLines: [...badLines, { file: 'x.jsonl', line: 10, kind: 'pending' }],
        isWhole: false,
      },
      false,
    );
    expect(text.split('\n').slice(0, 5)).toEqual([
      '3 events read: 2 new, 1 already here, 1 left out because they were retired here, 2 left out because they were forgotten here.',
      '  x.jsonl, lines 4-6: damaged; skipped',
      '  x.jsonl, line 9: damaged; skipped',
      '  x.jsonl, line 10: incomplete; skipped',
      '2 events of the original export are missing from this copy. Use a complete copy if you have one.',
    ]);
  });
});

describe('foreignImportText', () => {
  const none = { added: 0, known: 0 };
  const report: ForeignImportReport = {
    origin: 'nexus',
    read: 12,
    duplicates: 2,
    archived: 1,
    files: ['Savepoint/core/x.jsonl'],
    kinds: {
      workspaces: { added: 1, known: 0 },
      states: { added: 3, known: 2 },
      records: none,
      traces: none,
      conversations: none,
      messages: none,
      changes: none,
    },
    troubles: [1, 2].map((line) => ({
      file: 'a/shard-000001.jsonl',
      line,
      kind: 'damaged' as const,
    })),
    leftOut: [
      { why: 'lastUse', count: 40 },
      { why: 'orphans', count: 1 },
    ],
    renamings: [{ from: 'Plan\n', to: 'Plan (Nexus)' }],
    secrets: [{ name: 'Deploy', fields: ['description', 'nextSteps'] }],
  };

  it('counts each kind, and names bad lines and what was left out', () => {
    expect(foreignImportText(report, false)).toBe(`Nexus: 12 lines read.
  workspaces          1 new, 0 already here
  states              3 new, 2 already here
1 of these is archived (archived or deleted at the source).
2 duplicate lines, counted once.
  a/shard-000001.jsonl, lines 1-2: damaged; skipped
Fix what is damaged or too long, and import again: nothing is added twice.
Left out:
  40 usage times, not imported
  1 line without a parent
Renamed (the name was taken, in these or other letters, perhaps by an earlier import of the same entry, which stays; or it is not allowed):
  "Plan\ufffd" is now "Plan (Nexus)"
Imported as written, though it looks like a secret (the log keeps it, so change it where it is used):
  "Deploy": description, nextSteps
Wrote 1 file, such as Savepoint/core/x.jsonl.
Everything new is saved.
`);
  });

  it('reports a dry run, and a second run without new events', () => {
    const bare = {
      ...report,
      origin: 'basic-memory' as const,
      duplicates: 0,
      archived: 0,
      troubles: [],
      leftOut: [],
      renamings: [],
      secrets: [],
    };
    expect(foreignImportText(bare, true)).toMatch(
      /^Basic Memory: 12 notes read\.[\s\S]*Would write 1 file[\s\S]*nothing was written\.\n$/,
    );
    expect(foreignImportText({ ...bare, files: [] }, false)).toMatch(
      /There was nothing to add\.\n$/,
    );
  });

  it('has a text for every reason to leave something out', () => {
    const whys = [
      'lastUse',
      'sessions',
      'copies',
      'chatSettings',
      'emptyMessages',
      'unknown',
      'orphans',
      'otherNotes',
      'retired',
    ] as const;
    for (const count of [1, 2]) {
      const rows = foreignImportText(
        { ...report, leftOut: whys.map((why) => ({ why, count })) },
        false,
      )
        .split('Left out:\n')[1]!
        .split('\n')
        .slice(0, 10);
      expect(rows.filter((row) => /^ {2}(?:a |1 |2 )/.test(row))).toHaveLength(9);
    }
  });
});

describe('exportText', () => {
  it('reports what could not be exported', () => {
    const held = {
      lines: [],
      writers: new Map(),
      problems: [{ kind: 'damaged' as const, path: 'a', from: 0 }],
      unreadable: ['b.jsonl'],
    };
    expect(exportText('jsonl', '/out', [], held)).toBe(`Exported 0 events to /out.
1 line of the log could not be read and is left out. Run "savepoint verify" for details.
The export is incomplete: 1 file cannot be read now. Let the sync finish, then export again to another folder.
  b.jsonl
`);
  });
});

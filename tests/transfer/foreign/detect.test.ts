import { describe, expect, it } from 'vitest';
import {
  filesOfProgram,
  isNoteName,
  detectPrograms,
} from '../../../src/transfer/foreign/detect.js';
import { linesOf, joinLines, workspaceDraft } from '../../fakes/events.js';
import { exportLines } from '../../../src/transfer/export.js';
import { fileOf, shardsOf, workspaceCreated } from './nexus-vault.js';

const nexus = shardsOf([workspaceCreated('w1', 5)])[0]!;
const savepoint = fileOf('log.jsonl', joinLines(linesOf([workspaceDraft('One')])));
const graph = fileOf(
  'memory.jsonl',
  '\n{"type":"entity","name":"A","entityType":"x","observations":[]}\n',
);
const note = fileOf('a.md', '- [fact] It rains\n');
const unknown = fileOf('x.jsonl', '{"a":1}\nno json\n');

describe('detectPrograms', () => {
  it('detects programs by the contents of their files', () => {
    expect(detectPrograms([nexus])).toEqual(['nexus']);
    expect(detectPrograms([savepoint])).toEqual(['savepoint']);
    expect(detectPrograms([graph])).toEqual(['server-memory']);
    expect(detectPrograms([note])).toEqual(['basic-memory']);
    expect(detectPrograms([unknown, fileOf('b.md', 'words')])).toEqual([]);
    expect(detectPrograms([unknown, nexus, savepoint])).toEqual(['savepoint', 'nexus']);
    for (const other of [
      { v: 1, n: 1 },
      { v: 1, w: 'a' },
      { n: 1, w: 'a' },
      { v: 0, n: 1, w: 'a' },
    ])
      expect(detectPrograms([fileOf('x.jsonl', JSON.stringify(other))])).toEqual([]);
    expect(detectPrograms([fileOf('y.jsonl', ' {"v":1,"n":1,"w":"a"}\r\n')])).toEqual([
      'savepoint',
    ]);
  });

  it('looks for notes only in .md files, and for lines only in others', () => {
    expect(detectPrograms([fileOf('a.jsonl', '- [fact] It rains\n')])).toEqual([]);
    expect(detectPrograms([{ ...nexus, name: 'shard.md' }])).toEqual([]);
  });

  it('looks only at the first 20 lines', () => {
    const after = (lines: number) =>
      detectPrograms([
        fileOf('x.jsonl', '{}\n'.repeat(lines) + new TextDecoder().decode(nexus.bytes)),
      ]);
    expect([after(19), after(20)]).toEqual([['nexus'], []]);
  });

  it('detects an empty export, and a file whose first line is torn', async () => {
    const { files } = await exportLines([]);
    expect(detectPrograms([fileOf('e.jsonl', files[0]!.bytes)])).toEqual(['savepoint']);
    const torn = Uint8Array.from([...new TextEncoder().encode('{"type":"works\n'), ...nexus.bytes]);
    expect(detectPrograms([fileOf('shard.jsonl', torn)])).toEqual(['nexus']);
  });

  it('selects the files of a program and unrecognized ones', () => {
    expect(filesOfProgram('nexus', [nexus, savepoint, graph, unknown, note])).toEqual([
      nexus,
      unknown,
    ]);
    expect(filesOfProgram('basic-memory', [note, fileOf('b.md', 'words'), nexus])).toHaveLength(2);
  });

  it('treats only .md files that are not hidden as notes', () => {
    expect(
      ['a.md', 'x/B.MD', 'a.txt', '.trash/a.md', 'x/.a.md', 'a.md.bak'].map(isNoteName),
    ).toEqual([true, true, false, false, false, false]);
  });
});

import { describe, expect, it } from 'vitest';
import { createForeignReaders } from '../../../src/transfer/foreign/readers.js';
import { filesOf, isNoteName, programsIn } from '../../../src/transfer/foreign/detect.js';
import { linesOf, joinLines, workspaceDraft } from '../../fakes/events.js';
import { exportLines } from '../../../src/transfer/export.js';
import { fileOf, shardsOf, workspaceCreated } from './nexus-vault.js';

const readers = createForeignReaders([]);
const nexus = shardsOf([workspaceCreated('w1', 5)])[0]!;
const savepoint = fileOf('log.jsonl', joinLines(linesOf([workspaceDraft('One')])));
const graph = fileOf(
  'memory.jsonl',
  '\n{"type":"entity","name":"A","entityType":"x","observations":[]}\n',
);
const note = fileOf('a.md', '- [fact] It rains\n');
const unknown = fileOf('x.jsonl', '{"a":1}\nno json\n');

describe('whose files are', () => {
  it('is told by what stands in them', () => {
    expect(programsIn([nexus], readers)).toEqual(['nexus']);
    expect(programsIn([savepoint], readers)).toEqual(['savepoint']);
    expect(programsIn([graph], readers)).toEqual(['server-memory']);
    expect(programsIn([note], readers)).toEqual(['basic-memory']);
    expect(programsIn([unknown, fileOf('b.md', 'words')], readers)).toEqual([]);
    expect(programsIn([unknown, nexus, savepoint], readers)).toEqual(['savepoint', 'nexus']);
    for (const other of [
      { v: 1, n: 1 },
      { v: 1, w: 'a' },
      { n: 1, w: 'a' },
      { v: 0, n: 1, w: 'a' },
    ])
      expect(programsIn([fileOf('x.jsonl', JSON.stringify(other))], readers)).toEqual([]);
    expect(programsIn([fileOf('y.jsonl', ' {"v":1,"n":1,"w":"a"}\r\n')], readers)).toEqual([
      'savepoint',
    ]);
  });

  it('is told by notes or by lines, each by what it is', () => {
    expect(programsIn([fileOf('a.jsonl', '- [fact] It rains\n')], readers)).toEqual([]);
    expect(programsIn([{ ...nexus, name: 'shard.md' }], readers)).toEqual([]);
  });

  it('is looked for in the first 20 lines', () => {
    const after = (lines: number) =>
      programsIn(
        [fileOf('x.jsonl', '{}\n'.repeat(lines) + new TextDecoder().decode(nexus.bytes))],
        readers,
      );
    expect([after(19), after(20)]).toEqual([['nexus'], []]);
  });

  it('is told of an export by its header, and of a file whose first line is torn by the next', async () => {
    const { files } = await exportLines([]);
    expect(programsIn([fileOf('e.jsonl', files[0]!.bytes)], readers)).toEqual(['savepoint']);
    const torn = Uint8Array.from([...new TextEncoder().encode('{"type":"works\n'), ...nexus.bytes]);
    expect(programsIn([fileOf('shard.jsonl', torn)], readers)).toEqual(['nexus']);
  });

  it('leaves a program its own files and those of which nothing is known', () => {
    expect(filesOf('nexus', [nexus, savepoint, graph, unknown, note])).toEqual([nexus, unknown]);
    expect(filesOf('basic-memory', [note, fileOf('b.md', 'words'), nexus])).toHaveLength(2);
  });

  it('is asked of no hidden note', () => {
    expect(
      ['a.md', 'x/B.MD', 'a.txt', '.trash/a.md', 'x/.a.md', 'a.md.bak'].map(isNoteName),
    ).toEqual([true, true, false, false, false, false]);
  });
});

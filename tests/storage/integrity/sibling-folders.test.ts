import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/model/refusal.js';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import type { Files } from '../../../src/platform/files.js';
import { findingsOf } from '../../../src/storage/integrity/findings.js';
import { compareSiblings, findSiblings } from '../../../src/storage/integrity/sibling-folders.js';
import { verify } from '../../../src/storage/integrity/verify.js';
import { readLogLines } from '../../../src/storage/log-lines.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { joinLines, lineOf, linesOf, WRITER_A, workspaceDraft } from '../../fakes/events.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { watchFiles } from '../../fakes/watched-files.js';

const ROOT = 'Savepoint';
const SEGMENT = `core/2026-11/20261120-${WRITER_A}-0001.jsonl`;
const LINES = linesOf([
  { t: 'log.seg', e: '', d: {} },
  workspaceDraft('One'),
  workspaceDraft('Two'),
]);

function filesWith(...paths: readonly string[]): MemoryFiles {
  const files = createMemoryFiles();
  for (const path of paths) files.put(path, joinLines(LINES));
  return files;
}

async function compare(files: Files, root = ROOT) {
  return compareSiblings(files, root, await readLogLines(files, root), NOOP_SCHEDULER);
}

describe('folders next to the data folder', () => {
  it.each(['Savepoint 2', 'Savepoint (1)', 'savepoint', 'Savepoint-HOST', 'Something else'])(
    'are found if they have segments: %s',
    async (name) => {
      const files = filesWith(`${name}/${SEGMENT}`, `${ROOT}/${SEGMENT}`, 'Notes/a.md');
      expect(await findSiblings(files, ROOT)).toEqual([name]);
    },
  );

  it.each([
    ['chat', `Savepoint 2/chat/2026-11/20261120-${WRITER_A}-0001.jsonl`],
    ['the copy of a month', `Savepoint 2/core/2026-11 (1)/20261120-${WRITER_A}-0001.jsonl`],
    ['what is not downloaded', `Savepoint 2/core/2026-11/.20261120-${WRITER_A}-0001.jsonl.icloud`],
  ])('are found with %s', async (_, path) => {
    expect(await findSiblings(filesWith(path), ROOT)).toEqual(['Savepoint 2']);
  });

  it.each([
    ['hidden', `.trash/${SEGMENT}`],
    ['further down', `Backup/Savepoint/${SEGMENT}`],
    ['of other files', 'Project/core/2026-11/data.jsonl'],
    ['of another structure', `Project/2026-11/20261120-${WRITER_A}-0001.jsonl`],
    ['of notes with such a name', `Project/core/2026-11/20261120-${WRITER_A}-0001.md`],
  ])('are left alone if they are %s', async (_, path) => {
    expect(await findSiblings(filesWith(path), ROOT)).toEqual([]);
  });

  it('are those of its own parent', async () => {
    const files = filesWith(`Meta/Savepoint 2/${SEGMENT}`, `Savepoint 2/${SEGMENT}`);
    expect(await findSiblings(files, 'Meta/Savepoint')).toEqual(['Meta/Savepoint 2']);
  });

  it('are not searched further down', async () => {
    const watched = watchFiles(filesWith('Notes/a/b/c.md', `Savepoint 2/${SEGMENT}`));
    const lists: string[] = [];
    watched.beforeRead = (path) => void lists.push(path);
    await findSiblings(watched, ROOT);
    const [lane, month] = ['Savepoint 2/core', 'Savepoint 2/core/2026-11'];
    expect(lists.sort()).toEqual(['', 'Notes', 'Savepoint 2', lane, month]);
  });

  it('may be unreadable, and are skipped', async () => {
    const watched = watchFiles(filesWith('Private/a.md', `Savepoint 2/${SEGMENT}`));
    watched.beforeRead = (path) => {
      if (path === 'Private') throw new Refusal('Cannot read it.');
    };
    expect(await findSiblings(watched, ROOT)).toEqual(['Savepoint 2']);
  });
});

describe('the comparison with the data folder', () => {
  it('counts the events that the data folder lacks', async () => {
    const files = filesWith(`Savepoint 2/${SEGMENT}`);
    expect(await compare(files)).toEqual([{ path: 'Savepoint 2', events: 3, waiting: [] }]);
    files.put(`${ROOT}/${SEGMENT}`, joinLines(LINES.slice(0, 2)));
    expect(await compare(files)).toEqual([{ path: 'Savepoint 2', events: 1, waiting: [] }]);
    files.put(`${ROOT}/core/2026-11/other.jsonl`, joinLines(LINES));
    expect(await compare(files)).toEqual([{ path: 'Savepoint 2', events: 0, waiting: [] }]);
  });

  it('leaves out what the data folder has retired', async () => {
    const trace = { t: 'trace.new', e: 't', d: { ws: 'default', tool: 't' } };
    const d = { lane: 'trace', file: 'x', w: 'cccccccccccc', from: 1, to: 1, why: 'size' };
    const files = createMemoryFiles();
    files.put(
      'Savepoint 2/trace/2026-11/20261120-cccccccccccc-0001.jsonl',
      lineOf({ ...trace, w: 'cccccccccccc' }).bytes,
    );
    expect((await compare(files))[0]).toMatchObject({ events: 1 });
    files.put(`${ROOT}/core/a.jsonl`, lineOf({ t: 'log.retire', d }).bytes);
    expect((await compare(files))[0]).toMatchObject({ events: 0 });
  });

  it('names files that may have more, unless their lines are known', async () => {
    const files = createMemoryFiles();
    const path = `Savepoint 2/${SEGMENT}`;
    files.put(path, new Uint8Array(500));
    expect(await compare(files)).toEqual([{ path: 'Savepoint 2', events: 0, waiting: [path] }]);
    files.put(`${ROOT}/${SEGMENT}`, joinLines(LINES));
    expect(await compare(files)).toEqual([{ path: 'Savepoint 2', events: 0, waiting: [] }]);
  });

  it('finds nothing on a disk that ignores letter case', async () => {
    const files = filesWith(`savepoint/${SEGMENT}`);
    const onDisk = (path: string) => path.replace(/^savepoint/iu, 'savepoint');
    const insensitive: Files = {
      ...files,
      list: (folder) => files.list(onDisk(folder)),
      stat: (path) => files.stat(onDisk(path)),
      read: (path, ...rest) => files.read(onDisk(path), ...rest),
    };
    expect(await compare(insensitive)).toEqual([{ path: 'savepoint', events: 0, waiting: [] }]);
  });
});

describe('verify', () => {
  const check = (files: Files) => verify(files, ROOT, { now: START_TIME });

  it('names such a folder, until its events are in the data folder', async () => {
    const files = filesWith(`Savepoint 2/${SEGMENT}`);
    const report = await check(files);
    expect(report).toMatchObject({ events: 0, isWhole: false });
    expect(findingsOf(report)).toMatchObject([
      { kind: 'apart', count: 3, places: [{ name: 'Savepoint 2', count: 3 }] },
    ]);
    files.put(`${ROOT}/${SEGMENT}`, joinLines(LINES));
    const merged = await check(files);
    expect([merged.isWhole, findingsOf(merged)]).toEqual([true, []]);
  });

  it('names a file of it from which nothing can be read', async () => {
    const files = createMemoryFiles();
    files.put(`Savepoint 2/${SEGMENT}`, '');
    const report = await check(files);
    expect(report.isWhole).toBe(false);
    expect(findingsOf(report)).toMatchObject([
      { kind: 'waiting', places: [{ name: `Savepoint 2/${SEGMENT}` }] },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { allWorkspaces } from '../../src/model/lookup.js';
import { Refusal } from '../../src/model/refusal.js';
import { NOOP_SCHEDULER } from '../../src/platform/scheduler.js';
import { readCoreLane } from '../../src/storage/integrity/core-lane.js';
import { MAX_FILE_BYTES } from '../../src/storage/read/large-file.js';
import { memoryOf, readLogLines } from '../../src/storage/log-lines.js';
import { joinLines, lineOf, linesOf, WRITER_B, workspaceDraft } from '../fakes/events.js';
import { createEagerScheduler } from '../fakes/eager-scheduler.js';
import { createMemoryFiles } from '../fakes/memory-files.js';
import { watchFiles } from '../fakes/watched-files.js';
import { ROOT } from './helpers.js';

const LINES = linesOf(['One', 'Two'].map((name) => workspaceDraft(name)));

describe('readLogLines', () => {
  it('returns each line once, with its bytes, lane and location', async () => {
    const files = createMemoryFiles();
    files.put(`${ROOT}/core/a.jsonl`, joinLines(LINES));
    files.put(`${ROOT}/core/copy.jsonl`, joinLines([...LINES].reverse()));
    const [trace] = linesOf([{ t: 'trace.new', e: 'x', d: {} }], WRITER_B);
    files.put(`${ROOT}/trace/t.jsonl`, `rubbish\n${new TextDecoder().decode(trace!.bytes)}`);
    const { lines, problems, unreadable: waiting } = await readLogLines(files, ROOT);
    expect(
      lines.map(({ lane, bytes }) => [lane, `${new TextDecoder().decode(bytes)}\n`]).sort(),
    ).toEqual(
      [
        ...LINES.map((line) => ['core', new TextDecoder().decode(line.bytes)]),
        ['trace', new TextDecoder().decode(trace!.bytes)],
      ].sort(),
    );
    expect(lines.find(({ lane }) => lane === 'trace')).toMatchObject({
      path: `${ROOT}/trace/t.jsonl`,
      from: 8,
    });
    expect([problems, waiting]).toEqual([
      [{ kind: 'damaged', path: `${ROOT}/trace/t.jsonl`, from: 0 }],
      [],
    ]);
  });

  it('returns the lines of a file that is read in pieces with their own bytes', async () => {
    const file = `${ROOT}/core/a.jsonl`;
    const content = new Uint8Array(MAX_FILE_BYTES + 9 * 1024 * 1024);
    const offsets = [1000, MAX_FILE_BYTES + 5, content.length - 1000];
    const three = linesOf(['One', 'Two', 'Three'].map((name) => workspaceDraft(name)));
    for (const [at, { bytes }] of three.entries()) content.set(bytes, offsets[at]);
    const files = createMemoryFiles();
    files.put(file, content);
    const { lines: coreLines } = await readCoreLane(files, ROOT, NOOP_SCHEDULER);
    const { lines } = await readLogLines(files, ROOT);
    for (const found of [lines, [...coreLines]])
      expect(found.map(({ bytes }) => `${new TextDecoder().decode(bytes)}\n`)).toEqual(
        three.map(({ bytes }) => new TextDecoder().decode(bytes)),
      );
  });

  it('yields to the host before each file', async () => {
    const files = createMemoryFiles();
    for (const name of ['a', 'b', 'c']) files.put(`${ROOT}/core/${name}.jsonl`, LINES[0]!.bytes);
    const { scheduler, turns } = createEagerScheduler();
    await readLogLines(files, ROOT, scheduler);
    expect(turns()).toBe(3);
  });

  it('returns lines of which memoryOf folds only those of the core lane', async () => {
    const files = createMemoryFiles();
    files.put(`${ROOT}/core/a.jsonl`, LINES[0]!.bytes);
    files.put(
      `${ROOT}/chat/a.jsonl`,
      lineOf({ t: 'set', e: 'ws-One', d: { '/name': 'Chat' } }).bytes,
    );
    const { lines } = await readLogLines(files, ROOT);
    expect(allWorkspaces(memoryOf(lines)).map(({ displayName }) => displayName)).toEqual([
      'Default',
      'One',
    ]);
  });

  it('returns each line with its hash and the lane of its type, whatever its folder', async () => {
    const files = createMemoryFiles();
    files.put(`${ROOT}/trace/a.jsonl`, joinLines(LINES));
    const { lines } = await readLogLines(files, ROOT);
    expect(lines.map(({ lane, hash }) => [lane, hash])).toEqual(
      LINES.map(({ hash }) => ['core', hash]),
    );
    expect(allWorkspaces(memoryOf(lines))).toHaveLength(3);
  });

  it('skips unreadable files, and names them', async () => {
    const files = createMemoryFiles();
    files.put(`${ROOT}/core/a.jsonl`, LINES[0]!.bytes);
    files.put(`${ROOT}/core/b.jsonl`, LINES[1]!.bytes);
    const watched = watchFiles(files);
    watched.beforeRead = (path) => {
      if (path.endsWith('b.jsonl')) throw new Refusal('Locked.');
    };
    const { lines, unreadable: waiting } = await readLogLines(watched, ROOT);
    expect([lines.length, waiting]).toEqual([1, [`${ROOT}/core/b.jsonl`]]);
  });
});

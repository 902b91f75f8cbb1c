import { beforeEach, describe, expect, it } from 'vitest';
import { HybridClock } from '../../../src/storage/format/hybrid-clock.js';
import { sealStored } from '../../../src/storage/write/seal-stored.js';
import { LogSegmentWriter } from '../../../src/storage/write/segment-writer.js';
import {
  createMemoryIdentities,
  createTestClock,
  createTestRandom,
  type TestClock,
} from '../../fakes/deterministic.js';
import { workspaceDraft } from '../../fakes/events.js';
import { createMemoryFiles, type MemoryFiles } from '../../fakes/memory-files.js';
import { ROOT, segmentsIn } from '../helpers.js';

const DAY = 86_400_000;

let files: MemoryFiles;
let clock: TestClock;
let identities: ReturnType<typeof createMemoryIdentities>;
let create: () => LogSegmentWriter;
let abandoned: string[];

beforeEach(() => {
  files = createMemoryFiles();
  clock = createTestClock();
  identities = createMemoryIdentities();
  abandoned = [];
  let seed = 0;
  create = () =>
    new LogSegmentWriter({
      files,
      root: ROOT,
      lane: 'core',
      identities,
      random: createTestRandom(++seed),
      clock,
      hybridClock: new HybridClock(clock),
      writers: new Map(),
      announced: () => undefined,
    });
});

/** Begins a segment with each of as many new writers, and stores these. Returns the paths. */
async function storeWriters(count: number): Promise<string[]> {
  const writers = Array.from({ length: count }, create);
  for (const [index, writer] of writers.entries()) {
    await writer.prepare();
    writer.stage([workspaceDraft(`${index}`)]);
    await writer.commit();
  }
  const paths = writers.map(({ openPath }) => openPath!);
  for (const writer of writers) await writer.release();
  return paths;
}

const seal = (path: string) =>
  sealStored(path, create, ({ writer }) => void abandoned.push(writer));

/** Returns the paths of the segments that end with a seal. */
async function sealedPaths(): Promise<string[]> {
  const segments = await segmentsIn(files);
  return segments.filter(({ events }) => events.at(-1)?.t === 'log.seal').map(({ path }) => path);
}

const storedPaths = () => (identities.records.get('core') ?? []).map(({ path }) => path).sort();
const writerOf = (path: string) => path.split('-').at(-2)!;

describe('sealStored', () => {
  it('finds nothing if no writer is stored, and writes nothing', async () => {
    expect(await seal(`${ROOT}/core/2026-11/20261120-aaaaaaaaaaaa-0001.jsonl`)).toBe(false);
    expect(files.paths()).toEqual([]);
    expect(storedPaths()).toEqual([]);
  });

  it.each([0, 1, 2])('seals the segment of one of three stored writers: %i', async (index) => {
    const paths = await storeWriters(3);
    expect(await seal(paths[index]!)).toBe(true);
    expect(await sealedPaths()).toEqual([paths[index]]);
    expect(storedPaths()).toEqual(paths.filter((path) => path !== paths[index]).sort());
    expect(abandoned).toEqual([]);
  });

  it('seals no segment but the one it was asked for', async () => {
    const paths = await storeWriters(2);
    expect(await seal(`${ROOT}/core/2026-11/20261120-aaaaaaaaaaaa-0001.jsonl`)).toBe(false);
    expect(await sealedPaths()).toEqual([]);
    expect(storedPaths()).toEqual([...paths].sort());
  });

  it('finds a segment of an earlier day, which is sealed once its writer is acquired', async () => {
    const paths = await storeWriters(2);
    clock.advance(DAY);
    expect(await seal(paths[0]!)).toBe(true);
    const sealed = await sealedPaths();
    expect(sealed).toContain(paths[0]);
    expect(storedPaths()).toEqual(paths.filter((path) => !sealed.includes(path)).sort());
  });

  it('reports stored writers that cannot be continued, and goes on with the others', async () => {
    const [first, lost] = await storeWriters(2);
    await files.remove(lost!);
    expect(await seal(first!)).toBe(true);
    expect(abandoned).toEqual([writerOf(lost!)]);
    expect(await sealedPaths()).toEqual([first]);
    expect(storedPaths()).toEqual([]);
  });

  it('stores the other writers again if the segment cannot be sealed', async () => {
    const paths = await storeWriters(2);
    files.append = () => Promise.reject(new Error('EIO'));
    await expect(seal(paths[0]!)).rejects.toThrow('EIO');
    expect(storedPaths()).toEqual([paths[1]]);
  });
});

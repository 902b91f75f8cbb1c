import { describe, expect, it } from 'vitest';
import { NOOP_SCHEDULER } from '../../../src/platform/scheduler.js';
import { lineHash } from '../../../src/storage/format/line-hash.js';
import { indexEvent, type WriterIndex } from '../../../src/storage/read/writer-index.js';
import { WaitingCopies } from '../../../src/storage/copies/waiting-copies.js';
import { joinLines, linesOf, WRITER_A, WRITER_B, workspaceDraft } from '../../fakes/events.js';
import { createMemoryCopies } from '../helpers.js';

const fileOf = (writer: string) => `Savepoint/core/2026-11/20261120-${writer}-0001.jsonl`;
const [FILE, OTHER_FILE] = [fileOf('eeeeeeeeeeee'), fileOf('ffffffffffff')];
const [FIRST, SECOND] = linesOf([workspaceDraft('One'), workspaceDraft('Two')]);
const [OTHER] = linesOf([{ t: 'set', e: 'ws-One', d: { '/purpose': 'Other' } }], WRITER_B);

/** A device with copies of the vault `v1`, and of `v0`, which it may also have been called. */
async function setUp({ recorded = [] as string[], isSameFolder = false } = {}) {
  const copies = createMemoryCopies();
  await copies.add('v1', joinLines([FIRST!, SECOND!]), 'other');
  await copies.add('v0', OTHER!.bytes, 'other');
  const reads: string[] = [];
  let lookUps = 0;
  const vaultIds = ['v1'];
  const writers: WriterIndex = new Map();
  const waiting = new WaitingCopies({
    copies: {
      ...copies,
      read: (id) => (reads.push(id), copies.read(id)),
      lacking: () => (lookUps++, copies.lacking()),
    },
    scheduler: NOOP_SCHEDULER,
    vaultIds: () => vaultIds,
    known: {
      isSameFolder: () => Promise.resolve(isSameFolder),
      recordedIds: () => Promise.resolve(recorded),
    },
  });
  const events = (...files: string[]) => waiting.events(files, writers);
  const eventsIn = async (...files: string[]) => (await events(...files)).map(({ event }) => event);
  return { copies, reads, lookUps: () => lookUps, vaultIds, writers, events, eventsIn };
}

describe('copies of lines in files that cannot be read', () => {
  it('are read only while there are such files', async () => {
    const { events, reads } = await setUp();
    expect(await events()).toEqual([]);
    expect(reads).toEqual([]);
    await events(FILE);
    expect(reads).toEqual(['v1']);
    expect(await events()).toEqual([]);
    expect(reads).toEqual(['v1']);
  });

  it('are events of no file, and known from then on', async () => {
    const { events, writers } = await setUp();
    const nowhere = { path: '', from: 0, to: 0 };
    expect(await events(FILE)).toEqual(
      [FIRST!, SECOND!].map(({ event }) => ({ event, ...nowhere })),
    );
    expect(writers.get(WRITER_A)?.lastNumber).toBe(2);
  });

  it('are returned only if their events are new', async () => {
    const { eventsIn, writers } = await setUp();
    indexEvent(writers, 'core', FIRST!.event);
    expect(await eventsIn(FILE)).toEqual([SECOND!.event]);
  });

  it('are returned if another event has that number', async () => {
    const { eventsIn, writers } = await setUp();
    indexEvent(writers, 'core', linesOf([workspaceDraft('Clone')])[0]!.event);
    expect(await eventsIn(FILE)).toEqual([FIRST!.event, SECOND!.event]);
  });

  it('are read again only once the files or the ids have changed', async () => {
    const { events, eventsIn, reads, vaultIds } = await setUp();
    await events(FILE, OTHER_FILE);
    expect(await events(OTHER_FILE, FILE)).toEqual([]);
    expect(reads).toEqual(['v1']);
    await events(FILE);
    expect(reads).toEqual(['v1', 'v1']);
    vaultIds.push('v0');
    expect(await eventsIn(FILE)).toEqual([OTHER!.event]);
  });

  it('are read again for one file whose path is made of those of two', async () => {
    const { events, reads } = await setUp();
    await events('a', 'b');
    await events('ab');
    expect(reads).toEqual(['v1', 'v1']);
  });

  it('are lines of the core lane of any type', async () => {
    const { events, writers, vaultIds } = await setUp();
    vaultIds.push('v0');
    await events(FILE);
    expect(writers.get(WRITER_B)?.lane).toBe('core');
  });

  it('are read again once a line is copied that could not be copied before', async () => {
    const { copies, eventsIn, lookUps, reads } = await setUp();
    const { event, bytes } = OTHER!;
    await copies.setLacking(WRITER_B, { n: event.n, hash: lineHash(bytes) });
    await eventsIn(FILE);
    expect(await eventsIn(FILE)).toEqual([]);
    expect(reads).toEqual(['v1']);
    await copies.add('v1', joinLines([OTHER!]), 'own');
    await copies.setLacking(WRITER_B, undefined);
    expect(await eventsIn(FILE)).toEqual([event]);
    const before = lookUps();
    await eventsIn(FILE);
    expect(reads).toEqual(['v1', 'v1']);
    expect(lookUps()).toBe(before); // nothing is lacking any more
  });

  it('are tried again after they could not be read', async () => {
    const { copies, events, eventsIn } = await setUp();
    const read = copies.read.bind(copies);
    copies.read = () => Promise.reject(new Error('EIO'));
    expect(await events(FILE)).toEqual([]);
    copies.read = read;
    expect(await eventsIn(FILE)).toHaveLength(2);
  });
});

describe('copies under the ids that the device has recorded', () => {
  it.each<[string, Parameters<typeof setUp>[0], readonly string[], boolean]>([
    ['one of them is an id of the log', { recorded: ['v0', 'v1'] }, [FILE], true],
    ['the folder is the recorded one', { recorded: ['v0'], isSameFolder: true }, [FILE], true],
    [
      'one of the files is by a writer of theirs',
      { recorded: ['v0'] },
      [FILE, fileOf(WRITER_B)],
      true,
    ],
    ['nothing says that this is their vault', { recorded: ['v0'] }, [FILE], false],
  ])('if %s', async (_, device, files, areIncluded) => {
    const { eventsIn } = await setUp(device);
    const own = [FIRST!.event, SECOND!.event];
    expect(await eventsIn(...files)).toEqual(areIncluded ? [...own, OTHER!.event] : own);
  });
});

import { describe, expect, it } from 'vitest';
import {
  dismissFormer,
  formerIdsIn,
  type VaultRecord,
} from '../../../src/storage/copies/copies.js';
import {
  dismissMissing,
  type WriterReport,
} from '../../../src/storage/integrity/writer-reports.js';
import { WRITER_A } from '../../fakes/events.js';
import { createMemoryCopies } from '../helpers.js';

const report: WriterReport = {
  writer: WRITER_A,
  lane: 'core',
  device: 'mac',
  held: 5,
  claimed: 9,
  missing: [[2, 3]],
  dismissed: [[4, 5]],
  replaced: [],
  retired: 0,
  forks: 0,
};

/** Returns the record after a change. */
async function after(
  change: (copies: ReturnType<typeof createMemoryCopies>) => Promise<void>,
  before?: VaultRecord,
) {
  const copies = createMemoryCopies();
  if (before) await copies.updateRecord(() => before);
  await change(copies);
  return copies.record();
}

describe("this device's record of a vault", () => {
  const dismissed = { [WRITER_A]: [[7, 8]] } as const;
  const record: VaultRecord = { ids: ['a', 'b'], formerIds: ['c', 'd'], lossSeenAt: 5, dismissed };

  it('knows former memories by all ids that are not those of this one', () => {
    expect(formerIdsIn(record, ['b', 'c'])).toEqual(['d', 'a']);
    expect(formerIdsIn({ ids: ['a'] }, ['a'])).toEqual([]);
    expect(formerIdsIn(undefined, ['a'])).toEqual([]);
  });

  it('loses only the id of a former memory that the user dismisses', async () => {
    const without = (id: string) => after((copies) => dismissFormer(copies, id), record);
    expect(await without('c')).toEqual({ ...record, formerIds: ['d'] });
    expect(await without('a')).toEqual({ ...record, ids: ['b'] });
  });

  it('gains the events that the user dismisses, along with those dismissed before', async () => {
    expect(
      await after((copies) => dismissMissing(copies, [report]), {
        ...record,
        dismissed: { x: [[1, 1]] },
      }),
    ).toEqual({
      ...record,
      dismissed: { x: [[1, 1]], [WRITER_A]: [[2, 5]] },
    });
  });

  it('gains the events of any number of writers that someone has invented', async () => {
    const reports = Array.from({ length: 200_000 }, (_, at) => ({ ...report, writer: `w${at}` }));
    const { dismissed: all } = (await after((copies) => dismissMissing(copies, reports), record))!;
    expect(Object.keys(all!)).toHaveLength(200_000 + Object.keys(dismissed).length);
  });

  it('is created if the user dismisses something without one', async () => {
    expect(await after((copies) => dismissFormer(copies, 'a'))).toEqual({ ids: [], formerIds: [] });
    expect(await after((copies) => dismissMissing(copies, [report]))).toEqual({
      ids: [],
      dismissed: { [WRITER_A]: [[2, 5]] },
    });
  });
});

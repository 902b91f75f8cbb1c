import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../../../src/storage/log.js';
import { PathMoves } from '../../../../src/model/moves/path-moves.js';
import {
  allTraceEntries,
  findCallsOfNote,
  type CallsOfNote,
} from '../../../../src/obsidian/memory/note-pane/calls-of-note.js';
import { createTestVault, stateNamed } from '../../../fakes/test-vault.js';
import { clockText } from '../../../fakes/events.js';
import { traceOf } from '../memories.js';
import { NOOP_SCHEDULER } from '../../../../src/platform/scheduler.js';

function entries(count: number): TraceEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    owner: 'default',
    w: 'aaaaaaaaaaaa',
    n: count - index,
    c: '00000000',
    h: clockText(count - index),
    path: 'x',
    from: index,
    to: index + 1,
  }));
}

async function find(count: number, limit: number, isWanted = () => true): Promise<CallsOfNote[]> {
  const results: CallsOfNote[] = [];
  await findCallsOfNote({
    log: {
      readTraces: (wanted) =>
        Promise.resolve(
          wanted.map(({ from }) =>
            traceOf({ input: from % 100 === 0 ? '["a.md"]' : '{}', tool: `${from}` }),
          ),
        ),
    },
    entries: entries(count),
    path: 'a.md',
    moves: new PathMoves([]),
    limit,
    scheduler: NOOP_SCHEDULER,
    onProgress(found) {
      results.push(found);
      return isWanted();
    },
  });
  return results;
}

describe('the calls about a note', () => {
  it('are reported batch by batch, newest first', async () => {
    const results = await find(600, 1000);
    expect(
      results.map(({ looked, isAll, calls }) => [
        looked,
        isAll,
        calls.map(({ tool }) => tool).join(' '),
      ]),
    ).toEqual([
      [250, false, '0 100 200'],
      [500, false, '0 100 200 300 400'],
      [600, true, '0 100 200 300 400 500'],
    ]);
  });

  it('are searched only up to the limit', async () => {
    expect((await find(600, 250)).map(({ looked, isAll }) => [looked, isAll])).toEqual([
      [250, false],
    ]);
  });

  it('are reported as empty and complete if there are no calls', async () => {
    expect(await find(0, 100)).toEqual([{ calls: [], looked: 0, isAll: true }]);
  });

  it('are no longer searched when the caller has stopped', async () => {
    expect(await find(600, 1000, () => false)).toHaveLength(1);
  });

  it('come from all workspaces, newest first', async () => {
    const vault = createTestVault();
    await vault.call('createWorkspace', {
      name: 'Garden',
      description: 'd',
      rootFolder: 'Garden',
      purpose: 'p',
    });
    await vault.call('createState', stateNamed('One'), { session: 's2' });
    await vault.call('listStates', { context: { workspaceId: 'default' } });
    await vault.idle();
    const { id } = (await vault.data('loadWorkspace', { name: 'Garden' })) as { id: string };
    const found = await allTraceEntries(vault.log, ['default', id]);
    expect(new Set(found.map(({ owner }) => owner)).size).toBe(2);
    expect(found.map(({ h }) => h)).toEqual(
      found
        .map(({ h }) => h)
        .sort()
        .reverse(),
    );
    expect(found.length).toBeGreaterThanOrEqual(3);
  });
});

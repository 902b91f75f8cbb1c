import { describe, expect, it } from 'vitest';
import { verify } from '../../src/storage/integrity/verify.js';
import { checkAftermath, createScene, play, ROOT, type Scene } from './script.js';
import { FAULTS } from './files-faults.js';
import type { Call, Fault } from './faulty-files.js';
import { someOf } from '../tier.js';
import { struckCalls } from './struck-calls.js';

/** Number of calls of each kind that the script makes without a fault. */
async function countCalls(): Promise<Record<Call, number>> {
  const scene = createScene();
  await play(scene);
  expect([...scene.told.values()]).not.toContain(false);
  const counts = { ...scene.faulty.counts };
  await checkAftermath(scene, false);
  return counts;
}

/**
 * Runs the script with a fault and checks the result. The fault affects `times` calls from the
 * `at`-th.
 */
async function strike(fault: Fault, at: number, times: number, breaksOff = false): Promise<void> {
  try {
    const scene = createScene();
    scene.faulty.arm(fault, at, times);
    await play(scene, breaksOff);
    await checkAftermath(scene, fault.isUnclean === true);
  } catch (error) {
    throw new Error(`struck at call ${at}`, { cause: error });
  }
}

/** Removes the empty segments, which verify must name: nothing tells that they had no lines. */
async function removeAsAdvised({ files, ...scene }: Scene): Promise<void> {
  const { problems } = await verify(files, ROOT, { now: scene.now() });
  expect(new Set(problems.map(({ kind }) => kind))).toEqual(new Set(['waiting']));
  for (const { path } of problems) {
    expect(await files.read(path)).toHaveLength(0);
    await files.remove(path);
  }
}

const counts = await countCalls();

describe('a file fault', () => {
  it('can affect every kind of call except remove, which needs a failure', () => {
    for (const [call, count] of Object.entries(counts))
      expect(count > 0, call).toBe(call !== 'remove');
  });

  describe.each(someOf(FAULTS, 8).map((fault) => [fault.name, fault] as const))(
    '%s',
    (_, fault) => {
      it('leaves the log consistent when it affects any single call', async () => {
        for (const at of struckCalls(counts[fault.call], 1)) await strike(fault, at, 1, true);
      });

      it('leaves the log consistent when it affects three calls in a row', async () => {
        for (const at of struckCalls(counts[fault.call], 3)) await strike(fault, at, 3);
      });

      it('leaves the log consistent when it persists', async () => {
        for (const at of struckCalls(counts[fault.call], 7)) await strike(fault, at, Infinity);
      });
    },
  );

  it.each(
    FAULTS.filter(({ call }) => call === 'remove').map((fault) => [fault.name, fault] as const),
  )(
    'leaves the log consistent when an empty file cannot be deleted: %s',
    async (_, removeFault) => {
      const scene = createScene();
      scene.faulty.arm(
        FAULTS.find(({ name }) => name.includes('creates an empty file'))!,
        1,
        Infinity,
      );
      scene.faulty.arm(removeFault, 1, Infinity);
      await play(scene);
      expect(scene.faulty.counts.remove).toBeGreaterThan(0);
      await removeAsAdvised(scene);
      await checkAftermath(scene, false);
    },
  );
});

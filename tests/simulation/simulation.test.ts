import { describe, expect, it, vi } from 'vitest';
import { perTier, SEED, WORLDS } from '../tier.js';
import { runWorld, type WorldResult } from './run-world.js';

vi.mock('../../src/platform/sha256.js', () => import('./instant-sha256.js'));

/** Seed of the only world to run and to print. */
const onlyWorld = process.env['SAVEPOINT_WORLD'];

/** Describes the failure of a world with the shortest prefix of its story that also fails. */
async function describeFailure(seed: number, result: WorldResult): Promise<string> {
  let shortest = result;
  for (let maxSteps = 0; maxSteps < result.steps && shortest === result; maxSteps++) {
    const shorter = await runWorld({ seed, maxSteps });
    if (shorter.violation !== undefined) shortest = shorter;
  }
  const replay = `SAVEPOINT_WORLD=${seed} npx vitest run tests/simulation`;
  return [
    `World ${seed} fails: ${shortest.violation}`,
    ...shortest.story,
    `Once more: ${replay}`,
  ].join('\n');
}

/**
 * Lists what happened how often, and what became of acknowledged lines of the core lane that a disk
 * had and lost.
 */
function reportOf(total: ReadonlyMap<string, number>): string {
  const lines = (what: string) => total.get(`lines ${what}`) ?? 0;
  const exempt = [...total].filter(([what]) => what.startsWith('lines exempt: '));
  const exempted = exempt.reduce((sum, [, count]) => sum + count, 0);
  const share = ((100 * exempted) / Math.max(1, lines('lost'))).toFixed(2);
  const counts = [...total].filter(([what]) => !what.startsWith('lines ')).sort();
  return [
    `acknowledged: ${lines('acknowledged')}, lost from a disk: ${lines('lost')}, restored: ${lines('restored')}, reported: ${lines('reported')}, reported as removed with their whole memory: ${lines('removed')}, gone with the only device that had them: ${lines('gone')}, without a report: 0`,
    `exempt because nothing mentions them any more: ${exempted} (${share} % of the lost ones): ${exempt.map(([what, count]) => `${what.slice('lines exempt: '.length)} ${count}`).join(', ')}`,
    counts.map(([what, count]) => `${what}: ${count}`).join(', '),
  ].join('\n');
}

describe('the simulated world', () => {
  it.runIf(onlyWorld !== undefined)('keeps every guarantee for the given seed', async () => {
    const seed = Number(onlyWorld);
    const result = await runWorld({ seed });
    console.log(result.story.join('\n'));
    if (result.violation !== undefined) throw new Error(await describeFailure(seed, result));
  });

  it.runIf(onlyWorld === undefined)(
    `keeps every guarantee for ${WORLDS} seeds`,
    { timeout: 24 * 60 * 60 * 1000 },
    async () => {
      const total = new Map<string, number>();
      const started = performance.now();
      let steps = 0;
      for (let seed = SEED; seed < SEED + WORLDS; seed++) {
        const result = await runWorld({ seed });
        if (result.violation !== undefined) throw new Error(await describeFailure(seed, result));
        steps += result.steps;
        for (const [what, count] of result.tally) total.set(what, (total.get(what) ?? 0) + count);
      }
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(
        `${WORLDS} worlds from ${SEED} on, ${steps} steps, ${seconds} s\n${reportOf(total)}`,
      );
    },
  );

  it('is the same for the same seed', async () => {
    for (let seed = SEED; seed < SEED + perTier(2, 5, 5); seed++)
      expect(await runWorld({ seed })).toEqual(await runWorld({ seed }));
  });
});

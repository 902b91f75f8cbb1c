import { describe, expect, it, vi } from 'vitest';
import { SEED, WORLDS } from '../tier.js';
import type { Sabotage } from './device.js';
import { runWorld, type WorldResult } from './run-world.js';

vi.mock('../../src/platform/sha256.js', () => import('./instant-sha256.js'));

/** Seed of the only world to run and to print. */
const onlyWorld = process.env['SAVEPOINT_WORLD'];

/** The failure of a world, and the shortest prefix of its story that also fails. */
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

/** Returns the first of many worlds that fails. */
async function findFailure(seeds: number, sabotage: Sabotage): Promise<number | undefined> {
  for (let seed = 1; seed <= seeds; seed++)
    if ((await runWorld({ seed, sabotage })).violation !== undefined) return seed;
  return undefined;
}

describe('the simulated world', () => {
  it.runIf(onlyWorld !== undefined)('keeps every guarantee for one seed', async () => {
    const seed = Number(onlyWorld);
    const result = await runWorld({ seed });
    console.log(result.story.join('\n'));
    if (result.violation !== undefined) throw new Error(await describeFailure(seed, result));
  });

  it.runIf(onlyWorld === undefined)(
    `holds what was promised, ${WORLDS} times`,
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
      const counts = [...total].map(([what, count]) => `${what}: ${count}`).sort();
      console.log(
        `${WORLDS} worlds from ${SEED} on, ${steps} steps, ${seconds} s\n${counts.join(', ')}`,
      );
    },
  );

  it('is the same each time for the same seed', async () => {
    for (let seed = SEED; seed < SEED + 20; seed++)
      expect(await runWorld({ seed })).toEqual(await runWorld({ seed }));
  });
});

/** Programs that each break one guarantee now and then. */
const SABOTAGES: Record<string, Sabotage> = {
  'an append that is acknowledged and never done': {
    files: (files, dice) => ({
      ...files,
      async append(path, bytes, options) {
        if (!options.durable || options.expect === 'new' || dice.chance(0.95))
          return files.append(path, bytes, options);
        return { kind: 'file', size: options.expect.size + bytes.length, mtime: 0 };
      },
    }),
  },
  'an append that does not wait for the disk': {
    files: (files, dice) => ({
      ...files,
      append: (path, bytes, options) =>
        files.append(path, bytes, { ...options, durable: options.durable && dice.chance(0.99) }),
    }),
  },
  'a reader that overlooks a line': {
    files: (files, dice) => ({
      ...files,
      async read(path, from) {
        const bytes = await files.read(path, from);
        return bytes && dice.chance(0.01) ? withoutLastLine(bytes) : bytes;
      },
    }),
  },
  'a deletion that takes a file too many': {
    files: (files) => ({
      ...files,
      async remove(path) {
        const folder = path.slice(0, path.lastIndexOf('/'));
        for (const { name } of await files.list(folder)) await files.remove(`${folder}/${name}`);
      },
    }),
  },
  'a listing that overlooks a file': {
    files: (files, dice) => ({
      ...files,
      list: async (folder) => (await files.list(folder)).slice(dice.chance(0.02) ? 1 : 0),
    }),
  },
};

/** Replaces a line by spaces, which every reader ignores. */
function withoutLastLine(bytes: Uint8Array): Uint8Array {
  const from = bytes.lastIndexOf(0x0a, bytes.length - 2) + 1;
  return Uint8Array.from(bytes).fill(0x20, from, Math.max(from, bytes.length - 1));
}

describe.runIf(onlyWorld === undefined)('the checks', () => {
  it.each(Object.keys(SABOTAGES))('notice %s', async (name) => {
    expect(await findFailure(100, SABOTAGES[name]!)).toBeGreaterThan(0);
  });
});

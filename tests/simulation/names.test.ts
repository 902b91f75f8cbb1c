// Tier full: hundreds of worlds with names
import { expect, it, vi } from 'vitest';
import type * as FolderIdentity from '../../src/node/folder-identity.js';
import { isNightly, SEED } from '../tier.js';
import { runNamesWorld } from './names-world.js';

const broken = vi.hoisted(() => ({ comparesPathsOnly: false }));

vi.mock('../../src/node/folder-identity.js', async (load) => {
  const real = await load<typeof FolderIdentity>();
  const isSameIdentity: typeof real.isSameIdentity = (one, other) =>
    broken.comparesPathsOnly || real.isSameIdentity(one, other);
  const creationIn: typeof real.creationIn = (identity) =>
    broken.comparesPathsOnly ? '' : real.creationIn(identity);
  return { ...real, isSameIdentity, creationIn };
});

const WORLDS = isNightly ? 4000 : 100;

it(`vaults that swap their names keep what was saved, in ${WORLDS} worlds`, async () => {
  let [acknowledged, lost] = [0, 0];
  for (let seed = SEED; seed < SEED + WORLDS; seed++) {
    const result = await runNamesWorld(seed);
    if (result.violation !== undefined)
      throw new Error([`World ${seed}: ${result.violation}`, ...result.story].join('\n'));
    acknowledged += result.acknowledged;
    lost += result.lost;
  }
  console.log(`acknowledged: ${acknowledged}, lost and restored: ${lost}`);
}, 3_600_000);

it('worlds with names detect a program that compares paths only', async () => {
  broken.comparesPathsOnly = true;
  let found: string | undefined;
  for (let seed = 1; seed <= 400 && found === undefined; seed++)
    found = (await runNamesWorld(seed)).violation;
  broken.comparesPathsOnly = false;
  expect(found).toBeDefined();
}, 3_600_000);

// Tier full: hundreds of worlds
import { expect, it, vi } from 'vitest';
import type * as Registers from '../../src/model/register.js';
import { runWorld } from './run-world.js';

vi.mock('../../src/platform/sha256.js', () => import('./instant-sha256.js'));

/**
 * A merge in which the event that arrives last wins, regardless of its stamp and of the versions
 * that it replaces.
 */
vi.mock('../../src/model/register.js', async (load) => {
  const registers = await load<typeof Registers>();
  const withVersion: typeof registers.withVersion = (register, version, ...more) => ({
    ...registers.withVersion(register, version, ...more),
    ...version,
  });
  return { ...registers, withVersion };
});

it('the checks of the simulation detect a merge that depends on the order of arrival', async () => {
  const isMeant = (violation = '') => violation.includes('the memory is not what its disk says');
  let found: string | undefined;
  for (let seed = 1; seed <= 100 && !isMeant(found); seed++)
    found = (await runWorld({ seed })).violation;
  expect(isMeant(found)).toBe(true);
});

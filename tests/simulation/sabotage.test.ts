import { describe, expect, it, vi } from 'vitest';
import type { Sabotage } from './device.js';
import { runWorld } from './run-world.js';

vi.mock('../../src/platform/sha256.js', () => import('./instant-sha256.js'));

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

/** Returns the first of many worlds that fails. */
async function findFailure(seeds: number, sabotage: Sabotage): Promise<number | undefined> {
  for (let seed = 1; seed <= seeds; seed++)
    if ((await runWorld({ seed, sabotage })).violation !== undefined) return seed;
  return undefined;
}

describe('the checks of the simulation', () => {
  it.each(Object.keys(SABOTAGES))('notice %s', async (name) => {
    expect(await findFailure(100, SABOTAGES[name]!)).toBeGreaterThan(0);
  });
});

import { describe, expect, it } from 'vitest';
import { createTestVault, type TestVault } from '../../fakes/test-vault.js';
import { perTier } from '../../tier.js';

/** Texts that have made a reader of notes slow when they were repeated. */
const PUMPS = ['[', '](', '[[', '`', '|', `# a${' '.repeat(300)}b\n`];
const LENGTH = perTier(100_000, 1_000_000, 1_000_000);
const NOTES = perTier(300, 1000, 1000);
const ROUNDS = perTier(6, 15, 15);

async function vaultWith(pumps: readonly string[]): Promise<TestVault> {
  const vault = createTestVault();
  for (let at = 0; at < NOTES; at++)
    vault.files.put(
      `Beds/Bed ${at}.md`,
      `# Bed ${at}\n\nRoses and herbs, row ${at % 7}.\n`.repeat(20),
    );
  for (const [at, pump] of pumps.entries())
    vault.files.put(`Odd/${at}.md`, `Roses and herbs ${pump.repeat(LENGTH / pump.length)}`);
  await search(vault);
  return vault;
}

function search(vault: TestVault): Promise<unknown> {
  return vault.data('searchContent', { query: 'roses herbs', limit: 20 });
}

async function cpuMs(vault: TestVault): Promise<number> {
  const before = process.cpuUsage();
  await search(vault);
  return process.cpuUsage(before).user / 1000;
}

describe('a search in a vault with hostile notes', () => {
  it('finds them, and takes at most twice as long as without them', async () => {
    const [plain, hostile] = [await vaultWith([]), await vaultWith(PUMPS)];
    expect(JSON.stringify(await search(hostile))).toContain('Odd/');
    // A loaded machine can only add time, so the least of several searches counts.
    let [without, withThem] = [Infinity, Infinity];
    for (let round = 0; round < ROUNDS; round++) {
      without = Math.min(without, await cpuMs(plain));
      withThem = Math.min(withThem, await cpuMs(hostile));
    }
    expect(withThem / without).toBeLessThan(2);
  });
});

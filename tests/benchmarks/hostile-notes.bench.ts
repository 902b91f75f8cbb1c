import { createTestVault, type TestVault } from '../fakes/test-vault.js';
import { perForm, type Figure } from './lib.js';
import { TOOLKIT } from './vault.js';

export const question =
  'Does a note of 1 MB that repeats one piece of Markdown slow down a search of the vault?';
export const measures = TOOLKIT;

/** Texts that have made a reader of notes slow when they were repeated. */
const PIECES = ['[', '](', '[[', '`', '|', `# a${' '.repeat(300)}b\n`];
const LENGTH = perForm(1_000_000, 100_000);
const NOTES = perForm(1000, 100);
const ROUNDS = perForm(15, 3);

export async function answer(): Promise<Figure[]> {
  const [plain, hostile] = [await vaultWith([]), await vaultWith(PIECES)];
  let [without, withThem] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    without = Math.min(without, await cpuMs(plain));
    withThem = Math.min(withThem, await cpuMs(hostile));
  }
  return [
    {
      what: 'CPU time of a search with such notes, times that without them',
      value: withThem / without,
      limit: 2,
    },
  ];
}

async function vaultWith(pieces: readonly string[]): Promise<TestVault> {
  const vault = createTestVault();
  for (let at = 0; at < NOTES; at++)
    vault.files.put(
      `Beds/Bed ${at}.md`,
      `# Bed ${at}\n\nRoses and herbs, row ${at % 7}.\n`.repeat(20),
    );
  for (const [at, piece] of pieces.entries())
    vault.files.put(`Odd/${at}.md`, `Roses and herbs ${piece.repeat(LENGTH / piece.length)}`);
  const found = JSON.stringify(await search(vault));
  if (pieces.length > 0 && !found.includes('Odd/')) throw new Error('The notes are not found');
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

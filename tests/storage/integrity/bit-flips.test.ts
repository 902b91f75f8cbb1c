import { expect, it } from 'vitest';
import { verify } from '../../../src/storage/integrity/verify.js';
import { START_TIME } from '../../fakes/deterministic.js';
import { stateDraft } from '../../fakes/events.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';
import { perTier } from '../../tier.js';
import { createVault, put, putWorkspace, ROOT, segmentsIn } from '../helpers.js';

/** Every how many bits one is flipped. */
const STRIDE = perTier(61, 11, 1);

it('every single flipped bit of a log is reported', { timeout: 10 * 60 * 1000 }, async () => {
  const vault = createVault();
  const first = vault.open();
  await putWorkspace(first, 'One');
  for (let at = 0; at < 8; at++) await put(first, await stateDraft(`State ${at}`));
  await first.close();
  const second = vault.open();
  await putWorkspace(second, 'Two');
  await second.close();
  const segments = await segmentsIn(vault.files);
  const unnoticed: string[] = [];
  let flips = 0;
  for (const { path, bytes } of segments) {
    const files = createMemoryFiles();
    for (const other of segments) files.put(other.path, other.bytes);
    for (let bit = 0; bit < bytes.length * 8; bit += STRIDE) {
      const flipped = bytes.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      files.put(path, flipped);
      flips++;
      const { isWhole } = await verify(files, ROOT, { now: START_TIME + 1e9 });
      if (isWhole) unnoticed.push(`bit ${bit & 7} of byte ${bit >> 3} of ${path}`);
    }
  }
  console.log(`${flips} bits flipped`);
  expect(unnoticed).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/storage/integrity/digest.js';
import { lineOf, WRITER_B } from '../../fakes/events.js';

const lines = [
  { t: 'set', n: 2 },
  { t: 'set', n: 10 },
  { t: 'set', w: WRITER_B },
].map((fields) => ({ ...lineOf(fields), lane: 'trace' as const }));

const DIGEST = 'c7248dfc57c01993b0d721d3b86757062c25591dedbeaa4f537d2032b18e0583';

describe('the digest', () => {
  it('stays the same in every release', async () => {
    expect(await digestOf(lines)).toBe(DIGEST);
    expect(await digestOf([...lines].reverse())).toBe(DIGEST);
  });

  it('differs for different lines with the same writer, number and CRC', async () => {
    const other = { ...lines[0]!, hash: lines[1]!.hash };
    expect(await digestOf([other])).not.toBe(await digestOf([lines[0]!]));
  });
});

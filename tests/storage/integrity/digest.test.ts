import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/storage/integrity/digest.js';
import { lineOf, WRITER_A, WRITER_B } from '../../fakes/events.js';

const lines = [
  { t: 'set', n: 2 },
  { t: 'set', n: 10 },
  { t: 'set', w: WRITER_B },
].map((fields) => ({ ...lineOf(fields), lane: 'trace' as const }));

const DIGEST = 'c7248dfc57c01993b0d721d3b86757062c25591dedbeaa4f537d2032b18e0583';

describe('the digest', () => {
  it('stays the same in every release', async () => {
    expect(await digestOf(lines, new Map())).toBe(DIGEST);
    expect(await digestOf([...lines].reverse(), new Map())).toBe(DIGEST);
  });

  it('differs for different lines with the same writer, number and CRC', async () => {
    const other = { ...lines[0]!, hash: lines[1]!.hash };
    expect(await digestOf([other], new Map())).not.toBe(await digestOf([lines[0]!], new Map()));
  });

  it('ignores retired traces', async () => {
    const retired = new Map([[WRITER_A, [[2, 10]] as const]]);
    expect(await digestOf(lines, retired)).toBe(await digestOf(lines.slice(2), new Map()));
  });

  it('includes all core events, even if a retirement names them', async () => {
    const core = lines.map((line) => ({ ...line, lane: 'core' as const }));
    const retired = new Map([[WRITER_A, [[2, 10]] as const]]);
    expect(await digestOf(core, retired)).toBe(await digestOf(core, new Map()));
  });
});

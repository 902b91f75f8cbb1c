import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/storage/integrity/digest.js';
import { eventOf, WRITER_A, WRITER_B } from '../../fakes/events.js';

const lines = [
  { t: 'set', n: 2 },
  { t: 'set', n: 10 },
  { t: 'set', w: WRITER_B },
].map((fields) => ({ event: eventOf(fields) }));

const DIGEST = '6786021f7779c467fe600d1b06dfb3380b518daeee876b554ae6181038e850ff';

describe('the digest', () => {
  it('stays the same in every release', async () => {
    expect(await digestOf(lines, new Map())).toBe(DIGEST);
    expect(await digestOf([...lines].reverse(), new Map())).toBe(DIGEST);
  });

  it('ignores retired events', async () => {
    const retired = new Map([[WRITER_A, [[2, 10]] as const]]);
    expect(await digestOf(lines, retired)).toBe(await digestOf(lines.slice(2), new Map()));
  });
});

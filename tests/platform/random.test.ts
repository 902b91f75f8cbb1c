import { describe, expect, it } from 'vitest';
import { createEntityId, createWriterId, isWriterId } from '../../src/platform/random.js';
import { createTestRandom } from '../fakes/deterministic.js';

describe('ids', () => {
  it('have 12 characters for writers and 16 for entities', () => {
    const random = createTestRandom();
    for (let i = 0; i < 200; i++) {
      expect(createWriterId(random)).toMatch(/^[a-km-np-z2-9]{12}$/);
      expect(createEntityId(random)).toMatch(/^[a-km-np-z2-9]{16}$/);
    }
  });

  it('use the whole alphabet and never repeat', () => {
    const random = createTestRandom();
    const ids = Array.from({ length: 500 }, () => createEntityId(random));
    expect(new Set(ids).size).toBe(500);
    expect(new Set(ids.join('')).size).toBe(32);
  });

  it('use five bits of each random byte', () => {
    const counting = {
      bytes: (count: number) => Uint8Array.from({ length: count }, (_, index) => index * 33),
    };
    expect([createWriterId(counting), createEntityId(counting)]).toEqual([
      'abcdefghijkm',
      'abcdefghijkmnpqr',
    ]);
    const high = { bytes: (count: number) => new Uint8Array(count).fill(255) };
    expect(createWriterId(high)).toBe('999999999999');
  });

  it('are recognized by isWriterId', () => {
    expect(
      [
        'rqpx3sjttkuf',
        'rqpx3sjttku',
        'rqpx3sjttkufx',
        'rqpx3sjttkul',
        'RQPX3SJTTKUF',
        '../aaaaaaaaa',
        '',
      ].map(isWriterId),
    ).toEqual([true, false, false, false, false, false, false]);
  });
});

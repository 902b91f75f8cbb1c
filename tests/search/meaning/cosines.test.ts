import { describe, expect, it } from 'vitest';
import { cosines } from '../../../src/search/meaning/cosines.js';

const along = Int8Array.from([127, 0, 0, 0, 0, 0, 0, 0]);
const across = Int8Array.from([0, 127, 0, 0, 0, 0, 0, 0]);
const against = Int8Array.from([-127, 0, 0, 0, 0, 0, 0, 0]);
const vectors = Int8Array.from([...along, ...across, ...against, ...new Int8Array(8)]);

describe('cosines', () => {
  it('is 1 along, 0 across, -1 against, and 0 for nothing', () => {
    const into = new Float32Array(4);
    cosines(along, vectors, into);
    expect([...into]).toEqual([1, 0, -1, 0]);
  });

  it('writes the slice that is asked for, and nothing else', () => {
    const into = new Float32Array(4).fill(5);
    cosines(along, vectors, into, 1, 3);
    expect([...into]).toEqual([5, 0, -1, 5]);
  });

  it('writes into a part of a larger buffer', () => {
    const whole = new Float32Array(6).fill(5);
    cosines(along, vectors, whole.subarray(1, 5));
    expect([...whole]).toEqual([5, 1, 0, -1, 0, 5]);
  });
});

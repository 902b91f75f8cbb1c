import { expect, it } from 'vitest';
import { createNodeRandom } from '../../../src/node/ports/host-ports.js';
import { node } from '../folders.js';

it('createNodeRandom returns as many bytes as requested, and none twice', () => {
  const random = createNodeRandom(node.crypto);
  const given = [16, 5000, 12, 0, 4096, 1].map((count) => random.bytes(count));
  expect(given.map(({ length }) => length)).toEqual([16, 5000, 12, 0, 4096, 1]);
  const texts = Array.from({ length: 1000 }, () => random.bytes(16).join());
  expect(new Set(texts).size).toBe(texts.length);
});

it('createNodeRandom returns bytes that the caller may change', () => {
  const random = createNodeRandom(node.crypto);
  const mine = random.bytes(8);
  const before = mine.join();
  random.bytes(8).fill(0);
  expect(mine.join()).toBe(before);
});

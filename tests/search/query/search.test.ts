import { expect, it } from 'vitest';
import { hashText } from '../../../src/platform/bytes/hash.js';
import { createIndex } from '../../../src/search/index.js';

it('ranks documents of the mentioned dates higher than others with the same words', () => {
  const index = createIndex();
  for (const [key, time] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    index.put({
      key,
      hash: hashText(key),
      time,
      labels: [],
      passages: [[{ name: 'text', text: 'The login form', weight: 1 }]],
    });
  const search = (mentionedDates?: (time: number) => boolean) =>
    index.search('login form', { mentionedDates }).map(({ key }) => key);
  expect(search()).toEqual(['a', 'b', 'c']);
  expect(search((time) => time === 2)).toEqual(['b', 'a', 'c']);
});

it('orders thousands of documents with the same score by time, then by key', () => {
  const index = createIndex();
  const times = Array.from({ length: 3000 }, (_, at) => (at * 7919) % 1000);
  for (const [at, time] of times.entries())
    index.put({
      key: `key ${String(at).padStart(4, '0')}`,
      hash: hashText(String(at)),
      time,
      labels: ['all'],
      passages: [[{ name: 'text', text: 'The login form', weight: 1 }]],
    });
  const inOrder = [...times.keys()].sort((a, b) => times[b]! - times[a]! || a - b);
  for (const limit of [1, 7, 60, 400]) {
    const options = { limit, newestFirst: true };
    expect(index.search('login form', options).map(({ key }) => Number(key.slice(4)))).toEqual(
      inOrder.slice(0, limit),
    );
  }
  const byKey = index.search('login', { limit: 5 }).map(({ key }) => Number(key.slice(4)));
  expect(byKey).toEqual([0, 1, 2, 3, 4]);
});

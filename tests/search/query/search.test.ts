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

import { describe, expect, it } from 'vitest';
import { hashText } from '../../../src/platform/bytes/hash.js';
import { createIndex, type SearchIndex } from '../../../src/search/index.js';

function indexOf(texts: Readonly<Record<string, string>>): SearchIndex {
  const index = createIndex();
  for (const [key, text] of Object.entries(texts)) {
    const labels = key.includes(' ') ? [`group:${key.slice(0, key.indexOf(' '))}`] : [];
    index.put({
      key,
      hash: hashText(text),
      time: 0,
      labels,
      passages: [[{ name: 'text', text, weight: 1 }]],
    });
  }
  return index;
}

const grouped = {
  'a 1': 'roses by the old wall',
  'b 1': 'roses by the old door',
  'b 2': 'pruned the roses and watered them',
  'b 3': 'roses and roses again',
  'c 1': 'tulips were bought',
};
const keysOf = (index: SearchIndex, query: string, groupedBy?: string) =>
  index.search(query, { groupedBy }).map(({ key }) => key);

describe('the group boost', () => {
  it('raises hits whose group has other hits', () => {
    const index = indexOf(grouped);
    expect(keysOf(index, 'roses old').slice(0, 2)).toEqual(['a 1', 'b 1']);
    expect(keysOf(index, 'roses old', 'group:').slice(0, 2)).toEqual(['b 1', 'a 1']);
  });

  it('keeps the set of hits, with scores relative to the best', () => {
    const index = indexOf({ ...grouped, lone: 'roses in a vase' });
    const hits = index.search('roses', { groupedBy: 'group:' });
    expect(hits.map(({ key }) => key).sort()).toEqual(keysOf(index, 'roses').sort());
    expect(hits[0]!.score).toBe(1);
    expect(hits.every(({ score }, at) => score > 0 && score <= (hits[at - 1]?.score ?? 1))).toBe(
      true,
    );
  });

  it('keeps the order if no hit has a label with the prefix', () => {
    const index = indexOf(grouped);
    expect(keysOf(index, 'roses old', 'other:')).toEqual(keysOf(index, 'roses old'));
    expect(keysOf(index, 'roses old', 'group:a')).not.toEqual([]);
  });

  it('groups hits across segments', () => {
    const { 'b 3': last, ...others } = grouped;
    const index = indexOf(others);
    index.search('roses');
    index.put({
      key: 'b 3',
      hash: hashText(last),
      time: 0,
      labels: ['group:b'],
      passages: [[{ name: 'text', text: last, weight: 1 }]],
    });
    expect(index.search('roses old', { groupedBy: 'group:' })).toEqual(
      indexOf(grouped).search('roses old', { groupedBy: 'group:' }),
    );
  });

  it('does not depend on the requested number of hits', () => {
    const index = indexOf({
      'a 1': 'roses by the old wall',
      'b 0': 'roses by the old door',
      ...Object.fromEntries(
        Array.from({ length: 120 }, (_, at) => [
          `lone${at} 1`,
          'roses among many other flowers here',
        ]),
      ),
      ...Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [
          `b ${at + 1}`,
          'roses among many other flowers here, trees and grass',
        ]),
      ),
    });
    const few = index.search('roses old', { groupedBy: 'group:', limit: 1 });
    expect(few.map(({ key }) => key)).toEqual(['b 0']);
    expect(index.search('roses old', { groupedBy: 'group:', limit: 200 })[0]).toEqual(few[0]);
  });

  it('does not reorder the hits of a query with only conditions', () => {
    const index = indexOf(grouped);
    expect(keysOf(index, '-tulips', 'group:')).toEqual(keysOf(index, '-tulips'));
  });
});

import { describe, expect, it } from 'vitest';
import { hashText } from '../../../src/platform/bytes/hash.js';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { createIndex, openIndex, type SearchIndex } from '../../../src/search/index.js';

/**
 * Text that mentions the queries of these tests more often than any document whose name they are.
 */
const MENTIONS = 'about_If and the garden plan, garden plan, garden plan. '.repeat(5);

function put(
  index: SearchIndex,
  key: string,
  names: readonly string[],
  text = 'Something else',
): void {
  const passage = [
    { name: 'title', text: names.join('\n'), weight: 1 },
    { name: 'text', text, weight: 1 },
  ];
  index.put({ key, hash: hashText(key + text), time: 0, labels: [], names, passages: [passage] });
}

function createNamed(): SearchIndex {
  const index = createIndex();
  put(index, 'mentions', ['Overview'], MENTIONS);
  put(index, 'plan', ['Garden plan', 'The beds']);
  put(index, 'longer', ['Garden plan for the winter']);
  put(index, 'if', ['about_If']);
  return index;
}

const first = (index: SearchIndex, query: string) => index.search(query)[0]?.key;

describe('the bonus for names', () => {
  it.each([
    ['Garden plan', 'plan'],
    ['garden  PLAN', 'plan'],
    ['"Garden plan"', 'plan'],
    ['Garden plan.md', 'plan'],
    ['the beds', 'plan'],
    ['garden plan for winter', 'longer'],
    ['about_If', 'if'],
  ])('puts the document that is named like %j first', (query, key) => {
    expect(first(createNamed(), query)).toBe(key);
  });

  it('is less than what several further words add', () => {
    const index = createNamed();
    put(
      index,
      'answer',
      ['Frost'],
      'When to water the garden according to the plan, before frost comes in autumn',
    );
    expect(first(index, 'when to water before frost in autumn, garden plan')).toBe('answer');
  });

  it('adds nothing to documents without names', () => {
    const index = createIndex();
    index.put({
      key: 'a',
      hash: [1, 1],
      time: 0,
      labels: [],
      passages: [[{ name: 'text', text: 'garden', weight: 1 }]],
    });
    expect(index.search('garden')).toMatchObject([{ key: 'a', score: 1 }]);
  });

  it('survives merging, deleting and storing', () => {
    const index = createNamed();
    for (let at = 0; at < 40; at++) put(index, `other ${at}`, [`Other ${at}`]);
    runToEnd(index.mergeSteps());
    put(index, 'late', ['A late name']);
    index.remove('longer');
    runToEnd(index.mergeSteps());
    const { manifest, blobs } = index.flush();
    const opened = openIndex(manifest, new Map(blobs.map(({ name, bytes }) => [name, bytes])));
    if (!('index' in opened)) throw new Error(opened.problem);
    expect(first(opened.index, 'Garden plan')).toBe('plan');
    expect(first(opened.index, 'other 7')).toBe('other 7');
    expect(first(opened.index, 'a late name')).toBe('late');
  });
});

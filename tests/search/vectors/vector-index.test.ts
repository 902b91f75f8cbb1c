import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import {
  createVectorIndex,
  openVectorIndex,
  type VectorIndex,
} from '../../../src/search/vectors/vector-index.js';

const DIMENSIONS = 8;

/** Returns a vector of length 127 along a column. */
const along = (column: number) =>
  Int8Array.from({ length: DIMENSIONS }, (_, at) => (at === column ? 127 : 0));
const between = (...columns: number[]) =>
  Int8Array.from({ length: DIMENSIONS }, (_, at) =>
    columns.includes(at) ? Math.round(127 / Math.sqrt(columns.length)) : 0,
  );

const nearest = (vectors: VectorIndex, query: Int8Array, options = {}) =>
  runToEnd(vectors.nearestSteps(query, { limit: 10, minSimilarity: 0, ...options }));
const keys = (vectors: VectorIndex, query: Int8Array, options = {}) =>
  nearest(vectors, query, options).nearest.map(({ key }) => key);

/** Flushes and reopens the index. */
function reopened(vectors: VectorIndex, records = new Map<string, Uint8Array<ArrayBuffer>>()) {
  const { manifest, blobs, obsolete } = vectors.flush();
  for (const { name, bytes } of blobs) records.set(name, bytes);
  for (const name of obsolete) records.delete(name);
  expect([...records.keys()].sort()).toEqual(manifest.chunks.map(({ name }) => name).sort());
  return openVectorIndex(DIMENSIONS, manifest, records);
}

describe('a vector index', () => {
  it('combines the similarity of a passage with that of its document', () => {
    const vectors = createVectorIndex(DIMENSIONS);
    vectors.put('one', [along(0)]);
    vectors.put('two', [along(1), along(0)]);
    vectors.put('none', [along(3)]);
    const { nearest: found, similarity } = nearest(vectors, along(0));
    expect(found.map(({ key, passage }) => [key, passage])).toEqual([
      ['one', 0],
      ['two', 1],
    ]);
    expect(
      [
        similarity('one', 0),
        similarity('two', 1),
        similarity('two', 0),
        similarity('none', 0),
        similarity('never', 0),
        similarity('one', 7),
      ].map((value) => value?.toFixed(2)),
    ).toEqual(['1.00', '0.79', '0.49', '0.00', undefined, '1.00']);
  });

  it('respects the limit, the minimum similarity and the filter', () => {
    const vectors = createVectorIndex(DIMENSIONS);
    vectors.put('far', [between(0, 1, 2)]);
    vectors.put('near', [between(0, 1)]);
    vectors.put('same', [along(0)]);
    expect(keys(vectors, along(0))).toEqual(['same', 'near', 'far']);
    expect(keys(vectors, along(0), { limit: 2 })).toEqual(['same', 'near']);
    expect(keys(vectors, along(0), { minSimilarity: 0.6 })).toEqual(['same', 'near']);
    expect(keys(vectors, along(0), { isAllowed: (key: string) => key !== 'same' })).toEqual([
      'near',
      'far',
    ]);
  });

  it('replaces changed documents, drops removed ones and keeps empty ones', () => {
    const vectors = createVectorIndex(DIMENSIONS);
    vectors.put('a', [along(0)]);
    vectors.put('a', [along(1)]);
    vectors.put('empty', []);
    vectors.put('b', [along(0)]);
    vectors.remove('b');
    expect([vectors.has('a'), vectors.has('empty'), vectors.has('b')]).toEqual([true, true, false]);
    expect([keys(vectors, along(0)), keys(vectors, along(1))]).toEqual([[], ['a']]);
    expect(vectors.keys().sort()).toEqual(['a', 'empty']);
  });

  it('returns similarities for documents that were merged or changed since', () => {
    const vectors = createVectorIndex(DIMENSIONS);
    for (let at = 0; at < 20; at++) {
      vectors.put(`${at}`, [along(at % 8), between(0, 1)]);
      if (at % 3 === 0) vectors.flush();
    }
    const { similarity } = nearest(vectors, along(0));
    const before = Array.from({ length: 20 }, (_, at) => similarity(`${at}`, 1));
    expect(before.every((value) => value !== undefined && value > 0.4)).toBe(true);
    vectors.put('more', [along(0)]);
    vectors.remove('7');
    vectors.flush();
    vectors.put('3', [along(0)]);
    const expected = before.slice();
    expected[7] = undefined;
    expected[3] = 1;
    expect(before.map((_, at) => similarity(`${at}`, 1))).toEqual(expected);
    expect(similarity('more', 0)).toBe(1);
  });

  it('matches an index built from scratch after any changes', () => {
    const change = fc.record({
      key: fc.integer({ min: 0, max: 12 }).map((number) => `n/${number}`),
      passages: fc.option(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 4 }), {
        nil: undefined,
      }),
      isFlushed: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 60 }),
        fc.integer({ min: 0, max: 7 }),
        (changes, column) => {
          let vectors = createVectorIndex(DIMENSIONS);
          const records = new Map<string, Uint8Array<ArrayBuffer>>();
          const expected = new Map<string, number[]>();
          for (const { key, passages, isFlushed } of changes) {
            if (passages) vectors.put(key, passages.map(along));
            else vectors.remove(key);
            if (passages) expected.set(key, passages);
            else expected.delete(key);
            if (isFlushed) vectors = reopened(vectors, records)!;
          }
          const fresh = createVectorIndex(DIMENSIONS);
          for (const [key, passages] of expected) fresh.put(key, passages.map(along));
          expect(vectors.keys().sort()).toEqual(fresh.keys().sort());
          const [found, right] = [nearest(vectors, along(column)), nearest(fresh, along(column))];
          for (const key of expected.keys())
            for (let at = 0; at < 4; at++)
              expect(found.similarity(key, at)).toBe(right.similarity(key, at));
          expect(new Set(found.nearest.map(({ key }) => key))).toEqual(
            new Set(right.nearest.map(({ key }) => key)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is merged into few blobs', () => {
    let vectors = createVectorIndex(DIMENSIONS);
    const records = new Map<string, Uint8Array<ArrayBuffer>>();
    for (let at = 0; at < 100; at++) {
      vectors.put(`${at}`, [along(at % 8)]);
      vectors = reopened(vectors, records)!;
    }
    expect(records.size).toBeLessThan(10);
    expect(vectors.keys()).toHaveLength(100);
  });

  it('is not opened if damaged, incomplete or of other dimensions', () => {
    const vectors = createVectorIndex(DIMENSIONS);
    for (let at = 0; at < 20; at++) vectors.put(`note ${at}`, [along(at % 8), along(0)]);
    const { manifest, blobs } = vectors.flush();
    const { name, bytes } = blobs[0]!;
    expect(openVectorIndex(DIMENSIONS, manifest, new Map([[name, bytes]]))?.keys()).toHaveLength(
      20,
    );
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = bytes.slice();
      damaged[at]! ^= 4;
      expect(openVectorIndex(DIMENSIONS, manifest, new Map([[name, damaged]]))).toBeUndefined();
    }
    for (const cut of [0, 3, 20, bytes.length - 4]) {
      expect(
        openVectorIndex(DIMENSIONS, manifest, new Map([[name, bytes.slice(0, cut)]])),
      ).toBeUndefined();
    }
    expect(openVectorIndex(DIMENSIONS, manifest, new Map())).toBeUndefined();
    expect(openVectorIndex(16, manifest, new Map([[name, bytes]]))).toBeUndefined();
  });
});

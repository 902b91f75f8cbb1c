import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps } from '../../../src/platform/byte-writer.js';
import { createVectors, openVectors, type Vectors } from '../../../src/search/vectors/vectors.js';

const DIMENSIONS = 8;

/** A unit vector, times 127, in the direction of one of the columns. */
const along = (column: number) =>
  Int8Array.from({ length: DIMENSIONS }, (_, at) => (at === column ? 127 : 0));
const between = (...columns: number[]) =>
  Int8Array.from({ length: DIMENSIONS }, (_, at) =>
    columns.includes(at) ? Math.round(127 / Math.sqrt(columns.length)) : 0,
  );

const nearest = (vectors: Vectors, query: Int8Array, options = {}) =>
  runSteps(vectors.nearestSteps(query, { most: 10, least: 0, ...options }));
const keys = (vectors: Vectors, query: Int8Array, options = {}) =>
  nearest(vectors, query, options).nearest.map(({ key }) => key);

/** Flushes, and opens what was kept. */
function reopened(vectors: Vectors, records = new Map<string, Uint8Array<ArrayBuffer>>()) {
  const { manifest, blobs, obsolete } = vectors.flush();
  for (const { name, bytes } of blobs) records.set(name, bytes);
  for (const name of obsolete) records.delete(name);
  expect([...records.keys()].sort()).toEqual(manifest.chunks.map(({ name }) => name).sort());
  return openVectors(DIMENSIONS, manifest, records);
}

describe('vectors', () => {
  it('find the nearest passage of each document, weighed with the document as a whole', () => {
    const vectors = createVectors(DIMENSIONS);
    vectors.put('one', [along(0)]);
    vectors.put('two', [along(1), along(0)]);
    vectors.put('none', [along(3)]);
    const { nearest: found, of } = nearest(vectors, along(0));
    expect(found.map(({ key, passage }) => [key, passage])).toEqual([
      ['one', 0],
      ['two', 1],
    ]);
    expect(
      [of('one', 0), of('two', 1), of('two', 0), of('none', 0), of('never', 0), of('one', 7)].map(
        (value) => value.toFixed(2),
      ),
    ).toEqual(['1.00', '0.79', '0.49', '0.00', '0.00', '1.00']);
  });

  it('keep to a number, to what is near enough and to what is allowed', () => {
    const vectors = createVectors(DIMENSIONS);
    vectors.put('far', [between(0, 1, 2)]);
    vectors.put('near', [between(0, 1)]);
    vectors.put('same', [along(0)]);
    expect(keys(vectors, along(0))).toEqual(['same', 'near', 'far']);
    expect(keys(vectors, along(0), { most: 2 })).toEqual(['same', 'near']);
    expect(keys(vectors, along(0), { least: 0.6 })).toEqual(['same', 'near']);
    expect(keys(vectors, along(0), { isAllowed: (key: string) => key !== 'same' })).toEqual([
      'near',
      'far',
    ]);
  });

  it('forget what is changed or removed, and know documents without any', () => {
    const vectors = createVectors(DIMENSIONS);
    vectors.put('a', [along(0)]);
    vectors.put('a', [along(1)]);
    vectors.put('empty', []);
    vectors.put('b', [along(0)]);
    vectors.remove('b');
    expect([vectors.has('a'), vectors.has('empty'), vectors.has('b')]).toEqual([true, true, false]);
    expect([keys(vectors, along(0)), keys(vectors, along(1))]).toEqual([[], ['a']]);
    expect(vectors.keys().sort()).toEqual(['a', 'empty']);
  });

  it('tell how near a passage is though it was put together with others, or changed, since it was asked', () => {
    const vectors = createVectors(DIMENSIONS);
    for (let at = 0; at < 20; at++) {
      vectors.put(`${at}`, [along(at % 8), between(0, 1)]);
      if (at % 3 === 0) vectors.flush();
    }
    const { of } = nearest(vectors, along(0));
    const before = Array.from({ length: 20 }, (_, at) => of(`${at}`, 1));
    expect(before.every((value) => value > 0.4)).toBe(true);
    vectors.put('more', [along(0)]);
    vectors.remove('7');
    vectors.flush();
    vectors.put('3', [along(0)]);
    expect(before.map((_, at) => of(`${at}`, 1))).toEqual(
      before.map((value, at) => (at === 7 ? 0 : at === 3 ? 1 : value)),
    );
    expect(of('more', 0)).toBe(1);
  });

  it('answer the same after any changes, flushes and openings as if made anew', () => {
    const change = fc.record({
      key: fc.integer({ min: 0, max: 12 }).map((number) => `n/${number}`),
      passages: fc.option(fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 4 }), {
        nil: undefined,
      }),
      isKept: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 60 }),
        fc.integer({ min: 0, max: 7 }),
        (changes, column) => {
          let vectors = createVectors(DIMENSIONS);
          const records = new Map<string, Uint8Array<ArrayBuffer>>();
          const expected = new Map<string, number[]>();
          for (const { key, passages, isKept } of changes) {
            if (passages) vectors.put(key, passages.map(along));
            else vectors.remove(key);
            if (passages) expected.set(key, passages);
            else expected.delete(key);
            if (isKept) vectors = reopened(vectors, records)!;
          }
          const anew = createVectors(DIMENSIONS);
          for (const [key, passages] of expected) anew.put(key, passages.map(along));
          expect(vectors.keys().sort()).toEqual(anew.keys().sort());
          const [found, right] = [nearest(vectors, along(column)), nearest(anew, along(column))];
          for (const key of expected.keys())
            for (let at = 0; at < 4; at++) expect(found.of(key, at)).toBe(right.of(key, at));
          expect(new Set(found.nearest.map(({ key }) => key))).toEqual(
            new Set(right.nearest.map(({ key }) => key)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('are few blobs, however often they are flushed', () => {
    let vectors = createVectors(DIMENSIONS);
    const records = new Map<string, Uint8Array<ArrayBuffer>>();
    for (let at = 0; at < 100; at++) {
      vectors.put(`${at}`, [along(at % 8)]);
      vectors = reopened(vectors, records)!;
    }
    expect(records.size).toBeLessThan(10);
    expect(vectors.keys()).toHaveLength(100);
  });

  it('are not opened where a byte is wrong, a blob is missing or the dimensions are others', () => {
    const vectors = createVectors(DIMENSIONS);
    for (let at = 0; at < 20; at++) vectors.put(`note ${at}`, [along(at % 8), along(0)]);
    const { manifest, blobs } = vectors.flush();
    const { name, bytes } = blobs[0]!;
    expect(openVectors(DIMENSIONS, manifest, new Map([[name, bytes]]))?.keys()).toHaveLength(20);
    for (let at = 0; at < bytes.length; at += 7) {
      const damaged = bytes.slice();
      damaged[at]! ^= 4;
      expect(openVectors(DIMENSIONS, manifest, new Map([[name, damaged]]))).toBeUndefined();
    }
    for (const cut of [0, 3, 20, bytes.length - 4]) {
      expect(
        openVectors(DIMENSIONS, manifest, new Map([[name, bytes.slice(0, cut)]])),
      ).toBeUndefined();
    }
    expect(openVectors(DIMENSIONS, manifest, new Map())).toBeUndefined();
    expect(openVectors(16, manifest, new Map([[name, bytes]]))).toBeUndefined();
  });
});

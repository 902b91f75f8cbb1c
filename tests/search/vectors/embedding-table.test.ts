import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packTable } from '../../../scripts/meaning/pack.mjs';
import * as symbols from '../../../src/search/vectors/rans-decoder.js';
import * as table from '../../../src/search/vectors/embedding-table.js';
import { packedTable } from '../../fakes/packed-table.js';
import { inFull } from '../../tier.js';

const testInFull = it.runIf(inFull('packing the table again'));

const format = { ...symbols, ...table };
const codeOf = new Map(Array.from({ length: 256 }, (_, code) => [table.codeToWeight(code), code]));

describe('openEmbeddingTable', () => {
  testInFull('reads the asset without loss: packing it gives the same text', () => {
    const packed = packedTable();
    const { dimensions, numberOf, rows, weights } = table.openEmbeddingTable(packed);
    const codes = Uint8Array.from(weights, (weight) => codeOf.get(weight) ?? NaN);
    expect(
      packTable({ pieces: [...numberOf.keys()], dimensions, rows, codes }, format) === packed,
    ).toBe(true);
  });

  it('reads any packed table', () => {
    const anyTable = fc
      .tuple(
        fc.uniqueArray(fc.stringMatching(/^[#a-z0-9]{1,12}$/), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 6 }),
      )
      .chain(([pieces, dimensions]) =>
        fc.record({
          pieces: fc.constant([...pieces].sort()),
          dimensions: fc.constant(dimensions),
          rows: fc.int8Array({
            minLength: pieces.length * dimensions,
            maxLength: pieces.length * dimensions,
            min: -31,
            max: 31,
          }),
          codes: fc.uint8Array({ minLength: pieces.length, maxLength: pieces.length }),
        }),
      );
    fc.assert(
      fc.property(anyTable, ({ pieces, dimensions, rows, codes }) => {
        const read = table.openEmbeddingTable(
          packTable({ pieces, dimensions, rows, codes }, format),
        );
        expect([...read.numberOf]).toEqual(pieces.map((piece, number) => [piece, number]));
        expect([read.dimensions, read.rows]).toEqual([dimensions, rows]);
        expect(read.weights).toEqual(Float64Array.from(codes, table.codeToWeight));
      }),
    );
  });

  it.each(['', 'not a table', '  "  '])('refuses %j', (text) => {
    expect(() => table.openEmbeddingTable(text)).toThrow(
      'This is not an embedding table of version 1.',
    );
  });

  it.each([
    ['that is truncated', (text: string) => text.slice(0, -2)],
    ['with trailing characters', (text: string) => `${text}ab`],
    [
      'with a changed character',
      (text: string) =>
        `${text.slice(0, 900_000)}${text[900_000] === 'a' ? 'b' : 'a'}${text.slice(900_001)}`,
    ],
  ])('refuses an asset %s', (_, damage) => {
    expect(() => table.openEmbeddingTable(damage(packedTable()))).toThrow(
      'The embedding table is damaged.',
    );
  });

  it('reads an asset that needs no escapes in a JavaScript string', () => {
    expect(/^[ -~]+$/.test(packedTable())).toBe(true);
    expect(/["\\`$]/.test(packedTable())).toBe(false);
  });

  it('reads an asset of at most 2.5 MB', () => {
    expect(packedTable().length).toBeLessThan(2_500_000);
  });
});

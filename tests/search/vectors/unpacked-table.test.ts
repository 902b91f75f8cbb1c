import { expect, it } from 'vitest';
import { openEmbeddingTable } from '../../../src/search/vectors/embedding-table.js';
import { decodeTable, encodeTable } from '../../../src/search/vectors/unpacked-table.js';
import { packedTable } from '../../fakes/packed-table.js';

const table = openEmbeddingTable(packedTable());

it('decodes what was encoded', () => {
  const decoded = decodeTable(encodeTable(table))!;
  expect(decoded.dimensions).toBe(table.dimensions);
  expect([...decoded.numberOf]).toEqual([...table.numberOf]);
  expect(decoded.weights).toEqual(table.weights);
  expect(Buffer.from(decoded.rows).equals(Buffer.from(table.rows))).toBe(true);
});

it.each<[string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>]>([
  ['cut off', (bytes) => bytes.slice(0, -1)],
  ['too long', (bytes) => new Uint8Array([...bytes, 0])],
  ['shorter than its header', (bytes) => bytes.slice(0, 8)],
  ['of another format', (bytes) => Uint8Array.from([9, ...bytes.slice(1)])],
  [
    'lacking a piece',
    (bytes) => bytes.map((byte, at) => (at > bytes.length - 200 && byte === 10 ? 32 : byte)),
  ],
])('decodes nothing from a table that is %s', (_, damage) => {
  expect(decodeTable(damage(encodeTable(table)))).toBeUndefined();
});

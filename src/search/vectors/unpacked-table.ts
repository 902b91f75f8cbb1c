import { decodeUtf8, encodeUtf8 } from '../text/utf8.js';
import type { EmbeddingTable } from './embedding-table.js';

const FORMAT = 1;
const HEADER_BYTES = 16;

/**
 * Encodes a table to be read without unpacking: four 32-bit numbers (format, dimensions, pieces,
 * bytes of text), the weights, the rows, and a line per piece, in this device's byte order.
 */
export function encodeTable({
  dimensions,
  numberOf,
  rows,
  weights,
}: EmbeddingTable): Uint8Array<ArrayBuffer> {
  const text = encodeUtf8([...numberOf.keys()].join('\n'));
  const bytes = new Uint8Array(HEADER_BYTES + weights.byteLength + rows.length + text.length);
  new Uint32Array(bytes.buffer, 0, 4).set([FORMAT, dimensions, weights.length, text.length]);
  new Float64Array(bytes.buffer, HEADER_BYTES, weights.length).set(weights);
  bytes.set(
    new Uint8Array(rows.buffer, rows.byteOffset, rows.length),
    HEADER_BYTES + weights.byteLength,
  );
  bytes.set(text, bytes.length - text.length);
  return bytes;
}

/** Returns undefined if it is damaged. `bytes` must begin at a multiple of eight in the buffer. */
export function decodeTable(bytes: Uint8Array<ArrayBuffer>): EmbeddingTable | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const { buffer, byteOffset } = bytes;
  const [format, dimensions = 0, count = 0, textBytes = 0] = new Uint32Array(buffer, byteOffset, 4);
  const rowsAt = HEADER_BYTES + count * Float64Array.BYTES_PER_ELEMENT;
  const textAt = rowsAt + count * dimensions;
  if (format !== FORMAT || bytes.length !== textAt + textBytes) return undefined;
  const pieces = decodeUtf8(bytes.subarray(textAt)).split('\n');
  if (pieces.length !== count) return undefined;
  return {
    dimensions,
    numberOf: new Map(pieces.map((piece, number) => [piece, number])),
    rows: new Int8Array(buffer, byteOffset + rowsAt, count * dimensions),
    weights: new Float64Array(buffer, byteOffset + HEADER_BYTES, count),
  };
}

import { runToEnd } from '../../platform/run-sliced.js';
import { createSymbolReader, type SymbolModel, type SymbolReader } from './rans-decoder.js';

export const TABLE_VERSION = 1;
/** Letters of word pieces; the symbol after them ends a piece. */
export const LETTERS = '#0123456789abcdefghijklmnopqrstuvwxyz';
const END_OF_PIECE = LETTERS.length;

/** A vector per word piece; the vector of a text is the weighted sum of its pieces' vectors. */
export interface EmbeddingTable {
  readonly dimensions: number;
  /** Number of each piece's row; pieces are in sorted order. */
  readonly numberOf: ReadonlyMap<string, number>;
  /** Row after row, `dimensions` integers each. */
  readonly rows: Int8Array;
  /** Weight of each row, which is small for pieces that occur in every text. */
  readonly weights: Float64Array;
}

/**
 * Reads a packed table (assets/meaning.txt), in a tenth of a second or more. It begins with the
 * version and the numbers of dimensions, pieces and letters, and the symbol models of the columns
 * and of the rest. The symbols are each piece's length shared with the one before, its other
 * letters, the weights, and the rows column by column.
 * @throws RangeError if it is a table of another version, or damaged.
 */
export function openEmbeddingTable(packed: string): EmbeddingTable {
  return runToEnd(openEmbeddingTableSteps(packed));
}

/** Like `openEmbeddingTable`, with about a millisecond of work per step. */
export function* openEmbeddingTableSteps(packed: string): Generator<undefined, EmbeddingTable> {
  const reader = createSymbolReader(packed);
  const version = reader.word();
  if (version !== TABLE_VERSION)
    throw new RangeError(`This is not an embedding table of version ${TABLE_VERSION}.`);
  const dimensions = reader.word();
  const count = longWord(reader);
  const letterCount = longWord(reader);
  const columnModels = Array.from({ length: dimensions }, () => readModel(reader));
  const sharedModel = readModel(reader);
  const letterModel = readModel(reader);
  const weightModel = readModel(reader);
  reader.begin();

  const shared = new Uint8Array(count);
  reader.values(sharedModel, count, shared);
  const letters = new Uint8Array(letterCount);
  reader.values(letterModel, letterCount, letters);
  const codes = new Uint8Array(count);
  reader.values(weightModel, count, codes);
  const rows = new Int8Array(count * dimensions);
  for (const [column, model] of columnModels.entries()) {
    reader.values(model, count, rows, column, dimensions);
    yield;
  }
  if (!reader.isAtEnd()) throw new RangeError('The embedding table is damaged.');
  const numberOf = yield* numberPieces(shared, letters);
  return { dimensions, numberOf, rows, weights: Float64Array.from(codes, codeToWeight) };
}

/** Decodes four bits of binary exponent and four of mantissa, exact on every host. */
export function codeToWeight(code: number): number {
  return (16 + (code & 15)) / 2 ** (code >> 4);
}

/** Reads the lowest value (plus 4,096), the number of values, and the frequency of each. */
function readModel(reader: SymbolReader): SymbolModel {
  const lowest = reader.word() - 4096;
  return { lowest, frequencies: Array.from({ length: reader.word() }, () => reader.word()) };
}

function longWord(reader: SymbolReader): number {
  return reader.word() * 8192 + reader.word();
}

const SLICE_PIECES = 2048;

function* numberPieces(
  shared: Uint8Array,
  letters: Uint8Array,
): Generator<undefined, Map<string, number>> {
  const numberOf = new Map<string, number>();
  let piece = '';
  let at = 0;
  for (let number = 0; number < shared.length; number++) {
    piece = piece.slice(0, shared[number]);
    for (; letters[at] !== END_OF_PIECE; at++) piece += LETTERS.charAt(letters[at]!);
    at++;
    numberOf.set(piece, number);
    if (number % SLICE_PIECES === 0) yield;
  }
  return numberOf;
}

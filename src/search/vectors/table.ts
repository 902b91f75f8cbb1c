import { runSteps } from '../../platform/byte-writer.js';
import { createSymbolReader, type SymbolModel, type SymbolReader } from './symbols.js';

/** Of the packed form: a table of another version is not read. */
export const TABLE_VERSION = 1;
/** The letters of which pieces are made; after them, as a symbol, the end of a piece. */
export const LETTERS = '#0123456789abcdefghijklmnopqrstuvwxyz';
const END = LETTERS.length;

/** A vector for each word piece, to be added up over a text. */
export interface MeaningTable {
  readonly dimensions: number;
  /** Pieces, in sorted order, and the numbers of their rows. */
  readonly numberOf: ReadonlyMap<string, number>;
  /** Row after row, `dimensions` whole numbers each. */
  readonly rows: Int8Array;
  /** What a row is multiplied by: small for pieces that stand in every text. */
  readonly weights: Float64Array;
}

/**
 * Reads a packed table (assets/meaning.txt): version, dimensions, pieces, letters; then models and symbols for the lengths
 * that a piece shares with the one before, for the rest of its letters, for the weights, and for each column of the rows.
 * Takes a tenth of a second or more. @throws RangeError for anything else
 */
export function openTable(packed: string): MeaningTable {
  return runSteps(openTableSteps(packed));
}

/** The same a slice of work at a time: a millisecond or so in each step. */
export function* openTableSteps(packed: string): Generator<undefined, MeaningTable> {
  const reader = createSymbolReader(packed);
  const version = reader.word();
  if (version !== TABLE_VERSION)
    throw new RangeError(`This is no table of meaning of version ${TABLE_VERSION}.`);
  const dimensions = reader.word();
  const count = longWord(reader);
  const letterCount = longWord(reader);
  const columnModels = Array.from({ length: dimensions }, () => readModel(reader));
  const [sharedModel, letterModel, weightModel] = [
    readModel(reader),
    readModel(reader),
    readModel(reader),
  ];
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
  if (!reader.isAtEnd()) throw new RangeError('This table of meaning is damaged.');
  const numberOf = yield* numberPieces(shared, letters);
  return { dimensions, numberOf, rows, weights: Float64Array.from(codes, codeToWeight) };
}

/** A weight as a byte: four bits of binary exponent, four of mantissa; no power that hosts might round differently. */
export function codeToWeight(code: number): number {
  return (16 + (code & 15)) / 2 ** (code >> 4);
}

/** The lowest value (plus 4,096), the number of values, and the frequency of each. */
function readModel(reader: SymbolReader): SymbolModel {
  const lowest = reader.word() - 4096;
  return { lowest, frequencies: Array.from({ length: reader.word() }, () => reader.word()) };
}

function longWord(reader: SymbolReader): number {
  return reader.word() * 8192 + reader.word();
}

const NUMBERED_AT_ONCE = 2048;

function* numberPieces(
  shared: Uint8Array,
  letters: Uint8Array,
): Generator<undefined, Map<string, number>> {
  const numberOf = new Map<string, number>();
  let piece = '';
  let at = 0;
  for (let number = 0; number < shared.length; number++) {
    piece = piece.slice(0, shared[number]);
    for (; letters[at] !== END; at++) piece += LETTERS.charAt(letters[at]!);
    at++;
    numberOf.set(piece, number);
    if (number % NUMBERED_AT_ONCE === 0) yield;
  }
  return numberOf;
}

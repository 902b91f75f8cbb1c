/**
 * Packs the table into printable text, a format that src/search/vectors/embedding-table.ts
 * documents and reads.
 */

/**
 * @param {{pieces: string[], dimensions: number, rows: Int8Array, codes: Uint8Array}} table sorted
 * pieces, each with a row and a code
 * @param format the reader's constants: TABLE_VERSION, LETTERS, DIGITS, FREQUENCY_BITS, WORD_BITS,
 * MIN_STATE
 */
export function packTable({ pieces, dimensions, rows, codes }, format) {
  const { LETTERS, TABLE_VERSION } = format;
  const shared = pieces.map((piece, index) => sharedLength(pieces[index - 1] ?? '', piece));
  const letters = pieces.flatMap((piece, index) => [
    ...[...piece.slice(shared[index])].map((letter) => LETTERS.indexOf(letter)),
    LETTERS.length,
  ]);
  const columns = Array.from({ length: dimensions }, (_, column) =>
    pieces.map((_, row) => rows[row * dimensions + column]),
  );
  const streams = [shared, letters, [...codes], ...columns].map((values) => ({
    values,
    model: modelOf(values, format),
  }));
  const models = [...streams.slice(3), ...streams.slice(0, 3)].flatMap(({ model }) => model.words);
  const header = [
    TABLE_VERSION,
    dimensions,
    ...longWord(pieces.length),
    ...longWord(letters.length),
    ...models,
  ];
  return [...header, ...encode(streams, format)].map((word) => wordToText(word, format)).join('');
}

function sharedLength(one, other) {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

const longWord = (value) => [Math.floor(value / 8192), value % 8192];
const wordToText = (word, { DIGITS }) =>
  DIGITS[Math.floor(word / DIGITS.length)] + DIGITS[word % DIGITS.length];

/** Frequencies of the values, scaled to 2^FREQUENCY_BITS; a value that occurs gets at least one. */
function modelOf(values, { FREQUENCY_BITS }) {
  const total = 1 << FREQUENCY_BITS;
  const lowest = values.reduce((least, value) => Math.min(least, value), Infinity);
  const highest = values.reduce((most, value) => Math.max(most, value), -Infinity);
  const counts = new Array(highest - lowest + 1).fill(0);
  for (const value of values) counts[value - lowest]++;
  const frequencies = counts.map((count) =>
    count === 0 ? 0 : Math.max(1, Math.round((count / values.length) * total)),
  );
  const most = frequencies.indexOf(Math.max(...frequencies));
  frequencies[most] += total - frequencies.reduce((sum, frequency) => sum + frequency, 0);
  const starts = frequencies.map((_, index) =>
    frequencies.slice(0, index).reduce((sum, frequency) => sum + frequency, 0),
  );
  return {
    lowest,
    frequencies,
    starts,
    words: [lowest + total, frequencies.length, ...frequencies],
  };
}

/** Encodes from the last symbol to the first, because the decoder reads them in reverse. */
function encode(streams, { FREQUENCY_BITS, WORD_BITS, MIN_STATE }) {
  const words = [];
  let state = MIN_STATE;
  for (const { values, model } of [...streams].reverse()) {
    for (let index = values.length - 1; index >= 0; index--) {
      const frequency = model.frequencies[values[index] - model.lowest];
      while (state >= (MIN_STATE >> FREQUENCY_BITS) * frequency * 2 ** WORD_BITS) {
        words.push(state & (2 ** WORD_BITS - 1));
        state >>>= WORD_BITS;
      }
      state =
        Math.floor(state / frequency) * 2 ** FREQUENCY_BITS +
        (state % frequency) +
        model.starts[values[index] - model.lowest];
    }
  }
  words.push(state & 15, (state >>> 4) & (2 ** WORD_BITS - 1), state >>> (4 + WORD_BITS));
  return words.reverse();
}

/**
 * Small numbers in printable text. Two characters are one word of 13 bits; the words feed a range coder of the rANS
 * kind, whose state stays below 2^30, so that plain integers do. A symbol of frequency f (out of 4,096) costs
 * 12 - log2(f) bits.
 */
export const FREQUENCY_BITS = 12;
export const WORD_BITS = 13;
/** The state is topped up by a word when it falls below this; with it the writer begins, so with it the reader ends. */
export const LOWEST_STATE = 1 << 17;

/** Printable characters that need no escape in any kind of JavaScript string; 91 x 91 pairs are more than 2^13. */
export const DIGITS = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at))
  .filter((character) => !'"\\`$'.includes(character))
  .join('');

/** How often each of the values from `lowest` on occurs. */
export interface SymbolModel {
  readonly lowest: number;
  /** They sum up to 4,096. */
  readonly frequencies: readonly number[];
}

export interface SymbolReader {
  /** The next 13 bits as they are; only before `begin`. */
  readonly word: () => number;
  /** What follows are values, coded. */
  readonly begin: () => void;
  /** Fills every `step`th place of `target` from `from` on with the next `count` values. */
  readonly values: (
    model: SymbolModel,
    count: number,
    target: Uint8Array | Int8Array,
    from?: number,
    step?: number,
  ) => void;
  /** Whether all was read and is what was written. */
  readonly isAtEnd: () => boolean;
}

export function createSymbolReader(text: string): SymbolReader {
  const digits = new Uint8Array(128);
  for (let at = 0; at < DIGITS.length; at++) digits[DIGITS.charCodeAt(at)] = at;
  let at = 0;
  let state = 0;
  const word = () =>
    digits[text.charCodeAt(at++) & 127]! * DIGITS.length + digits[text.charCodeAt(at++) & 127]!;
  return {
    word,
    begin() {
      state = ((word() << WORD_BITS) | word()) * 16 + (word() & 15);
    },
    values({ lowest, frequencies }, count, target, from = 0, step = 1) {
      const { values, sizes, offsets } = slotsOf(lowest, frequencies);
      const mask = (1 << FREQUENCY_BITS) - 1;
      for (let left = count, place = from; left > 0; left--, place += step) {
        const slot = state & mask;
        target[place] = values[slot]!;
        state = sizes[slot]! * (state >>> FREQUENCY_BITS) + offsets[slot]!;
        if (state < LOWEST_STATE) state = (state << WORD_BITS) | word();
      }
    },
    isAtEnd: () => at === text.length && state === LOWEST_STATE,
  };
}

/** For each of the 4,096 slots: the value it belongs to, that value's frequency, and the slot's place among the value's own. */
function slotsOf(lowest: number, frequencies: readonly number[]) {
  const values = new Int16Array(1 << FREQUENCY_BITS);
  const sizes = new Uint16Array(1 << FREQUENCY_BITS);
  const offsets = new Uint16Array(1 << FREQUENCY_BITS);
  let slot = 0;
  for (const [index, frequency] of frequencies.entries()) {
    for (let offset = 0; offset < frequency; offset++, slot++) {
      values[slot] = lowest + index;
      sizes[slot] = frequency;
      offsets[slot] = offset;
    }
  }
  return { values, sizes, offsets };
}

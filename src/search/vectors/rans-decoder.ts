/**
 * Decodes small numbers from printable text with rANS (range asymmetric numeral systems). Two
 * characters encode a 13-bit word; the state stays below 2^30, so that plain integers suffice. A
 * symbol with frequency f (of 4,096) takes 12 - log2(f) bits.
 */
export const FREQUENCY_BITS = 12;
export const WORD_BITS = 13;
/** A lower state is refilled with a word. The encoder starts and the decoder ends with it. */
export const MIN_STATE = 1 << 17;

/** Printable characters that need no escape in any JavaScript string; 91 x 91 pairs exceed 2^13. */
export const DIGITS = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at))
  .filter((character) => !'"\\`$'.includes(character))
  .join('');

/** Frequencies of the values from `lowest` on. */
export interface SymbolModel {
  readonly lowest: number;
  /** Their sum is 4,096. */
  readonly frequencies: readonly number[];
}

export type SymbolReader = ReturnType<typeof createSymbolReader>;

export function createSymbolReader(text: string) {
  const digits = new Uint8Array(128);
  for (let at = 0; at < DIGITS.length; at++) digits[DIGITS.charCodeAt(at)] = at;
  let next = 0;
  let state = 0;
  /** Returns the next 13-bit word without decoding it; only before `begin`. */
  const word = () =>
    digits[text.charCodeAt(next++) & 127]! * DIGITS.length + digits[text.charCodeAt(next++) & 127]!;
  return {
    word,
    /** Starts decoding. Do not call `word` afterwards. */
    begin(): void {
      state = ((word() << WORD_BITS) | word()) * 16 + (word() & 15);
    },
    /** Decodes `count` values into every `step`th element of `target`, from `from` on. */
    values(
      { lowest, frequencies }: SymbolModel,
      count: number,
      target: Uint8Array | Int8Array,
      from = 0,
      step = 1,
    ): void {
      const { values, sizes, offsets } = slotsOf(lowest, frequencies);
      const mask = (1 << FREQUENCY_BITS) - 1;
      for (let left = count, at = from; left > 0; left--, at += step) {
        const slot = state & mask;
        target[at] = values[slot]!;
        state = sizes[slot]! * (state >>> FREQUENCY_BITS) + offsets[slot]!;
        if (state < MIN_STATE) state = (state << WORD_BITS) | word();
      }
    },
    /** Returns true if everything was read and decoded without damage. */
    isAtEnd: () => next === text.length && state === MIN_STATE,
  };
}

/** Per slot (of 4,096): its value, the value's frequency, and its offset in the value's slots. */
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

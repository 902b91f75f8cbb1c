import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { risingTextReader, textReader } from '../../src/storage/texts.js';

const encode = (text: string) => new TextEncoder().encode(text);

describe('reading one text after another', () => {
  it('gives what reading each by itself gives, whatever the characters and however long the texts', () => {
    const anyText = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('a'.repeat(70_000), `${'b'.repeat(65_530)}é`, '\uFEFFmark'),
    );
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 8 }), (texts) => {
        const bytes = encode(texts.join(''));
        const [rising, single] = [risingTextReader(bytes), textReader(bytes)];
        let from = 0;
        for (const text of texts) {
          const to = from + encode(text).length;
          expect(rising(from, to)).toBe(single(from, to));
          from = to;
        }
      }),
      { numRuns: 200 },
    );
  });

  it('refuses what is no UTF-8, and reads what stands before and behind it', () => {
    const bytes = Uint8Array.of(0x61, 0xff, 0x62);
    const read = risingTextReader(bytes);
    expect(read(0, 1)).toBe('a');
    expect(() => read(1, 2)).toThrow(TypeError);
    expect([read(2, 3), read(0, 1)]).toEqual(['b', 'a']);
  });
});

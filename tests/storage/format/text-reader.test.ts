import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sequentialTextReader, textReader } from '../../../src/storage/format/text-reader.js';

const encode = (text: string) => new TextEncoder().encode(text);

describe('sequentialTextReader', () => {
  it('returns the same texts as decoding each separately', () => {
    const anyText = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('a'.repeat(70_000), `${'b'.repeat(65_530)}é`, '\uFEFFmark'),
    );
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 8 }), (texts) => {
        const bytes = encode(texts.join(''));
        const [rising, single] = [sequentialTextReader(bytes), textReader(bytes)];
        let from = 0;
        for (const text of texts) {
          const to = from + encode(text).length;
          expect([rising(from, to), single(from, to)]).toEqual([text, text]);
          from = to;
        }
      }),
      { numRuns: 200 },
    );
  });

  it('reads thousands of ASCII texts in order, then any range again', () => {
    const texts = Array.from({ length: 3000 }, (_, at) => `text ${at} `.padEnd(at % 100, '.'));
    const bytes = encode(texts.join(''));
    const read = sequentialTextReader(bytes);
    let from = 0;
    for (const text of texts) expect(read(from, (from += text.length))).toBe(text);
    expect(read(0, texts[0]!.length)).toBe(texts[0]);
    expect(read(from - 4, from)).toBe(texts.at(-1)!.slice(-4));
    expect(read(0, bytes.length)).toBe(texts.join(''));
  });

  it('throws for bytes that are not UTF-8, and reads those around them', () => {
    const bytes = Uint8Array.of(0x61, 0xff, 0x62);
    const read = sequentialTextReader(bytes);
    expect(read(0, 1)).toBe('a');
    expect(() => read(1, 2)).toThrow(TypeError);
    expect([read(2, 3), read(0, 1)]).toEqual(['b', 'a']);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { sortedByBytes } from '../../../src/platform/bytes/sort-by-bytes.js';

describe('sortedByBytes', () => {
  const byBytes = (texts: readonly string[]) =>
    [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

  it('sorts by UTF-8 bytes, not by UTF-16 units', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('a', '\uff21', '\u{1f339}', '\ufb01x', '\u{10000}'),
    );
    fc.assert(
      fc.property(fc.uniqueArray(text), (texts) => {
        expect(runToEnd(sortedByBytes(texts))).toEqual(byBytes(texts));
      }),
    );
  });

  it.each(['', '\u{1f339}'])('sorts more than one batch that contains a text with %j', (more) => {
    const texts = [
      ...Array.from({ length: 5000 }, (_, at) => `\uff21${(at * 7919) % 5003}`),
      `${more}z`,
    ];
    expect(runToEnd(sortedByBytes(texts))).toEqual(byBytes(texts));
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createByteWriter,
  createChunkedWriter,
  hashSteps,
  hashText,
  runToEnd,
  sortedByBytes,
} from '../../src/platform/byte-writer.js';

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

  it.each(['', '\u{1f339}'])('sorts more than one batch, with %j in it', (more) => {
    const texts = [
      ...Array.from({ length: 5000 }, (_, at) => `\uff21${(at * 7919) % 5003}`),
      `${more}z`,
    ];
    expect(runToEnd(sortedByBytes(texts))).toEqual(byBytes(texts));
  });
});

describe('a chunked writer', () => {
  it('contains the same bytes as a plain writer', () => {
    const [long, whole] = [createChunkedWriter(), createByteWriter()];
    const piece = Uint8Array.from({ length: 700_000 }, (_, at) => at % 251);
    for (let round = 0; round < 5; round++) {
      for (const writer of [long, whole]) {
        writer.byte(round);
        writer.varint(round * 1_000_003);
        writer.bytes(piece, round);
      }
      expect(long.length()).toBe(whole.length());
      long.cut();
    }
    expect(long.parts().length).toBeGreaterThan(2);
    expect(Buffer.compare(Buffer.concat(long.parts()), whole.written())).toBe(0);
  });
});

describe('hashSteps', () => {
  const hashOf = (text: string) => runToEnd(hashSteps(text, [1, 2]));

  it('hashes a short text like hashText', () => {
    expect(hashOf('roses')).toEqual(hashText('roses', [1, 2]));
  });

  it.each([0, 700_000, 1_499_999])('distinguishes long texts that differ only at %i', (at) => {
    const text = 'roses by the wall. '.repeat(80_000).slice(0, 1_500_000);
    expect(hashOf(`${text.slice(0, at)}#${text.slice(at + 1)}`)).not.toEqual(hashOf(text));
  });
});

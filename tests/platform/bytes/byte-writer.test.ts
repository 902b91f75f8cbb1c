import { describe, expect, it } from 'vitest';
import { createByteWriter, createChunkedWriter } from '../../../src/platform/bytes/byte-writer.js';

describe('createChunkedWriter', () => {
  it('writes the same bytes as createByteWriter', () => {
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

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32, CRC_START, crcText, finishCrc, updateCrc } from '../../src/platform/crc32.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The bitwise definition of CRC-32. */
function slowCrc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describe('crc32', () => {
  it('returns known check values', () => {
    expect(crcText(crc32(bytesOf('123456789')))).toBe('cbf43926');
    expect(crcText(crc32(bytesOf('')))).toBe('00000000');
    expect(crcText(crc32(bytesOf('The quick brown fox jumps over the lazy dog')))).toBe('414fa339');
  });

  it('matches the bitwise definition for any range', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(60), fc.nat(60), (bytes, a, b) => {
        const [start, end] = [Math.min(a, b, bytes.length), Math.min(Math.max(a, b), bytes.length)];
        expect(crc32(bytes, start, end)).toBe(slowCrc32(bytes.slice(start, end)));
      }),
    );
  });

  it('returns the same value for parts as for the whole', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(60), (bytes, cut) => {
        const at = Math.min(cut, bytes.length);
        const running = updateCrc(updateCrc(CRC_START, bytes, 0, at), bytes, at, bytes.length);
        expect(finishCrc(running)).toBe(crc32(bytes));
      }),
    );
  });
});

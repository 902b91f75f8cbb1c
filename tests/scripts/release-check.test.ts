import { describe, expect, it } from 'vitest';
import { pictureProblems } from '../../scripts/release-check.mjs';

describe("the store's pictures", () => {
  const png = (width: number, height: number) => {
    const bytes = Buffer.from('\x89PNG\r\n\x1a\n____IHDR________', 'latin1');
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };
  const wide = { 'some-1200x800.png': png(1200, 800) };
  const tall = { 'some-900x1600.png': png(900, 1600) };

  it('have no problem with the sizes in their names', () => {
    expect(pictureProblems({ ...wide, ...tall })).toEqual([]);
  });

  it('are refused with another size', () => {
    expect(pictureProblems({ ...wide, ...tall, 'other-900x1600.png': png(360, 640) })).toEqual([
      "The store's picture other-900x1600.png has 360x640 pixels.",
    ]);
  });

  it('are refused if there is none of a size', () => {
    expect(pictureProblems(wide)).toEqual(["The store's pictures have none of 900x1600."]);
  });
});

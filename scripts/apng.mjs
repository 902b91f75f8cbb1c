/** Writes animated PNG files: https://www.w3.org/TR/png-3/#apng-frame-based-animation */
import { chunk, compress, decode, header, SIGNATURE, uint32 } from './png.mjs';

/**
 * Returns an animated PNG that repeats forever. The first frame is stored completely, each other
 * one as the rectangle that differs from the frame before. A frame without a difference prolongs
 * the one before.
 * @param {readonly { png: Buffer, milliseconds: number }[]} frames Screenshots of the same size.
 * @returns {Buffer}
 */
export function animate(frames) {
  const [first, ...others] = differences(frames);
  if (first === undefined) throw new Error('An animation needs a frame.');
  let sequence = 0;
  const next = () => uint32(sequence++);
  const control = ({ x, y, image, milliseconds }) => {
    const delay = Buffer.alloc(6); // the last two bytes mean: keep the canvas, replace its pixels
    delay.writeUInt16BE(milliseconds, 0);
    delay.writeUInt16BE(1000, 2);
    const place = uint32(image.width, image.height, x, y);
    return chunk('fcTL', Buffer.concat([next(), place, delay]));
  };
  return Buffer.concat([
    SIGNATURE,
    header(first.image),
    chunk('acTL', uint32(1 + others.length, 0)),
    control(first),
    chunk('IDAT', compress(first.image)),
    ...others.flatMap((frame) => [
      control(frame),
      chunk('fdAT', Buffer.concat([next(), compress(frame.image)])),
    ]),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Returns the changed part of each frame, with its place. */
function differences(frames) {
  const parts = [];
  let before;
  for (const { png, milliseconds } of frames) {
    const image = decode(png);
    if (before && ['width', 'height', 'channels'].some((key) => image[key] !== before[key]))
      throw new Error('All frames of an animation must have the same size and channels.');
    const place = before
      ? changedPlace(before, image)
      : { x: 0, y: 0, width: image.width, height: image.height };
    if (place) parts.push({ x: place.x, y: place.y, image: cut(image, place), milliseconds });
    else parts.at(-1).milliseconds += milliseconds;
    before = image;
  }
  return parts;
}

/** Returns the smallest rectangle with all pixels that differ, or undefined if none do. */
function changedPlace(before, after) {
  const { width, height, channels } = after;
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (y * width + x) * channels;
      if (before.pixels.compare(after.pixels, at, at + channels, at, at + channels) === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return bottom < 0
    ? undefined
    : { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function cut({ width, channels, pixels }, place) {
  const rows = Array.from({ length: place.height }, (_, row) => {
    const start = ((place.y + row) * width + place.x) * channels;
    return pixels.subarray(start, start + place.width * channels);
  });
  return { width: place.width, height: place.height, channels, pixels: Buffer.concat(rows) };
}

/**
 * Reads and writes PNG files with 8 bits per channel and without interlacing, as browsers write
 * them.
 */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

export const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Channels per pixel, by the colour type of the header. */
const CHANNELS = { 2: 3, 6: 4 };

/**
 * An image without compression: rows of pixels from top to bottom.
 * @typedef {{ width: number, height: number, channels: number, pixels: Buffer }} Image
 */

/**
 * Returns a chunk with its length and checksum.
 * @param {string} type
 * @param {Buffer} data
 */
export function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

/** @param {number[]} values */
export function uint32(...values) {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
}

/**
 * Returns width and height from the header of a PNG file. Throws if it is none.
 * @param {Buffer} png
 * @returns {{ width: number, height: number }}
 */
export function sizeOf(png) {
  const isPng = png.subarray(0, 8).equals(SIGNATURE) && png.toString('latin1', 12, 16) === 'IHDR';
  if (!isPng) throw new Error('This is no PNG file.');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

/**
 * Returns the header chunk of an image.
 * @param {Image} image
 */
export function header({ width, height, channels }) {
  const colourType = channels === 4 ? 6 : 2;
  return chunk(
    'IHDR',
    Buffer.concat([uint32(width, height), Buffer.from([8, colourType, 0, 0, 0])]),
  );
}

/**
 * Decodes a PNG file.
 * @param {Buffer} png
 * @returns {Image}
 */
export function decode(png) {
  const { width, height } = sizeOf(png);
  const [depth, colourType, , , interlacing] = png.subarray(24, 29);
  const channels = CHANNELS[colourType];
  if (depth !== 8 || channels === undefined || interlacing !== 0)
    throw new Error(`Cannot read a PNG of depth ${depth} and colour type ${colourType}.`);
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const rows = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const predict = PREDICTORS[rows[y * (stride + 1)]];
    for (let x = 0; x < stride; x++)
      pixels[y * stride + x] =
        rows[y * (stride + 1) + 1 + x] +
        predicted(predict, pixels, y * stride + x, x, stride, channels);
  }
  return { width, height, channels, pixels };
}

/**
 * Returns the compressed pixels of an image, as an IDAT chunk contains them: of two ways to filter
 * them, the shorter result.
 * @param {Image} image
 * @returns {Buffer}
 */
export function compress(image) {
  const results = [[0], [0, 1, 2, 3, 4]].map((filters) =>
    deflateSync(filtered(image, filters), { level: 9, memLevel: 9 }),
  );
  return results[0].length <= results[1].length ? results[0] : results[1];
}

/** Returns the rows, each with the filter of `filters` that leaves the smallest differences. */
function filtered({ width, height, channels, pixels }, filters) {
  const stride = width * channels;
  const rows = Buffer.alloc((stride + 1) * height);
  const row = Buffer.alloc(stride);
  for (let y = 0; y < height; y++) {
    let smallest = Infinity;
    for (const filter of filters) {
      let sum = 0;
      for (let x = 0; x < stride; x++) {
        const at = y * stride + x;
        row[x] = pixels[at] - predicted(PREDICTORS[filter], pixels, at, x, stride, channels);
        sum += Math.min(row[x], 256 - row[x]);
      }
      if (sum >= smallest) continue;
      smallest = sum;
      rows[y * (stride + 1)] = filter;
      row.copy(rows, y * (stride + 1) + 1);
    }
  }
  return rows;
}

/**
 * The filters of PNG by number: each predicts a byte from those to the left, above, and above left.
 */
const PREDICTORS = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const estimate = left + above - corner;
    const toLeft = Math.abs(estimate - left);
    const toAbove = Math.abs(estimate - above);
    const toCorner = Math.abs(estimate - corner);
    if (toLeft <= toAbove && toLeft <= toCorner) return left;
    return toAbove <= toCorner ? above : corner;
  },
];

/** Returns what a filter predicts for the byte at `at`, which is the byte `x` of its row. */
function predicted(predict, pixels, at, x, stride, channels) {
  const isFirst = x < channels;
  const isTop = at < stride;
  return predict(
    isFirst ? 0 : pixels[at - channels],
    isTop ? 0 : pixels[at - stride],
    isFirst || isTop ? 0 : pixels[at - stride - channels],
  );
}

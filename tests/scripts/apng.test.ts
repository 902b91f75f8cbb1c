import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { animate } from '../../scripts/apng.mjs';
import { decode, sizeOf } from '../../scripts/png.mjs';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const WIDTH = 5;
const HEIGHT = 4;

/** A chunk, with the checksum that the file has and the one that it must have. */
interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  readonly checksum: number;
  readonly expected: number;
}

/** Reads chunks without the code under test. */
function chunksOf(file: Buffer): Chunk[] {
  expect(file.subarray(0, 8)).toEqual(SIGNATURE);
  const chunks: Chunk[] = [];
  let at = 8;
  while (at < file.length) {
    const end = at + 8 + file.readUInt32BE(at);
    chunks.push({
      type: file.toString('latin1', at + 4, at + 8),
      data: file.subarray(at + 8, end),
      checksum: file.readUInt32BE(end),
      expected: crc32(file.subarray(at + 4, end)),
    });
    at = end + 4;
  }
  expect(at).toBe(file.length);
  return chunks;
}

const typesOf = (file: Buffer) => chunksOf(file).map(({ type }) => type);

/** Returns what a viewer shows after each frame, as hexadecimal bytes, and for how long. */
function play(file: Buffer): { canvas: string; milliseconds: number; area: number }[] {
  const chunks = chunksOf(file);
  const width = chunks[0]!.data.readUInt32BE(0);
  const channels = chunks[0]!.data[9] === 6 ? 4 : 3;
  const canvas = Buffer.alloc(width * chunks[0]!.data.readUInt32BE(4) * channels);
  const shown: ReturnType<typeof play> = [];
  let control: Buffer = Buffer.alloc(0);
  for (const { type, data } of chunks) {
    if (type === 'fcTL') control = data;
    if (type !== 'IDAT' && type !== 'fdAT') continue;
    const [w, h, x, y] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at)) as [
      number,
      number,
      number,
      number,
    ];
    const rows = unfilter(
      inflateSync(type === 'fdAT' ? data.subarray(4) : data),
      w * channels,
      channels,
    );
    expect(rows).toHaveLength(h);
    rows.forEach((row, index) => row.copy(canvas, ((y + index) * width + x) * channels));
    const milliseconds = (1000 * control.readUInt16BE(20)) / control.readUInt16BE(22);
    shown.push({ canvas: canvas.toString('hex'), milliseconds, area: w * h });
  }
  return shown;
}

function unfilter(bytes: Buffer, stride: number, channels: number): Buffer[] {
  const rows: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += stride + 1) {
    const row = Buffer.from(bytes.subarray(start + 1, start + 1 + stride));
    const above = rows.at(-1) ?? Buffer.alloc(stride);
    for (let x = 0; x < stride; x++) {
      const a = x < channels ? 0 : row[x - channels]!;
      const b = above[x]!;
      const c = x < channels ? 0 : above[x - channels]!;
      row[x] = row[x]! + predict(bytes[start]!, a, b, c);
    }
    rows.push(row);
  }
  return rows;
}

function predict(filter: number, a: number, b: number, c: number): number {
  if (filter === 0) return 0;
  if (filter < 3) return filter === 1 ? a : b;
  if (filter === 3) return Math.floor((a + b) / 2);
  const distance = (value: number) => Math.abs(a + b - c - value);
  if (distance(a) <= distance(b) && distance(a) <= distance(c)) return a;
  return distance(b) <= distance(c) ? b : c;
}

/**
 * Returns a PNG file whose rows have the given filter number, and its pixels as hexadecimal bytes.
 */
function picture(colour: (x: number, y: number) => readonly number[], filter = 0) {
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Array.from({ length: WIDTH }, (__, x) => colour(x, y)).flat(),
  );
  const channels = colour(0, 0).length;
  const chunk = (type: string, data: Buffer) => {
    const bytes = Buffer.alloc(data.length + 12);
    bytes.writeUInt32BE(data.length, 0);
    bytes.write(type, 4, 'latin1');
    data.copy(bytes, 8);
    bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
    return bytes;
  };
  const header = Buffer.from([0, 0, 0, WIDTH, 0, 0, 0, HEIGHT, 8, channels === 4 ? 6 : 2, 0, 0, 0]);
  const packed = deflateSync(Buffer.from(rows.flatMap((row) => [filter, ...row])));
  const png = Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', packed.subarray(0, 7)), // browsers split the data, too
    chunk('IDAT', packed.subarray(7)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { png, pixels: Buffer.from(rows.flat()).toString('hex') };
}

const plain = picture(() => [9, 200, 30]);
const dotted = picture((x, y) => (x === 3 && y === 2 ? [0, 0, 0] : [9, 200, 30]));
const striped = picture((x, y) => [x * 50, (x + y) * 31, y * 63]);
const frames = [plain, dotted, striped].map(({ png }, index) => ({
  png,
  milliseconds: 100 * (index + 1),
}));

describe('an animation', () => {
  const file = animate(frames);

  it('has its chunks in the order of the specification, with valid checksums', () => {
    expect(typesOf(file)).toEqual([
      'IHDR',
      'acTL',
      'fcTL',
      'IDAT',
      'fcTL',
      'fdAT',
      'fcTL',
      'fdAT',
      'IEND',
    ]);
    for (const { checksum, expected } of chunksOf(file)) expect(checksum).toBe(expected);
  });

  it('counts its frames, repeats forever, and has consecutive sequence numbers', () => {
    const chunks = chunksOf(file);
    const { data } = chunks.find(({ type }) => type === 'acTL')!;
    expect([data.readUInt32BE(0), data.readUInt32BE(4)]).toEqual([frames.length, 0]);
    const numbered = chunks.filter(({ type }) => type === 'fcTL' || type === 'fdAT');
    expect(numbered.map((chunk) => chunk.data.readUInt32BE(0))).toEqual([0, 1, 2, 3, 4]);
  });

  it('shows each frame for its time', () => {
    expect(play(file)).toMatchObject([
      { canvas: plain.pixels, milliseconds: 100 },
      { canvas: dotted.pixels, milliseconds: 200 },
      { canvas: striped.pixels, milliseconds: 300 },
    ]);
  });

  it('stores only what differs from the frame before', () => {
    expect(play(file).map(({ area }) => area)).toEqual([WIDTH * HEIGHT, 1, WIDTH * HEIGHT]);
  });

  it.each([
    ['from left to right', 1, 1, 3, 2],
    ['from right to left', 3, 1, 1, 2],
  ])('stores everything that changes in two places %s', (_, x1, y1, x2, y2) => {
    const changed = picture((x, y) =>
      (x === x1 && y === y1) || (x === x2 && y === y2) ? [0, 0, 0] : [9, 200, 30],
    );
    const [, second] = play(animate([frames[0]!, { png: changed.png, milliseconds: 10 }]));
    expect(second).toEqual({ canvas: changed.pixels, milliseconds: 10, area: 6 });
  });

  it('shows a frame longer instead of storing it twice', () => {
    expect(play(animate([frames[0]!, frames[0]!, frames[1]!]))).toMatchObject([
      { canvas: plain.pixels, milliseconds: 200 },
      { canvas: dotted.pixels, milliseconds: 200 },
    ]);
  });

  it('keeps transparency', () => {
    const half = picture((x) => [1, 2, 3, x * 40]);
    expect(play(animate([{ png: half.png, milliseconds: 10 }]))[0]!.canvas).toBe(half.pixels);
  });

  it('is refused without frames, and with frames of different kinds', () => {
    expect(() => animate([])).toThrow('An animation needs a frame.');
    const other = { png: picture(() => [1, 2, 3, 4]).png, milliseconds: 10 };
    expect(() => animate([frames[0]!, other])).toThrow('must have the same size and channels');
  });
});

describe('a PNG file', () => {
  it.each([0, 1, 2, 3, 4])('is decoded with filter %i', (filter) => {
    const { png } = picture((x, y) => [x * 50, (x * y * 31) % 256, y * 63], filter);
    const packed = chunksOf(png)
      .filter(({ type }) => type === 'IDAT')
      .map(({ data }) => data);
    const rows = unfilter(inflateSync(Buffer.concat(packed)), WIDTH * 3, 3);
    expect(decode(png).pixels).toEqual(Buffer.concat(rows));
  });

  it('is refused if it is none, or of a kind that browsers do not write', () => {
    expect(() => sizeOf(Buffer.from('GIF89a'))).toThrow('This is no PNG file.');
    const deep = Buffer.from(plain.png);
    deep[24] = 16;
    expect(() => decode(deep)).toThrow('Cannot read a PNG of depth 16 and colour type 2.');
  });
});

describe("the README's moving picture", () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const file = readFileSync(`${root}/docs/pictures/moving.png`);
  const readme = readFileSync(`${root}/README.md`, 'utf8');

  it('is an animation of at least 8 frames, 6 to 10 s and at most 1.2 MB', () => {
    const shown = play(file);
    expect(shown.length).toBeGreaterThanOrEqual(8);
    expect(new Set(shown.map(({ canvas }) => canvas)).size).toBe(shown.length);
    const seconds = shown.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(6);
    expect(seconds).toBeLessThanOrEqual(10);
    expect(file.length).toBeLessThanOrEqual(1_200_000);
    expect(sizeOf(file).width).toBeLessThanOrEqual(1000);
    for (const { checksum, expected } of chunksOf(file)) expect(checksum).toBe(expected);
  });

  it('is in the README with an alternative text, and with a still picture for reduced motion', () => {
    const [shown = ''] = /<picture>.*?<\/picture>/s.exec(readme) ?? [];
    expect(shown).toMatch(/<img[^>]*\ssrc="docs\/pictures\/moving\.png"/);
    expect(shown).toMatch(/\salt="[^"]{40,}"/);
    expect(shown).toMatch(
      /<source[^>]*\smedia="\(prefers-reduced-motion: reduce\)"[^>]*\ssrcset="docs\/pictures\/timeline\.png"/,
    );
  });
});

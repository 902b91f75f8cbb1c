import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isZip, readZipEntries, unzip, ZipError } from '../../../src/chat/imports/zip.js';
import type { RandomAccess } from '../../../src/transfer/import-source.js';
import { zipFile } from '../../fakes/zip-file.js';

const LONG = 'The beds face south. '.repeat(20_000);

function access(bytes: Uint8Array): RandomAccess & { readonly reads: number[] } {
  const reads: number[] = [];
  return {
    size: bytes.length,
    reads,
    read(from, to) {
      reads.push(to - from);
      return Promise.resolve(bytes.slice(from, to));
    },
  };
}

async function unpacked(file: RandomAccess, name: string): Promise<string> {
  const entry = (await readZipEntries(file)).find((each) => each.name === name)!;
  const pieces: Uint8Array[] = [];
  for await (const piece of unzip(file, entry)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

const faultOf = (task: Promise<unknown>) =>
  task.then(
    () => 'none',
    (error: unknown) => (error instanceof ZipError ? error.kind : String(error)),
  );

describe('a .zip file', () => {
  it.each([
    ['deflated', {}, {}],
    ['stored', { method: 0 }, {}],
    ['with a comment that looks like an end record', {}, { comment: 'PK\u0005\u0006 and more' }],
    ['in zip64 format', {}, { isLarge: true }],
  ])('is unpacked to its original contents: %s', async (_, facts, form) => {
    const packed = zipFile(
      [
        { name: 'a/ü.json', text: '{}', ...facts },
        { name: 'long.json', text: LONG, ...facts },
      ],
      form,
    );
    expect(isZip(packed.subarray(0, 4))).toBe(true);
    expect((await readZipEntries(access(packed))).map(({ name }) => name)).toEqual([
      'a/ü.json',
      'long.json',
    ]);
    expect(await unpacked(access(packed), 'a/ü.json')).toBe('{}');
    expect(await unpacked(access(packed), 'long.json')).toBe(LONG);
  });

  it('is never read as a whole', async () => {
    const noise = Array.from({ length: 60_000 }, (_, at) =>
      Math.imul(at, 2654435761).toString(36),
    ).join();
    const file = access(zipFile([{ name: 'a.json', text: noise }]));
    expect(file.size).toBeGreaterThan(200_000);
    expect(await unpacked(file, 'a.json')).toBe(noise);
    expect(Math.max(...file.reads)).toBeLessThan(70_000);
  });

  it('allows stopping in the middle of an entry', async () => {
    const file = access(zipFile([{ name: 'a.json', text: LONG.repeat(20) }]));
    const [entry] = await readZipEntries(file);
    let size = 0;
    for await (const piece of unzip(file, entry!)) {
      size += piece.length;
      break;
    }
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThan(entry!.size);
  });

  it('is rejected if it is encrypted or uses an unsupported compression', async () => {
    expect(
      await faultOf(unpacked(access(zipFile([{ name: 'a', text: 'x', flags: 1 }])), 'a')),
    ).toBe('encrypted');
    expect(
      await faultOf(unpacked(access(zipFile([{ name: 'a', text: 'x', method: 14 }])), 'a')),
    ).toBe('unsupported');
  });

  it('is rejected if its directory is too large', async () => {
    const packed = zipFile([{ name: 'a', text: 'x' }]);
    packed.writeUInt32LE(0x7fffffff, packed.length - 10); // the size of the directory
    const file = access(packed);
    expect(await faultOf(readZipEntries(file))).toBe('tooLarge');
    expect(file.reads).toHaveLength(1);
  });

  it('is rejected as damaged if truncated anywhere', async () => {
    const packed = zipFile([{ name: 'a.json', text: LONG }]);
    for (const size of [0, 3, 21, 40, 500, packed.length - 30, packed.length - 1])
      expect(await faultOf(unpacked(access(packed.subarray(0, size)), 'a.json'))).toBe('damaged');
  });

  it('is unpacked or rejected after any change of a byte', async () => {
    const whole = zipFile([{ name: 'a.json', text: 'The beds face south. '.repeat(8) }]);
    const change = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }));
    await fc.assert(
      fc.asyncProperty(change, fc.boolean(), async ([at, by], isLarge) => {
        const packed = isLarge
          ? zipFile([{ name: 'a.json', text: 'Beds. '.repeat(8) }], { isLarge })
          : Buffer.from(whole);
        packed[at % packed.length]! ^= by;
        const file = access(packed);
        try {
          for (const entry of await readZipEntries(file)) {
            let crc = Buffer.alloc(0);
            for await (const piece of unzip(file, entry)) crc = Buffer.concat([crc, piece]);
            expect(crc.toString('utf8')).toMatch(/^(The beds face south\. ){8}$|^(Beds\. ){8}$/);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(ZipError);
        }
      }),
      { numRuns: 300 },
    );
  });
});

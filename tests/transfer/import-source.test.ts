import { describe, expect, it } from 'vitest';
import {
  allBytes,
  openSource,
  utf8Chunks,
  type ImportSource,
} from '../../src/transfer/import-source.js';
import { createReadStats } from '../../src/transfer/foreign/foreign-memory.js';
import { readServerMemory } from '../../src/transfer/foreign/server-memory.js';

const MB = 1024 * 1024;
const encode = (text: string) => new TextEncoder().encode(text);

function access(bytes: Uint8Array) {
  const reads: [number, number][] = [];
  return {
    reads,
    size: bytes.length,
    read: (from: number, to: number) => {
      reads.push([from, to]);
      return Promise.resolve(bytes.subarray(from, to));
    },
  };
}

/** Returns a source whose contents arrive in chunks of `size` bytes. */
function inChunks(bytes: Uint8Array, size: number): ImportSource {
  async function* rest() {
    for (let at = size; at < bytes.length; at += size)
      yield await Promise.resolve(bytes.subarray(at, at + size));
  }
  return { name: 'memory.jsonl', bytes: bytes.subarray(0, size), rest };
}

async function joined(source: ImportSource): Promise<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  for await (const chunk of utf8Chunks(source)) text += decoder.decode(chunk, { stream: true });
  return text;
}

describe('openSource', () => {
  it('reads a small file at once, and only the beginning of a large one', async () => {
    const small = access(encode('text'));
    expect(await openSource('a', small)).toEqual({ name: 'a', bytes: encode('text') });
    const large = access(new Uint8Array(17 * MB).fill(0x41));
    const source = await openSource('b', large);
    expect(large.reads).toEqual([[0, MB]]);
    for (let time = 0; time < 2; time++) expect((await allBytes(source)).length).toBe(17 * MB);
    const longest = Math.max(...large.reads.map(([from, to]) => to - from));
    expect(longest).toBe(MB);
  });
});

describe('utf8Chunks', () => {
  it('returns the contents in any chunks, from UTF-8 and UTF-16', async () => {
    const text = 'Übersicht 😀\n'.repeat(20_000);
    for (const size of [777, 300_000]) {
      expect(await joined(inChunks(encode(text), size))).toBe(text);
      const utf16 = new Uint8Array(
        Uint16Array.from(`\ufeffé ${text}`.split(''), (unit) => unit.charCodeAt(0)).buffer,
      );
      expect(await joined(inChunks(utf16, size))).toBe(`é ${text}`);
    }
  });
});

describe('readServerMemory', () => {
  const entity = (name: string) => ({ name, entityType: 'x', observations: [`of ${name} 😀`] });
  const names = Array.from({ length: 300 }, (_, at) => `E${at}`);
  const lines = names.map((name) => JSON.stringify(entity(name))).join('\n');
  const document = JSON.stringify({ entities: names.map(entity), relations: [] });

  it.each([
    ['lines', lines],
    ['a document', document],
  ])('reads %s whatever chunks they arrive in', async (_what, text) => {
    for (const size of [100, 101, 1000]) {
      const stats = createReadStats();
      const { states } = await readServerMemory([inChunks(encode(text), size)], stats);
      expect(states.map(({ content }) => content.name)).toEqual(names);
      expect(stats).toMatchObject({ read: 300, recognized: 300, troubles: [] });
    }
  });

  it('reports a line that is too long to read, and reads the rest', async () => {
    const stats = createReadStats();
    const filler = new Uint8Array(MB).fill(0x78);
    async function* rest() {
      for (let count = 0; count <= 64; count++) yield await Promise.resolve(filler);
      yield encode(`\n${lines}`);
    }
    const source = { name: 'memory.jsonl', bytes: encode(`${lines}\n{"name":"`), rest };
    const { states } = await readServerMemory([source], stats);
    expect(states).toHaveLength(300);
    expect(stats).toMatchObject({
      read: 601,
      duplicates: 300,
      troubles: [{ file: 'memory.jsonl', line: 301, kind: 'tooLong' }],
    });
  });
});

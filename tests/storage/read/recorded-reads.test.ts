import { describe, expect, it } from 'vitest';
import { RecordedReads } from '../../../src/storage/read/recorded-reads.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';

function setUp(content: string) {
  const memory = createMemoryFiles();
  memory.put('a.jsonl', content);
  const reads = new RecordedReads(memory);
  const textAt = (from: number, to: number) =>
    new TextDecoder().decode(reads.bytesAt('a.jsonl', from, to));
  return { memory, reads, textAt };
}

describe('RecordedReads', () => {
  it('returns bytes from the last read that has all of them', async () => {
    const { reads, memory, textAt } = setUp('one\ntwo\nthree\n');
    await reads.files.read('a.jsonl');
    memory.put('a.jsonl', 'ONE\nTWO\nTHREE\n');
    await reads.files.read('a.jsonl', 4, 5);
    expect(textAt(4, 8)).toBe('TWO\n');
    expect(textAt(4, 10)).toBe('two\nth');
    expect(textAt(3, 7)).toBe('\ntwo');
  });

  it('throws for bytes that were not read at once, and those of a forgotten file', async () => {
    const { reads, textAt } = setUp('one\ntwo\n');
    expect(() => textAt(0, 1)).toThrow('a.jsonl was not read from 0 to 1');
    await reads.files.read('a.jsonl', 0, 4);
    await reads.files.read('a.jsonl', 4);
    expect(() => textAt(2, 6)).toThrow('a.jsonl was not read from 2 to 6');
    expect(textAt(0, 4)).toBe('one\n');
    reads.forget('a.jsonl');
    expect(() => textAt(0, 4)).toThrow('a.jsonl was not read from 0 to 4');
  });

  it('keeps what was read of a file that is removed or read only in part', async () => {
    const { reads, memory, textAt } = setUp('one\ntwo\n');
    expect(await reads.files.read('a.jsonl', 4)).toHaveLength(4);
    await reads.files.read('a.jsonl');
    await memory.remove('a.jsonl');
    expect(await reads.files.read('a.jsonl', 4)).toBeUndefined();
    expect(textAt(4, 8)).toBe('two\n');
  });
});

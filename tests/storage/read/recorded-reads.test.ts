import { expect, it } from 'vitest';
import { RecordedReads } from '../../../src/storage/read/recorded-reads.js';
import { createMemoryFiles } from '../../fakes/memory-files.js';

const PATH = 'Savepoint/core/a.jsonl';
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function setUp(content = 'one\ntwo\n\0\0\0') {
  const files = createMemoryFiles();
  files.put(PATH, content);
  return new RecordedReads(files);
}

it('returns any part of a read, up to its end', async () => {
  const reads = setUp();
  await reads.files.read(PATH, 0, 8);
  expect(textOf(reads.bytesAt(PATH, 0, 8))).toBe('one\ntwo\n');
  expect(textOf(reads.bytesAt(PATH, 4, 7))).toBe('two');
});

it('refuses a part that no single read covers', async () => {
  const reads = setUp();
  const refusal = (from: number, to: number) => `${PATH} was not read from ${from} to ${to}`;
  expect(() => reads.bytesAt(PATH, 0, 1)).toThrow(refusal(0, 1));
  await reads.files.read(PATH, 0, 4);
  await reads.files.read(PATH, 4, 4);
  expect(textOf(reads.bytesAt(PATH, 4, 8))).toBe('two\n');
  expect(() => reads.bytesAt(PATH, 2, 6)).toThrow(refusal(2, 6));
  expect(() => reads.bytesAt(PATH, 4, 9)).toThrow(refusal(4, 9));
});

it('keeps a later piece only if it has the end of a line', async () => {
  const reads = setUp();
  await reads.files.read(PATH, 0, 4);
  await reads.files.read(PATH, 8, 3);
  expect(() => reads.bytesAt(PATH, 8, 9)).toThrow('was not read');
});

it('keeps nothing of a file that is not read from its beginning', async () => {
  const reads = setUp();
  await reads.files.read(PATH, 4, 4);
  expect(() => reads.bytesAt(PATH, 4, 8)).toThrow('was not read');
});

it('forgets a file, and replaces what a repeated read returns', async () => {
  const reads = setUp();
  await reads.files.read(PATH);
  reads.forget(PATH);
  expect(() => reads.bytesAt(PATH, 0, 4)).toThrow('was not read');
  expect(await reads.files.read('Savepoint/core/none.jsonl')).toBeUndefined();
  expect(() => reads.bytesAt('Savepoint/core/none.jsonl', 0, 1)).toThrow('was not read');
});

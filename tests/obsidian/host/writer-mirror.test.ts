import { expect, it } from 'vitest';
import { createWriterMirror, type StoredWriter } from '../../../src/obsidian/host/writer-mirror.js';
import { createLocalStorage } from '../../fakes/local-storage.js';

const record = (writer: string, n = 3): StoredWriter => ({
  writer,
  n,
  hash: 'c85285bc0aedd8c9480ff44eaffd2d13',
  h: '2026-11-20T04:52:58.271Z.0001',
  path: `Savepoint/core/2026-11/20261120-${writer}-0001.jsonl`,
  number: 1,
  day: '20261120',
  size: 500,
  lines: 3,
  isSealed: false,
  machine: 'here',
});

it('replaces and removes a writer, and leaves nothing behind', () => {
  const storage = createLocalStorage();
  const mirror = createWriterMirror(storage);
  mirror.put('core', record('aaaaaaaaaaaa', 3));
  mirror.put('core', record('aaaaaaaaaaaa', 4));
  expect(createWriterMirror(storage).load('core')).toEqual([record('aaaaaaaaaaaa', 4)]);
  mirror.remove('core', 'aaaaaaaaaaaa');
  expect(storage.values.size).toBe(0);
});

it('keeps lanes separate', () => {
  const mirror = createWriterMirror(createLocalStorage());
  mirror.put('trace', record('aaaaaaaaaaaa'));
  expect(mirror.load('core')).toEqual([]);
});

it('keeps the four writers stored last', () => {
  const mirror = createWriterMirror(createLocalStorage());
  for (const letter of 'abcdefc') mirror.put('core', record(letter.repeat(12)));
  expect(mirror.load('core').map(({ writer }) => writer[0])).toEqual(['d', 'e', 'f', 'c']);
});

it('ignores damaged records', () => {
  const storage = createLocalStorage();
  storage.saveLocalStorage('savepoint-writers-core', [{ writer: 7 }, 'x', null]);
  expect(createWriterMirror(storage).load('core')).toEqual([]);
});

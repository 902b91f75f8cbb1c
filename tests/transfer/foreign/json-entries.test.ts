import fc from 'fast-check';
import { expect, it } from 'vitest';
import { JsonEntrySplitter, type JsonEntry } from '../../../src/transfer/foreign/json-entries.js';

/** Splits a text that arrives in chunks of `size` bytes. */
function split(text: string, size: number, maxEntryBytes?: number): JsonEntry[] {
  const bytes = new TextEncoder().encode(text);
  const splitter = new JsonEntrySplitter(['chats', 'more'], maxEntryBytes);
  const entries: JsonEntry[] = [];
  for (let at = 0; at < bytes.length; at += size)
    entries.push(...splitter.push(bytes.slice(at, at + size)));
  return [...entries, ...splitter.end()];
}

const textOf = ({ bytes }: JsonEntry) => new TextDecoder().decode(bytes);

it('JsonEntrySplitter splits any list of objects at any chunk borders', () => {
  const objects = fc.array(
    fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 })),
    { maxLength: 4 },
  );
  fc.assert(
    fc.property(objects, fc.integer({ min: 1, max: 50 }), fc.boolean(), (list, size, isPretty) => {
      const entries = split(JSON.stringify(list, undefined, isPretty ? 2 : undefined), size);
      expect(entries.map((entry) => JSON.parse(textOf(entry)) as unknown)).toEqual(
        JSON.parse(JSON.stringify(list)),
      );
      expect(entries.map(({ number }) => number)).toEqual(list.map((_, at) => at + 1));
    }),
  );
});

it('JsonEntrySplitter returns the objects of named lists instead of their owner', () => {
  for (const [text, entries] of [
    ['{"a": [{}], "chats": [{"b": [{}]}, {"chats": [{}]}], "c": [{}], "more": [{"d": 1}]}', 3],
    ['{"more": [{}, {}]}\n{"x": {"more": [{}]}}\n{}', 4],
    ['[{"chats": [{}, {}]}, {"a": "chats", "b": [{}]}, {"chats": {}}, {"chats": []}, {}]', 5],
    ['}]{"a": 1}\n{"b": "[{"}', 2],
  ] as const)
    for (const size of [1, 5, 1000]) expect(split(text, size)).toHaveLength(entries);
  expect(split('{"n": 1, "chats": [{"b": [{}]}], "more": [{"d": 1}]}', 3).map(textOf)).toEqual([
    '{"b": [{}]}',
    '{"d": 1}',
  ]);
});

it('JsonEntrySplitter marks a list that the end of the file cuts off', () => {
  for (const text of ['[{"a": 1},', '{"chats": [{"a": 1}], "more": ['])
    expect(split(text, 4).map(({ isCut }) => isCut)).toEqual([false, true]);
});

it('JsonEntrySplitter returns a single object as the only entry', () => {
  expect(split('\ufeff {"a": [1, {"b": "}"}]} ', 4).map(textOf)).toEqual([
    '{"a": [1, {"b": "}"}]}',
  ]);
});

it('JsonEntrySplitter marks an entry that the end of the file cuts off', () => {
  const entries = split('[{"a": 1}, {"title": "Beds", "b": "x', 5);
  expect(entries.map((entry) => [entry.number, entry.isCut, textOf(entry)])).toEqual([
    [1, false, '{"a": 1}'],
    [2, true, '{"title": "Beds", "b": "x'],
  ]);
});

it('JsonEntrySplitter finds no entries outside of a list of objects', () => {
  for (const text of ['', '[]', 'hello', '"{"', '[1, "{}", null]'])
    expect(split(text, 3)).toEqual([]);
});

it('JsonEntrySplitter truncates an entry that is too long', () => {
  const long = JSON.stringify({ title: 'Beds', body: 'x'.repeat(20_000) });
  for (const size of [7, 300, 50_000]) {
    const entries = split(`[{"a": 1}, ${long}, {"b": 2}]`, size, 10_000);
    expect(entries.map(({ isTooLong }) => isTooLong)).toEqual([false, true, false]);
    expect(textOf(entries[1]!)).toBe(long.slice(0, 4096));
    expect(textOf(entries[2]!)).toBe('{"b": 2}');
  }
  expect(split(`[${long.slice(0, -9)}`, 500, 10_000)).toMatchObject([
    { isCut: true, isTooLong: true },
  ]);
});

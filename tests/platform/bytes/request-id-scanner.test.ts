import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestIdScanner } from '../../../src/platform/bytes/request-id-scanner.js';

const encoder = new TextEncoder();

/** Scans a text in chunks of a number of bytes. */
function scan(text: string, chunkSize = text.length): string | number | null {
  const scanner = new RequestIdScanner();
  const bytes = encoder.encode(text);
  for (let from = 0; from < bytes.length; from += chunkSize)
    scanner.push(bytes.subarray(from, from + chunkSize));
  return scanner.id;
}

describe('RequestIdScanner', () => {
  it.each([
    ['before the parameters', '{"jsonrpc":"2.0","id":7,"method":"a","params":{"id":1}}', 7],
    ['after the parameters', '{"method":"a","params":{"id":1},"jsonrpc":"2.0","id":7}', 7],
    ['that is a string', ' { "id" : "a\\"\\u00e9}" , "method" : "a" } ', 'a"é}'],
    ['after strings with brackets', '{"a":"}]\\\\","method":"a","id":-1.5e3}', -1500],
    ['whose name is escaped', '{"\\u0069d":7,"method":"a"}', 7],
    ['that is given twice, as the last one', '{"id":1,"method":"a","id":2}', 2],
  ])('finds an id %s', (_, text, id) => {
    for (const chunkSize of [1, 2, 7, text.length]) expect(scan(text, chunkSize)).toBe(id);
  });

  it.each([
    ['a notification', '{"method":"a","params":{"id":1}}'],
    ['a response', '{"id":7,"result":{"method":"a"}}'],
    ['a request with the id null', '{"id":null,"method":"a"}'],
    ['a request with an object as its id', '{"id":{"id":7},"method":"a"}'],
    ['a request with a very long id', `{"id":"${'x'.repeat(2000)}","method":"a"}`],
    ['a batch', '[{"id":7,"method":"a"}]'],
    ['text that is not JSON', 'xxxx {"id":7,"method":"a"}'],
    ['a malformed id', '{"id":7x,"method":"a"}'],
    ['an empty text', ''],
  ])('returns null for %s', (_, text) => {
    expect(scan(text)).toBeNull();
  });

  it('agrees with the JSON parser however the message is split into chunks', () => {
    const request = fc.record(
      {
        id: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
        method: fc.string(),
        params: fc.jsonValue(),
        other: fc.jsonValue(),
      },
      { requiredKeys: ['method'] },
    );
    fc.assert(
      fc.property(request, fc.integer({ min: 1, max: 20 }), fc.boolean(), (value, size, isWide) => {
        const text = JSON.stringify(value, null, isWide ? 2 : undefined);
        expect(scan(text, size)).toBe(value.id ?? null);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/event.js';
import { Refusal } from '../../src/model/refusal.js';
import { crc32, crcText } from '../../src/storage/crc32.js';
import { decodeLine, encodeLine, LINE_LIMIT, type LineReading } from '../../src/storage/line.js';
import { lineOf, workspaceDraft } from '../fakes/events.js';

/** The example of docs: its CRC is right. */
const EXAMPLE =
  '{"v":1,"w":"rqpx3sjttkuf","n":2,"p":"1b112c35","h":"2026-11-20T04:52:58.271Z.0001","t":"set","e":"7hq2m4x9zk3vtb8d","d":{"/isArchived":true,"/preferences/tone":"dry"},"c":"53290e39"}';

function read(text: string): LineReading {
  const bytes = new TextEncoder().encode(text);
  return decodeLine(bytes, 0, bytes.length);
}

/** The text with a CRC that fits whatever stands in it. */
function sealed(body: string): string {
  return `${body},"c":"${crcText(crc32(new TextEncoder().encode(body)))}"}`;
}

const tricky = fc.constantFrom(
  '\u2028',
  '\u2029',
  '\u0085',
  '😀',
  '\ud800',
  '\0',
  '\n',
  '\r',
  '\u001b',
  '"',
  '\\',
  '}',
  '{"v":',
  '","c":"00000000"}',
  '\ufeff',
  '__proto__',
);
const text = fc.array(fc.oneof(tricky, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 8 }).map((parts) => parts.join(''));

describe('line', () => {
  it('reads the example of the format, and writes it byte for byte', () => {
    const reading = read(EXAMPLE);
    expect(reading).toMatchObject({ event: { w: 'rqpx3sjttkuf', n: 2, d: { '/isArchived': true }, c: '53290e39' } });
    if (!('event' in reading)) return;
    expect(new TextDecoder().decode(encodeLine(reading.event).bytes)).toBe(`${EXAMPLE}\n`);
  });

  it('reads back exactly what it wrote, whatever the text', () => {
    const data = fc.dictionary(
      text,
      fc.oneof(
        text,
        fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as string),
      ),
    );
    fc.assert(
      fc.property(data, text, text, (dictionary, t, e) => {
        const d = JSON.parse(JSON.stringify(dictionary)) as JsonObject;
        const { event, bytes } = lineOf({ t, e, d });
        expect(decodeLine(bytes, 0, bytes.length - 1)).toEqual({ event });
        expect(event.d).toEqual(d);
      }),
      { numRuns: 300 },
    );
  });

  it('is one line to every tool, and valid JSON', () => {
    fc.assert(
      fc.property(text, (value) => {
        const { bytes } = lineOf({ t: 'set', d: { [value]: value } });
        const line = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        expect(line).toMatch(/^[^\n\r\u0085\u2028\u2029]*\n$/);
        expect((JSON.parse(line) as { d: JsonObject }).d[value]).toBe(value);
      }),
    );
  });

  it('keeps the keys in the order of the format', () => {
    const { bytes } = lineOf({ d: {}, e: 'e', t: 'set', n: 5 });
    expect(Object.keys(JSON.parse(new TextDecoder().decode(bytes)) as JsonObject)).toEqual(['v', 'w', 'n', 'p', 'h', 't', 'e', 'd', 'c']);
  });

  it('takes a line of 1 MB, and refuses one byte more in words', () => {
    const empty = lineOf({ t: 'set', d: { a: '' } }).bytes.length;
    expect(lineOf({ t: 'set', d: { a: 'x'.repeat(LINE_LIMIT - empty) } }).bytes.length).toBe(LINE_LIMIT);
    expect(() => lineOf({ t: 'set', d: { a: 'x'.repeat(LINE_LIMIT - empty + 1) } })).toThrow(Refusal);
    expect(() => lineOf({ t: 'set', d: { a: 'ü'.repeat(LINE_LIMIT / 2) } })).toThrow(/1\.1 MB.*at most 1 MB/);
  });

  it('finds a single changed character, wherever it stands', () => {
    for (let at = 0; at < EXAMPLE.length; at++) {
      const changed = EXAMPLE.slice(0, at) + (EXAMPLE[at] === '1' ? '2' : '1') + EXAMPLE.slice(at + 1);
      expect(read(changed)).toHaveProperty('trouble');
    }
  });

  it('tells a line edited by hand from a damaged one', () => {
    expect(read(EXAMPLE.replace('dry', 'wet'))).toEqual({ trouble: 'edited' });
    expect(read(EXAMPLE.slice(0, -20))).toEqual({ trouble: 'damaged' });
    expect(read('{"some":"other object"}')).toEqual({ trouble: 'edited' });
    expect(read('hello')).toEqual({ trouble: 'damaged' });
    expect(read('')).toEqual({ trouble: 'damaged' });
    expect(read('[1]')).toEqual({ trouble: 'damaged' });
  });

  it.each<[string, (body: string) => string]>([
    ['a writer of other letters', (body) => body.replace('rqpx3sjttkuf', 'RQPX3SJTTKUF')],
    ['a number of 0', (body) => body.replace('"n":2', '"n":0')],
    ['a number that is none', (body) => body.replace('"n":2', '"n":"2"')],
    ['a broken number', (body) => body.replace('"n":2', '"n":2.5')],
    ['a number beyond all counting', (body) => body.replace('"n":2', '"n":9007199254740992')],
    ['a clock of another century', (body) => body.replace('2026', '2326')],
    ['a list for data', (body) => body.replace(/"d":.*/, '"d":[]')],
    ['no type', (body) => body.replace('"t":"set",', '')],
  ])('takes no line with %s for an event, though its CRC fits', (_, change) => {
    expect(read(sealed(change(EXAMPLE.slice(0, -16))))).toEqual({ trouble: 'foreign' });
  });

  it('takes unknown types and later versions for events, with all their fields', () => {
    const body = EXAMPLE.slice(0, -16).replace('"v":1', '"v":7').replace('"t":"set"', '"t":"thing.new","x":[1]');
    expect(read(sealed(body))).toMatchObject({ event: { v: 7, t: 'thing.new', x: [1] } });
  });

  it('takes bytes that are no UTF-8 for damaged', () => {
    const { bytes } = lineOf(workspaceDraft('ü'));
    const at = bytes.indexOf(0xc3);
    const torn = Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at + 1, -1)]);
    expect(decodeLine(torn, 0, torn.length)).toEqual({ trouble: 'damaged' });
  });
});

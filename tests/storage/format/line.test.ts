import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { Refusal } from '../../../src/model/refusal.js';
import { crc32, crcText } from '../../../src/platform/crc32.js';
import {
  crcBefore,
  decodeLine,
  encodeLine,
  FIRST_LINK,
  hasTail,
  isCount,
  LINE_LIMIT,
  NEWLINE,
  type LineReading,
} from '../../../src/storage/format/line.js';
import { lineOf, workspaceDraft } from '../../fakes/events.js';

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
const text = fc
  .array(fc.oneof(tricky, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('line', () => {
  it('reads the example of the format, and writes it byte for byte', () => {
    const reading = read(EXAMPLE);
    expect(reading).toMatchObject({
      event: { w: 'rqpx3sjttkuf', n: 2, d: { '/isArchived': true }, c: '53290e39' },
    });
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
    expect(Object.keys(JSON.parse(new TextDecoder().decode(bytes)) as JsonObject)).toEqual([
      'v',
      'w',
      'n',
      'p',
      'h',
      't',
      'e',
      'd',
      'c',
    ]);
  });

  it('takes a line of 1 MB, and refuses one byte more in words', () => {
    const empty = lineOf({ t: 'set', d: { a: '' } }).bytes.length;
    expect(lineOf({ t: 'set', d: { a: 'x'.repeat(LINE_LIMIT - empty) } }).bytes.length).toBe(
      LINE_LIMIT,
    );
    expect(() => lineOf({ t: 'set', d: { a: 'x'.repeat(LINE_LIMIT - empty + 1) } })).toThrow(
      Refusal,
    );
    expect(() => lineOf({ t: 'set', d: { a: 'ü'.repeat(LINE_LIMIT / 2) } })).toThrow(
      /1\.1 MB.*at most 1 MB/,
    );
  });

  it('finds a single changed character, wherever it stands', () => {
    for (let at = 0; at < EXAMPLE.length; at++) {
      const changed =
        EXAMPLE.slice(0, at) + (EXAMPLE[at] === '1' ? '2' : '1') + EXAMPLE.slice(at + 1);
      expect(read(changed)).toHaveProperty('trouble');
    }
  });

  it('tells a line edited by hand from a damaged one', () => {
    expect(read(EXAMPLE.replace('dry', 'wet'))).toEqual({ trouble: 'edited' });
    expect(read(EXAMPLE.slice(0, -20))).toEqual({ trouble: 'damaged' });
    expect(read('{"some":"other object"}')).toEqual({ trouble: 'edited' });
    expect(read(EXAMPLE.replace('"c":"53', '"k":"53'))).toEqual({ trouble: 'edited' });
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
    ['no entity', (body) => body.replace('"e":"7hq2m4x9zk3vtb8d",', '')],
    ['no link', (body) => body.replace('"p":"1b112c35",', '')],
    ['a number for a link', (body) => body.replace('"1b112c35"', '5')],
    ['no clock', (body) => body.replace(/"h":"[^"]+",/, '')],
    ['a list for a clock', (body) => body.replace(/("h":)("[^"]+")/, '$1[$2]')],
    ['no writer', (body) => body.replace('"w":"rqpx3sjttkuf",', '')],
    ['a list for a writer', (body) => body.replace('"rqpx3sjttkuf"', '["rqpx3sjttkuf"]')],
    ['a version of 0', (body) => body.replace('"v":1', '"v":0')],
    ['a version that is none', (body) => body.replace('"v":1', '"v":"1"')],
    ['no data', (body) => body.replace(/,"d":.*/, '')],
  ])('takes no line with %s for an event, though its CRC fits', (_, change) => {
    expect(read(sealed(change(EXAMPLE.slice(0, -16))))).toEqual({ trouble: 'foreign' });
  });

  it('takes unknown types and later versions for events, with all their fields', () => {
    const body = EXAMPLE.slice(0, -16)
      .replace('"v":1', '"v":7')
      .replace('"t":"set"', '"t":"thing.new","x":[1]');
    expect(read(sealed(body))).toMatchObject({ event: { v: 7, t: 'thing.new', x: [1] } });
  });

  it('takes bytes that are no UTF-8 for damaged', () => {
    const { bytes } = lineOf(workspaceDraft('ü'));
    const at = bytes.indexOf(0xc3);
    const torn = Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at + 1, -1)]);
    expect(decodeLine(torn, 0, torn.length)).toEqual({ trouble: 'damaged' });
  });

  it('takes a list with a right CRC at its end for damaged, and a line that begins elsewhere too', () => {
    expect(read(sealed('[1'))).toEqual({ trouble: 'damaged' });
    expect(read(` ${EXAMPLE}`)).toEqual({ trouble: 'damaged' });
  });

  it('reads between two places of any bytes', () => {
    const bytes = new TextEncoder().encode(`xx${EXAMPLE}yy`);
    expect(decodeLine(bytes, 2, bytes.length - 2)).toHaveProperty('event');
    for (const [start, end] of [[1, 2], [3, 2], [2, 1], [2, 3]] as const) {
      expect(decodeLine(bytes, start, bytes.length - end)).toHaveProperty('trouble');
    } // prettier-ignore
  });

  it('rounds the size it tells up, so that no refused one is told as 1.0 MB', () => {
    expect(() => lineOf({ t: 'set', d: { a: 'x'.repeat(LINE_LIMIT) } })).toThrow(
      'This is too long to keep: 1.1 MB, and one entry holds at most 1 MB. Shorten its longest text and try again.',
    );
    expect(() => lineOf({ t: 'set', d: { a: 'x'.repeat(2.45 * LINE_LIMIT) } })).toThrow('2.5 MB');
  });

  it('writes what would begin like a line in other letters, and line ends of other tools too', () => {
    const { bytes } = lineOf({ t: 'set', d: { a: { v: 1 }, b: '\u0085\u2028\u2029' } });
    const line = new TextDecoder().decode(bytes);
    expect(line).toContain('"d":{"a":{"\\u0076":1},"b":"\\u0085\\u2028\\u2029"}');
    expect(line.lastIndexOf('{"v":')).toBe(0);
  });

  it('begins a chain with zeros, and ends with a line feed', () => {
    expect([FIRST_LINK, [...NEWLINE], LINE_LIMIT]).toEqual(['00000000', [10], 1_048_576]);
  });
});

describe('the end of a line', () => {
  const bytesOf = (value: string) => new TextEncoder().encode(value);

  it('is known by each of its characters but the eight of the CRC', () => {
    const end = 'x,"c":"53290e39"}';
    expect(hasTail(bytesOf(end), 0, end.length)).toBe(true);
    for (let at = 0; at < end.length; at++) {
      const changed = bytesOf(`${end.slice(0, at)}!${end.slice(at + 1)}`);
      expect(hasTail(changed, 0, end.length)).toBe(at === 0 || (at > 6 && at < 15));
    }
  });

  it('is none where nothing comes before it', () => {
    const end = bytesOf('x,"c":"53290e39"}');
    expect([hasTail(end, 1, end.length), hasTail(end, 2, end.length), hasTail(end, 0, 5)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('tells the CRC in lower-case digits, and in no others', () => {
    const told = (digits: string) => crcBefore(bytesOf(`${digits}"}`), 10);
    expect(['00000000', '09af09af', 'ffffffff', '12345678', '9abcdef0'].map(told)).toEqual([
      0, 0x09af09af, 0xffffffff, 0x12345678, 0x9abcdef0,
    ]);
    for (const digit of '/:`gAF ')
      expect([told(`${digit}0000000`), told(`0000000${digit}`)]).toEqual([-1, -1]);
  });

  it('counts from 1 in whole numbers', () => {
    expect([1, 2, Number.MAX_SAFE_INTEGER].every(isCount)).toBe(true);
    expect(
      [0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, Infinity, NaN, '1', null, undefined, [1]].filter(
        isCount,
      ),
    ).toEqual([]);
  });
});

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { Refusal } from '../../../src/model/refusal.js';
import { crc32, crcText } from '../../../src/platform/crc32.js';
import {
  readTailCrc,
  decodeLine,
  encodeLine,
  hasLineTail,
  isSequenceNumber,
  MAX_LINE_BYTES,
  NEWLINE,
  type DecodedLine,
} from '../../../src/storage/format/line.js';
import { hasDoubledKeys } from '../../../src/storage/format/doubled-keys.js';
import { CHAIN_START, lineHash } from '../../../src/storage/format/line-hash.js';
import { lineOf, workspaceDraft } from '../../fakes/events.js';

/**
 * A writer's first two lines, the second of which is the example in the documentation, with valid
 * CRCs.
 */
const FIRST =
  '{"v":1,"w":"rqpx3sjttkuf","n":1,"p":"00000000000000000000000000000000","h":"2026-11-20T04:52:58.271Z.0000","t":"log.seg","e":"","d":{"fmt":1,"app":"savepoint/0.1.0","device":"linux-1a2b","vault":"d6v3kx8p2mqz9fhw"},"c":"b783c23b"}';
const EXAMPLE =
  '{"v":1,"w":"rqpx3sjttkuf","n":2,"p":"c85285bc0aedd8c9480ff44eaffd2d13","h":"2026-11-20T04:52:58.271Z.0001","t":"set","e":"7hq2m4x9zk3vtb8d","d":{"/isArchived":true,"/preferences/tone":"dry"},"c":"fb348ec5"}';
const LINK = 'c85285bc0aedd8c9480ff44eaffd2d13';

function read(text: string): DecodedLine {
  const bytes = new TextEncoder().encode(text);
  return decodeLine(bytes, 0, bytes.length);
}

/** Returns the text with the matching CRC. */
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

describe('a line', () => {
  it('matches the example in the documentation byte for byte', () => {
    const reading = read(EXAMPLE);
    expect(reading).toMatchObject({
      event: { w: 'rqpx3sjttkuf', n: 2, d: { '/isArchived': true }, c: 'fb348ec5' },
    });
    if (!('event' in reading)) return;
    expect(new TextDecoder().decode(encodeLine(reading.event).bytes)).toBe(`${EXAMPLE}\n`);
  });

  it('has the hash of the line before it as its chain link', () => {
    const [first, second] = [FIRST, EXAMPLE].map((line) => {
      const reading = read(line);
      if (!('event' in reading)) throw new Error(reading.problem);
      return reading.event;
    });
    const hash = createHash('sha256').update(FIRST).digest('hex').slice(0, 32);
    expect([first!.p, second!.p]).toEqual([CHAIN_START, hash]);
    expect([lineHash(new TextEncoder().encode(FIRST)), encodeLine(first!).hash]).toEqual([
      hash,
      hash,
    ]);
  });

  it('reads back exactly as it was written', () => {
    const data = fc.dictionary(
      text,
      fc.oneof(
        text,
        fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as string),
      ),
    );
    fc.assert(
      fc.property(data, text, text, (dictionary, t, id) => {
        const e = id.slice(0, 64);
        const d = JSON.parse(JSON.stringify(dictionary)) as JsonObject;
        const { event, bytes } = lineOf({ t, e, d });
        expect(decodeLine(bytes, 0, bytes.length - 1)).toEqual({ event });
        expect(event.d).toEqual(d);
      }),
      { numRuns: 300 },
    );
  });

  it('has no line break of any kind, and is valid JSON', () => {
    fc.assert(
      fc.property(text, (value) => {
        const { bytes } = lineOf({ t: 'set', d: { [value]: value } });
        const line = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
        expect(line).toMatch(/^[^\n\r\u0085\u2028\u2029]*\n$/);
        expect((JSON.parse(line) as { d: JsonObject }).d[value]).toBe(value);
      }),
    );
  });

  it('has its keys in the documented order', () => {
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

  it('may be up to 1 MB long, but not a byte more', () => {
    const empty = lineOf({ t: 'set', d: { a: '' } }).bytes.length;
    expect(lineOf({ t: 'set', d: { a: 'x'.repeat(MAX_LINE_BYTES - empty) } }).bytes.length).toBe(
      MAX_LINE_BYTES,
    );
    expect(() => lineOf({ t: 'set', d: { a: 'x'.repeat(MAX_LINE_BYTES - empty + 1) } })).toThrow(
      Refusal,
    );
    expect(() => lineOf({ t: 'set', d: { a: 'ü'.repeat(MAX_LINE_BYTES / 2) } })).toThrow(
      /1\.1 MB.*limit is 1 MB/,
    );
  });

  it('is rejected if a single character is changed', () => {
    for (let at = 0; at < EXAMPLE.length; at++) {
      const changed =
        EXAMPLE.slice(0, at) + (EXAMPLE[at] === '1' ? '2' : '1') + EXAMPLE.slice(at + 1);
      expect(read(changed)).toHaveProperty('problem');
    }
  });

  it('is reported as edited if it is valid JSON, otherwise as damaged', () => {
    expect(read(EXAMPLE.replace('dry', 'wet'))).toEqual({ problem: 'edited' });
    expect(read(EXAMPLE.slice(0, -20))).toEqual({ problem: 'damaged' });
    expect(read('{"some":"other object"}')).toEqual({ problem: 'edited' });
    expect(read(EXAMPLE.replace('"c":"', '"k":"'))).toEqual({ problem: 'edited' });
    expect(read('hello')).toEqual({ problem: 'damaged' });
    expect(read('')).toEqual({ problem: 'damaged' });
    expect(read('[1]')).toEqual({ problem: 'damaged' });
  });

  it.each<[string, (body: string) => string]>([
    ['an uppercase writer', (body) => body.replace('rqpx3sjttkuf', 'RQPX3SJTTKUF')],
    ['a number of 0', (body) => body.replace('"n":2', '"n":0')],
    ['a number as text', (body) => body.replace('"n":2', '"n":"2"')],
    ['a fractional number', (body) => body.replace('"n":2', '"n":2.5')],
    ['an unsafe integer', (body) => body.replace('"n":2', '"n":9007199254740992')],
    ['a timestamp in another century', (body) => body.replace('2026', '2326')],
    ['a list as data', (body) => body.replace(/"d":.*/, '"d":[]')],
    ['no type', (body) => body.replace('"t":"set",', '')],
    ['no entity', (body) => body.replace('"e":"7hq2m4x9zk3vtb8d",', '')],
    ['no chain link', (body) => body.replace(`"p":"${LINK}",`, '')],
    ['a number as chain link', (body) => body.replace(`"${LINK}"`, '5')],
    ['a short chain link', (body) => body.replace(LINK, LINK.slice(1))],
    ['a long chain link', (body) => body.replace(LINK, `${LINK}0`)],
    ['an uppercase chain link', (body) => body.replace(LINK, LINK.toUpperCase())],
    ['an entity id of 65 characters', (body) => body.replace('7hq2m4x9zk3vtb8d', 'x'.repeat(65))],
    ['no timestamp', (body) => body.replace(/"h":"[^"]+",/, '')],
    ['a list as timestamp', (body) => body.replace(/("h":)("[^"]+")/, '$1[$2]')],
    ['no writer', (body) => body.replace('"w":"rqpx3sjttkuf",', '')],
    ['a list as writer', (body) => body.replace('"rqpx3sjttkuf"', '["rqpx3sjttkuf"]')],
    ['a version of 0', (body) => body.replace('"v":1', '"v":0')],
    ['a version as text', (body) => body.replace('"v":1', '"v":"1"')],
    ['no data', (body) => body.replace(/,"d":.*/, '')],
    ['an entity twice', (body) => body.replace('"d":', '"e":"other","d":')],
    ['a value twice', (body) => body.replace('"/pref', '"/isArchived":false,"/pref')],
    [
      'an escaped key twice',
      (body) => body.replace('"/pref', String.raw`"\u002fisArchived":1,"/pref`),
    ],
    ['a key twice, deep inside', (body) => body.replace('"dry"', '[{"a":{"b":1,"c":2,"b" :3}}]')],
  ])('is reported as foreign with %s and a matching CRC', (_, change) => {
    expect(read(sealed(change(EXAMPLE.slice(0, -16))))).toEqual({ problem: 'foreign' });
  });

  it.each([
    ['{"a":{"x":1},"b":{"x":1}}', false],
    [String.raw`{"a":"\"b\":1","b":"a\\"}`, false],
    ['[{"a":1},{"a":["a","a"]}]', false],
    [String.raw`{"a\\":1,"b":["}"],"a\\":2}`, true],
    ['{"a":[{"c":"}"}],"a":1}', true],
  ])('has a key twice in %s: %s', (json, isDoubled) => {
    expect(hasDoubledKeys(json)).toBe(isDoubled);
  });

  it('of a trace may have a key twice, of which the last one counts', () => {
    const body = EXAMPLE.slice(0, -16).replace('"set"', '"trace.new"');
    const doubled = body.replace('"dry"', '"dry","/isArchived":false');
    expect(read(sealed(doubled))).toMatchObject({ event: { d: { '/isArchived': false } } });
  });

  it('keeps all its fields even if its type or version is unknown', () => {
    const body = EXAMPLE.slice(0, -16)
      .replace('"v":1', '"v":7')
      .replace('"t":"set"', '"t":"thing.new","x":[1]');
    expect(read(sealed(body))).toMatchObject({ event: { v: 7, t: 'thing.new', x: [1] } });
  });

  it('is damaged if it is not UTF-8', () => {
    const { bytes } = lineOf(workspaceDraft('ü'));
    const at = bytes.indexOf(0xc3);
    const torn = Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at + 1, -1)]);
    expect(decodeLine(torn, 0, torn.length)).toEqual({ problem: 'damaged' });
  });

  it('is damaged if it does not start with an object', () => {
    expect(read(sealed('[1'))).toEqual({ problem: 'damaged' });
    expect(read(` ${EXAMPLE}`)).toEqual({ problem: 'damaged' });
  });

  it('can be read from a range of a larger array', () => {
    const bytes = new TextEncoder().encode(`xx${EXAMPLE}yy`);
    expect(decodeLine(bytes, 2, bytes.length - 2)).toHaveProperty('event');
    for (const [start, end] of [
      [1, 2],
      [3, 2],
      [2, 1],
      [2, 3],
    ] as const) {
      expect(decodeLine(bytes, start, bytes.length - end)).toHaveProperty('problem');
    }
  });

  it('rounds up the size in its error, so that it is never 1.0 MB', () => {
    expect(() => lineOf({ t: 'set', d: { a: 'x'.repeat(MAX_LINE_BYTES) } })).toThrow(
      'This entry is too long: 1.1 MB, and the limit is 1 MB. Shorten its longest text and try again.',
    );
    expect(() => lineOf({ t: 'set', d: { a: 'x'.repeat(2.45 * MAX_LINE_BYTES) } })).toThrow(
      '2.5 MB',
    );
  });

  it('escapes line starts and unusual line breaks in its data', () => {
    const { bytes } = lineOf({ t: 'set', d: { a: { v: 1 }, b: '\u0085\u2028\u2029' } });
    const line = new TextDecoder().decode(bytes);
    expect(line).toContain('"d":{"a":{"\\u0076":1},"b":"\\u0085\\u2028\\u2029"}');
    expect(line.lastIndexOf('{"v":')).toBe(0);
  });

  it('starts a chain with zeros, and ends with a line feed', () => {
    expect([CHAIN_START, [...NEWLINE], MAX_LINE_BYTES]).toEqual(['0'.repeat(32), [10], 1_048_576]);
  });
});

describe('the tail of a line', () => {
  const bytesOf = (value: string) => new TextEncoder().encode(value);

  it('is recognized by every character except the CRC digits', () => {
    const end = 'x,"c":"53290e39"}';
    expect(hasLineTail(bytesOf(end), 0, end.length)).toBe(true);
    for (let at = 0; at < end.length; at++) {
      const changed = bytesOf(`${end.slice(0, at)}!${end.slice(at + 1)}`);
      expect(hasLineTail(changed, 0, end.length)).toBe(at === 0 || (at > 6 && at < 15));
    }
  });

  it('is not recognized if nothing precedes it', () => {
    const end = bytesOf('x,"c":"53290e39"}');
    expect([
      hasLineTail(end, 1, end.length),
      hasLineTail(end, 2, end.length),
      hasLineTail(end, 0, 5),
    ]).toEqual([false, false, false]);
  });

  it('has its CRC in lowercase hex digits only', () => {
    const read = (digits: string) => readTailCrc(bytesOf(`${digits}"}`), 10);
    expect(['00000000', '09af09af', 'ffffffff', '12345678', '9abcdef0'].map(read)).toEqual([
      0, 0x09af09af, 0xffffffff, 0x12345678, 0x9abcdef0,
    ]);
    for (const digit of '/:`gAF ')
      expect([read(`${digit}0000000`), read(`0000000${digit}`)]).toEqual([-1, -1]);
  });

  it('isSequenceNumber accepts integers from 1', () => {
    expect([1, 2, Number.MAX_SAFE_INTEGER].every(isSequenceNumber)).toBe(true);
    expect(
      [0, -1, 1.5, Number.MAX_SAFE_INTEGER + 1, Infinity, NaN, '1', null, undefined, [1]].filter(
        isSequenceNumber,
      ),
    ).toEqual([]);
  });
});

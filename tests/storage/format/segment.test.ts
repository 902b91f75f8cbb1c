import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Draft, LogEvent } from '../../../src/model/event.js';
import { crc32, crcText } from '../../../src/platform/crc32.js';
import { decodeLine, TAIL_BYTES } from '../../../src/storage/format/line.js';
import { parseSegment, toUtf8, type ParsedSegment } from '../../../src/storage/format/segment.js';
import { joinLines, lineOf, linesOf, workspaceDraft } from '../../fakes/events.js';

const LINES = linesOf(['One', 'Zwei ü', 'Three 😀', 'Four'].map((name) => workspaceDraft(name)));
const TEXTS = LINES.map(({ bytes }) => new TextDecoder().decode(bytes).trimEnd());
const [ONE, TWO, THREE, FOUR] = TEXTS as [string, string, string, string];
const EVENTS = LINES.map(({ event }) => event);
const WHOLE = joinLines(LINES);

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function readText(text: string): ParsedSegment {
  return parseSegment(bytesOf(text));
}

function eventsIn({ lines }: ParsedSegment): LogEvent[] {
  return lines.map(({ event }) => event);
}

function troublesIn({ problems }: ParsedSegment): string[] {
  return problems.map(({ kind }) => kind);
}

/** Returns the text as a line with the matching CRC. */
function sealed(body: string): string {
  return `${body},"c":"${crcText(crc32(bytesOf(body)))}"}`;
}

/** Returns the line with a part of its text replaced and the old CRC. */
function edited(line: string): string {
  return line.replace('To test', 'To fool');
}

const NO_TROUBLE = { problems: [] };

describe('parseSegment', () => {
  it('returns complete lines with their byte ranges', () => {
    const reading = parseSegment(WHOLE);
    expect(eventsIn(reading)).toEqual(EVENTS);
    expect(reading).toMatchObject({ ...NO_TROUBLE, settled: WHOLE.length });
    for (const { event, from, to } of reading.lines)
      expect(decodeLine(WHOLE, from, to)).toEqual({ event });
  });

  it('returns nothing for an empty file', () => {
    expect(readText('')).toEqual({ lines: [], problems: [], settled: 0 });
  });

  it('accepts a last line without its newline if its CRC matches', () => {
    const reading = readText(`${ONE}\n${TWO}`);
    expect(eventsIn(reading)).toEqual(EVENTS.slice(0, 2));
    expect(reading).toMatchObject(NO_TROUBLE);
  });

  it('leaves an incomplete last line unsettled', () => {
    const reading = readText(`${ONE}\n${TWO.slice(0, -1)}`);
    expect(eventsIn(reading)).toEqual(EVENTS.slice(0, 1));
    expect(reading).toMatchObject({
      problems: [{ kind: 'pending', from: ONE.length + 1 }],
      settled: ONE.length + 1,
    });
  });

  it.each([
    ['a torn line with a complete one glued to it', `${ONE.slice(0, 60)}${TWO}\n${THREE}\n`],
    ['a torn end glued to a complete line', `${ONE.slice(90)}${TWO}\n${THREE}\n`],
    ['garbage before a line', `garbage } ,"c":"00000000"} {"v":${TWO}\n${THREE}\n`],
    ['garbage after a line', `${TWO} garbage\n${THREE}\n`],
    ['two lines with a torn one between them', `${TWO}${ONE.slice(0, 33)}${THREE}\n`],
  ])('salvages complete lines from %s', (_, text) => {
    const reading = readText(text);
    expect(eventsIn(reading)).toEqual(EVENTS.slice(1, 3));
    expect(troublesIn(reading)).toEqual(['damaged']);
  });

  it('reports the same problems after glued lines in one read as in two', () => {
    for (const [rest, kind] of [
      [`${THREE.slice(0, 50)}\n`, 'damaged'],
      ['<<<<<<< HEAD\n', 'marker'],
      [THREE.slice(0, 50), 'pending'],
    ]) {
      const from = bytesOf(`${ONE}\0${TWO}`).length;
      expect(readText(`${ONE}\0${TWO}${rest}`).problems).toEqual([{ kind, from }]);
      expect(parseSegment(bytesOf(`${ONE}\0${TWO}${rest}`), from).problems).toEqual([
        { kind, from },
      ]);
    }
  });

  it('salvages from a last line without a newline, and leaves it unsettled', () => {
    const reading = readText(`${ONE}\n${TWO.slice(0, 50)}${THREE} {`);
    expect(eventsIn(reading)).toEqual([EVENTS[0], EVENTS[2]]);
    expect(reading.settled).toBe(ONE.length + 1);
    expect(troublesIn(reading)).toEqual(['pending']);
  });

  it.each([
    ['NULs at the end', `${ONE}\n${TWO}\n\0\0\0\0`],
    ['NULs after a last line without a newline', `${ONE}\n${TWO}\0\0\0\0`],
    ['NULs at the beginning', `\0\0\0${ONE}\n${TWO}\n`],
    ['NULs between lines', `${ONE}\n\0\0\0\0\0${TWO}\n`],
    ['carriage returns before lines', `\r${ONE}\n\r\r${TWO}\n`],
    ['a byte order mark', `\ufeff${ONE}\n${TWO}\n`],
    ['a byte order mark in the middle, as in joined files', `${ONE}\n\ufeff${TWO}\n`],
    ['Windows line ends', `${ONE}\r\n${TWO}\r\n`],
    ['blank lines', `\n\n${ONE}\n   \n\r\n${TWO}\n\n`],
    ['spaces around lines', `  ${ONE}  \n ${TWO} \n`],
    ['a missing newline between lines', `${ONE}${TWO}\n`],
    ['NULs instead of a newline', `${ONE}\0\0${TWO}\0`],
  ])('tolerates %s', (_, text) => {
    const reading = readText(text);
    expect(eventsIn(reading)).toEqual(EVENTS.slice(0, 2));
    expect(reading).toMatchObject(NO_TROUBLE);
  });

  it.each([
    ['little', 'utf16le', 0xff, 0xfe],
    ['big', 'utf16be', 0xfe, 0xff],
  ])('reads UTF-16 (%s-endian)', (_, order, first, second) => {
    const body = Buffer.from(`${ONE}\n${TWO}\n`, 'utf16le');
    if (order === 'utf16be') body.swap16();
    const raw = Uint8Array.from([first, second, ...body]);
    expect(eventsIn(parseSegment(toUtf8(raw)))).toEqual(EVENTS.slice(0, 2));
  });

  it('leaves UTF-8 bytes unchanged', () => {
    expect(toUtf8(WHOLE)).toBe(WHOLE);
  });

  it('reports the markers of a git conflict, and reads both sides', () => {
    const reading = readText(
      `${ONE}\n<<<<<<< HEAD\n${TWO}\n||||||| base\n=======\n${THREE}\n>>>>>>> other\n${FOUR}\n`,
    );
    expect(eventsIn(reading)).toEqual(EVENTS);
    expect(troublesIn(reading)).toEqual(['marker', 'marker', 'marker', 'marker']);
  });

  it('reports a line edited by hand with its offset, and does not apply it', () => {
    const reading = readText(`${ONE}\n${edited(TWO)}\n${THREE}\n`);
    expect(eventsIn(reading)).toEqual([EVENTS[0], EVENTS[2]]);
    expect(reading.problems).toEqual([{ kind: 'edited', from: ONE.length + 1 }]);
  });

  it('returns unknown types and later versions with every field', () => {
    const { event, bytes } = lineOf({ v: 9, t: 'thing.new', d: { a: [{ b: null }] } });
    expect(eventsIn(parseSegment(bytes))).toEqual([event]);
  });

  it('returns a repeated line each time', () => {
    expect(eventsIn(readText(`${ONE}\n${ONE}\n`))).toEqual([EVENTS[0], EVENTS[0]]);
  });

  it('finds no line inside the text of another line', () => {
    const { event, bytes } = lineOf({
      t: 'set',
      d: { '/note': `${ONE}\n${TWO}`, '/more': ['}', '","c":"00000000"}'] },
    });
    expect(eventsIn(parseSegment(bytes))).toEqual([event]);
    expect(eventsIn(parseSegment(Uint8Array.from([0x78, ...bytes])))).toEqual([event]);
    const damaged = bytes.slice();
    damaged[bytes.length - 5]! ^= 1;
    expect(eventsIn(parseSegment(damaged))).toEqual([]);
  });

  it('returns the same lines in two reads as in one, cut at any byte', () => {
    const nasty = `\ufeff${ONE}\r\n\n${TWO}${THREE.slice(0, 40)}${THREE}\n<<<<<<< HEAD\n${edited(FOUR)}\n${FOUR}\0\0\n`;
    for (const bytes of [WHOLE, bytesOf(nasty)]) {
      const whole = parseSegment(bytes);
      for (let cut = 0; cut <= bytes.length; cut++) {
        const first = parseSegment(bytes.subarray(0, cut));
        const rest = parseSegment(bytes, first.settled);
        const byPlace = new Map([...first.lines, ...rest.lines].map((line) => [line.from, line]));
        expect([...byPlace.values()].sort((a, b) => a.from - b.from)).toEqual(whole.lines);
      }
    }
  });

  it('reads data that replaces trailing NULs', () => {
    for (const end of ['', '\n']) {
      const early = bytesOf(`${ONE}${end}${'\0'.repeat(100)}`);
      const late = bytesOf(`${ONE}\n${TWO}\n${THREE}\n`);
      const { settled } = parseSegment(early);
      expect(eventsIn(parseSegment(late, settled))).toEqual(EVENTS.slice(1, 3));
    }
  });

  it('loses at most two lines to a damaged byte, and adds none', () => {
    fc.assert(
      fc.property(fc.nat(WHOLE.length - 1), fc.nat(255), (at, byte) => {
        const damaged = WHOLE.slice();
        damaged[at] = byte;
        const found = eventsIn(parseSegment(damaged));
        for (const event of found) expect(EVENTS).toContainEqual(event);
        expect(found.length).toBeGreaterThanOrEqual(EVENTS.length - 2);
      }),
      { numRuns: 1000 },
    );
  });

  it('loses at most two lines to a removed or inserted byte', () => {
    for (let at = 0; at < WHOLE.length; at++) {
      for (const put of [[], [0x0a, WHOLE[at]!], [0x7b, WHOLE[at]!]]) {
        const damaged = Uint8Array.from([
          ...WHOLE.subarray(0, at),
          ...put,
          ...WHOLE.subarray(at + 1),
        ]);
        const found = eventsIn(parseSegment(damaged));
        expect(found.filter(({ c }) => !EVENTS.some((event) => event.c === c))).toEqual([]);
        expect(found.length).toBeGreaterThanOrEqual(EVENTS.length - 2);
      }
    }
  });

  it('never throws for any bytes, and returns positions within them', () => {
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc
        .constantFrom(
          ...TEXTS,
          '\n',
          '\0',
          '{"v":',
          '"}',
          ',"c":"00000000"}',
          '\ufeff',
          '<<<<<<<',
          '}',
          '{',
        )
        .map(bytesOf),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.nat(400), (parts, from) => {
        const bytes = toUtf8(Uint8Array.from(parts.flatMap((bytes) => [...bytes])));
        const start = Math.min(from, bytes.length);
        const { lines, problems, settled } = parseSegment(bytes, start);
        expect(settled).toBeGreaterThanOrEqual(start);
        expect(settled).toBeLessThanOrEqual(bytes.length);
        for (const { event, from, to } of lines)
          expect(decodeLine(bytes, from, to)).toEqual({ event });
        for (const problem of problems) expect(problem.from).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 500 },
    );
  });

  it('reads a line of 200,000 nested brackets', () => {
    const depth = 200_000;
    expect(
      troublesIn(
        readText(
          `${'['.repeat(depth)}\n${'{"v":'.repeat(depth)}1${'}'.repeat(depth)}\n${'{'.repeat(depth)}\n`,
        ),
      ),
    ).toEqual(['damaged', 'edited', 'damaged']);
    expect(eventsIn(readText(`${'{"v":'.repeat(depth)}${ONE}\n${TWO}\n`))).toEqual(
      EVENTS.slice(0, 2),
    );
  });

  it('reads files full of unrelated data to the end', () => {
    expect(troublesIn(readText('x\n'.repeat(600_000)))).toHaveLength(600_000);
    expect(troublesIn(readText(`{"v":${',"c":"00000000"}'.repeat(60_000)}\n`))).toEqual([
      'damaged',
    ]);
  });

  it('salvages a glued line whose data looks like the start of a line', () => {
    const nested: Draft = workspaceDraft('Nested', 'w1', {
      preferences: { v: 1, deep: { v: { v: 2 } } },
    });
    const { event, bytes } = lineOf(nested);
    const glued = Uint8Array.from([...bytesOf(ONE.slice(0, 50)), ...bytes, ...bytesOf(`${TWO}\n`)]);
    expect(eventsIn(parseSegment(glued))).toEqual([event, EVENTS[1]]);
  });

  it.each([
    ['the first half of a little-endian byte order mark', [0xff, 0x41, 0x42, 0x43]],
    ['the second half of a little-endian byte order mark', [0x41, 0xfe, 0x42, 0x43]],
    ['the first half of a big-endian byte order mark', [0xfe, 0x41, 0x42, 0x43]],
    ['the second half of a big-endian byte order mark', [0x41, 0xff, 0x42, 0x43]],
    ['a byte order mark before UTF-8 lines', [0xff, 0xfe, ...bytesOf(ONE)]],
  ])('does not treat %s as UTF-16', (_, bytes) => {
    const raw = Uint8Array.from(bytes);
    expect(toUtf8(raw)).toBe(raw);
  });

  it.each([
    [0xef, 0xbb, 0x41],
    [0xef, 0x41, 0xbf],
    [0x41, 0xbb, 0xbf],
    [0x41, 0x42, 0xbf],
  ])('does not treat %i, %i, %i as a byte order mark', (...bytes) => {
    const reading = parseSegment(Uint8Array.from([...bytes, ...bytesOf(`${ONE}\n`)]));
    expect(eventsIn(reading)).toEqual(EVENTS.slice(0, 1));
    expect(reading.problems).toEqual([{ kind: 'damaged', from: 0 }]);
  });

  it('settles everything before trailing NULs', () => {
    expect(readText(`${ONE}\n\0\0`).settled).toBe(ONE.length + 1);
    expect(readText(`${ONE}\0\0`).settled).toBe(ONE.length);
  });

  it('recognizes a marker only at the start of a line without an event', () => {
    expect(troublesIn(readText(`x<<<<<<<\n<<<<<<\n`))).toEqual(['damaged', 'damaged']);
    const glued = readText(`<<<<<<< HEAD${ONE}\n`);
    expect(eventsIn(glued)).toEqual(EVENTS.slice(0, 1));
    expect(troublesIn(glued)).toEqual(['damaged']);
  });

  it('finds no event inside the data of a salvaged line', () => {
    const outer = sealed(TWO.slice(0, -TAIL_BYTES).replace('"d":{', `"d":{"inner":${ONE},`));
    expect(eventsIn(readText(outer)).map(({ n }) => n)).toEqual([2]);
    expect(eventsIn(readText(`torn${outer}\n${THREE}\n`)).map(({ n }) => n)).toEqual([2, 3]);
  });

  it('salvages a line whose data looks like the end of a line', () => {
    const { event, bytes } = lineOf({
      t: 'set',
      d: { '/a': { b: 1, c: '00000000' }, '/d': [{ e: {}, c: 'ffffffff' }] },
    });
    expect(eventsIn(parseSegment(Uint8Array.from([...bytesOf('torn'), ...bytes])))).toEqual([
      event,
    ]);
  });

  it('salvages a line whose data looks like the start of eight lines', () => {
    const inner = Array.from({ length: 8 }, (_, index) => `"k${index}":{"v":${index}}`).join(',');
    const outer = sealed(TWO.slice(0, -TAIL_BYTES).replace('"d":{', `"d":{${inner},`));
    for (const before of ['torn', '{"v":'.repeat(10)])
      expect(eventsIn(readText(`${before}${outer}${THREE}\n`)).map(({ n }) => n)).toEqual([2, 3]);
  });
});

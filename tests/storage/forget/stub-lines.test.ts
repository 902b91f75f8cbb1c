import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import { crc32, crcText } from '../../../src/platform/crc32.js';
import { stubLines, type StubTargets } from '../../../src/storage/forget/stub-lines.js';
import { parseSegment } from '../../../src/storage/format/segment.js';
import { encodeStub } from '../../../src/storage/format/stub.js';
import { joinLines, linesOf, WRITER_A, workspaceDraft } from '../../fakes/events.js';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const lines = linesOf(
  Array.from({ length: 12 }, (_, at) => workspaceDraft(`Name ${at + 1}`, `id-${at + 1}`)),
);
const [one, two, three] = lines.map(({ bytes }) => decode(bytes)) as [string, string, string];
const twelve = decode(lines[11]!.bytes);
const stub = decode(encodeStub(lines[1]!.event, lines[1]!.hash).bytes);

/** Forgets the lines of one writer that have these numbers. */
const forgetNumbers = (...numbers: number[]): StubTargets => {
  const hasNumber: StubTargets['hasNumber'] = ({ w, n }) => w === WRITER_A && numbers.includes(n);
  return {
    has: (event) => event.t === 'ws.new' && hasNumber(event),
    hasNumber,
  };
};

/** The text of a file after the lines with these numbers are forgotten. */
const without = (text: string, ...numbers: number[]) =>
  decode(stubLines(encode(text), forgetNumbers(...numbers)));

const sealed = (body: string) => `${body},"c":"${crcText(crc32(encode(body)))}"}`;
const edited = (line: string) => line.replace('About', 'about');
const torn = (line: string) => line.slice(0, 120);

describe('stubLines', () => {
  it('returns the same array if a file has none of the lines', () => {
    const raw = joinLines(lines);
    expect(stubLines(raw, forgetNumbers(13))).toBe(raw);
    const damaged = encode(one + torn(two));
    expect(stubLines(damaged, forgetNumbers(3))).toBe(damaged);
  });

  it.each([
    ['a line between others', one + two + three, one + stub + three],
    ['the last line, whose newline is missing', one + two.trimEnd(), one + stub.trimEnd()],
    ['each of several copies', two + one + two, stub + one + stub],
    ['a line to which another one is glued', two.trimEnd() + three, stub.trimEnd() + three],
    [
      'a line with carriage return',
      `${two.trimEnd()}\r\n${three}`,
      `${stub.trimEnd()}\r\n${three}`,
    ],
    ['a stub, which stays', one + stub + three, one + stub + three],
  ])('replaces %s by its stub', (_, before, after) => {
    expect(without(before, 2)).toBe(after);
  });

  it('replaces lines of a file in UTF-16, which is in UTF-8 then', () => {
    const raw = Uint8Array.from([0xff, 0xfe, ...Buffer.from(one + two, 'utf16le')]);
    expect(decode(stubLines(raw, forgetNumbers(2)))).toBe(one + stub);
  });

  it.each([
    ['an edited line', one + edited(two) + three, `${one}\n${three}`],
    ['the beginning of a line', `${one + torn(two)}\n${three}`, `${one}\n${three}`],
    ['an incomplete last line', one + torn(two), one],
    ['a torn line up to the whole one that is glued to it', one + torn(two) + three, one + three],
    ['a torn line after a whole one', `${one.trimEnd() + torn(two)}\n`, one],
    [
      'an edited line besides the whole one',
      edited(two) + two + edited(two) + one,
      `\n${stub}\n${one}`,
    ],
    ['a torn line that is glued to the whole one', torn(two) + two + three, stub + three],
    ['a torn line after that of another', `${torn(one) + torn(two)}\n`, `${torn(one)}\n`],
    [
      'both parts of a line with another one in its midst',
      torn(two) + one.trimEnd() + two.slice(120),
      one,
    ],
    [
      'two torn lines with another one between them',
      `${torn(two) + one.trimEnd() + torn(two)}\n`,
      one,
    ],
    ['a line whose first characters are damaged', `x"V":1,${two.slice(7)}${one}`, `\n${one}`],
    ['a line that was quoted', `> ${edited(two)}`, '> \n'],
  ])('removes %s', (_, before, after) => {
    expect(without(before, 2)).toBe(after);
  });

  it('removes damaged forms of lines with numbers of several digits', () => {
    expect(without(edited(twelve) + one, 12)).toBe(`\n${one}`);
    expect(without(edited(twelve) + one, 2)).toBe(edited(twelve) + one);
  });

  it.each([
    ['a damaged line of another number', edited(three)],
    ['a damaged line of another writer', two.replace(WRITER_A, 'bbbbbbbbbbbb')],
    ['a line that names no writer', edited(two).replace(WRITER_A, 'a'.repeat(11))],
    ['text', 'Hello\n'],
  ])('leaves %s', (_, damaged) => {
    expect(without(damaged + two, 2)).toBe(damaged + stub);
  });

  it('leaves what names no event even if all numbers are forgotten', () => {
    const all: StubTargets = { has: () => false, hasNumber: () => true };
    expect(decode(stubLines(encode(`Hello\n${edited(one)}`), all))).toBe('Hello\n\n');
  });

  it('throws if what follows a damaged line would become an event', () => {
    // whole lines may have their keys in any order, but only in a line of their own
    const { v, c: _, ...rest } = JSON.parse(three) as LogEvent;
    const reordered = sealed(JSON.stringify({ ...rest, v }).slice(0, -1));
    expect(parseSegment(encode(reordered)).lines).toHaveLength(1);
    const glued = torn(two) + one.trimEnd() + reordered;
    expect(parseSegment(encode(glued)).lines).toHaveLength(1);
    expect(() => without(glued, 2)).toThrow('Forgetting a line would change another one');
  });

  it('throws if other lines are to be forgotten by the time of its check', () => {
    let asked = 0;
    const changing: StubTargets = {
      has: ({ n }) => n === 2 && ++asked === 1,
      hasNumber: () => false,
    };
    expect(() => stubLines(encode(one + two), changing)).toThrow(
      'Forgetting a line would change another one',
    );
  });
});

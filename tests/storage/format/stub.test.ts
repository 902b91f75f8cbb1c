import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../../src/model/event.js';
import {
  chainHash,
  encodeStub,
  originalHash,
  withoutNewline,
} from '../../../src/storage/format/stub.js';
import { parseSegment } from '../../../src/storage/format/segment.js';
import { eventOf, lineOf, workspaceDraft } from '../../fakes/events.js';

const HASH = '0123456789abcdef'.repeat(2);
const line = lineOf({ ...workspaceDraft('Secret'), n: 7, p: 'f'.repeat(32) });
const stub = encodeStub(line.event, line.hash);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('A stub', () => {
  it('keeps writer, number, chain link and time of the line, and nothing of its content', () => {
    const { w, n, p, h } = line.event;
    const { event } = stub;
    expect(event).toEqual({
      v: 1,
      w,
      n,
      p,
      h,
      t: 'forgotten',
      e: '',
      d: { hash: line.hash },
      c: event.c,
    });
    expect(decode(stub.bytes)).not.toContain('Secret');
    expect(parseSegment(stub.bytes)).toMatchObject({ lines: [{ event }], problems: [] });
  });

  it('has the same bytes on every device', () => {
    expect(encodeStub({ ...line.event }, line.hash).bytes).toEqual(stub.bytes);
  });

  it('counts in the chain as the line that it replaces', () => {
    expect(chainHash(line.event, withoutNewline(line))).toBe(line.hash);
    expect(chainHash(stub.event, withoutNewline(stub))).toBe(line.hash);
    expect(stub.hash).not.toBe(line.hash);
  });

  it.each<[string, Partial<LogEvent>, string | undefined]>([
    ['the hash of its original', {}, HASH],
    ['none if it has another type', { t: 'x' }, undefined],
    ['none if it has a newer version', { v: 2 }, undefined],
    ['none without a hash', { d: {} }, undefined],
    ['none with what cannot be a hash', { d: { hash: HASH.slice(1) } }, undefined],
    ['none with a number as hash', { d: { hash: 7 } }, undefined],
  ])('names %s', (_, fields, expected) => {
    expect(originalHash(eventOf({ t: 'forgotten', d: { hash: HASH }, ...fields }))).toBe(expected);
  });

  it('of which the original is unknown counts as a line of its own', () => {
    const strange = lineOf({ t: 'forgotten', d: { hash: 'strange' } });
    expect(chainHash(strange.event, withoutNewline(strange))).toBe(strange.hash);
  });
});

it('a line without its newline ends in its brace', () => {
  expect(decode(withoutNewline(line))).toBe(decode(line.bytes).trimEnd());
});

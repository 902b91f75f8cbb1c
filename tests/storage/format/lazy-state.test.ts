import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_KEY, type JsonObject, type LogEvent } from '../../../src/model/event.js';
import { fold, emptyMemory, entityName, entityOf } from '../../../src/model/memory.js';
import { allStates, isNameTaken } from '../../../src/model/lookup.js';
import { stateData, stateOf, type StateContent } from '../../../src/model/state.js';
import { crc32, crcText } from '../../../src/platform/crc32.js';
import { decodeLine, encodeLine, TAIL_BYTES } from '../../../src/storage/format/line.js';
import { CHAIN_START } from '../../../src/storage/format/line-hash.js';
import { readLazyState } from '../../../src/storage/format/lazy-state.js';
import { canonicalMemory } from '../../fakes/canonical.js';
import { clockText, contentOf, lineOf } from '../../fakes/events.js';

const text = fc.oneof(
  fc.string({ maxLength: 10 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom(
    '"',
    '\\',
    '","name":"other","',
    '{"v":1',
    '\n',
    '\u2028',
    '😀'.repeat(120),
    'ü'.repeat(199),
    '__proto__',
    'x'.repeat(600),
  ),
);
const id = text.map((value) => value.slice(0, 64));
const content: fc.Arbitrary<StateContent> = fc.record(
  {
    name: text,
    conversationContext: text,
    activeTask: text,
    activeFiles: fc.array(text),
    nextSteps: fc.array(text),
    description: text,
    tags: fc.array(text),
  },
  { requiredKeys: ['name', 'conversationContext', 'activeTask', 'activeFiles', 'nextSteps'] },
);

function decoded(bytes: Uint8Array): LogEvent {
  const reading = decodeLine(bytes, 0, bytes.length - 1);
  if (!('event' in reading)) throw new Error(reading.problem);
  return reading.event;
}

function headOf(bytes: Uint8Array): LogEvent | undefined {
  return readLazyState(bytes, 0, bytes.length - 1, '00000000');
}

const BODY = textOf(
  lineOf({ t: 'state.new', e: 's', d: stateData('w', contentOf('x'), 'sha') }).bytes,
).slice(0, -TAIL_BYTES - 1);

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Returns the text as a line with the matching CRC. */
function sealed(body: string): Uint8Array {
  const encoder = new TextEncoder();
  return encoder.encode(`${body},"c":"${crcText(crc32(encoder.encode(body)))}"}\n`);
}

/** Copies every field of an event, getters included. */
function fieldsOf({ v, w, n, p, h, t, e, d, c }: LogEvent): LogEvent {
  return { v, w, n, p, h, t, e, d, c };
}

describe('a lazy state', () => {
  it('has every field of its line, for any text', () => {
    fc.assert(
      fc.property(content, text, id, fc.option(text), (saved, ws, e, call) => {
        const d: JsonObject = {
          ...(call !== null && { [CALL_KEY]: call }),
          ...stateData(ws, saved, 'sha'),
        };
        const { event, bytes } = lineOf({ t: 'state.new', e, d });
        expect(fieldsOf(decoded(bytes))).toEqual(fieldsOf(event));
        expect(fieldsOf(decoded(bytes)).d).toEqual(d);
      }),
      { numRuns: 300 },
    );
  });

  it('folds to the same memory as an eagerly parsed state', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(content, id, fc.option(text)), { maxLength: 6 }), (states) => {
        const lines = states.map(([saved, e, call], index) =>
          lineOf({
            t: 'state.new',
            e,
            n: index + 1,
            d: { ...(call !== null && { [CALL_KEY]: call }), ...stateData('w', saved, 'sha') },
          }),
        );
        const [unread, read] = [
          lines.map(({ bytes }) => decoded(bytes)),
          lines.map(({ event }) => event),
        ].map((events) => fold(emptyMemory, events));
        expect(canonicalMemory(unread!)).toEqual(canonicalMemory(read!));
      }),
      { numRuns: 100 },
    );
  });

  it('has no data if its line has a key twice, so that no second name counts', () => {
    const twice = BODY.replace('"sha":"sha"', '"sha":"sha","name":"Other"');
    const event = decoded(sealed(twice));
    expect(event.head?.name).toBe('x');
    expect(fieldsOf(event)).toMatchObject({ p: CHAIN_START, d: {} });
    expect(stateOf(entityOf(fold(emptyMemory, [event]), 's'))).toBeUndefined();
  });

  it('has its name and workspace before its line is parsed', () => {
    const { bytes } = lineOf({
      t: 'state.new',
      e: 's1',
      d: stateData('w1', contentOf('Size 2'), 'sha'),
    });
    const head = headOf(bytes);
    expect(head?.head).toMatchObject({ ws: 'w1', name: 'Size 2' });
    const memory = fold(emptyMemory, [head!]);
    expect(entityName(entityOf(memory, 's1'))).toBe('Size 2');
    expect(isNameTaken(memory, 'w1', 'Size 3')).toBe(false);
    expect(isNameTaken(memory, 'w1', ' size  2')).toBe(true);
  });

  it.each<[string, Partial<LogEvent>]>([
    ['a later version', { v: 2 }],
    ['another type', { t: 'state.newer' }],
    ['data in another order', { d: { name: 'x', ws: 'w' } }],
    ['an idempotency key', { d: { [CALL_KEY]: 'key', ...stateData('w', contentOf('x'), 'sha') } }],
    ['an escaped name', { d: stateData('w', contentOf('a"b'), 'sha') }],
    ['a name longer than the head', { d: stateData('w', contentOf('x'.repeat(5000)), 'sha') }],
  ])('is not created for a line with %s', (_, fields) => {
    const { bytes } = lineOf({
      t: 'state.new',
      d: stateData('w', contentOf('x'), 'sha'),
      ...fields,
    });
    expect(headOf(bytes)).toBeUndefined();
    expect(decoded(bytes)).toMatchObject(fields);
  });

  it.each<[string, Partial<LogEvent>]>([
    ['timestamp', { h: '2300-01-01T00:00:00.000Z.0000' }],
    ['writer', { w: 'AAAAAAAAAAAA' }],
    ['number', { n: 0 }],
    ['number', { n: 2.5 }],
    ['entity id', { e: 'x'.repeat(65) }],
    ['chain link', { p: '00000000' }],
  ])('is not created for a line with an invalid %s', (_, fields) => {
    const line = {
      v: 1,
      w: 'aaaaaaaaaaaa',
      n: 1,
      p: CHAIN_START,
      h: clockText(0),
      t: 'state.new',
      e: 's',
    };
    const { bytes } = encodeLine({ ...line, d: stateData('w', contentOf('x'), 'sha'), ...fields });
    expect(decodeLine(bytes, 0, bytes.length - 1)).toEqual({ problem: 'foreign' });
  });

  it('has the sequence number of its line, however large', () => {
    for (const n of [1, 10, 123_456, 999_999_999_999_999]) {
      const { bytes } = lineOf({ t: 'state.new', n, d: stateData('w', contentOf('x'), 'sha') });
      expect(headOf(bytes)?.n).toBe(n);
    }
  });

  it('is created even if the head ends within a character', () => {
    for (const before of ['', 'x', 'xx', 'xxx']) {
      const saved = contentOf('Plan', { conversationContext: before + '😀'.repeat(100) });
      const { bytes } = lineOf({ t: 'state.new', e: 's1', d: stateData('w1', saved, 'sha') });
      expect(headOf(bytes)?.head).toMatchObject({ name: 'Plan' });
    }
  });

  it('has no data if its line is invalid JSON with a matching CRC', () => {
    const event = decoded(sealed(BODY.replace('"sha":"sha"', '"sha":sha')));
    expect(fieldsOf(event)).toMatchObject({ e: 's', n: 1, p: '', d: {} });
  });

  it('is not created from the middle of a line', () => {
    const bytes = sealed(`x${BODY}`);
    expect(headOf(bytes)).toBeUndefined();
    expect(decodeLine(bytes, 0, bytes.length - 1)).toEqual({ problem: 'damaged' });
  });

  it('folds to no state if its data is invalid', () => {
    const { bytes } = lineOf({
      t: 'state.new',
      e: 's1',
      d: { ws: 'w', name: 'Half', activeTask: 5 },
    });
    const memory = fold(emptyMemory, [decoded(bytes)]);
    expect(stateOf(entityOf(memory, 's1'))).toBeUndefined();
    expect(allStates(memory, 'w')).toEqual([]);
  });
});

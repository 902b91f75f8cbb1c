import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/model/event.js';
import {
  forgetKey,
  forgetOf,
  isForgettable,
  lineCount,
} from '../../../src/storage/forget/forget-event.js';
import { clockText, eventOf, WRITER_A, WRITER_B } from '../../fakes/events.js';

const HASH = '0123456789abcdef'.repeat(2);
const CRCS = '00000001abcdef02';
const RANGE = { w: WRITER_A, from: 4, to: 5, crcs: CRCS, hash: HASH };

const forgetWith = (d: JsonObject) => forgetOf(eventOf({ t: 'log.forget', w: WRITER_B, d }));
const rangesOf = (...ranges: Json[]) => forgetWith({ device: 'phone', ranges })?.ranges;

describe('A log.forget event', () => {
  it('names a device, messages, and lines by writer, number and CRC', () => {
    expect(forgetWith({ device: 'phone', turns: ['one', 'two'], ranges: [RANGE] })).toEqual({
      device: 'phone',
      turns: ['one', 'two'],
      ranges: [{ writer: WRITER_A, from: 4, to: 5, crcs: ['00000001', 'abcdef02'], hash: HASH }],
    });
  });

  it.each([
    ['another type', eventOf({ t: 'log.seal', d: { ranges: [RANGE] } })],
    ['a newer version', eventOf({ t: 'log.forget', v: 2, d: { ranges: [RANGE] } })],
    ['no ranges', eventOf({ t: 'log.forget', d: { device: 'phone', turns: ['one'] } })],
    ['an empty list of ranges', eventOf({ t: 'log.forget', d: { ranges: [] } })],
    ['ranges that are no list', eventOf({ t: 'log.forget', d: { ranges: RANGE } })],
  ])('with %s forgets nothing', (_, event) => {
    expect(forgetOf(event)).toBeUndefined();
  });

  it.each<[string, Json]>([
    ['is no object', 'range'],
    ['is null', null],
    ['is a list', [RANGE]],
    ['has no writer', { ...RANGE, w: 7 }],
    ['has a list as writer', { ...RANGE, w: [WRITER_A] }],
    ['has a writer that cannot be one', { ...RANGE, w: `${WRITER_A}a` }],
    ['begins with the number 0', { ...RANGE, from: 0, to: 1 }],
    ['begins with a text', { ...RANGE, from: '4' }],
    ['ends with a text', { ...RANGE, to: '5' }],
    ['ends with a fraction', { ...RANGE, from: 1, to: 2.5, crcs: '00000000'.repeat(2) + '0000' }],
    ['ends before it begins', { ...RANGE, from: 5, to: 4, crcs: '' }],
    ['has no CRCs', { ...RANGE, crcs: 12345678 }],
    ['has fewer CRCs than lines', { ...RANGE, crcs: '00000001' }],
    ['has more CRCs than lines', { ...RANGE, crcs: `${CRCS}00000003` }],
    ['has no CRC at the beginning', { ...RANGE, crcs: `x${CRCS.slice(1)}` }],
    ['has no CRC at the end', { ...RANGE, crcs: `${CRCS.slice(1)}x` }],
    ['has CRCs in capitals', { ...RANGE, crcs: CRCS.toUpperCase() }],
    ['has no hash', { ...RANGE, hash: 7 }],
  ])('ignores a range that %s, and keeps another', (_, range) => {
    expect(rangesOf(range)).toBeUndefined();
    expect(rangesOf(range, RANGE)).toHaveLength(1);
  });

  it.each<[string, JsonObject]>([
    ['without device and messages', {}],
    ['whose device and messages are of other types', { device: 7, turns: 'one' }],
    ['whose messages are no texts', { device: null, turns: [7, null] }],
  ])('is valid %s', (_, d) => {
    expect(forgetWith({ ...d, ranges: [RANGE] })).toMatchObject({ device: '', turns: [] });
  });

  it('keeps only messages that are texts', () => {
    const turns = ['one', 7, 'two'];
    expect(forgetWith({ turns, ranges: [RANGE] })?.turns).toEqual(['one', 'two']);
  });

  it.each<[Json]>([[['st-1']], [['']]])('names no other items, as %j', (entities) => {
    const content = forgetWith({ device: 'phone', entities, ranges: [RANGE] });
    expect(content).toEqual(forgetWith({ device: 'phone', ranges: [RANGE] }));
  });

  it('counts the lines of all its ranges', () => {
    const content = forgetWith({ ranges: [RANGE, { ...RANGE, from: 9, to: 10 }] })!;
    expect(lineCount(content)).toBe(4);
  });

  it('shows a name of its device that is short and visible', () => {
    const device = `\u202e${'x'.repeat(500)}`;
    const shown = forgetWith({ device, ranges: [RANGE] })?.device;
    expect(shown).toMatch(/^⟨U\+202E⟩x+…$/);
    expect(shown!.length).toBeLessThan(100);
  });

  it('is one with any other event of the same content', () => {
    const d = { device: 'phone', ranges: [RANGE] };
    const key = forgetKey(eventOf({ t: 'log.forget', d }));
    expect(forgetKey(eventOf({ t: 'log.forget', d, w: WRITER_B, n: 9, h: clockText(1) }))).toBe(
      key,
    );
    expect(forgetKey({ d })).toBe(key);
    expect(forgetKey({ d: { ...d, device: 'laptop' } })).not.toBe(key);
    expect(forgetKey({ d: { ...d, ranges: [{ ...RANGE, hash: '0'.repeat(32) }] } })).not.toBe(key);
  });

  it.each([
    ['state.new', true],
    ['set', true],
    ['x.log.new', true],
    ['forgotten', true],
    ['log.seg', false],
    ['log.forget', false],
    ['log.unknown', false],
  ])('can forget a line of the type %s: %s', (t, expected) => {
    expect(isForgettable({ t })).toBe(expected);
  });
});

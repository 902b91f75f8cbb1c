import { expect, it } from 'vitest';
import { joinBytes } from '../../../src/platform/bytes/bytes.js';
import { withAppendedEvents } from '../../../src/storage/format/appended-lines.js';
import { linesOf, WRITER_B, workspaceDraft } from '../../fakes/events.js';

const [ONE, TWO, THREE] = linesOf(
  ['One', 'Zwei ü', 'Three'].map((name) => workspaceDraft(name)),
).map(({ bytes }) => new TextDecoder().decode(bytes)) as [string, string, string];
/** The second event as another program would rewrite it, with a matching CRC. */
const FORGED = new TextDecoder().decode(
  linesOf(['One', 'Forged'].map((name) => workspaceDraft(name)))[1]!.bytes,
);
/** The second event of another writer. */
const OTHER = new TextDecoder().decode(linesOf([workspaceDraft('Other')], WRITER_B, 2)[0]!.bytes);
/** A last line that is cut within its text. */
const TORN = TWO.slice(0, TWO.indexOf('ü') + 1);

const bytesOf = (text: string | undefined) =>
  text === undefined ? undefined : new TextEncoder().encode(text);

it.each([
  ['appended events', ONE, ONE + TWO + THREE, ONE + TWO + THREE],
  ['a new segment', undefined, ONE + TWO, ONE + TWO],
  ['an incomplete last line', ONE, ONE + TWO.slice(0, 40), ONE + TWO.slice(0, 40)],
  ['a completed last line', ONE + TWO.slice(0, 40), ONE + TWO, ONE + TWO],
  ['what is appended to an incomplete last line', ONE + TORN, ONE + TORN + THREE, ONE + THREE],
  ['an event of another writer with the same number', TWO, TWO + OTHER, TWO + OTHER],
  ['text without a newline before what is appended', 'Hello', ONE, `Hello\n${ONE}`],
  ['an empty file', '', '', ''],
  ['a missing file', undefined, undefined, undefined],
  ['a completed newline', ONE + TWO.trimEnd(), ONE + TWO + THREE, ONE + TWO + THREE],
])('keeps %s', (_, before, after, expected) => {
  expect(withAppendedEvents(bytesOf(before), bytesOf(after))).toEqual(bytesOf(expected));
});

it.each([
  ['a deleted file', ONE + TWO, undefined, ONE + TWO],
  ['a deleted file with an incomplete last line', ONE + TORN, undefined, ONE + TORN],
  ['an emptied file', ONE + TWO, '', ONE + TWO],
  ['a removed line', ONE + TWO, ONE, ONE + TWO],
  ['a removed line, and keeps an appended one', ONE + TWO, ONE + THREE, ONE + TWO + THREE],
  ['a rewritten event', ONE + TWO, ONE + FORGED, ONE + TWO],
  ['an appended line that is no event', ONE, `${ONE}{"x":1}\n${TWO}`, ONE + TWO],
  ['a new file without events', undefined, 'Hello\n', undefined],
])('reverts %s', (_, before, after, expected) => {
  expect(withAppendedEvents(bytesOf(before), bytesOf(after))).toEqual(bytesOf(expected));
});

it('keeps bytes that are no text', () => {
  const before = Uint8Array.from([0xff, 0x00, 0xe4]);
  const after = joinBytes([before, Uint8Array.of(0x0a), bytesOf(ONE)!]);
  expect(withAppendedEvents(before, after)).toEqual(after);
});

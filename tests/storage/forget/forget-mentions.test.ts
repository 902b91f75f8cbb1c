import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/event.js';
import { mentionIn, probesOf } from '../../../src/storage/forget/forget-mentions.js';
import { takesLinearTime } from '../../linear-time.js';

const SECRET = 'Das Tor öffnet sich mit "Größe 4711", sagt Zoë Müller:\nnie weitersagen!';

/** Returns the excerpt of a text that is found in a value. */
const found = (text: string, value: JsonObject | string, type = 'trace.new') =>
  mentionIn({ t: type, d: typeof value === 'string' ? { value } : value }, probesOf([text]));

describe('the same text', () => {
  const bold = SECRET.replace('Tor', '**Tor**').replace('Zoë', '_Zoë_');
  const json = JSON.stringify({ activeTask: SECRET });
  const ascii = json.replace(
    /[^ -~]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  it.each([
    ['as it is', SECRET],
    ['decomposed', SECRET.normalize('NFD')],
    ['in small letters', SECRET.toLowerCase()],
    ['in capitals', SECRET.toUpperCase()],
    ['with other line breaks', SECRET.replaceAll('\n', '\r\n\r\n')],
    ['with wrapped lines', SECRET.replaceAll(' ', '\n')],
    ['with wide spaces', SECRET.replaceAll(' ', '\u00a0 \t')],
    ['without spaces', SECRET.replace(/\s/g, '')],
    ['with emphasis', bold],
    ['as a heading and code', `# ${SECRET.replace('4711', '`4711`')}`],
    ['as a quotation and list', SECRET.replace(/^/gm, '> - [ ] ')],
    ['with escaped Markdown', SECRET.replace(/["!:,]/g, '\\$&')],
    ['in JSON', json],
    ['in JSON in JSON', JSON.stringify({ arguments: json })],
    ['in JSON of ASCII characters', ascii],
    ['in all of these', JSON.stringify({ t: bold.normalize('NFD').toUpperCase() })],
  ])('is found %s', (_, text) => {
    const around = `${'before '.repeat(9)}${text}${' after'.repeat(9)}`;
    expect(found(SECRET, { deep: [{ text: around }] })).toMatch(/^….{1,40}tor/i);
  });

  it('is found by its beginning if it is cut', () => {
    expect(found(SECRET.repeat(3), SECRET.slice(0, 70).toUpperCase())).toBeDefined();
    expect(found(SECRET, '# das tor ÖFFNET sich…', 'conv.new')).toBeDefined();
    expect(found(SECRET, '# das tor ÖFFNET sich…')).toBeUndefined();
  });

  it('is not another text', () => {
    expect(found(SECRET, SECRET.replace('Tor', 'Tür'))).toBeUndefined();
    expect(found(SECRET, SECRET.replace('4711', '4712'))).toBeUndefined();
    expect(found('*** --- ... !!! ???', 'Anything, really.')).toBeUndefined();
  });
});

describe('a short text', () => {
  it.each([
    ['alone', 'Plan', 'PLAN'],
    ['alone, as a heading', 'Plan', '## plan\n'],
    ['in JSON', 'Plan', '{"name":"Plan","limit":3}'],
    ['in JSON in JSON', 'Plan', String.raw`{"arguments":"{\"name\": \"plan\"}"}`],
    ['with quotes, in JSON', 'The "Plan"', JSON.stringify({ name: 'The "plan"' })],
    ['decomposed', 'Öl', JSON.stringify({ name: 'Öl'.normalize('NFD') })],
  ])('is found as a whole: %s', (_, text, value) => {
    expect(found(text, value)).toBeDefined();
  });

  it('is not found in others', () => {
    for (const value of ['Plans', 'The plan', '{"name":"Plans"}'])
      expect(found('Plan', value)).toBeUndefined();
  });
});

it('an excerpt shows the original around the text', () => {
  const before = '"ab\\u00e4" - **x** | '.repeat(500);
  const value = `${before}${SECRET.toUpperCase()} ${'and so on. '.repeat(20)}`;
  expect(found(SECRET, value)).toBe(
    '…ab\\u00e4" - **x** | DAS TOR ÖFFNET SICH MIT "GRÖSSE 4711", SAGT ZOË MÜLLER: NIE…',
  );
});

it.each(['\\', '"', 'a', ' ', '**', '\\u00e4', 'Ä\u0301', '- '])(
  'a text of %j is read in linear time',
  (part) => {
    const text = part.repeat(1_000_000 / part.length);
    const probes = probesOf([SECRET]);
    const read = (cut: string) => mentionIn({ t: 'trace.new', d: { cut, end: SECRET } }, probes);
    expect(takesLinearTime(read, text, 5)).toBe(true);
    expect(takesLinearTime((cut) => found(SECRET, `${cut} ${SECRET}`), text, 5)).toBe(true);
  },
);

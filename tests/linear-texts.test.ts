import { describe, expect, it } from 'vitest';
import { filesOfRecord } from '../src/agents/shared/records/mentioned-files.js';
import { guardMarkdown } from '../src/markdown/guard-markdown.js';
import { inertMarkdown } from '../src/markdown/inert.js';
import { mayHaveComment, splitProperties } from '../src/markdown/property-blocks.js';
import type { ProjectRecord } from '../src/model/records/record.js';
import { visibleText } from '../src/model/text/visible-text.js';
import { toFileName } from '../src/platform/safe-file-names.js';
import { runToEnd } from '../src/platform/run-sliced.js';
import { findSecrets } from '../src/redaction/find-secrets.js';
import { readNoteFields } from '../src/search/documents/note-fields.js';
import { readLinks } from '../src/search/documents/note-links.js';
import { splitPassages } from '../src/search/documents/passages.js';
import { correctSpelling } from '../src/search/vectors/spelling.js';
import { takesLinearTime } from './linear-time.js';
import { perTier } from './tier.js';

const LENGTH = perTier(100_000, 1_000_000, 1_000_000);

/** Shorter times are not compared. */
const MIN_MS = 5;

/** Texts that made a reader slow when they were repeated, or could. */
const PUMPS = {
  Markdown: [
    '[',
    '](',
    '[[',
    '[[a',
    '](a',
    '](a ',
    '`',
    '`a',
    '|',
    '<!--',
    '%%',
    '#a',
    '\u200b',
    '工',
  ],
  names: ['a', 'a/', 'a.', '/', '//a', '.', '-', ' ', '[[a', '"'],
  secrets: ['-eyJ', '0', 'authent', '密码改到', 'pwd改从a1'],
  headings: ['# a', `# a${' '.repeat(300)}a\n`, '# #', '#'],
  properties: [' ', '\\"', "'"],
};

const recordWith = (body: string) => ({ title: '', body, files: {} }) as unknown as ProjectRecord;

const READERS: readonly (readonly [string, keyof typeof PUMPS, (text: string) => unknown])[] = [
  ['readNoteFields', 'Markdown', (text) => readNoteFields('a.md', `x ${text}`)],
  ['readLinks', 'Markdown', (text) => [...readLinks(text)]],
  ['guardMarkdown', 'Markdown', guardMarkdown],
  ['inertMarkdown', 'Markdown', inertMarkdown],
  ['visibleText', 'Markdown', visibleText],
  ['splitProperties', 'properties', (text) => splitProperties(`a${text}`)],
  ['mayHaveComment', 'properties', (text) => mayHaveComment({ key: 'a', text: `a: "${text}` })],
  ['filesOfRecord', 'names', (body) => filesOfRecord(recordWith(body))],
  ['splitPassages', 'headings', (text) => runToEnd(splitPassages(text, 0, text.length))],
  ['toFileName', 'names', (text) => toFileName(`${text}x`)],
  [
    'correctSpelling',
    'names',
    (text) =>
      correctSpelling(
        text,
        () => false,
        () => false,
      ),
  ],
  ['findSecrets', 'secrets', findSecrets],
  [
    'findSecrets in a key',
    'secrets',
    (text) => findSecrets(`-----BEGIN PRIVATE KEY-----\n${text}`),
  ],
  ['findSecrets after a scheme', 'secrets', (text) => findSecrets(`Authorization: Bearer ${text}`)],
];

describe.each(READERS)('%s', (_, kind, read) => {
  it.each(PUMPS[kind])('takes time in proportion to a text of %j', (pump) => {
    const text = pump.repeat(LENGTH / pump.length);
    expect(takesLinearTime(read, text, MIN_MS)).toBe(true);
  });
});

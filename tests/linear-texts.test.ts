import { describe, expect, it } from 'vitest';
import { guardMarkdown } from '../src/markdown/guard-markdown.js';
import { inertMarkdown } from '../src/markdown/inert.js';
import { mayHaveComment, splitProperties } from '../src/markdown/property-blocks.js';
import { findSecrets } from '../src/model/secrets/find-secrets.js';
import { visibleText } from '../src/model/text/visible-text.js';
import { readNoteFields } from '../src/search/documents/note-fields.js';
import { readLinks } from '../src/search/documents/note-links.js';
import { perTier } from './tier.js';

const LENGTH = perTier(100_000, 1_000_000, 1_000_000);

const MAX_ROUNDS = 8;

/** Texts that made a reader slow when they were repeated, or could. */
const PUMPS = {
  Markdown: ['[', '](', '[[', '[[a', '](a', '`', '`a', '|'],
  secrets: ['-eyJ', '0', 'authent', '密码改到', 'pwd改从a1'],
  properties: [' ', '\\"', "'"],
};

const READERS: readonly (readonly [string, keyof typeof PUMPS, (text: string) => unknown])[] = [
  ['readNoteFields', 'Markdown', (text) => readNoteFields('a.md', `x ${text}`)],
  ['readLinks', 'Markdown', (text) => [...readLinks(text)]],
  ['guardMarkdown', 'Markdown', guardMarkdown],
  ['inertMarkdown', 'Markdown', inertMarkdown],
  ['visibleText', 'Markdown', visibleText],
  ['splitProperties', 'properties', (text) => splitProperties(`a${text}`)],
  ['mayHaveComment', 'properties', (text) => mayHaveComment({ key: 'a', text: `a: "${text}` })],
  ['findSecrets', 'secrets', findSecrets],
  [
    'findSecrets in a key',
    'secrets',
    (text) => findSecrets(`-----BEGIN PRIVATE KEY-----\n${text}`),
  ],
  ['findSecrets after a scheme', 'secrets', (text) => findSecrets(`Authorization: Bearer ${text}`)],
];

function cpuMs(task: () => unknown): number {
  const before = process.cpuUsage();
  task();
  return process.cpuUsage(before).user / 1000;
}

describe.each(READERS)('%s', (_, kind, read) => {
  it.each(PUMPS[kind])('takes time in proportion to a text of %j', (pump) => {
    const text = pump.repeat(LENGTH / pump.length);
    const part = text.slice(0, LENGTH / 8);
    // A quadratic reader takes 64 times as long for eight times the text. A loaded machine can only
    // add time, so the least of several runs counts, and more runs only help a linear reader.
    let [whole, eighth] = [Infinity, Infinity];
    for (let round = 0; round < MAX_ROUNDS && !(whole < 32 * Math.max(5, eighth)); round++) {
      eighth = Math.min(
        eighth,
        cpuMs(() => read(part)),
      );
      whole = Math.min(
        whole,
        cpuMs(() => read(text)),
      );
    }
    expect(whole / Math.max(5, eighth)).toBeLessThan(32);
  });
});

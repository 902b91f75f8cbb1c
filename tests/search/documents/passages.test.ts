import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIndex } from '../../../src/search/index.js';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { noteDocument } from '../../fakes/note-document.js';
import { splitPassages } from '../../../src/search/documents/passages.js';

const words = (count: number) =>
  Array.from({ length: count }, (_, at) => `word${at % 7}`).join(' ');
const split = (text: string) => runToEnd(splitPassages(text, 0, text.length));

describe('splitPassages', () => {
  it('splits at headings and joins short sections', () => {
    const text = `# One\n${words(130)}\n## Two\n${words(20)}\n## Three\n${words(20)}\n`;
    expect(split(text).map(({ headings }) => headings)).toEqual([['One'], ['One', 'Two', 'Three']]);
  });

  it('splits long sections, even within a line', () => {
    expect(split(`${`${words(50)}\n`.repeat(12)}`).length).toBe(3);
    const line = split(words(1_000));
    expect(line.length).toBeGreaterThanOrEqual(4);
    expect(line.map(({ end }) => end)).toEqual([
      ...line.slice(1).map(({ start }) => start),
      words(1_000).length,
    ]);
  });

  it('splits texts without spaces', () => {
    expect(split('花'.repeat(5_000)).length).toBeGreaterThan(5);
    expect(split('a'.repeat(100_000)).length).toBeGreaterThan(5);
  });

  it('ignores headings in code', () => {
    expect(
      split(`# One\n\`\`\`sh\n# not a heading\n\`\`\`\ntext`).map(({ headings }) => headings),
    ).toEqual([['One']]);
  });

  it.each([
    ['# One ##', 'One'],
    ['# One #\r', 'One'],
    ['# C#', 'C#'],
    ['# #', '#'],
    ['# One  ', 'One'],
    [`# One${' '.repeat(200)}two # ##`, `One${' '.repeat(200)}two #`],
  ])('reads the heading %j', (line, heading) => {
    expect(split(`${line}\ntext`)[0]!.headings).toEqual([heading]);
  });

  it('covers any text completely', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('# A', '## B', '```', '~~~', '', words(100), words(300), '花'.repeat(600)),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join('\n');
        const passages = split(text);
        expect(passages.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        expect(passages.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('noteDocument', () => {
  it('makes a note searchable by every field', () => {
    const index = createIndex();
    const text =
      '---\naliases: [Flowerbeds]\ntags: [spring/early]\nstatus: done\n---\n# Sowing\nSeedlings by the wall. #quick';
    index.put(noteDocument('Home/Outside/Garden.md', text, 5));
    index.put(noteDocument('Other.md', 'Nothing of the kind', 6));
    for (const query of [
      'garden',
      'flowerbeds',
      'early',
      'outside',
      'sowing',
      'done',
      'seedling',
      'tag:spring',
      'tag:#spring/early',
      'tag:quick',
      '[status:done]',
    ]) {
      expect(index.search(query).map(({ key }) => key)).toEqual(['Home/Outside/Garden.md']);
    }
  });

  it('returns a hash that depends on the path and the text, but not on the time', () => {
    const hashes = [
      noteDocument('a.md', 'x', 1),
      noteDocument('b.md', 'x', 1),
      noteDocument('a.md', 'y', 1),
    ].map(({ hash }) => hash.join());
    expect(new Set(hashes).size).toBe(3);
    expect(noteDocument('a.md', 'x', 2).hash).toEqual(noteDocument('a.md', 'x', 1).hash);
  });
});

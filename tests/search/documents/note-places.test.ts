import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createIndex } from '../../../src/search/index.js';
import { runToEnd } from '../../../src/platform/run-sliced.js';
import { decodePlace } from '../../../src/search/documents/note-places.js';
import { noteDocument } from '../../fakes/note-document.js';
import { placeOf } from '../../../src/search/documents/passages.js';

const line = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '# Äpfel',
    '## B',
    '---',
    'tags: [x, "é"]',
    '#tag',
    'word '.repeat(300),
    '花'.repeat(600),
  ),
);
const anyText = fc.array(line).map((lines) => lines.join('\n'));

it('a place has the offsets, the line and the size of the note in bytes', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const bytes = Buffer.from(text);
      const { passages, stored } = noteDocument('Folder/Ä.md', text, 0);
      for (const [number, passage] of passages.entries()) {
        const place = decodePlace(stored!, number)!;
        const own = text.slice(place.start, place.end);
        expect(passage.find(({ name }) => name === 'text')?.text ?? '').toBe(own);
        expect(bytes.toString('utf8', place.startByte, place.endByte)).toBe(own);
        expect(place.line).toBe(text.slice(0, place.start).split('\n').length);
        expect(place.noteBytes).toBe(bytes.length);
        expect(placeOf('Folder/Ä.md', text, number)).toEqual(place);
      }
      expect(decodePlace(stored!, passages.length)).toBeUndefined();
    }),
  );
});

it('a place has the headings of its passage, and the aliases and tags of the note', () => {
  const text = `---\naliases: [One, Two]\ntags: x\n---\n# A\n${'word '.repeat(150)}\n## B\nmore #y`;
  const { stored } = noteDocument('Note.md', text, 0);
  const texts = { aliases: ['One', 'Two'], tags: ['x', 'y'] };
  expect(decodePlace(stored!, 0)).toMatchObject({ ...texts, headings: ['A'], line: 5 });
  expect(decodePlace(stored!, 1)).toMatchObject({ ...texts, headings: ['A', 'B'], line: 7 });
});

it('a hit returns the stored bytes, also after a merge', () => {
  const index = createIndex();
  const documents = ['one', 'two', 'three'].map((word) =>
    noteDocument(`${word}.md`, `${word} fish`, 0),
  );
  for (const document of documents) {
    index.put(document);
    index.search('');
  }
  index.put({
    key: 'plain',
    hash: [1, 1],
    time: 0,
    labels: [],
    passages: [[{ name: 'text', text: 'fish', weight: 1 }]],
  });
  runToEnd(index.mergeSteps());
  const stored = new Map(index.search('fish').map((hit) => [hit.key, hit.stored]));
  for (const document of documents) expect(stored.get(document.key)).toEqual(document.stored);
  expect(stored.get('plain')).toHaveLength(0);
});

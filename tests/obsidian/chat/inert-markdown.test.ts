import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { guardMarkdown } from '../../../src/obsidian/chat/inert-markdown.js';

const GUARD = '\uE0F0';

it('parts what begins HTML, an image or an embed, wherever it stands', () => {
  expect(guardMarkdown('a <img src=x> b </b> <!-- c')).not.toMatch(/<[A-Za-z/!?]/);
  expect(guardMarkdown('![a](b) ![[c]]')).not.toContain('![');
  expect(guardMarkdown('1 < 2 and 3 > 2')).toBe('\n1 < 2 and 3 > 2');
});

it('hands code to the app only in languages that are merely coloured', () => {
  expect(guardMarkdown('```js\nx\n```')).toBe('\n```js\nx\n```');
  expect(guardMarkdown('```dataviewjs\nx\n```')).toBe(`\n\`\`\`${GUARD}dataviewjs\nx\n\`\`\``);
  expect(guardMarkdown('~~~ query\nx\n~~~')).toBe(`\n~~~ ${GUARD}query\nx\n~~~`);
  expect(guardMarkdown('`$= x`')).toBe(`\n\`${GUARD}$= x\``);
});

it('does not let a first line of dashes become properties', () => {
  expect(guardMarkdown('---\na: 1\n---')).toBe('\n---\na: 1\n---');
});

it('takes nothing away but guards that were there before', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '!', '[', '`', '~', 'a', ' ', '\n', '/', GUARD) }),
      (markdown) => {
        expect(guardMarkdown(markdown).replaceAll(GUARD, '').slice(1)).toBe(
          markdown.replaceAll(GUARD, ''),
        );
        expect(guardMarkdown(markdown)).not.toMatch(/<[A-Za-z/!?]|!\[/);
      },
    ),
  );
});

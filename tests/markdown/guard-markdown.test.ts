import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import { guardMarkdown } from '../../src/markdown/guard-markdown.js';

const GUARD = '\uE0F0';

it('guardMarkdown breaks up the syntax of HTML, images and embeds', () => {
  expect(guardMarkdown('a <img src=x> b </b> <!-- c')).not.toMatch(/<[A-Za-z/!?]/);
  expect(guardMarkdown('![a](b) ![[c]]')).not.toContain('![');
  expect(guardMarkdown('1 < 2 and 3 > 2')).toBe('\n1 < 2 and 3 > 2');
});

it('guardMarkdown keeps highlighted code, and disables code for plugins', () => {
  expect(guardMarkdown('```js\nx\n```')).toBe('\n```js\nx\n```');
  expect(guardMarkdown('```dataviewjs\nx\n```')).toBe(`\n\`\`\`${GUARD}dataviewjs\nx\n\`\`\``);
  expect(guardMarkdown('~~~ query\nx\n~~~')).toBe(`\n~~~ ${GUARD}query\nx\n~~~`);
  expect(guardMarkdown('`$= x`')).toBe(`\n\`${GUARD}$= x\``);
});

it('guardMarkdown prevents leading dashes from opening properties', () => {
  expect(guardMarkdown('---\na: 1\n---')).toBe('\n---\na: 1\n---');
});

it('guardMarkdown removes nothing except guards in the input', () => {
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

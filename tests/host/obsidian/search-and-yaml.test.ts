// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import { beforeAll, expect, test } from 'vitest';
import { installDom } from './dom.js';
import {
  prepareFuzzySearch,
  prepareSimpleSearch,
  renderMatches,
  sortSearchResults,
} from './fuzzy.js';
import { getIcon, getIconIds, setIcon, addIcon, removeIcon } from './icons.js';
import {
  getFrontMatterInfo,
  parseFrontMatterAliases,
  parseFrontMatterTags,
  parseYaml,
  stringifyYaml,
} from './yaml.js';

beforeAll(() => installDom(window));

test('fuzzy search matches letters in order, and ranks word starts first', () => {
  const search = prepareFuzzySearch('os');
  const ranked = ['photos', 'oxs', 'Open state'].flatMap((text) => {
    const match = search(text);
    return match ? [{ text, match }] : [];
  });
  sortSearchResults(ranked);
  expect(ranked[0]?.text).toBe('Open state');
  expect([search('so'), prepareFuzzySearch('')('x')?.matches]).toEqual([null, []]);
});

test('simple search finds every occurrence of all words', () => {
  expect(prepareSimpleSearch('two one')('one two two')?.matches).toEqual([
    [0, 3],
    [4, 7],
    [8, 11],
  ]);
  expect(prepareSimpleSearch('two three')('one two')).toBeNull();
});

test('renderMatches highlights matches with an offset', () => {
  const el = createDiv();
  renderMatches(el, 'abcdef', [[3, 5]], -1);
  expect(el.innerHTML).toBe('ab<span class="suggestion-highlight">cd</span>ef');
});

test('getFrontMatterInfo locates the properties', () => {
  expect(getFrontMatterInfo('---\na: 1\n---\nText')).toEqual({
    exists: true,
    frontmatter: 'a: 1\n',
    from: 4,
    to: 9,
    contentStart: 13,
  });
  expect(getFrontMatterInfo('---\n---\n')).toMatchObject({ exists: true, frontmatter: '' });
  expect(getFrontMatterInfo('text\n---\na: 1\n---\n').exists).toBe(false);
});

test('tags and aliases are read from lists and strings', () => {
  expect(parseFrontMatterTags({ tags: ['a', '#b'] })).toEqual(['#a', '#b']);
  expect(parseFrontMatterTags({ tag: 'a, b' })).toEqual(['#a', '#b']);
  expect([
    parseFrontMatterAliases({ aliases: 'One' }),
    parseFrontMatterAliases({}),
    parseFrontMatterTags(null),
  ]).toEqual([['One'], null, null]);
});

test('YAML keeps dates as text in both directions', () => {
  expect(parseYaml(stringifyYaml({ date: '2026-01-01', n: 1, list: ['a'] }))).toEqual({
    date: '2026-01-01',
    n: 1,
    list: ['a'],
  });
  expect(() => parseYaml('a: [')).toThrow();
});

test('setIcon renders Lucide and added icons, and nothing for unknown names', () => {
  const el = createDiv();
  setIcon(el, 'x');
  expect(el.querySelector('svg.svg-icon.lucide-x > path')).not.toBeNull();
  setIcon(el, 'no-such-icon');
  expect([el.childElementCount, getIcon('__proto__')]).toEqual([0, null]);
  addIcon('mine', '<circle r="1"/>');
  expect([
    getIcon('mine')?.getAttribute('viewBox'),
    getIconIds().includes('mine'),
    getIconIds().includes('lucide-x'),
  ]).toEqual(['0 0 100 100', true, true]);
  removeIcon('mine');
  expect(getIcon('mine')).toBeNull();
});

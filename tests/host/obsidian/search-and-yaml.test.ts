// Tier full: the app that the tests run the plugin in
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

test('finds letters in order, and ranks words before scattered letters', () => {
  const search = prepareFuzzySearch('os');
  const ranked = ['photos', 'oxs', 'Open state'].flatMap((text) => {
    const match = search(text);
    return match ? [{ text, match }] : [];
  });
  sortSearchResults(ranked);
  expect(ranked[0]?.text).toBe('Open state');
  expect([search('so'), prepareFuzzySearch('')('x')?.matches]).toEqual([null, []]);
});

test('finds whole words anywhere, all of them', () => {
  expect(prepareSimpleSearch('two one')('one two two')?.matches).toEqual([
    [0, 3],
    [4, 7],
    [8, 11],
  ]);
  expect(prepareSimpleSearch('two three')('one two')).toBeNull();
});

test('marks what was found, offset and all', () => {
  const el = createDiv();
  renderMatches(el, 'abcdef', [[3, 5]], -1);
  expect(el.innerHTML).toBe('ab<span class="suggestion-highlight">cd</span>ef');
});

test('reads properties where they are', () => {
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

test('reads tags and aliases as lists or texts', () => {
  expect(parseFrontMatterTags({ tags: ['a', '#b'] })).toEqual(['#a', '#b']);
  expect(parseFrontMatterTags({ tag: 'a, b' })).toEqual(['#a', '#b']);
  expect([
    parseFrontMatterAliases({ aliases: 'One' }),
    parseFrontMatterAliases({}),
    parseFrontMatterTags(null),
  ]).toEqual([['One'], null, null]);
});

test('keeps dates as text in YAML, both ways', () => {
  expect(parseYaml(stringifyYaml({ date: '2026-01-01', n: 1, list: ['a'] }))).toEqual({
    date: '2026-01-01',
    n: 1,
    list: ['a'],
  });
  expect(() => parseYaml('a: [')).toThrow();
});

test('draws Lucide’s icons and added ones, and nothing for an unknown name', () => {
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

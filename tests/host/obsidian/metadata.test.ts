// Tier full: tests the simulated Obsidian, not the plugin
// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { resolveSubpath } from './links.js';
import { getAllTags, parseMetadata } from './metadata-parser.js';
import { settle, startHost } from './start.js';
import type { TFile } from './vault.js';

const text = `---
tags: [one, two]
related: "[[Other|that]]"
---
# Title
See [[Note#Part|a part]], ![[image.png]] and [text](my%20file.md) #tag \`[[code]]\` #123

- [ ] open
  - [x] done ^item

\`\`\`
# no heading [[no link]]
\`\`\`
## Part [^1]

[^1]: A footnote.
`;

test('parseMetadata indexes the contents of a note, except code', () => {
  const cache = parseMetadata(text);
  expect(cache.frontmatter).toEqual({ tags: ['one', 'two'], related: '[[Other|that]]' });
  expect(cache.frontmatterLinks).toMatchObject([
    { key: 'related', link: 'Other', displayText: 'that' },
  ]);
  expect(cache.headings?.map(({ heading, level }) => [level, heading])).toEqual([
    [1, 'Title'],
    [2, 'Part [^1]'],
  ]);
  expect(cache.links?.map(({ link, displayText }) => [link, displayText])).toEqual([
    ['Note#Part', 'a part'],
    ['my file.md', 'text'],
  ]);
  expect(cache.embeds?.map(({ link }) => link)).toEqual(['image.png']);
  expect(getAllTags(cache)).toEqual(['#tag', '#one', '#two']);
  expect(cache.listItems?.map(({ task, parent }) => [task, parent])).toEqual([
    [' ', -8],
    ['x', 7],
  ]);
  expect(cache.sections?.map(({ type }) => type)).toEqual([
    'yaml',
    'heading',
    'paragraph',
    'list',
    'code',
    'heading',
    'footnoteDefinition',
  ]);
  expect(cache.blocks).toHaveProperty('item');
});

test('positions point into the source text', () => {
  const [link] = parseMetadata(text).links ?? [];
  const { start, end } = link!.position;
  expect(text.slice(start.offset, end.offset)).toBe('[[Note#Part|a part]]');
  expect([start.line, start.col]).toEqual([5, 4]);
});

test('properties that are not valid YAML are ignored', () => {
  const cache = parseMetadata('---\na: [\n---\n# T');
  expect([cache.frontmatter, cache.headings?.[0]?.heading]).toEqual([undefined, 'T']);
});

test('resolveSubpath finds headings and blocks', () => {
  const cache = parseMetadata(text);
  expect(resolveSubpath(cache, '#Part [^1]')).toMatchObject({
    type: 'heading',
    current: { level: 2 },
  });
  expect(resolveSubpath(cache, '#^item')).toMatchObject({ type: 'block', block: { id: 'item' } });
  expect(resolveSubpath(cache, '#None')).toBeNull();
});

test('links are resolved again when files are created or deleted', async () => {
  const { app } = await startHost({ 'a.md': '[[b]] [[c]]', 'x/b.md': '', 'y/z/b.md': '' });
  await settle();
  const { metadataCache, vault } = app;
  expect(metadataCache.resolvedLinks['a.md']).toEqual({ 'x/b.md': 1 });
  expect(metadataCache.unresolvedLinks['a.md']).toEqual({ c: 1 });
  await vault.create('c.md', '');
  await vault.delete(vault.getFileByPath('x/b.md')!);
  await settle();
  expect(metadataCache.resolvedLinks['a.md']).toEqual({ 'y/z/b.md': 1, 'c.md': 1 });
});

test('a link resolves to the nearest file', async () => {
  const { metadataCache } = (
    await startHost({ 'b.md': '', 'x/b.md': '', 'x/a.md': '', 'y/only.md': '' })
  ).app;
  expect(metadataCache.getFirstLinkpathDest('b', 'a.md')?.path).toBe('b.md');
  expect(metadataCache.getFirstLinkpathDest('x/b', 'a.md')?.path).toBe('x/b.md');
  expect(metadataCache.getFirstLinkpathDest('./b', 'x/a.md')?.path).toBe('x/b.md');
  expect(metadataCache.getFirstLinkpathDest('ONLY', 'a.md')?.path).toBe('y/only.md');
  expect(metadataCache.getFirstLinkpathDest('none', 'a.md')).toBeNull();
});

test('a changed note is reported with its text', async () => {
  const { app } = await startHost({ 'a.md': '' });
  await settle();
  const told: unknown[] = [];
  app.metadataCache.on('changed', (file: TFile, data: string, cache: object) =>
    told.push([file.path, data, Object.keys(cache)]),
  );
  await app.vault.modify(app.vault.getFileByPath('a.md')!, '# H');
  await settle();
  expect(told).toEqual([['a.md', '# H', ['sections', 'headings']]]);
});

test('links are as short as possible, and follow a rename', async () => {
  const { app } = await startHost({
    'a.md': 'To [[b|bee]] and ![[b]].',
    'b.md': '',
    'x/c.md': '',
    'y/c.md': '',
  });
  await settle();
  const { fileManager, vault } = app;
  expect(
    fileManager.generateMarkdownLink(vault.getFileByPath('b.md')!, 'a.md', '#H', 'alias'),
  ).toBe('[[b#H|alias]]');
  expect(fileManager.generateMarkdownLink(vault.getFileByPath('x/c.md')!, 'a.md')).toBe('[[x/c]]');
  await fileManager.renameFile(vault.getFileByPath('b.md')!, 'd.md');
  expect(await vault.adapter.read('a.md')).toBe('To [[d|bee]] and ![[d]].');
});

test('processFrontMatter changes only properties, or nothing if it throws', async () => {
  const { app } = await startHost({ 'a.md': '---\nn: 1\n---\nText', 'b.md': 'Text' });
  const { fileManager, vault } = app;
  await fileManager.processFrontMatter(
    vault.getFileByPath('a.md')!,
    (properties) => (properties['n'] = 2),
  );
  await fileManager.processFrontMatter(
    vault.getFileByPath('b.md')!,
    (properties) => (properties['new'] = ['x']),
  );
  expect(await vault.adapter.read('a.md')).toBe('---\nn: 2\n---\nText');
  expect(await vault.adapter.read('b.md')).toBe('---\nnew:\n  - x\n---\nText');
  const fail = () => {
    throw new Error('no');
  };
  await expect(fileManager.processFrontMatter(vault.getFileByPath('a.md')!, fail)).rejects.toThrow(
    'no',
  );
  expect(await vault.adapter.read('a.md')).toBe('---\nn: 2\n---\nText');
});

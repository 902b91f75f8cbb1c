// Tier full: the app that the tests run the plugin in
// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { Component } from './component.js';
import { htmlToMarkdown } from './html-to-markdown.js';
import { MarkdownPreviewRenderer, MarkdownRenderer, sanitizeHTMLToDom } from './markdown.js';
import { startHost } from './start.js';

async function renderAll(...notes: string[]): Promise<HTMLElement[]> {
  const { app } = await startHost({ 'Known.md': '' });
  const elements = notes.map(() => createDiv());
  for (const [index, text] of notes.entries())
    await MarkdownRenderer.render(app, text, elements[index]!, 'Known.md', new Component());
  return elements;
}

const render = async (text: string) => (await renderAll(text))[0]!;

test('makes links that say where they lead, and whether there is something', async () => {
  const el = await render('[[Known|that]] [[Unknown#Part]] [web](https://example.org) #tag');
  expect(
    Array.from(el.findAll('a'), (a) => [
      a.className,
      a.getAttr('data-href') ?? a.getAttr('href'),
      a.textContent,
    ]),
  ).toEqual([
    ['internal-link', 'Known', 'that'],
    ['internal-link is-unresolved', 'Unknown#Part', 'Unknown > Part'],
    ['external-link', 'https://example.org', 'web'],
    ['tag', '#tag', '#tag'],
  ]);
});

test('leaves HTML as text and takes no script for a link', async () => {
  const el = await render('<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) [[<b>]]');
  expect(el.querySelector('img, b')).toBeNull();
  expect(el.textContent).toContain('<img src=x onerror=alert(1)>');
  expect(Array.from(el.findAll('a'), (a) => a.getAttr('data-href'))).toEqual(['<b>']);
});

test('renders Obsidian’s syntax, without properties or comments', async () => {
  const el = await render(
    '---\na: 1\n---\n> [!tip] Do\n> this\n\n- [x] done\n\n![[pic.png]] ==high== %%hidden%%\n\n```js\ncode\n```',
  );
  expect(el.find('.callout[data-callout="tip"] .callout-title-inner').textContent).toBe('Do');
  expect(el.find('.callout-content').textContent.trim()).toBe('this');
  expect(
    (el.find('.contains-task-list > .task-list-item.is-checked > input') as HTMLInputElement)
      .checked,
  ).toBe(true);
  expect(el.find('.internal-embed').getAttr('src')).toBe('pic.png');
  expect(el.find('mark').textContent).toBe('high');
  expect(el.find('pre > code.language-js').textContent).toBe('code\n');
  expect(el.textContent).not.toMatch(/hidden|a: 1/);
});

test('does not take code, headings or addresses for tags', async () => {
  const el = await render('# Head\n\n`#code` a#b https://example.org/#c #123');
  expect(el.find('.tag')).toBeNull();
});

test('asks for the component that what it renders lives with', async () => {
  const { app } = await startHost();
  await expect(
    MarkdownRenderer.render(app, 'x', createDiv(), '', undefined as never),
  ).rejects.toThrow('component is needed');
});

test('lets post processors at what is rendered, while they are registered', async () => {
  const process = MarkdownPreviewRenderer.createCodeBlockPostProcessor('mine', (source, el) =>
    el.setText(source.toUpperCase()),
  );
  MarkdownPreviewRenderer.registerPostProcessor(process);
  const [mine, other] = await renderAll('```mine\nabc\n```', '```other\nabc\n```');
  MarkdownPreviewRenderer.unregisterPostProcessor(process);
  expect([mine?.find('.block-language-mine').textContent, other?.find('pre').textContent]).toEqual([
    'ABC',
    'abc\n',
  ]);
});

test('lets no post processor at it that is unregistered', async () => {
  const process = MarkdownPreviewRenderer.createCodeBlockPostProcessor('mine', (source, el) =>
    el.setText(source.toUpperCase()),
  );
  MarkdownPreviewRenderer.registerPostProcessor(process);
  MarkdownPreviewRenderer.unregisterPostProcessor(process);
  expect((await render('```mine\nabc\n```')).find('pre').textContent).toBe('abc\n');
});

test('takes out of HTML what could run', () => {
  const el = createDiv();
  el.append(
    sanitizeHTMLToDom(
      '<p onclick="x()">ok<script>x()</script><a href="javascript:x()">a</a><iframe></iframe></p>',
    ),
  );
  expect(el.innerHTML).toBe('<p>ok<a>a</a></p>');
});

test('turns common HTML into Markdown', () => {
  expect(
    htmlToMarkdown('<h2>T</h2><p>a <b>b</b> <a href="u">l</a></p><ul><li>x</li><li>y</li></ul>'),
  ).toBe('## T\n\na **b** [l](u)\n\n- x\n- y');
});

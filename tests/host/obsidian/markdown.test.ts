// Tier full: tests the simulated Obsidian, not the plugin
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

test('links carry their target and whether it exists', async () => {
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

test('HTML stays text, and script URLs do not become links', async () => {
  const el = await render('<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) [[<b>]]');
  expect(el.querySelector('img, b')).toBeNull();
  expect(el.textContent).toContain('<img src=x onerror=alert(1)>');
  expect(Array.from(el.findAll('a'), (a) => a.getAttr('data-href'))).toEqual(['<b>']);
});

test('Obsidian’s syntax is rendered without properties and comments', async () => {
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

test('code, headings and URLs contain no tags', async () => {
  const el = await render('# Head\n\n`#code` a#b https://example.org/#c #123');
  expect(el.find('.tag')).toBeNull();
});

test('rendering requires a component', async () => {
  const { app } = await startHost();
  await expect(
    MarkdownRenderer.render(app, 'x', createDiv(), '', undefined as never),
  ).rejects.toThrow('component is needed');
});

test('a registered post processor renders its code blocks', async () => {
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

test('a post processor that finishes later has the element that was rendered into', async () => {
  const late: (() => void)[] = [];
  const process = (el: HTMLElement) => void late.push(() => el.createSpan({ text: 'later' }));
  MarkdownPreviewRenderer.registerPostProcessor(process);
  const el = await render('now');
  MarkdownPreviewRenderer.unregisterPostProcessor(process);
  for (const finish of late) finish();
  expect(el.lastElementChild?.textContent).toBe('later');
});

test('an unregistered post processor is not called', async () => {
  const process = MarkdownPreviewRenderer.createCodeBlockPostProcessor('mine', (source, el) =>
    el.setText(source.toUpperCase()),
  );
  MarkdownPreviewRenderer.registerPostProcessor(process);
  MarkdownPreviewRenderer.unregisterPostProcessor(process);
  expect((await render('```mine\nabc\n```')).find('pre').textContent).toBe('abc\n');
});

test('sanitizeHTMLToDom removes scripts, handlers and frames', () => {
  const el = createDiv();
  el.append(
    sanitizeHTMLToDom(
      '<p onclick="x()">ok<script>x()</script><a href="javascript:x()">a</a><iframe></iframe></p>',
    ),
  );
  expect(el.innerHTML).toBe('<p>ok<a>a</a></p>');
});

test('htmlToMarkdown converts common HTML', () => {
  expect(
    htmlToMarkdown('<h2>T</h2><p>a <b>b</b> <a href="u">l</a></p><ul><li>x</li><li>y</li></ul>'),
  ).toBe('## T\n\na **b** [l](u)\n\n- x\n- y');
});

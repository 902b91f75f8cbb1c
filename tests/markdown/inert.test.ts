import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';
import { inertMarkdown } from '../../src/markdown/inert.js';

/** Renders as an app that allows HTML does. */
const render = (markdown: string) =>
  new MarkdownIt({ html: true, linkify: true }).render(inertMarkdown(markdown));

describe('inert Markdown', () => {
  it('keeps headings, lists, tables, links and code', () => {
    const markdown =
      '## Beds\n\n**South** and *west*, see [[Garden plan]].\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`x = 1`';
    expect(inertMarkdown(markdown)).toBe(markdown);
    expect(inertMarkdown('```ts\nconst a = 1;\n```')).toBe('```ts\nconst a = 1;\n```');
  });

  it.each([
    '<img src="http://x/leak.png" onerror="run()">',
    'a <script>run()</script> b',
    '<!-- hidden --> seen',
    '![leak](http://x/leak.png)',
    '![[Secret]]',
    '~~~\n<b>in code</b>\n~~~\n<img src=x>',
    '    ```\n<img src=x>\n    ```\n<img src=x>',
    '- ```\n<iframe src=x>\n',
    '> ```\n<img src=x>',
    '````\n```\n<img src=x>\n````\n<img src=x>',
    '`` ` <img src=x> ``\n\n<img src=x>',
  ])('loads and runs nothing: %s', (markdown) => {
    expect(render(markdown)).not.toMatch(/<(?:img|script|iframe|b)\b|<!--/);
    expect(inertMarkdown(markdown)).not.toMatch(/!\[/);
  });

  it('passes no code block or inline code to a plugin', () => {
    expect(inertMarkdown('```dataviewjs\nrun()\n```')).toBe('```\nrun()\n```');
    expect(inertMarkdown('`$= run()` and `= this.file`')).not.toMatch(/`\$?=/);
    expect(inertMarkdown('<% tp.run() %>')).not.toContain('<%');
    expect(inertMarkdown('```js\n<% run() %>\n```')).not.toContain('<%');
    expect(inertMarkdown('%% hidden %%')).toBe('\\%\\% hidden \\%\\%');
  });

  it('closes an unfinished code block', () => {
    expect(inertMarkdown('```py\nprint(1)')).toBe('```py\nprint(1)\n```');
  });

  it('takes a code block with any number of backticks', () => {
    const code = `\`\`\`\n${'`` '.repeat(600_000)}\n\`\`\``;
    expect(inertMarkdown(code)).toBe(code);
  });
});

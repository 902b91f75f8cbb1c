import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { anchorsOf, deadLinks, linksOf, markdownFiles } from '../../scripts/links.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'links-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'docs'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

describe('the Markdown files of this project', () => {
  it('have no dead links', () => {
    expect(markdownFiles(root).length).toBeGreaterThan(70);
    expect(deadLinks(root)).toEqual([]);
  });
});

describe('deadLinks', () => {
  it('accepts files, folders, headings and other sites', () => {
    const folder = folderWith({
      'a.md':
        '# One\n[a](docs/b%20c.md) [b](docs/b%20c.md#two-words) [c](docs) [d](#one) [e](https://example.org/x)',
      'docs/b c.md': '# Two words\n[up](../a.md#one)',
    });
    expect(deadLinks(folder)).toEqual([]);
  });

  it('names each missing file, picture and heading', () => {
    const folder = folderWith({
      'a.md':
        '# One\n[a](docs/none.md) ![b](none.png) [c](#two) [d](docs/b.md#three) [e](../out.md)',
      'docs/b.md': '# Two',
    });
    expect(deadLinks(folder)).toEqual([
      'a.md links to docs/none.md: there is no such file.',
      'a.md links to none.png: there is no such file.',
      'a.md links to #two: the page has no such heading.',
      'a.md links to docs/b.md#three: the page has no such heading.',
      'a.md links to ../out.md: it leaves the repository.',
    ]);
  });
});

it('links in code are text', () => {
  expect(linksOf('`[a](b.md)`\n\n```md\n[c](d.md)\n```\n\n[e](f.md)')).toEqual(['f.md']);
});

it('pictures and links in HTML are links, too', () => {
  const html =
    '<picture>\n  <source media="(a: b)" srcset="b.png">\n  <img alt="x" src="a.png">\n</picture>\n<a href="c.md">c</a>';
  expect(linksOf(html).sort()).toEqual(['a.png', 'b.png', 'c.md']);
});

it('a repeated heading has a numbered anchor', () => {
  expect([...anchorsOf('# What is `it`?\n\n## Same\n\n## Same\n\n```md\n# No\n```')]).toEqual([
    'what-is-it',
    'same',
    'same-1',
  ]);
});

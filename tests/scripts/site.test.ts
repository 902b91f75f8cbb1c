import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anchorsOf } from '../../scripts/links.mjs';
import { siteProblems } from '../../scripts/site/check-links.mjs';
import { addressOf } from '../../scripts/site/pages.mjs';
import { writePages } from '../../scripts/site.mjs';
import { inFull } from '../tier.js';

const itInFull = it.runIf(inFull('dead links'));

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readdirSync(join(root, 'docs/guide'));

let site: string;
let addresses: string[];

beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), 'site-'));
  await writePages({ to: site });
  addresses = readdirSync(site, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html'));
  writeFileSync(join(site, 'playground.html'), ''); // the full tier builds it
});

afterAll(() => rmSync(site, { recursive: true }));

const read = (address: string) => readFileSync(join(site, address), 'utf8');

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Writes the pages of a repository with these files. */
async function siteOf(files: Readonly<Record<string, string>>): Promise<string> {
  const to = join(folderWith({}), 'site');
  await writePages({ from: folderWith(files), to });
  writeFileSync(join(to, 'playground.html'), '');
  return to;
}

describe('the site of this project', () => {
  it('has a page for each page of the guide, and for the reference', () => {
    expect(guide.length).toBeGreaterThan(10);
    expect(addresses).toEqual(
      expect.arrayContaining([
        ...guide.map((file) => addressOf(`docs/guide/${file}`)),
        'index.html',
        'tools.html',
        'cli.html',
        'benchmarks.html',
        'privacy.html',
        'security.html',
        'changelog.html',
        'decisions/index.html',
        'decisions/0001-one-main-js.html',
      ]),
    );
    expect(addresses.filter((address) => !/^[a-z0-9/.-]+$/.test(address))).toEqual([]);
  });

  it('has no dead links', () => {
    expect(siteProblems(site)).toEqual([]);
  });

  it('lists the guide in the order of the README, and marks the current page', () => {
    const page = read('guide/states.html');
    const listed = [...page.matchAll(/<li><a href="([a-z-]+\.html)"/g)].map(([, href]) => href);
    expect(listed).toHaveLength(guide.length);
    expect(listed.slice(0, 3)).toEqual([
      'first-steps.html',
      'connect-an-ai-app.html',
      'workspaces.html',
    ]);
    expect(page.match(/aria-current="page">[^<]*/g)).toEqual(['aria-current="page">States']);
    expect(page).toContain('<a rel="prev" href="workspaces.html">Previous: Workspaces</a>');
  });

  it('marks the decisions as current on each of them', () => {
    expect(read('decisions/0001-one-main-js.html')).toContain(
      '<a href="index.html" aria-current="true">Decisions</a>',
    );
  });

  it('has a title and a description of its own on every page', () => {
    const heads = addresses.map((address) => {
      const page = read(address);
      const [, title] = /<title>([^<]+)<\/title>/.exec(page) ?? [];
      const [, description] = /<meta name="description" content="([^"]+)">/.exec(page) ?? [];
      return { address, title, description };
    });
    expect(heads.filter(({ title, description }) => !title || !description)).toEqual([]);
    expect(new Set(heads.map(({ title }) => title)).size).toBe(addresses.length);
  });

  it('has the anchors that GitHub gives the headings', () => {
    for (const [source, address] of [
      ['docs/tools.md', 'tools.html'],
      ['DESIGN.md', 'design.html'],
    ] as const) {
      const ids = [...read(address).matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids).toEqual([...anchorsOf(readFileSync(join(root, source), 'utf8'))]);
    }
  });

  it('needs no script, and loads nothing from elsewhere', () => {
    for (const address of addresses) expect(read(address)).not.toMatch(/<(?:script|iframe|object)/);
    expect(read('site.css')).not.toMatch(/@import|url\(|\/\//);
  });

  it('has the pictures, and shows no comments of the Markdown', () => {
    expect(read('index.html')).toContain('<img src="pictures/moving.png"');
    expect(existsSync(join(site, 'pictures/timeline.png'))).toBe(true);
    expect(read('tools.html')).not.toContain('Generated by');
  });
});

describe('a page', () => {
  it('links to headings, folders and files with spaces', async () => {
    const to = await siteOf({
      'README.md': '# A\n\n[b](docs/guide/B%20c.md#Two-words) [d](docs/decisions/)',
      'docs/guide/B c.md': '# B c\n\n## Two words\n\n[up](../../README.md) [here](#two-words)',
      'docs/decisions/README.md': '# D',
    });
    expect(siteProblems(to)).toEqual([]);
    const [start, other] = ['index.html', 'guide/b-c.html'].map((address) =>
      readFileSync(join(to, address), 'utf8'),
    );
    expect(start).toContain('<a href="guide/b-c.html#two-words">b</a>');
    expect(start).toContain('<a href="decisions/index.html">d</a>');
    expect(other).toContain('<a href="../index.html">up</a> <a href="#two-words">here</a>');
  });

  it('shows a link to a file outside the site as text', async () => {
    const to = await siteOf({ 'README.md': '# A\n\nSee [the `code`](src/a.ts).', 'src/a.ts': '' });
    expect(readFileSync(join(to, 'index.html'), 'utf8')).toContain(
      '<p>See the <code>code</code>.</p>',
    );
  });

  it('shows HTML as text', async () => {
    const to = await siteOf({
      'README.md': '# A\n\n<script>x</script>\n\nb <img src="x"> <!-- c -->\n\n[d](javascript:e)',
    });
    const page = readFileSync(join(to, 'index.html'), 'utf8');
    expect(page).toContain('<p>&lt;script&gt;x&lt;/script&gt;</p>');
    expect(page).toContain('<p>b &lt;img src=&quot;x&quot;&gt; </p>');
    expect(page).not.toContain('href="javascript');
  });

  it('keeps a picture with a still one, unless it has other attributes', async () => {
    const picture = (more: string) =>
      `<picture>\n  <source media="print" srcset="docs/a.png">\n  <img src="docs/b.png" alt="B"${more}>\n</picture>`;
    const to = await siteOf({
      'README.md': `# A\n\n${picture('')}\n\nText\n\n${picture(' onerror="x()"')}`,
      'docs/a.png': 'a',
      'docs/b.png': 'b',
    });
    const page = readFileSync(join(to, 'index.html'), 'utf8');
    expect(page).toContain('<source media="print" srcset="a.png">');
    expect(page.match(/<img/g)).toEqual(['<img']);
    expect(page).toContain('<img src="b.png" alt="B">');
    expect(readFileSync(join(to, 'a.png'), 'utf8')).toBe('a');
  });

  it('must have an address of its own', async () => {
    await expect(
      siteOf({ 'README.md': '[a](docs/a.md) [b](A.md)', 'docs/a.md': '# A', 'A.md': '# A' }),
    ).rejects.toThrow('docs/a.md and A.md have the same address: rename one of them.');
  });
});

describe('the link check', () => {
  it('names each missing file, picture and heading', async () => {
    const to = await siteOf({
      'README.md': '# A\n\n[a](none.md) ![b](none.png) [c](#two) [d](docs/b.md#x) [e](../out.md)',
      'docs/b.md': '# B',
    });
    expect(siteProblems(to)).toEqual([
      'index.html links to none.md: the site has no such file.',
      'index.html links to none.png: the site has no such file.',
      'index.html links to #two: the page has no such heading.',
      'index.html links to b.html#x: the page has no such heading.',
      'index.html links to ../out.md: it leaves the site.',
    ]);
  });

  it('refuses a picture from elsewhere and a link that fails below a path', () => {
    const folder = folderWith({
      'index.html':
        '<a href="https://example.org/">a</a><img src="https://example.org/b.png"><a href="/c.html">c</a>',
    });
    expect(siteProblems(folder)).toEqual([
      'index.html links to https://example.org/b.png: a page must load nothing from elsewhere.',
      'index.html links to /c.html: the link must be relative.',
    ]);
  });
});

describe('the script', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(root, 'scripts/site.mjs'), ...args], { encoding: 'utf8' });

  itInFull('fails with one sentence per dead link, and says where the site is', () => {
    const from = folderWith({ 'README.md': '# A\n\n[a](none.md)' });
    const to = join(folderWith({}), 'site');
    const { status, stdout, stderr } = run('--from', from, '--to', to);
    expect(stderr).toBe('index.html links to none.md: the site has no such file.\n');
    expect(stdout).toContain(`${to}\n1 pages and the playground.`);
    expect(status).toBe(1);
    expect(existsSync(join(to, 'playground.html'))).toBe(true);
  });

  it('replaces an earlier site, but no other folder', async () => {
    const from = folderWith({ 'README.md': '# A' });
    const to = folderWith({ 'note.md': 'mine' });
    await expect(writePages({ from, to })).rejects.toThrow('is not empty and has no site');
    expect(existsSync(join(to, 'note.md'))).toBe(true);
    rmSync(join(to, 'note.md'));
    await writePages({ from, to });
    writeFileSync(join(to, 'old.html'), '');
    await writePages({ from, to });
    expect(readdirSync(to).sort()).toEqual(['index.html', 'site.css']);
  });
});

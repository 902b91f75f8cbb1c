/**
 * Reads the Markdown files that become pages of the site, and renders them with links to each
 * other.
 */
import MarkdownIt from 'markdown-it';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { anchorMaker } from '../links.mjs';

const START = 'README.md';
const GUIDE = 'docs/guide/';
const REFERENCE = [
  'docs/tools.md',
  'docs/cli.md',
  'docs/surfaces.md',
  'docs/log-format.md',
  'docs/search-format.md',
  'docs/benchmarks.md',
];
const PROJECT = [
  'docs/privacy.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'DESIGN.md',
  'docs/parts.md',
  'docs/decisions/README.md',
  'CONTRIBUTING.md',
];
/** Files that are copied although they are neither pages nor pictures, with their addresses. */
const COPIED = { LICENSE: 'license.txt' };
const MAX_DESCRIPTION_LENGTH = 160;
const MANY_COLUMNS = 3;
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/**
 * @typedef {object} Page
 * @property {string} source path of the Markdown file in the repository, with `/`
 * @property {string} address path of the page in the site
 * @property {string} title text of its first heading
 * @property {string} description beginning of its first paragraph
 * @property {import('markdown-it').Token[]} tokens
 */

const markdown = new MarkdownIt({ html: true });
const { rules } = markdown.renderer;
const { escapeHtml } = markdown.utils;

/** A block of HTML that is a picture with a still one for readers who want no motion. */
const PICTURE =
  /^<picture>\s*(?:<source(?:\s+(?:media|srcset)="[^"<>]*")+\s*>\s*)*<img(?:\s+(?:src|alt)="[^"<>]*")+\s*>\s*<\/picture>\s*$/;

// Comments are left out. Any other HTML but a picture is shown as text.
const inert = (html) => escapeHtml(html.replace(/<!--[^]*?-->/g, '')).trim();
rules.html_inline = (tokens, index) => inert(tokens[index].content);
rules.html_block = (tokens, index) => {
  if (PICTURE.test(tokens[index].content)) return tokens[index].content;
  const text = inert(tokens[index].content);
  return text === '' ? '' : `<p>${text}</p>\n`;
};
// A wide table scrolls by itself, with the keyboard too.
rules.table_open = (tokens, index) => {
  const head = tokens.slice(index, index + tokens.slice(index).findIndex(closesHead));
  const isWide = head.filter(({ type }) => type === 'th_open').length >= MANY_COLUMNS;
  return isWide
    ? '<div class="wide" role="group" aria-label="Table" tabindex="0">\n<table>\n'
    : '<div>\n<table>\n';
};
rules.table_close = () => '</table>\n</div>\n';
// A heading without text is not one.
for (const type of ['th_open', 'th_close'])
  rules[type] = (tokens, index, options, env, self) => {
    if (tokens[type === 'th_open' ? index + 1 : index - 1].content === '') tokens[index].tag = 'td';
    return self.renderToken(tokens, index, options);
  };
const closesHead = ({ type }) => type === 'thead_close';

/**
 * Returns the pages of a repository by source: those of the navigation, and every Markdown file
 * that a page links to.
 * @param {string} root
 * @returns {Map<string, Page>}
 */
export function readPages(root) {
  const pages = new Map();
  const waiting = sourcesOf(root).flatMap(([, sources]) => sources);
  for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) {
    if (pages.has(source)) continue;
    const page = parsePage(source, readFileSync(join(root, source), 'utf8'));
    const rival = [...pages.values()].find(({ address }) => address === page.address);
    if (rival)
      throw new Error(`${rival.source} and ${source} have the same address: rename one of them.`);
    pages.set(source, page);
    for (const link of linkTokens(page.tokens)) {
      const target = targetOf(root, source, link.attrGet('href'));
      if (target?.path.endsWith('.md')) waiting.push(target.path);
    }
  }
  return pages;
}

/**
 * Returns the titles and the pages of the parts of the navigation.
 * @param {string} root
 * @param {ReadonlyMap<string, Page>} pages
 * @returns {{ title: string, pages: Page[] }[]}
 */
export function navigationOf(root, pages) {
  return sourcesOf(root).map(([title, sources]) => ({
    title,
    pages: sources.map((source) => pages.get(source)),
  }));
}

/**
 * Returns the titles and the existing files of the parts of the navigation. The guide is in the
 * order in which the README links it.
 */
function sourcesOf(root) {
  const exist = (sources) => sources.filter((source) => existsSync(join(root, source)));
  const linked = linkTokens(markdown.parse(readFileSync(join(root, START), 'utf8'), {}))
    .map((link) => targetOf(root, START, link.attrGet('href'))?.path)
    .filter((path) => path?.startsWith(GUIDE) && path.endsWith('.md'));
  const others = exist([GUIDE])
    .flatMap((folder) => readdirSync(join(root, folder)).sort())
    .filter((name) => name.endsWith('.md'))
    .map((name) => GUIDE + name);
  return [
    ['Start', [START]],
    ['Guide', [...new Set([...linked, ...others])]],
    ['Reference', exist(REFERENCE)],
    ['Project', exist(PROJECT)],
  ];
}

function parsePage(source, text) {
  const tokens = markdown.parse(text, {});
  const anchorOf = anchorMaker();
  let title;
  let description;
  tokens.forEach(({ type }, index) => {
    if (type === 'heading_open') {
      const heading = textOf(tokens[index + 1]);
      tokens[index].attrSet('id', anchorOf(heading));
      title ??= heading;
    } else if (type === 'paragraph_open') description ??= textOf(tokens[index + 1]) || undefined;
  });
  return {
    source,
    address: addressOf(source),
    title: title ?? source,
    description: shortened(description ?? title ?? source),
    tokens,
  };
}

/** Returns the text of an inline token without markup and pictures. */
function textOf({ children }) {
  const parts = (children ?? []).map(({ type, content }) => {
    if (type === 'text' || type === 'code_inline') return content;
    return type === 'softbreak' ? ' ' : '';
  });
  return parts.join('').trim();
}

function shortened(text) {
  if (text.length <= MAX_DESCRIPTION_LENGTH) return text;
  return `${text.slice(0, MAX_DESCRIPTION_LENGTH).replace(/\s+\S*$/, '')}…`;
}

/**
 * Returns where a file of the repository is in the site: in lower case, with hyphens, and without
 * the folder `docs`.
 * @param {string} source
 * @returns {string}
 */
export function addressOf(source) {
  return source
    .replace(/^docs\//, '')
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/\.md$/, '.html')
    .toLowerCase()
    .replace(/[\s_]+/g, '-');
}

/**
 * Renders a page's content, once, since it changes the links in the tokens. Adds the files that it
 * needs to `copied`: addresses in the site by path in the repository.
 * @param {Page} page
 * @param {{ root: string, pages: ReadonlyMap<string, Page>, repository: string | undefined, copied:
 * Map<string, string> }} site
 * @returns {string}
 */
export function renderContent(page, site) {
  for (const token of page.tokens) {
    if (token.children) linkChildren(token.children, page, site);
    else if (token.type === 'html_block') linkPicture(token, page, site);
  }
  return markdown.renderer.render(page.tokens, markdown.options, {});
}

/** Points the files of a picture in HTML to the site. */
function linkPicture(token, page, site) {
  if (!PICTURE.test(token.content)) return;
  token.content = token.content.replace(/\b(src|srcset)="([^"]*)"/g, (all, name, path) => {
    const target = targetOf(site.root, page.source, path);
    return target ? `${name}="${hrefOf(page, copyOf(target.path, site))}"` : all;
  });
}

/**
 * Points links and pictures to the site. A link to a file that is neither in the site nor in a
 * public repository becomes text.
 */
function linkChildren(children, page, site) {
  const opened = [];
  for (const token of children) {
    if (token.type === 'image') {
      const target = targetOf(site.root, page.source, token.attrGet('src'));
      if (target) token.attrSet('src', hrefOf(page, copyOf(target.path, site)));
      token.attrSet('loading', 'lazy');
    } else if (token.type === 'link_open') {
      const href = linkFor(token.attrGet('href'), page, site);
      if (href === undefined) hide(token);
      else token.attrSet('href', href);
      opened.push(token);
    } else if (token.type === 'link_close' && opened.pop().hidden) hide(token);
  }
}

/** Hides a token of a line: the renderer does so only for blocks. */
function hide(token) {
  Object.assign(token, { type: 'text', content: '', hidden: true });
}

/**
 * Returns the target of a link for the site, undefined if it is not there. A dead link stays as it
 * is, for the link check to find.
 */
function linkFor(link, page, site) {
  const target = targetOf(site.root, page.source, link);
  if (target === undefined) return link;
  const { path, fragment } = target;
  const other = site.pages.get(path);
  if (other === page && fragment !== '') return fragment.toLowerCase();
  if (other) return hrefOf(page, other.address) + fragment.toLowerCase();
  if (path in COPIED) return hrefOf(page, copyOf(path, site));
  return site.repository && encodeURI(`${site.repository}/blob/HEAD/${path}`) + fragment;
}

function copyOf(path, { copied }) {
  const address = COPIED[path] ?? addressOf(path);
  copied.set(path, address);
  return address;
}

/**
 * Returns the relative link from a page to an address of the site.
 * @param {{ address: string }} page
 * @param {string} address
 * @returns {string}
 */
export function hrefOf(page, address) {
  return encodeURI(posix.relative(posix.dirname(page.address), address));
}

/**
 * Returns the file that a link means, with its fragment; undefined if it is a web address or there
 * is no such file.
 */
function targetOf(root, source, link) {
  if (SCHEME.test(link)) return undefined;
  const [path, anchor] = decodeURI(link).split('#');
  const fragment = anchor === undefined ? '' : `#${encodeURI(anchor)}`;
  if (path === '') return { path: source, fragment };
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, '');
  const onDisk = join(root, target);
  if (relative(root, onDisk).startsWith('..') || !existsSync(onDisk)) return undefined;
  const index = posix.join(target, 'README.md');
  const isFolder = statSync(onDisk).isDirectory();
  return { path: isFolder && existsSync(join(root, index)) ? index : target, fragment };
}

function linkTokens(tokens) {
  return tokens
    .flatMap(({ children }) => children ?? [])
    .filter(({ type }) => type === 'link_open');
}

/** Finds dead links in Markdown: relative paths and anchors. Reads no network. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const SKIPPED = new Set(['node_modules', '.git', 'packages', 'release', 'coverage', 'site']);
/** Folders of the sample vault that are elsewhere in the repository. */
const MOUNTED = { 'examples/playground/Guide': 'docs/guide' };
const LINK = /!?\[(?:[^\][]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const HTML = /<(?:a|img|source)\s[^>]*?\b(?:href|src|srcset)="([^"\s]+)"/g;
const REFERENCE = /^\[[^\]]+\]:\s+(\S+)/gm;

/**
 * Returns the Markdown files below a folder, relative to it, with `/`.
 * @param {string} root
 * @returns {string[]}
 */
export function markdownFiles(root) {
  const found = [];
  const visit = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) visit(path);
      else if (entry.isFile() && entry.name.endsWith('.md')) found.push(relative(root, path));
    }
  };
  visit(root);
  return found.map((path) => path.split(sep).join('/')).sort();
}

/**
 * Returns the anchors of a page, as GitHub derives them from headings. A repeated heading gets a
 * number.
 * @param {string} markdown
 * @returns {Set<string>}
 */
export function anchorsOf(markdown) {
  const anchors = new Set();
  const anchorOf = anchorMaker();
  for (const [, heading] of withoutCode(markdown, false).matchAll(/^#{1,6} +(.+?)(?: +#+)? *$/gm))
    anchors.add(anchorOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')));
  for (const [, id] of markdown.matchAll(/<a (?:id|name)="([^"]+)"/g)) anchors.add(id);
  return anchors;
}

/**
 * Returns a function that derives the anchor of each heading of one page, in the page's order.
 * @returns {(heading: string) => string}
 */
export function anchorMaker() {
  const counts = new Map();
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

/**
 * Returns the targets of the links and pictures in a page. Code contains no links.
 * @param {string} markdown
 * @returns {string[]}
 */
export function linksOf(markdown) {
  const text = withoutCode(markdown, true);
  return [LINK, REFERENCE, HTML].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, target]) => target),
  );
}

/**
 * Returns one sentence per dead link in the Markdown files below a folder.
 * @param {string} root
 * @param {readonly string[]} [files]
 * @returns {string[]}
 */
export function deadLinks(root, files = markdownFiles(root)) {
  return files.flatMap((file) =>
    linksOf(readFileSync(join(root, file), 'utf8')).flatMap((link) => {
      const problem = problemOf(root, file, link);
      return problem === undefined ? [] : [`${file} links to ${link}: ${problem}.`];
    }),
  );
}

function problemOf(root, file, link) {
  if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return undefined;
  const [path, anchor] = decodeURI(link).split('#');
  const target = path === '' ? join(root, file) : mounted(root, dirname(file), path);
  if (relative(root, target).startsWith('..')) return 'it leaves the repository';
  if (!existsSync(target)) return 'there is no such file';
  if (anchor === undefined || !target.endsWith('.md') || statSync(target).isDirectory())
    return undefined;
  return anchorsOf(readFileSync(target, 'utf8')).has(anchor.toLowerCase())
    ? undefined
    : 'the page has no such heading';
}

/** Returns the path of a link's target on disk. */
function mounted(root, folder, path) {
  const target = resolve(root, folder, path);
  const [from, to] = Object.entries(MOUNTED)
    .map((pair) => pair.map((each) => join(root, each)))
    .find(([point]) => target.startsWith(`${point}${sep}`)) ?? ['', ''];
  return from === '' ? target : join(to, relative(from, target));
}

function withoutCode(markdown, isInlineToo) {
  const prose = markdown.replace(/^ *(```+|~~~+).*?^ *\1 *$/gms, '');
  return isInlineToo ? prose.replace(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '') : prose;
}

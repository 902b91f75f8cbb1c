/** Checks the links of a built site. Reads no network. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** It contains no links, and its policy blocks every request. */
const UNCHECKED = new Set(['playground.html']);
const ATTRIBUTE = /\s(href|src|srcset|id)="([^"]*)"/g;

/**
 * Returns one sentence per link or picture without a file, per fragment without an id, and per file
 * that a page would load from elsewhere.
 * @param {string} folder
 * @returns {string[]}
 */
export function siteProblems(folder) {
  const pages = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.split(sep).join('/'))
      .filter((path) => path.endsWith('.html') && !UNCHECKED.has(path))
      .sort()
      .map((path) => [path, attributesOf(readFileSync(join(folder, path), 'utf8'))]),
  );
  const idsOf = (path) =>
    pages
      .get(path)
      ?.filter(({ name }) => name === 'id')
      .map(({ value }) => value);
  return [...pages].flatMap(([path, attributes]) =>
    attributes.flatMap((attribute) => {
      const problem = problemOf({ folder, path, idsOf }, attribute);
      return problem === undefined ? [] : [`${path} links to ${attribute.value}: ${problem}.`];
    }),
  );
}

/** Returns the links and ids of a page. Text has no tags, because it is escaped. */
function attributesOf(html) {
  return [...html.matchAll(/<([a-z][a-z0-9]*)\b([^>]*)>/g)].flatMap(([, tag, attributes]) =>
    [...attributes.matchAll(ATTRIBUTE)].map(([, name, value]) => ({
      tag,
      name,
      value: value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    })),
  );
}

function problemOf({ folder, path, idsOf }, { tag, name, value }) {
  if (name === 'id' || value.startsWith('data:')) return undefined;
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(value))
    return tag === 'a' ? undefined : 'a page must load nothing from elsewhere';
  if (value.startsWith('/')) return 'the link must be relative';
  const [file, fragment] = decodeURI(value).split('#');
  const target = file === '' ? path : posix.join(posix.dirname(path), file);
  if (target.startsWith('..')) return 'it leaves the site';
  const onDisk = join(folder, target);
  if (!existsSync(onDisk) || !statSync(onDisk).isFile()) return 'the site has no such file';
  if (fragment === undefined) return undefined;
  return idsOf(target)?.includes(fragment) ? undefined : 'the page has no such heading';
}

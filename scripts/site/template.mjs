/** Writes the HTML around the content of a page of the site. */
import { hrefOf } from './pages.mjs';

/** Ids of the frame. A heading's anchor has no colon, so none is the same. */
const CONTENT = 'page:content';
const NAVIGATION = 'page:navigation';

const escape = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/**
 * Returns the HTML of a page.
 * @param {import('./pages.mjs').Page} page
 * @param {string} content
 * @param {{ name: string, version: string, navigation: { title: string, pages:
 * import('./pages.mjs').Page[] }[] }} site
 * @returns {string}
 */
export function renderPage(page, content, { name, version, navigation }) {
  const to = (address) => escape(hrefOf(page, address));
  const title = page.title === name ? name : `${page.title} – ${name}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<meta name="description" content="${escape(page.description)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('site.css')}">
</head>
<body>
<a class="skip" href="#${CONTENT}">Skip to the content</a>
<header>
<a class="name" href="${to('index.html')}">${escape(name)}</a>
<a href="${to('playground.html')}">Playground</a>
<a class="narrow" href="#${NAVIGATION}">Pages</a>
</header>
<nav id="${NAVIGATION}" class="pages" aria-label="Pages">
<a class="narrow" href="#${CONTENT}">Close the list</a>
${navigation.map((part) => renderPart(part, page, to)).join('\n')}
</nav>
<main id="${CONTENT}" tabindex="-1">
${content}${renderNeighbours(page, navigation, to)}</main>
<footer>
<p>${escape(name)} ${escape(version)}</p>
</footer>
</body>
</html>
`;
}

function renderPart({ title, pages }, current, to) {
  if (pages.length === 0) return '';
  const items = pages.map((page) => {
    const isAbove =
      page.source.endsWith('/README.md') && current !== page && isBelow(current, page);
    const mark = page === current ? ' aria-current="page"' : isAbove ? ' aria-current="true"' : '';
    const label = page.address === 'index.html' ? 'Overview' : page.title;
    return `<li><a href="${to(page.address)}"${mark}>${escape(label)}</a></li>`;
  });
  return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

const isBelow = (page, index) => page.source.startsWith(index.source.replace(/README\.md$/, ''));

/** Links the previous and the next page of the same part of the navigation. */
function renderNeighbours(page, navigation, to) {
  const pages = navigation.find((part) => part.pages.includes(page))?.pages ?? [];
  const at = pages.indexOf(page);
  const links = [
    ['prev', 'Previous', pages[at - 1]],
    ['next', 'Next', pages[at + 1]],
  ].flatMap(([rel, word, other]) =>
    other
      ? [`<a rel="${rel}" href="${to(other.address)}">${word}: ${escape(other.title)}</a>`]
      : [],
  );
  if (links.length === 0) return '';
  return `<nav class="neighbours" aria-label="Neighbouring pages">\n${links.join('\n')}\n</nav>\n`;
}

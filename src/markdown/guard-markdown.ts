import { HIGHLIGHTED_LANGUAGES } from './inert.js';

/** A private-use character, which has no meaning in Markdown or HTML. */
const MARKER = '\uE0F0';

/**
 * Returns Markdown that runs and loads nothing when the app renders it: HTML stays text, images and
 * embeds become links, and code is not passed to plugins. A guard character breaks up this syntax
 * wherever it occurs, regardless of the context, because no two parsers agree on the context.
 * `removeGuards` removes the guard characters from the rendered elements.
 */
export function guardMarkdown(markdown: string): string {
  const guarded = markdown
    .replaceAll(MARKER, '')
    .replace(/<(?=[A-Za-z/!?])/g, `<${MARKER}`)
    .replace(/!(?=\[)/g, `!${MARKER}`)
    .replace(
      /(`+|~{3,})([ \t]*)(?=([^\s`~]\S{0,20})?)/g, // matches each run as a whole, in linear time
      (whole, fence: string, gap: string, word: string | undefined) =>
        word === undefined || (fence.length >= 3 && HIGHLIGHTED_LANGUAGES.test(word))
          ? whole
          : `${fence}${gap}${MARKER}`,
    );
  return `\n${guarded}`; // a first line of dashes would begin properties, which are not rendered
}

/** Removes the guards from the text nodes of rendered Markdown; nothing is parsed again. */
export function removeGuards(rendered: HTMLElement): void {
  const walker = rendered.doc.createTreeWalker(rendered, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const content = node.textContent ?? '';
    if (content.includes(MARKER))
      node.textContent = withoutGuards(content, node.parentElement?.closest('code') === null);
  }
}

function withoutGuards(content: string, isProse: boolean): string {
  return (isProse ? content.replaceAll(`!${MARKER}`, '') : content).replaceAll(MARKER, '');
}

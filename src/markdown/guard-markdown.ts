import { HIGHLIGHTED_LANGUAGES } from './inert.js';

/** A private-use character without meaning in Markdown or HTML. */
const MARKER = '\uE0F0';

/**
 * Returns Markdown that runs and loads nothing when rendered: HTML stays text, images and embeds
 * become links, and plugins get no code. Guard characters (see `removeGuards`) break up this syntax
 * in any context, because no two parsers agree on the context.
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

/** Changes text nodes only; nothing is parsed again. */
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

/** A character for private use, which no font and no parser has a meaning for. */
const GUARD = '\uE0F0';

/** Languages that the app only colours. A block in any other may be run by a plugin that is made for it. */
const COLOURED =
  /^(?:bash|sh|shell|zsh|powershell|c|cpp|csharp|cs|css|scss|diff|dockerfile|go|graphql|html|http|ini|java|javascript|js|jsx|json|kotlin|latex|lua|makefile|markdown|md|nix|objectivec|perl|php|python|py|r|ruby|rb|rust|rs|scala|sql|swift|text|toml|tsx|typescript|ts|txt|xml|yaml|yml)$/i;

/**
 * Markdown of which nothing runs and nothing is loaded when the app renders it: HTML stays text, images and embeds become links, and
 * code is not handed to plugins. It does not ask where a piece stands, for two parsers never agree on that: a guard goes between the
 * characters that would mean something, wherever they are. `dropGuards` takes the guards out of what was rendered.
 */
export function guardMarkdown(markdown: string): string {
  const guarded = markdown
    .replaceAll(GUARD, '')
    .replace(/<(?=[A-Za-z/!?])/g, `<${GUARD}`)
    .replace(/!(?=\[)/g, `!${GUARD}`)
    .replace(
      /(`+|~{3,})([ \t]*)(?=([^\s`~]\S*))/g,
      (whole, fence: string, gap: string, word: string) =>
        fence.length >= 3 && COLOURED.test(word) ? whole : `${fence}${gap}${GUARD}`,
    );
  return `\n${guarded}`; // so that a first line of dashes does not begin properties, which are not shown
}

/** Takes the guards out of the texts of what was rendered; nothing is parsed again. */
export function dropGuards(rendered: HTMLElement): void {
  const walker = rendered.doc.createTreeWalker(rendered, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const held = node.textContent ?? '';
    if (held.includes(GUARD))
      node.textContent = withoutGuards(held, node.parentElement?.closest('code') === null);
  }
}

function withoutGuards(held: string, isProse: boolean): string {
  return (isProse ? held.replaceAll(`!${GUARD}`, '') : held).replaceAll(GUARD, '');
}

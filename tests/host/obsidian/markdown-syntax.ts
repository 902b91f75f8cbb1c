import createParser, { type MarkdownIt, type StateInline } from 'markdown-it';

/*
 * Obsidian's Markdown on top of CommonMark: [[links]], ![[embeds]], #tags, ==highlights==,
 * %%comments%%. HTML is off: it stays text.
 */

type InlineRule = (state: StateInline, silent: boolean) => boolean;

/**
 * Creates an inline rule from a pattern that is tried at each position. `write` adds the tokens.
 */
function pattern(
  expression: RegExp,
  write: (state: StateInline, match: RegExpExecArray) => void,
): InlineRule {
  const sticky = new RegExp(expression.source, `${expression.flags}y`);
  return (state, silent) => {
    sticky.lastIndex = state.pos;
    const match = sticky.exec(state.src);
    if (!match || sticky.lastIndex > state.posMax) return false;
    if (!silent) write(state, match);
    state.pos += match[0].length;
    return true;
  };
}

const shownText = (link: string, bar: string | undefined) =>
  bar?.trim() ?? link.replace(/^#/, '').replace(/#/g, ' > ');

function putLink(state: StateInline, { 1: link = '', 2: bar }: RegExpExecArray): void {
  const target = link.trim();
  const open = state.push('link_open', 'a', 1);
  open.attrs = [
    ['data-href', target],
    ['href', target],
    ['class', 'internal-link'],
  ];
  state.push('text', '', 0).content = shownText(target, bar);
  state.push('link_close', 'a', -1);
}

function putEmbed(state: StateInline, { 1: link = '', 2: bar }: RegExpExecArray): void {
  const open = state.push('embed_open', 'span', 1);
  open.attrs = [
    ['class', 'internal-embed'],
    ['src', link.trim()],
    ['alt', shownText(link.trim(), bar)],
  ];
  state.push('text', '', 0).content = shownText(link.trim(), bar);
  state.push('embed_close', 'span', -1);
}

function putTag(state: StateInline, { 0: tag }: RegExpExecArray): void {
  const open = state.push('link_open', 'a', 1);
  open.attrs = [
    ['href', tag],
    ['class', 'tag'],
  ];
  state.push('text', '', 0).content = tag;
  state.push('link_close', 'a', -1);
}

function putHighlight(state: StateInline, { 1: text = '' }: RegExpExecArray): void {
  state.push('mark_open', 'mark', 1);
  state.push('text', '', 0).content = text;
  state.push('mark_close', 'mark', -1);
}

export function createMarkdown(): MarkdownIt {
  const markdown = createParser({
    html: false,
    linkify: true,
    breaks: true,
    langPrefix: 'language-',
  });
  const { ruler } = markdown.inline;
  ruler.before('image', 'embed', pattern(/!\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]/, putEmbed));
  ruler.before('link', 'wikilink', pattern(/\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]/, putLink));
  ruler.before(
    'emphasis',
    'tag',
    pattern(/(?<![^\s(])#[\p{L}\p{N}_/-]*[\p{L}_/-][\p{L}\p{N}_/-]*/u, putTag),
  );
  ruler.before('emphasis', 'highlight', pattern(/==([^=]+)==/, putHighlight));
  ruler.before(
    'text',
    'comment',
    pattern(/%%[^%]*%%/, () => undefined),
  );
  return markdown;
}

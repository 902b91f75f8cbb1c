import { Attr, parser, parser_end, parser_write, Token, type Renderer } from 'streaming-markdown';

const TAGS = new Map<Token, keyof HTMLElementTagNameMap>([
  [Token.Paragraph, 'p'],
  [Token.Heading_1, 'h1'],
  [Token.Heading_2, 'h2'],
  [Token.Heading_3, 'h3'],
  [Token.Heading_4, 'h4'],
  [Token.Heading_5, 'h5'],
  [Token.Heading_6, 'h6'],
  [Token.Blockquote, 'blockquote'],
  [Token.Line_Break, 'br'],
  [Token.Rule, 'hr'],
  [Token.Italic_Ast, 'em'],
  [Token.Italic_Und, 'em'],
  [Token.Strong_Ast, 'strong'],
  [Token.Strong_Und, 'strong'],
  [Token.Strike, 's'],
  [Token.Code_Inline, 'code'],
  [Token.Link, 'a'],
  [Token.Raw_URL, 'a'],
  [Token.Image, 'a'],
  [Token.List_Unordered, 'ul'],
  [Token.List_Ordered, 'ol'],
  [Token.List_Item, 'li'],
  [Token.Table, 'table'],
  [Token.Table_Row, 'tr'],
  [Token.Equation_Block, 'code'],
  [Token.Equation_Inline, 'code'],
]);

/** Renders Markdown into an element while it is streamed. */
export interface StreamedText {
  write(piece: string): void;
  end(): void;
}

/** Streams Markdown into an element. HTML stays text and images become links: nothing is loaded. */
export function streamInto(root: HTMLElement): StreamedText {
  const open: HTMLElement[] = [root];
  const top = () => open.at(-1) ?? root;
  const renderer: Renderer<undefined> = {
    data: undefined,
    add_token(_, token) {
      if (token === Token.Document) return;
      open.push(elementFor(top(), token));
    },
    end_token() {
      if (open.length > 1) open.pop();
    },
    add_text: (_, piece) => addText(top(), piece),
    set_attr(_, attribute, value) {
      if (attribute === Attr.Start) top().setAttr('start', value);
      else if (attribute === Attr.Checked) top().setAttr('checked', '');
      else if (attribute !== Attr.Lang && /^https?:\/\//i.test(value))
        top().setAttrs({
          href: value,
          class: 'external-link',
          target: '_blank',
          rel: 'noopener nofollow',
        });
    },
  };
  const state = parser(renderer);
  let carry = '';
  return {
    // The parser would take a wikilink for an unfinished link; `linkNotes` finds escaped brackets.
    write(piece) {
      const all = carry + piece;
      carry = all.endsWith('[') ? '[' : '';
      parser_write(state, all.slice(0, all.length - carry.length).replaceAll('[[', '\\[\\['));
    },
    end() {
      if (carry !== '') parser_write(state, carry);
      parser_end(state);
    },
  };
}

function addText(parent: HTMLElement, piece: string): void {
  const last = parent.lastChild;
  if (last?.instanceOf(Text)) last.appendData(piece);
  else parent.appendText(piece);
  if (piece.includes(']') && parent.tagName !== 'CODE' && parent.tagName !== 'A') linkNotes(parent);
}

/** Turns wikilinks in the last text node of an element into links. */
function linkNotes(parent: HTMLElement): void {
  for (let node = parent.lastChild; node?.instanceOf(Text); node = parent.lastChild) {
    const found = /\[\[([^[\]|\n]+)(?:\|([^[\]\n]+))?\]\]/u.exec(node.data);
    const [whole, target, shown = target] = found ?? [];
    if (!found || whole === undefined || target === undefined) return;
    const link = node.splitText(found.index);
    const rest = link.splitText(whole.length);
    // opened by a click listener, because the target may be any text
    const attr = { href: '#', 'data-href': target };
    link.replaceWith(parent.createEl('a', { cls: 'internal-link', text: shown ?? target, attr }));
    if (rest.length === 0) return rest.remove();
  }
}

function elementFor(parent: HTMLElement, token: Token): HTMLElement {
  if (token === Token.Code_Block || token === Token.Code_Fence)
    return parent.createEl('pre').createEl('code');
  if (token === Token.Checkbox)
    return parent.createEl('input', { type: 'checkbox', attr: { disabled: '' } });
  if (token === Token.Table_Cell)
    return parent.createEl(parent.parentElement?.tagName === 'THEAD' ? 'th' : 'td');
  if (token === Token.Table_Row) return tablePart(parent).createEl('tr');
  const tag = TAGS.get(token);
  return tag ? parent.createEl(tag, { attr: { dir: 'auto' } }) : parent.createSpan();
}

function tablePart(table: HTMLElement): HTMLElement {
  if (!table.querySelector('thead')) return table.createEl('thead');
  return table.querySelector('tbody') ?? table.createEl('tbody');
}

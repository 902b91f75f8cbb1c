import { sanitizeHTMLToDom } from './markdown';

const around: Record<string, string> = {
  STRONG: '**',
  B: '**',
  EM: '*',
  I: '*',
  CODE: '`',
  DEL: '~~',
  S: '~~',
  MARK: '==',
};

function list(el: Element, isOrdered: boolean): string {
  const items = Array.from(el.children).map((item, index) => {
    const [first = '', ...rest] = blocks(item).trim().split('\n');
    return [
      `${isOrdered ? `${index + 1}.` : '-'} ${first}`,
      ...rest.map((line) => (line === '' ? '' : `  ${line}`)),
    ].join('\n');
  });
  return `\n${items.join('\n')}\n`;
}

function toMarkdown(node: Node): string {
  if (node.nodeType === 3) return (node.textContent ?? '').replace(/\s+/g, ' ');
  if (node.nodeType !== 1) return '';
  const el = node as HTMLElement;
  const mark = around[el.tagName];
  if (mark !== undefined) return `${mark}${blocks(el)}${mark}`;
  if (/^H[1-6]$/.test(el.tagName))
    return `\n${'#'.repeat(Number(el.tagName.charAt(1)))} ${blocks(el).trim()}\n`;
  switch (el.tagName) {
    case 'BR':
      return '\n';
    case 'HR':
      return '\n---\n';
    case 'PRE':
      return `\n\`\`\`\n${el.textContent.replace(/\n$/, '')}\n\`\`\`\n`;
    case 'A':
      return el.hasAttribute('href')
        ? `[${blocks(el)}](${el.getAttribute('href') ?? ''})`
        : blocks(el);
    case 'IMG':
      return `![${el.getAttribute('alt') ?? ''}](${el.getAttribute('src') ?? ''})`;
    case 'BLOCKQUOTE':
      return `\n${blocks(el).trim().replace(/^/gm, '> ')}\n`;
    case 'UL':
    case 'OL':
      return list(el, el.tagName === 'OL');
    case 'P':
    case 'DIV':
      return `\n${blocks(el).trim()}\n`;
    default:
      return blocks(el);
  }
}

const blocks = (el: Node): string => Array.from(el.childNodes, toMarkdown).join('');

/** Converts common elements. Others, such as tables, become plain text. */
export function htmlToMarkdown(html: string | HTMLElement | Document | DocumentFragment): string {
  const root =
    typeof html === 'string'
      ? sanitizeHTMLToDom(html)
      : html.nodeType === 9
        ? (html as Document).body
        : html;
  return blocks(root)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

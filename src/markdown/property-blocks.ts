/** A property as it is written in the frontmatter. */
export interface PropertyBlock {
  /** Undefined for comments and blank lines between properties. */
  readonly key: string | undefined;
  /** Lines of the property, each with its line break. */
  readonly text: string;
}

/** A quoted or plain key at the start of a line, up to the colon. */
const KEY = /^(?:"([^"\\]*)"[ \t]*|'([^']*)'[ \t]*|([^\s#'"[\]{},&*!|>%@`?-].*?)):(?=[ \t]|$)/u;

/**
 * Splits frontmatter (without fences, with LF breaks) into blocks whose joined texts are `yaml`.
 * Undefined for anything but a block mapping with unique keys.
 */
export function splitProperties(yaml: string): PropertyBlock[] | undefined {
  const blocks: { key: string | undefined; text: string }[] = [];
  const keys = new Set<string>();
  let between = '';
  const closeGap = () => {
    if (between !== '') blocks.push({ key: undefined, text: between });
    between = '';
  };
  for (const line of yaml.replace(/\n$/, '').split('\n')) {
    const last = blocks.at(-1);
    const [isKey, double, single, plain] = KEY.exec(line) ?? [];
    const key = double ?? single ?? plain?.trimEnd();
    if (/^\s*(?:#|$)/.test(line)) {
      between += `${line}\n`;
    } else if (isKey !== undefined && key !== undefined) {
      if (keys.has(key)) return undefined;
      keys.add(key);
      closeGap();
      blocks.push({ key, text: `${line}\n` });
    } else if (/^[ \t-]/.test(line) && last?.key !== undefined) {
      last.text += `${between}${line}\n`;
      between = '';
    } else {
      return undefined;
    }
  }
  closeGap();
  return blocks;
}

/** Errs on the side of true. */
export function mayHaveComment({ text }: PropertyBlock): boolean {
  return /(?:^|\s)#/u.test(text.replace(/(\\.)|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/gu, '$1'));
}

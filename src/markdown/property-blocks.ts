/** A property of a note's frontmatter as it is written. */
export interface PropertyBlock {
  /** Undefined for comments and blank lines between properties. */
  readonly key: string | undefined;
  /** The lines of the property, each with its line break. */
  readonly text: string;
}

/** A quoted or plain key at the start of a line, up to the colon. */
const KEY = /^(?:"([^"\\]*)"[ \t]*|'([^']*)'[ \t]*|([^\s#'"[\]{},&*!|>%@`?-].*?)):(?=[ \t]|$)/u;

/**
 * Splits frontmatter into its top-level properties. `yaml` has no fences, and LF line breaks. The
 * texts of the blocks, joined, are the input. Returns undefined for anything other than a block
 * mapping with unique keys.
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

/** Returns true if the block contains a comment, or text that may be one. */
export function mayHaveComment({ text }: PropertyBlock): boolean {
  return /(?:^|\s)#/u.test(text.replace(/(\\.)|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/gu, '$1'));
}

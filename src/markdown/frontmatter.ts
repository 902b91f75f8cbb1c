const FENCE = /^---[ \t]*\r?\n/;
const MAX_FRONTMATTER_LENGTH = 100_000;

/** Maximum number of properties that are read, and of values per property. */
const MAX_LISTED = 1_000;

interface Frontmatter {
  /** Names as written, with their values as text. */
  readonly entries: readonly (readonly [name: string, values: readonly string[]])[];
  /** Start of the text after the frontmatter. */
  readonly end: number;
}

/** Reads the properties at the start of a note. Never throws. */
export function readFrontmatter(text: string): Frontmatter {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const head = text.slice(start, start + MAX_FRONTMATTER_LENGTH);
  const opening = FENCE.exec(head);
  const closing =
    opening && /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(head.slice(opening[0].length));
  if (!closing) return { entries: [], end: start };
  const inner = head.slice(opening[0].length, opening[0].length + closing.index);
  const end = start + opening[0].length + closing.index + closing[0].length;
  return { entries: readProperties(inner), end };
}

/**
 * Reads the part of YAML that notes use: `name: value`, lists in brackets or with dashes, quotes,
 * folded and literal text. Nested values become text of the property that contains them; malformed
 * lines are skipped.
 */
function readProperties(yaml: string): Frontmatter['entries'] {
  const entries: [string, readonly string[]][] = [];
  let name: string | undefined;
  let values: string[] = [];
  const close = () => {
    if (name !== undefined && entries.length < MAX_LISTED)
      entries.push([name, values.slice(0, MAX_LISTED)]);
  };
  for (const line of yaml.split(/\r?\n/)) {
    const property =
      /^(?:"([^"]+)"|'([^']+)'|([^\s#:'"[\]{},-][^:]*?))[ \t]*:(?:[ \t]+(.*))?$/.exec(line);
    if (property) {
      close();
      name = property[1] ?? property[2] ?? property[3] ?? '';
      values = readValue(property[4] ?? '');
    } else if (name !== undefined && !/^\s*(#|$)/.test(line)) {
      values.push(...readValue(line.replace(/^\s*(-(\s+|$))*/, '')));
    }
  }
  close();
  return entries;
}

/** Returns the value, or the values of a bracketed list, without quotes and comments. */
function readValue(given: string): string[] {
  const value = given.trim();
  if (value === '' || /^[|>][+-]?\d*$/.test(value)) return [];
  if (value.startsWith('[') && !value.startsWith('[[')) {
    return [
      ...value
        .replace(/^\[|\]\s*(#.*)?$/g, '')
        .matchAll(/\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^,]+))/g),
    ]
      .map(([, double, single, plain]) => (double ?? single ?? plain ?? '').trim())
      .filter((item) => item !== '');
  }
  const quoted = /^"((?:[^"\\]|\\.)*)"|^'((?:[^']|'')*)'/.exec(value);
  const text = quoted
    ? (quoted[1]?.replace(/\\(.)/g, '$1') ?? quoted[2]?.replace(/''/g, "'") ?? '')
    : value.replace(/\s+#.*$/, '');
  return text === '' ? [] : [text];
}

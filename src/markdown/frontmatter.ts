import { readYamlValues } from './yaml-values.js';

const FENCE = /^---[ \t]*\r?\n/;
const MAX_FRONTMATTER_LENGTH = 100_000;

/** Limits the properties that are read, and the values of each. */
const MAX_LISTED = 1_000;

interface Frontmatter {
  /** Names as written, with their values as text. */
  readonly entries: readonly (readonly [name: string, values: readonly string[]])[];
  /** Start of the text after the frontmatter. */
  readonly end: number;
}

/** Reads the properties of a note. Never throws. */
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

const PROPERTY = /^(?:"([^"]+)"|'([^']+)'|([^\s#:'"[\]{},-][^:]*?))[ \t]*:(?:[ \t]+(.*))?$/s;

/**
 * Reads the YAML that notes use: `name: value`, lists, quotes, and texts over several lines. Nested
 * values become text of the property that contains them, as do malformed lines; those before the
 * first property belong to one without a name.
 */
function readProperties(yaml: string): Frontmatter['entries'] {
  const blocks: { name: string; first: string; rest: string[] }[] = [
    { name: '', first: '', rest: [] },
  ];
  for (const line of yaml.split(/\r?\n/)) {
    const [isProperty, double, single, plain, first = ''] = PROPERTY.exec(line) ?? [];
    if (isProperty === undefined) blocks.at(-1)!.rest.push(line);
    else if (blocks.length === MAX_LISTED) break;
    else blocks.push({ name: double ?? single ?? plain ?? '', first, rest: [] });
  }
  const entries = blocks.map(
    ({ name, first, rest }) => [name, readYamlValues(first, rest).slice(0, MAX_LISTED)] as const,
  );
  return entries.filter(([name, values]) => name !== '' || values.length > 0);
}

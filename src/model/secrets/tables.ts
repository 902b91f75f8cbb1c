import { nameKind } from './names.js';
import { matchesOf, type AddSpan } from './characters.js';
import { isRandom, isSecretValue } from './values.js';

/** Characters of the shortest line with two cells that matter. */
const MIN_LINE = 5;
/** Characters of a line whose cells are looked at. */
const MAX_LINE = 1000;
const CELL = /[^|,;\t]+/g;
const MAX_HEADING = 30;

interface Column {
  readonly index: number;
  readonly count: number;
  readonly isPassword: boolean;
}

/** Adds the values below a heading that names a secret, in tables of Markdown and of CSV files. */
export function findInTables(text: string, add: AddSpan): void {
  let column: Column | undefined;
  let count = 0;
  for (let at = 0; at < text.length;) {
    const found = text.indexOf('\n', at);
    const start = at;
    const end = found < 0 ? text.length : found;
    at = end + 1;
    if (end - start < MIN_LINE) {
      column = undefined;
      count = 0;
      continue;
    }
    const line = text.slice(start, Math.min(end, start + MAX_LINE));
    const cells = [...inPipes(line).matchAll(CELL)].filter(([cell]) => /[^\s\ue000>]/.test(cell));
    const cell = column && cells.length >= column.count ? cells[column.index] : undefined;
    if (cell && column) addCell(column, start + cell.index, cell[0], add);
    // a row among others is no heading
    else column = cells.length === count ? column : headingIn(cells.map(([heading]) => heading));
    count = cells.length;
  }
}

/** Blanks what is outside of a line's first and last pipe, because a table may be in JSON. */
function inPipes(line: string): string {
  const first = line.indexOf('|');
  if (first < 0) return line;
  const last = line.lastIndexOf('|');
  return ' '.repeat(first) + line.slice(first, last === first ? line.length : last);
}

function headingIn(cells: readonly string[]): Column | undefined {
  if (cells.length < 2 || cells.some((cell) => cell.length > MAX_HEADING)) return undefined;
  const kinds = cells.map((cell) => nameKind(cell.replace(/[^\p{L}\p{N}_ -]/gu, '').trim(), ''));
  const index = kinds.findIndex((kind) => kind !== undefined && kind !== 'key');
  if (index < 0) return undefined;
  return { index, count: cells.length, isPassword: kinds[index] === 'password' };
}

function addCell({ isPassword }: Column, at: number, cell: string, add: AddSpan): void {
  const value = cell.replace(/[\s"'`\ue000]+$/, '').replace(/^[\s"'`\ue000]+/, '');
  const isSecret = isPassword ? isSecretValue(value, 'password', 'spaced') : isRandom(value);
  const start = at + cell.indexOf(value);
  // a part of JSON is no cell
  if (isSecret && !/[\s"'\ue000{}[\]]|^[-+.eE\d]+$/.test(value)) add(start, start + value.length);
}

/** The kind in a manifest of Kubernetes that holds secrets, in YAML or JSON. */
const KIND = /\bkind\ue000{0,9}"?: ?\ue000{0,9}"?Secret(?!\w)/g;
/** The start of another manifest. */
const BORDER = /\n---|\n\ue000{0,9}[ >+]{0,9}- apiVersion/g;
const DATA = /\b(?:stringData|data)\ue000{0,9}"?: ?(?:\{|(?=\ue000{0,9}\r?\n))/g;
const ENTRY =
  /[\s\ue000>+]{0,60}"?[\w.-]{1,60}\ue000{0,9}"?: ?\ue000{0,9}"?([A-Za-z0-9+/=._-]{4,4000})\ue000{0,9}"?,?(?=[\s\ue000}"]|$)/y;
/** Characters before and after the kind in which the data are looked for. */
const MAX_MANIFEST = 4000;

/** Adds the data of Kubernetes secrets, whatever their names are. */
export function findInManifests(text: string, add: AddSpan): void {
  let last = 0;
  for (const { index } of matchesOf(KIND, text)) {
    if (index < last) continue;
    const from = Math.max(last, index - MAX_MANIFEST);
    const before = text.slice(from, index);
    const start = from + ([...before.matchAll(BORDER)].at(-1)?.index ?? 0);
    BORDER.lastIndex = index;
    const border = BORDER.exec(text.slice(0, index + MAX_MANIFEST))?.index ?? index + MAX_MANIFEST;
    findData(text, start, border, add);
    last = border;
  }
}

function findData(text: string, start: number, end: number, add: AddSpan): void {
  const part = text.slice(start, end);
  for (const { 0: whole, index } of part.matchAll(DATA)) {
    ENTRY.lastIndex = index + whole.length;
    for (let at = ENTRY.lastIndex; ; at = ENTRY.lastIndex) {
      ENTRY.lastIndex = at;
      const [entry = '', value] = ENTRY.exec(part) ?? [];
      if (value === undefined) break;
      const from = at + entry.lastIndexOf(value);
      add(start + from, start + from + value.length);
    }
  }
}

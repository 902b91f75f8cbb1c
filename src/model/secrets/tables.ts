import { nameKind } from './names.js';
import type { AddSpan } from './span.js';
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
  for (let at = 0; at < text.length;) {
    const found = text.indexOf('\n', at);
    const start = at;
    const end = found < 0 ? text.length : found;
    at = end + 1;
    if (end - start < MIN_LINE) {
      column = undefined;
      continue;
    }
    const line = text.slice(start, Math.min(end, start + MAX_LINE));
    const cells = [...inPipes(line).matchAll(CELL)].filter(([cell]) => /[^\s\ue000>]/.test(cell));
    const cell = column && cells.length >= column.count ? cells[column.index] : undefined;
    if (cell && column) addCell(column, start + cell.index, cell[0], add);
    else column = headingIn(cells.map(([heading]) => heading));
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
  if (isSecret && !/\s/.test(value)) add(start, start + value.length);
}

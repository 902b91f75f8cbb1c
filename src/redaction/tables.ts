import { nameKind, STEM, type NameKind } from './names.js';
import { lengthAt, matchAt, type AddSpan, type PlainText } from './plain-text.js';
import { isSecretValue } from './values.js';

/** Characters of a line whose cells are looked at. */
const MAX_LINE = 2000;
const MIN_LINE = 5;
const MAX_MARK = 40;
/** The start of a line in a quotation or in a difference. */
const LINE_START = /^[ \t]*[>+-]?[ \t]*/;
/** What a heading consists of; a sentence or code has other signs. */
const HEADING = /^["'*]{0,3}[\p{L}_][\p{L}\d_ .-]{0,30}["'*]{0,3}$/u;
/** Cells between what separates them, from the clearest sign to the least clear. */
const DOCUMENT: Cells = { cell: /[^|]*/y, gap: /\|/y, isClear: true };
const CELLS: readonly Cells[] = [
  DOCUMENT,
  { cell: /[^\t]*/y, gap: /\t/y, isClear: true },
  { cell: /"(?:[^"]|""){0,200}"(?=;|$)|[^;]*/y, gap: /;/y },
  { cell: /"(?:[^"]|""){0,200}"(?=,|$)|[^,]*/y, gap: /,/y },
  { cell: /\S*(?: \S+)*/y, gap: / {2,}/y },
];
/** A line between rows. */
const RULING = /^[-+|=:\s]+$/;
const MAX_CELLS = 60;
const EDGE = /^[\s"'`*]{0,9}|[\s"'`*]{1,9}$/g;

interface Cells {
  readonly cell: RegExp;
  readonly gap: RegExp;
  /** True if only tables have such gaps. */
  readonly isClear?: true;
}

interface Cell {
  readonly text: string;
  readonly at: number;
}

interface Column {
  readonly index: number;
  readonly kind: NameKind;
}

interface Table {
  readonly shape: Cells;
  readonly size: number;
  readonly columns: readonly Column[];
}

/** Adds the cells below headings that name a secret, in tables of Markdown, CSV, TSV and shells. */
export function findInTables(plain: PlainText, add: AddSpan): void {
  const { text } = plain;
  let table: Table | undefined;
  for (let at = 0; at < text.length;) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const isShort = end - at < MIN_LINE;
    const [from, to] = isShort ? [at, at] : lineWithin(plain, at, end);
    const line = text.slice(from, Math.min(to, from + MAX_LINE));
    const isRow = table && (RULING.test(line) || addCells(table, line, from, add));
    if (isShort || !isRow) table = tableOf(line);
    at = end + 1;
  }
}

/** Returns where a line begins and ends within its string of JSON, without marks of quotations. */
function lineWithin({ text, depthAt }: PlainText, at: number, end: number): [number, number] {
  const before = at > 0 ? depthAt(at - 1) : 0;
  const depth = Math.max(before, end < text.length ? depthAt(end) : 0);
  const line = text.slice(at, end);
  let [from, to] = [at, end];
  for (let quote = depth > 0 ? line.indexOf('"') : -1; quote >= 0;) {
    const isEdge = depthAt(at + quote) < depth;
    // a string that began on a line before ends here
    if (isEdge && before > 0) to = at + quote;
    else if (isEdge) from = at + quote + 1;
    quote = isEdge && before > 0 ? -1 : line.indexOf('"', quote + 1);
  }
  const mark = LINE_START.exec(text.slice(from, Math.min(to, from + MAX_MARK)))?.[0] ?? '';
  return [from + mark.length, to];
}

function cellsOf(line: string, { cell, gap }: Cells): Cell[] {
  const cells: Cell[] = [];
  for (let at = 0, length = 1; length > 0 && cells.length < MAX_CELLS; at += length) {
    const [text = ''] = matchAt(cell, line, at) ?? [];
    cells.push({ text, at });
    at += text.length;
    length = lengthAt(gap, line, at);
  }
  return cells;
}

/** Returns the number of cells that are not empty. */
function sizeOf(cells: readonly Cell[]): number {
  return cells.filter(({ text }) => text.trim() !== '').length;
}

/** Returns the table that a line begins; undefined if it has no cells of interest. */
function tableOf(line: string): Table | undefined {
  if (line.length < MIN_LINE) return undefined;
  STEM.lastIndex = 0;
  if (!STEM.test(line)) {
    // a row among others is no heading
    const size = line.includes('|') ? sizeOf(cellsOf(line, DOCUMENT)) : 0;
    return size > 1 ? { shape: DOCUMENT, size, columns: [] } : undefined;
  }
  for (const shape of CELLS) {
    const cells = cellsOf(line, shape);
    const size = sizeOf(cells);
    if (size < 2) continue;
    const names = cells.map(({ text }) => text.replace(/^.*: /, '').replace(EDGE, ''));
    const isHeading = cells.every(
      ({ text }, nth) => text[0] !== ' ' && HEADING.test(names[nth] ?? ''),
    );
    if (!shape.isClear && !isHeading) return undefined;
    const columns = cells.flatMap((_, index): Column[] => {
      const name = names[index] ?? '';
      const kind = HEADING.test(name) ? nameKind(name) : undefined;
      return kind === undefined ? [] : [{ index, kind }];
    });
    return columns.length > 0 || shape.isClear ? { shape, size, columns } : undefined;
  }
  return undefined;
}

/** Adds the cells of a row that are below such headings. Returns false if the line is no row. */
function addCells(table: Table, line: string, from: number, add: AddSpan): boolean {
  const { shape, size, columns } = table;
  const cells = cellsOf(line, shape);
  if (sizeOf(cells) < Math.min(size, 2)) return false;
  for (const { index, kind } of columns) {
    const found = cells.length >= size ? cells[index] : undefined;
    const value = found?.text.replace(EDGE, '') ?? '';
    // words in a column of passwords are no sentence, unless the table is one of a document
    const isPhrase = /\p{L}\s+\S/u.test(value);
    const isPassword = kind === 'password' && isPhrase && shape !== DOCUMENT;
    const isSecret = isPassword || isSecretValue(value, kind, isPhrase ? 'quoted' : 'bound');
    if (!found || !isSecret) continue;
    const start = from + found.at + found.text.indexOf(value);
    add(start, start + value.length);
  }
  return true;
}

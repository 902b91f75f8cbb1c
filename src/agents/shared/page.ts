import * as z from 'zod';
import { truncate } from '../../model/text/truncate.js';
import type { MorePages } from '../../toolkit/answer.js';
import { jsonLength } from '../../toolkit/answer-limit.js';
import { nonEmptyText } from './inputs.js';

/**
 * Room for the entries of a page, in characters as JSON. It leaves enough for the rest of the
 * answer.
 */
const MAX_PAGE_CHARACTERS = 36_000;
const MAX_PAGE_ENTRIES = 1000;
const MAX_DESCRIPTION_CHARACTERS = 500;

/** Parameters of a tool that lists entries in pages. */
export const pageInput = {
  limit: z.number().int().min(1).max(MAX_PAGE_ENTRIES).default(100),
  after: nonEmptyText.optional().describe('more.after'),
};

/** One page of a list. */
interface Page<Row> {
  readonly rows: readonly Row[];
  /** Absent on the last page. */
  readonly more?: MorePages;
}

export interface PageOptions<Item, Row> {
  /** The entries that follow the previous page. */
  readonly items: Iterable<Item>;
  /** Number of entries on all pages. */
  readonly total: number;
  readonly limit: number;
  /** Returns an entry as the tool lists it; undefined for one to leave out. */
  readonly toRow: (item: Item) => Row | undefined;
  /** Returns what the next page continues after. */
  readonly keyOf: (row: Row) => string;
}

/**
 * Takes one page: up to `limit` entries, and no more than fit into an answer. Reads only one entry
 * that it does not return.
 */
export function takePage<Item, Row>({
  items,
  total,
  limit,
  toRow,
  keyOf,
}: PageOptions<Item, Row>): Page<Row> {
  const rows: Row[] = [];
  let room = MAX_PAGE_CHARACTERS;
  for (const item of items) {
    const row = toRow(item);
    if (!row) continue;
    const last = rows.at(-1);
    room -= jsonLength(row) + 1;
    if (last && (rows.length === limit || room < 0))
      return { rows, more: { total, after: keyOf(last) } };
    rows.push(row);
  }
  return { rows };
}

/** Returns a description as lists show it. */
export function listedDescription(description: string): string {
  return truncate(description, MAX_DESCRIPTION_CHARACTERS);
}

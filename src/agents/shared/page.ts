import * as z from 'zod';
import { truncate } from '../../model/text/truncate.js';
import type { MorePages } from '../../toolkit/answer.js';
import { jsonLength } from '../../toolkit/answer-limit.js';
import { nonEmptyText } from './inputs.js';

/** Room for a page's entries, in characters as JSON. The rest of the answer needs some, too. */
const MAX_PAGE_CHARACTERS = 36_000;
const MAX_PAGE_ENTRIES = 1000;
const MAX_DESCRIPTION_CHARACTERS = 500;

/** Parameters of a tool that lists entries in pages. */
export const pageInput = {
  limit: z.number().int().min(1).max(MAX_PAGE_ENTRIES).default(100),
  after: nonEmptyText.optional().describe('more.after'),
};

export interface PageOptions<Item, Row> {
  /** The entries after the previous page. */
  readonly items: Iterable<Item>;
  /** Number of entries on all pages. */
  readonly total: number;
  readonly limit: number;
  /** Returns undefined for an entry to leave out. */
  readonly toRow: (item: Item) => Row | undefined;
  /** Returns the value of `after` for the next page. */
  readonly keyOf: (row: Row) => string;
  readonly addMore: (more: MorePages) => void;
}

/** Returns up to `limit` entries that fit into an answer. Reads only one more than it returns. */
export function takePage<Item, Row>({
  items,
  total,
  limit,
  toRow,
  keyOf,
  addMore,
}: PageOptions<Item, Row>): Row[] {
  const rows: Row[] = [];
  let room = MAX_PAGE_CHARACTERS;
  for (const item of items) {
    const row = toRow(item);
    if (!row) continue;
    const last = rows.at(-1);
    room -= jsonLength(row) + 1;
    if (last && (rows.length === limit || room < 0)) {
      addMore({ total, after: keyOf(last) });
      break;
    }
    rows.push(row);
  }
  return rows;
}

/** Returns a description as lists show it. */
export function listedDescription(description: string): string {
  return truncate(description, MAX_DESCRIPTION_CHARACTERS);
}

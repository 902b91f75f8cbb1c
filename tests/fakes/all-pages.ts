interface Page<Row> {
  readonly data: readonly Row[];
  readonly more?: { readonly after: string };
}

/**
 * Returns the entries on all pages of a list. `read` returns one page, with the given parameters.
 */
export async function allPages<Row>(
  read: (page: { limit: number; after?: string }) => Promise<unknown>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let page = (await read({ limit: 1000 })) as Page<Row>;
  rows.push(...page.data);
  while (page.more) {
    page = (await read({ limit: 1000, after: page.more.after })) as Page<Row>;
    rows.push(...page.data);
  }
  return rows;
}

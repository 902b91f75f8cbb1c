/** A row of `searchContent`. */
interface NoteRow {
  readonly path: string;
  readonly heading?: string;
  readonly line: number;
  readonly content: string;
  readonly why: string;
}

/** A row of `searchMemory`. */
interface MemoryRow {
  readonly type: string;
  readonly name?: string;
  readonly tool?: string;
  readonly content: string;
  readonly createdAt: string;
}

/** Notes that were found, for people: where, what, why. */
export function notesText(rows: readonly NoteRow[]): string {
  return textOf(
    rows.map(({ path, heading, line, content, why }) => [
      `${path}:${line}${heading ? `  # ${heading}` : ''}`,
      content,
      `(${why})`,
    ]),
  );
}

/** What was found in the memory, for people. */
export function memoryText(rows: readonly MemoryRow[]): string {
  const day = (row: MemoryRow) => row.createdAt.slice(0, 16).replace('T', ' ');
  return textOf(
    rows.map((row) => [`${day(row)}  ${row.type} ${row.name ?? row.tool ?? ''}`, row.content]),
  );
}

function textOf(found: readonly (readonly string[])[]): string {
  if (found.length === 0) return 'Nothing found.\n';
  return (
    found
      .map(([first, ...rest]) =>
        [first, ...rest.filter((line) => line !== '').map((line) => `    ${line}`)].join('\n'),
      )
      .join('\n\n') + '\n'
  );
}

/** How far notes have been read. */
export function progressText({
  done,
  total,
}: {
  readonly done: number;
  readonly total: number;
}): string {
  return `Indexing notes ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
}

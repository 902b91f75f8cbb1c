import { localMinute } from '../../model/text/local-minute.js';
import { visibleText } from '../../model/text/visible-text.js';

/** A result of `searchContent`. */
interface NoteRow {
  readonly path: string;
  readonly heading?: string;
  readonly line: number;
  readonly content: string;
  readonly why: string;
}

/** A result of `searchMemory`. */
interface MemoryRow {
  readonly type: string;
  readonly name?: string;
  readonly tool?: string;
  readonly content: string;
  readonly createdAt: string;
}

/** Formats found notes for people: the location, the content, and why it matches. */
export function notesText(rows: readonly NoteRow[]): string {
  return formatResults(
    rows.map(({ path, heading, line, content, why }) => [
      `${path}:${line}${heading ? `  # ${heading}` : ''}`,
      content,
      `(${why})`,
    ]),
  );
}

/** Formats found memory for people. */
export function memoryText(rows: readonly MemoryRow[]): string {
  // a record has only a day
  const time = ({ createdAt }: MemoryRow) =>
    createdAt.includes('T') ? localMinute(createdAt) : createdAt;
  return formatResults(
    rows.map((row) => [`${time(row)}  ${row.type} ${row.name ?? row.tool ?? ''}`, row.content]),
  );
}

function formatResults(results: readonly (readonly string[])[]): string {
  if (results.length === 0) return 'No matches.\n';
  return visibleText(
    results
      .map(([first, ...rest]) =>
        [first, ...rest.filter((line) => line !== '').map((line) => `    ${line}`)].join('\n'),
      )
      .join('\n\n') + '\n',
  );
}

export function progressText({ done, total }: Record<'done' | 'total', number>): string {
  return `Indexing notes ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
}

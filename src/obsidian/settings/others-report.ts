import { lineRuns } from '../../transfer/bad-lines.js';
import type { ForeignImportReport } from '../../transfer/foreign/import-foreign.js';
import { text } from '../i18n/index.js';
import { addItems } from '../ui/elements.js';
import { visibleText } from '../../model/text/visible-text.js';

const SHOWN_ROWS = 20;

/** Returns the number of entries that an import from another program would add. */
export function countOf({ kinds }: ForeignImportReport): number {
  return Object.values(kinds).reduce((sum, { added }) => sum + added, 0);
}

/** Shows the preview of an import from another program. */
export function showOthersReport(into: HTMLElement, report: ForeignImportReport): void {
  const { origin, read, duplicates, kinds, archived, troubles, leftOut } = report;
  const { renamings, secrets } = report;
  const {
    programs,
    found,
    kind,
    archived: archivedText,
    duplicates: duplicatesText,
    troublesTitle,
    trouble,
    left,
    leftOutTitle,
    renamed,
    secrets: secretsTitle,
  } = text.settings.importForeign;
  into.createEl('p', {
    text: countOf(report) > 0 ? text.settings.import.dryRun : text.settings.import.nothingNew,
  });
  into.createEl('p', { text: found(programs[origin], read, origin === 'basic-memory') });
  const rows = Object.entries(kinds).filter(([, { added, known }]) => added + known > 0);
  const facts = rows.map(([name, { added, known }]) =>
    kind[name as keyof typeof kind](added, known),
  );
  if (archived > 0) facts.push(archivedText(archived));
  if (duplicates > 0) facts.push(duplicatesText(duplicates));
  showRows(into, undefined, facts);
  showRows(
    into,
    troublesTitle,
    lineRuns(troubles).map(({ file, lines, kind: what }) => `${file}, ${lines}: ${trouble[what]}`),
  );
  showRows(
    into,
    leftOutTitle,
    leftOut.map(({ why, count }) => left[why](count)),
  );
  showRows(
    into,
    renamed,
    renamings.map(({ from, to }) => visibleText(`${from} → ${to}`)),
  );
  showRows(
    into,
    secretsTitle,
    secrets.map(({ name, fields }) => visibleText(`${name}: ${fields.join(', ')}`)),
  );
}

/** Shows rows as a list below their title; nothing if there are none. */
export function showRows(
  into: HTMLElement,
  title: string | undefined,
  rows: readonly string[],
): void {
  if (rows.length === 0) return;
  if (title !== undefined) into.createEl('p', { text: title });
  addItems(into.createEl('ul'), rows, SHOWN_ROWS, text.settings.import.more);
}

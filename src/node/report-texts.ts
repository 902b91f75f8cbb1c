import type { Agreement } from '../storage/agreement.js';
import { badLineRows } from '../storage/bad-lines.js';
import type { ExportFile } from '../storage/export.js';

import { agreementText, findingsOf, rangesText, type Finding } from '../storage/findings.js';
import type { ImportReport } from '../storage/import.js';
import type { HeldLines } from '../storage/log-lines.js';
import type { VerifyReport, WriterReport } from '../storage/verify.js';
import type { ExportForm } from './command-line.js';

/** So many rows of one kind are shown; the JSON form has them all. */
const SHOWN_ROWS = 20;

/** A verification in words, for people. */
export function verifyText(report: VerifyReport): string {
  const { digest, events, writers, devices, isWhole } = report;
  const findings = findingsOf(report);
  return linesText([
    `${amount(events, 'event')} from ${amount(writers.length, 'writer')}, digest ${digest.slice(0, 16)}`,
    ...writers.map(writerRow),
    ...(devices.length > 0 ? ['What each device last told of workspaces and states:', ...devices.map(deviceRow)] : []),
    ...findings.flatMap(findingRows),
    ...(findings.length > 0 ? [''] : []),
    isWhole ? 'Nothing is missing.' : 'Not everything is here as it was written.',
  ]);
}

function writerRow({ writer, lane, device, held, claimed, missing, retired, forks }: WriterReport): string {
  const notes = [
    missing.length > 0 && `missing ${rangesText(missing)}`,
    retired > 0 && `retired ${retired}`,
    forks > 0 && `forked ${forks}`,
  ];
  return `  ${writer}  ${lane.padEnd(5)}  ${String(held).padStart(7)} of ${claimed}  ${[device, ...notes].filter(Boolean).join('  ')}`.trimEnd();
}

function deviceRow(told: Agreement): string {
  return `  ${told.device}  ${told.at.slice(0, 16).replace('T', ' ')}  ${agreementText(told)}`;
}

function findingRows({ kind, count, places, means, advice }: Finding): string[] {
  const rows = places.map(({ name, count: here, detail }) => {
    const first = detail === '' || here === 1 || kind === 'missing' ? detail : `the first ${detail}`;
    return `  ${name}: ${[here, first].filter((part) => part !== '').join(', ')}`;
  });
  return ['', `${kind}: ${count} ${means}.`, ...shownRows(rows), `  What to do: ${advice}`];
}

/** What was exported, and what could not be. */
export function exportText(as: ExportForm, folder: string, files: readonly ExportFile[], { lines, problems, waiting }: HeldLines): string {
  const what = as === 'notes' ? amount(files.length, 'note') : amount(lines.length, 'event');
  const isBad = problems.filter(({ kind }) => kind !== 'marker').length;
  return linesText([
    `Exported ${what} to ${folder}.`,
    ...(isBad > 0
      ? [
          `${amount(isBad, 'line')} of the log could not be read as events and ${isBad === 1 ? 'is' : 'are'} left out: "savepoint verify" says which.`,
        ]
      : []),
    ...(waiting.length > 0
      ? [
          `The export is not whole: ${amount(waiting.length, 'file')} cannot be read now. Let the sync finish, then export again to another folder.`,
          ...shownRows(waiting.map((path) => `  ${path}`)),
        ]
      : []),
  ]);
}

/** What an import has done, or would do, in words. */
export function importText(report: ImportReport, isDryRun: boolean): string {
  const { events, added, known, retired, lost, badLines, files } = report;
  const [file] = files;
  return linesText([
    `${amount(events, 'event')} read: ${added} new, ${known} already here${retired > 0 ? `, ${retired} left out, for they were retired here` : ''}.`,
    ...shownRows(badLineRows(badLines).map((row) => `  ${row}; skipped`)),
    ...(lost > 0
      ? [
          `The export was made with ${amount(lost, 'event')} more, which ${lost === 1 ? 'is' : 'are'} not in it now: look for a whole copy of it.`,
        ]
      : []),
    ...(file === undefined ? [] : [`${isDryRun ? 'Would write' : 'Wrote'} ${amount(files.length, 'file')}, such as ${file}.`]),
    isDryRun ? 'This was a dry run: nothing was written.' : added > 0 ? 'All that is new is on the disk.' : 'There was nothing to add.',
  ]);
}

function shownRows(rows: readonly string[]): string[] {
  return [
    ...rows.slice(0, SHOWN_ROWS),
    ...(rows.length > SHOWN_ROWS ? [`  and ${rows.length - SHOWN_ROWS} more; --json has them all`] : []),
  ];
}

/** `1 event`, `2 events`. */
function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What stands in a log may come from anywhere: nothing of it speaks to the terminal. */
export function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line.replace(/\p{Cc}/gu, '\u{FFFD}')}\n`).join('');
}

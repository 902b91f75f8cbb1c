import { clip } from '../model/refusal.js';
import type { Agreement } from '../storage/integrity/device-agreement.js';
import { badLineRows, lineRuns } from '../transfer/bad-lines.js';
import type { ExportFile } from '../transfer/export.js';

import {
  agreementText,
  findingsOf,
  rangesText,
  type Finding,
} from '../storage/integrity/findings.js';
import type { ImportReport } from '../transfer/import.js';
import type { LeftOut, Trouble, TroubleKind } from '../transfer/foreign/foreign.js';
import { ORIGIN_NAMES, type OthersReport } from '../transfer/foreign/import-others.js';
import type { HeldLines } from '../storage/read/log-lines.js';
import type { VerifyReport, WriterReport } from '../storage/integrity/verify.js';
import { toLines } from '../node/connect/lines.js';
import type { ExportForm } from './parse-args.js';

/** So many rows of one kind are shown; the JSON form has them all. */
const SHOWN_ROWS = 20;

/** A verification in words, for people. */
export function verifyText(report: VerifyReport): string {
  const { digest, events, writers, devices, isWhole } = report;
  const findings = findingsOf(report);
  return toLines([
    `${amount(events, 'event')} from ${amount(writers.length, 'writer')}, digest ${digest.slice(0, 16)}`,
    ...writers.map(writerRow),
    ...(devices.length > 0
      ? ['What each device last told of workspaces and states:', ...devices.map(deviceRow)]
      : []),
    ...findings.flatMap(findingRows),
    ...(findings.length > 0 ? [''] : []),
    isWhole ? 'Nothing is missing.' : 'Not everything is here as it was written.',
  ]);
}

function writerRow({
  writer,
  lane,
  device,
  held,
  claimed,
  missing,
  retired,
  forks,
}: WriterReport): string {
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
    const first =
      detail === '' || here === 1 || kind === 'missing' ? detail : `the first ${detail}`;
    return `  ${name}: ${[here, first].filter((part) => part !== '').join(', ')}`;
  });
  return ['', `${kind}: ${count} ${means}.`, ...shownRows(rows), `  What to do: ${advice}`];
}

/** What was exported, and what could not be. */
export function exportText(
  as: ExportForm,
  folder: string,
  files: readonly ExportFile[],
  { lines, problems, waiting }: HeldLines,
): string {
  const what = as === 'notes' ? amount(files.length, 'note') : amount(lines.length, 'event');
  const isBad = problems.filter(({ kind }) => kind !== 'marker').length;
  return toLines([
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
  return toLines([
    `${amount(events, 'event')} read: ${added} new, ${known} already here${retired > 0 ? `, ${retired} left out, for they were retired here` : ''}.`,
    ...shownRows(badLineRows(badLines).map((row) => `  ${row}; skipped`)),
    ...(lost > 0
      ? [
          `The export was made with ${amount(lost, 'event')} more, which ${lost === 1 ? 'is' : 'are'} not in it now: look for a whole copy of it.`,
        ]
      : []),
    ...(file === undefined
      ? []
      : [
          `${isDryRun ? 'Would write' : 'Wrote'} ${amount(files.length, 'file')}, such as ${file}.`,
        ]),
    isDryRun
      ? 'This was a dry run: nothing was written.'
      : added > 0
        ? 'All that is new is on the disk.'
        : 'There was nothing to add.',
  ]);
}

/** What each reason leaves out, and why. */
const LEFT_OUT: Readonly<Record<LeftOut, (count: number) => string>> = {
  lastUse: (count) => `${amount(count, 'time')} of last use: no word of what was done`,
  sessions: (count) =>
    `${amount(count, 'line')} about sessions: a session is an address here, which the traces bear`,
  copies: (count) =>
    `${count === 1 ? '1 copy' : `${count} copies`} of a workspace inside a state: the workspace itself is here`,
  tasks: (count) => `${amount(count, 'line')} about projects and tasks: there are none here`,
  chatSettings: (count) =>
    `${amount(count, 'set')} of settings of a conversation, such as its model`,
  emptyMessages: (count) => `${amount(count, 'message')} without a word`,
  unknown: (count) => `${amount(count, 'line')} of an unknown kind`,
  orphans: (count) => `${amount(count, 'line')} about what no other line tells of`,
  otherNotes: (count) => `${amount(count, 'note')} without a mark of Basic Memory`,
  retired: (count) =>
    `${amount(count, 'trace')} brought in before, kept for its time and taken out since`,
};

const TROUBLES: Readonly<Record<TroubleKind, string>> = {
  damaged: 'damaged; skipped',
  salvaged: 'damaged; what was whole in it was read',
  garbled: 'read, with characters that are no text',
  foreign: 'nothing of that program; skipped',
  tooLong: 'too long for one entry; skipped',
};

/** What an import from another program has done, or would do, in words. */
export function othersText(report: OthersReport, isDryRun: boolean): string {
  const { origin, read, duplicates, kinds, archived, troubles, leftOut, renamings, files } = report;
  const [file] = files;
  return toLines([
    `${ORIGIN_NAMES[origin]}: ${amount(read, origin === 'basic-memory' ? 'note' : 'line')} read.`,
    ...Object.entries(kinds).flatMap(([kind, { added, known }]) =>
      added + known > 0
        ? [`  ${kind.padEnd(13)} ${String(added).padStart(7)} new, ${known} already here`]
        : [],
    ),
    ...(archived > 0
      ? [
          `${archived} of these ${archived === 1 ? 'is' : 'are'} archived, for so it was there, or it was deleted.`,
        ]
      : []),
    ...(duplicates > 0
      ? [`${amount(duplicates, 'line')} said what another had said: counted once.`]
      : []),
    ...shownRows(troubleRows(troubles).map((row) => `  ${row}`)),
    ...(leftOut.length > 0
      ? ['Left out:', ...leftOut.map(({ why, count }) => `  ${LEFT_OUT[why](count)}`)]
      : []),
    ...(renamings.length > 0 ? ['Renamed, for the name was taken or cannot be one here:'] : []),
    ...shownRows(renamings.map(({ from, to }) => `  "${clip(from)}" is "${clip(to)}"`)),
    ...(file === undefined
      ? []
      : [
          `${isDryRun ? 'Would write' : 'Wrote'} ${amount(files.length, 'file')}, such as ${file}.`,
        ]),
    isDryRun
      ? 'This was a dry run: nothing was written.'
      : files.length > 0
        ? 'All that is new is on the disk.'
        : 'There was nothing to add.',
  ]);
}

/** `shard-000001.jsonl, lines 12-14: damaged; skipped`: a row for each run of lines with the same trouble. */
function troubleRows(troubles: readonly Trouble[]): string[] {
  return lineRuns(troubles).map(({ file, kind, lines }) => `${file}, ${lines}: ${TROUBLES[kind]}`);
}

function shownRows(rows: readonly string[]): string[] {
  return [
    ...rows.slice(0, SHOWN_ROWS),
    ...(rows.length > SHOWN_ROWS
      ? [`  and ${rows.length - SHOWN_ROWS} more; --json has them all`]
      : []),
  ];
}

/** `1 event`, `2 events`. */
function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

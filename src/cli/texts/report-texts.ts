import { clip } from '../../model/refusal.js';
import { counted } from '../../model/text/counted.js';
import { toLines } from '../../node/client-setup/lines.js';
import { shellQuoted } from '../../node/shell-quoted.js';
import {
  agreementText,
  findingsOf,
  hasRanges,
  isHarmless,
  rangesText,
  unknownWriters,
  type DeviceAgreement,
  type LogContents,
  type VerifyFinding,
  type VerifyReport,
  type WriterReport,
} from '../../storage/index.js';
import { badLineRows, lineRuns } from '../../transfer/bad-lines.js';
import type { ExportFile } from '../../transfer/export.js';
import type {
  ForeignProblem,
  ForeignProblemKind,
  LeftOutReason,
} from '../../transfer/foreign/foreign-memory.js';
import { ORIGIN_NAMES } from '../../transfer/foreign/import-context.js';
import type { ForeignImportReport } from '../../transfer/foreign/import-foreign.js';
import type { ImportReport } from '../../transfer/import.js';
import type { ExportFormat } from '../options.js';

/** Number of rows of one kind that are shown; the JSON output has them all. */
const MAX_ROWS = 20;
/** Of all lists of a check together. */
const MAX_VERIFY_ROWS = 40;

export function verifyText(report: VerifyReport): string {
  const { digest, events, writers, devices } = report;
  const findings = findingsOf(report);
  const unknown = unknownWriters(writers);
  const max = Math.max(2, Math.floor(MAX_VERIFY_ROWS / (findings.length + 2)));
  const listed = writers.filter(({ onlyMentionedBy = '' }) => !unknown.has(onlyMentionedBy));
  return toLines([
    `${counted(events, 'event')} from ${counted(writers.length, 'writer')}, digest ${digest.slice(0, 16)}`,
    ...limitRows(listed.map(writerRow), max),
    ...[...unknown].map(
      ([source, same]) => `  ${same.length} writers that only ${source} mentions`,
    ),
    devices.length > 0 && 'Last report from each device:',
    ...limitRows(devices.map(deviceRow), max),
    ...findings.flatMap((finding) => findingRows(finding, max)),
    findings.length > 0 && '',
    verdictText(report, findings),
  ]);
}

/** Returns the last line. It counts the problems, and claims nothing beyond what was checked. */
function verdictText(
  { isWhole, restorable }: VerifyReport,
  findings: readonly VerifyFinding[],
): string {
  if (!isWhole) {
    const problems = findings.filter(({ kind }) => !isHarmless(kind));
    const total = problems.reduce((sum, { count }) => sum + count, 0);
    return `${counted(total, 'problem')} found.`;
  }
  return restorable === undefined
    ? 'No problems found. This device has no copies to compare with.'
    : 'Nothing is missing.';
}

function writerRow(report: WriterReport): string {
  const { writer, lane, device, held, claimed, missing, retired, forks } = report;
  const notes = [
    device,
    missing.length > 0 && `missing ${rangesText(missing)}`,
    retired > 0 && `retired ${retired}`,
    forks > 0 && `forked ${forks}`,
  ];
  const counts = `${String(held).padStart(7)} of ${claimed}`;
  return `  ${writer}  ${lane.padEnd(5)}  ${counts}  ${notes.filter(Boolean).join('  ')}`.trimEnd();
}

function deviceRow(agreement: DeviceAgreement): string {
  const time = agreement.at.slice(0, 16).replace('T', ' ');
  return `  ${agreement.device}  ${time}  ${agreementText(agreement)}`;
}

function findingRows({ kind, count, places, means, advice }: VerifyFinding, max: number): string[] {
  const rows = places.map(({ name, count: here, detail }) => {
    const isOnly = detail === '' || here === 1 || hasRanges(kind);
    const first = isOnly ? detail : `the first ${detail}`;
    return `  ${name}: ${[here, first].filter((part) => part !== '').join(', ')}`;
  });
  const first = shellQuoted(places[0]?.name ?? '');
  const fix = advice.replace(/(--\w+) (?:ID|FOLDER)\b/g, (_, option) => `${option} ${first}`);
  return ['', `${kind} (${count}): ${means}.`, ...limitRows(rows, max), `  Fix: ${fix}`];
}

/** Formats what was exported, and what could not be. */
export function exportText(
  format: ExportFormat,
  folder: string,
  files: readonly ExportFile[],
  { lines, problems, unreadable }: Pick<LogContents, 'lines' | 'problems' | 'unreadable'>,
): string {
  const what = format === 'notes' ? counted(files.length, 'note') : counted(lines.length, 'event');
  const isLost = ({ kind }: LogContents['problems'][number]) =>
    kind !== 'marker' && kind !== 'healed';
  const badLines = problems.filter(isLost).length;
  return toLines([
    `Exported ${what} to ${folder}.`,
    badLines > 0 &&
      `${counted(badLines, 'line')} of the log could not be read and ${badLines === 1 ? 'is' : 'are'} left out. Run "savepoint verify" for details.`,
    unreadable.length > 0 &&
      `The export is incomplete: ${counted(unreadable.length, 'file')} cannot be read now. Let the sync finish, then export again to another folder.`,
    ...limitRows(unreadable.map((path) => `  ${path}`)),
  ]);
}

/** Formats what an import did, or would do. */
export function importText(report: ImportReport, isDryRun: boolean): string {
  const { events, added, known, retired, forgotten, lost, badLines, files } = report;
  const leftOut = Object.entries({ retired, forgotten })
    .map(([why, count]) => (count > 0 ? `, ${count} left out because they were ${why} here` : ''))
    .join('');
  return toLines([
    `${counted(events, 'event')} read: ${added} new, ${known} already here${leftOut}.`,
    ...limitRows(badLineRows(badLines).map((row) => `  ${row}; skipped`)),
    lost > 0 &&
      `${counted(lost, 'event')} of the original export ${lost === 1 ? 'is' : 'are'} missing from this copy. Use a complete copy if you have one.`,
    writtenText(files, isDryRun),
    outcomeText(isDryRun, added > 0),
  ]);
}

const LEFT_OUT_TEXTS: Readonly<Record<LeftOutReason, (count: number) => string>> = {
  lastUse: (count) => `${counted(count, 'usage time')}, not imported`,
  sessions: (count) => `${counted(count, 'session line')}, already in the tool calls`,
  copies: (count) =>
    `${counted(count, 'copy', 'copies')} of a workspace inside a state; the workspace itself is imported`,
  chatSettings: (count) => `${counted(count, 'set')} of conversation settings, such as the model`,
  emptyMessages: (count) => counted(count, 'empty message'),
  unknown: (count) => `${counted(count, 'line')} of an unknown kind`,
  orphans: (count) => `${counted(count, 'line')} without a parent`,
  oddValues: (count) => `${counted(count, 'value')} of entities, because they are no text`,
  otherNotes: (count) => `${counted(count, 'note')} not written by Basic Memory`,
  retired: (count) => `${counted(count, 'trace')} imported before and retired since`,
  forgotten: (count) => `${counted(count, 'entry', 'entries')} imported before and forgotten since`,
};

const PROBLEM_TEXTS: Readonly<Record<ForeignProblemKind, string>> = {
  damaged: 'damaged; skipped',
  salvaged: 'damaged; the intact part was imported',
  garbled: 'imported, with invalid characters',
  foreign: 'not from that program; skipped',
  tooLong: 'too long for one entry; skipped',
};

const RENAMED_TITLE =
  'Renamed (the name was taken, in these or other letters, perhaps by an earlier import of the same entry, which stays; or it is not allowed):';

const SECRETS_TITLE =
  'Imported as written, though it looks like a secret (the log keeps it, so change it where it is used):';

/** Formats what an import from another program did, or would do. */
export function foreignImportText(report: ForeignImportReport, isDryRun: boolean): string {
  const { origin, read, duplicates, kinds, archived, troubles, leftOut } = report;
  const { renamings, secrets, files } = report;
  return toLines([
    `${ORIGIN_NAMES[origin]}: ${counted(read, origin === 'basic-memory' ? 'note' : 'line')} read.`,
    ...Object.entries(kinds)
      .filter(([, { added, known }]) => added + known > 0)
      .map(([kind, { added, known }]) => {
        return `  ${kind.padEnd(13)} ${String(added).padStart(7)} new, ${known} already here`;
      }),
    archived > 0 &&
      `${archived} of these ${archived === 1 ? 'is' : 'are'} archived (archived or deleted at the source).`,
    duplicates > 0 && `${counted(duplicates, 'duplicate line')}, counted once.`,
    ...limitRows(problemRows(troubles).map((row) => `  ${row}`)),
    troubles.length > 0 &&
      'Fix what is damaged or too long, and import again: nothing is added twice.',
    leftOut.length > 0 && 'Left out:',
    ...leftOut.map(({ why, count }) => `  ${LEFT_OUT_TEXTS[why](count)}`),
    renamings.length > 0 && RENAMED_TITLE,
    ...limitRows(renamings.map(({ from, to }) => `  "${clip(from)}" is now "${clip(to)}"`)),
    secrets.length > 0 && SECRETS_TITLE,
    ...limitRows(secrets.map(({ name, fields }) => `  "${clip(name)}": ${fields.join(', ')}`)),
    writtenText(files, isDryRun),
    outcomeText(isDryRun, files.length > 0),
  ]);
}

function writtenText([first, ...others]: readonly string[], isDryRun: boolean): string | false {
  const verb = isDryRun ? 'Would write' : 'Wrote';
  return first !== undefined && `${verb} ${counted(others.length + 1, 'file')}, such as ${first}.`;
}

function outcomeText(isDryRun: boolean, hasNew: boolean): string {
  if (isDryRun) return 'This was a dry run: nothing was written.';
  return hasNew ? 'Everything new is saved.' : 'There was nothing to add.';
}

/** Returns a row per run of lines with one problem: `shard-000001.jsonl, lines 12-14: damaged`. */
function problemRows(problems: readonly ForeignProblem[]): string[] {
  return lineRuns(problems).map(
    ({ file, kind, lines }) => `${file}, ${lines}: ${PROBLEM_TEXTS[kind]}`,
  );
}

function limitRows(rows: readonly string[], max = MAX_ROWS): string[] {
  const hidden = rows.length - max;
  return [
    ...rows.slice(0, max),
    ...(hidden > 0 ? [`  and ${hidden} more; --json has them all`] : []),
  ];
}

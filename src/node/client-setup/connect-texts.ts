import { displayName } from '../../apps/index.js';
import { redact } from '../../redaction/index.js';
import { shellQuoted } from '../shell-quoted.js';
import { RECONNECT_ADVICE } from './check/check-error.js';
import type { ClientConfig } from './clients.js';
import type { ConnectionStep, HealthCheck } from '../../apps/health-check.js';
import type { DoctorReport, EntryReport } from './doctor.js';
import { toLines } from './lines.js';
import type { ConnectionPlan, FilePlan } from './plan.js';

/** Number of unchanged lines shown before and after the changed ones. */
const CONTEXT_LINES = 2;

export function planText(plan: ConnectionPlan, isDryRun: boolean): string {
  const { config, name, change } = plan;
  const { title } = config.app;
  if (change === 'none' && name === '')
    return toLines([`${title}: no entry for this vault in ${config.file}`]);
  return changeText(`${title}: "${name}" in ${config.file}`, plan, isDryRun);
}

export function changeText(
  subject: string,
  plan: Omit<FilePlan, 'file'>,
  isDryRun: boolean,
): string {
  const { change, after } = plan;
  if (change === 'none') return toLines([`${subject} is already up to date`]);
  const verb = { add: 'add', update: 'update', remove: 'remove' }[change];
  return toLines([
    `${subject}: ${isDryRun ? 'would ' : ''}${verb}`,
    ...shownDiff(plan).map((line) => `  ${line}`),
    after === undefined &&
      '  (the file was created by connect and contains nothing else, so it is deleted)',
    isDryRun && 'This was a dry run: nothing was written.',
  ]);
}

/** Returns the change as a diff of what may be shown, and what it repairs. */
export function shownDiff({
  before,
  after,
  shown,
  repairs = [],
}: Omit<FilePlan, 'file'>): string[] {
  const show = (text = '') => shown?.(text) ?? text;
  return [
    ...redactedDiff(show(before), show(after)),
    ...repairs.map((repair) => `(${repair}; the backup has it as it was)`),
  ];
}

/**
 * Returns the lines that differ by more than a comma at their end, with some context, as in a diff.
 * Secrets are redacted.
 */
export function redactedDiff(before: string, after: string): string[] {
  const oldLines = redactedLines(before);
  const newLines = redactedLines(after);
  const shorter = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shorter && isSameLine(oldLines[head], newLines[head])) head++;
  let tail = 0;
  while (tail < shorter - head && isSameLine(oldLines.at(-1 - tail), newLines.at(-1 - tail)))
    tail++;
  const oldEnd = oldLines.length - tail;
  const newEnd = newLines.length - tail;
  return [
    ...newLines.slice(Math.max(0, head - CONTEXT_LINES), head).map((line) => `  ${line}`),
    ...oldLines.slice(head, oldEnd).map((line) => `- ${line}`),
    ...newLines.slice(head, newEnd).map((line) => `+ ${line}`),
    ...newLines.slice(newEnd, newEnd + CONTEXT_LINES).map((line) => `  ${line}`),
  ];
}

function isSameLine(before = '', after = ''): boolean {
  return before.replace(/,$/, '') === after.replace(/,$/, '');
}

function redactedLines(text: string): string[] {
  if (text === '') return [];
  return redact(text)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
}

export function backupText(backup: string): string {
  return toLines([`  Backup: ${backup}`]);
}

export function stepText({ step, isOk, ms, text, fix }: ConnectionStep): string {
  return toLines([
    `  ${markOf(isOk, fix)}  ${step.padEnd(10)} ${String(ms).padStart(5)} ms  ${text}`,
    ...fixLines(fix),
  ]);
}

/** Formats a client on this machine, with the effect of connecting or disconnecting it. */
export function choiceText({ app, file }: ClientConfig, effect: string): string {
  return toLines([`  ${app.id.padEnd(16)}${app.title}: ${effect}`, `  ${''.padEnd(16)}${file}`]);
}

export function doctorText(report: DoctorReport): string {
  const { isOk, entries, vaults, packages, capture, advice } = withCommands(report);
  const section = (title: string, checks: readonly HealthCheck[]) =>
    checks.length > 0 ? [toLines([title, ...checks.flatMap(healthLines)])] : [];
  const isAnyConnected = entries.length > 0 || packages.length > 0;
  const checks = [...entries.flatMap(({ steps }) => steps), ...packages, ...capture];
  const isAll = checks.every(({ fix }) => fix === '');
  const good =
    isAnyConnected && (isAll ? 'All connections work.' : 'Nothing has failed; see ?? above.');
  return [
    ...entries.map(entryText),
    ...vaults.map(({ vault, checks }) =>
      toLines([`Vault ${vault}`, ...checks.flatMap(healthLines)]),
    ),
    ...section('Plugins and extensions', packages),
    ...section('Sessions', capture),
    toLines([...advice, isOk ? good : 'Some connections need attention.']),
  ].join('\n');
}

function entryText({ client, file, name, vault, steps, problem }: EntryReport): string {
  const aim = vault === '' ? ', which names no vault' : ` for ${vault}`;
  const entry = name === '' ? '' : `: "${name}"${aim}`;
  const heading = toLines([
    `${displayName(client)}${entry} (${file})`,
    problem !== '' && `  NO  ${problem}`,
  ]);
  return heading + steps.map(stepText).join('');
}

/** Returns the report with commands for a shell in its advice. */
export function withCommands(report: DoctorReport): DoctorReport {
  const entries = report.entries.map((entry) => {
    const vault = shellQuoted(entry.vault || 'DIR');
    const command = `run "savepoint connect ${entry.client} --vault ${vault}"`;
    const advised = (text: string) => text.replace(RECONNECT_ADVICE, () => command);
    return { ...entry, steps: entry.steps.map((step) => ({ ...step, fix: advised(step.fix) })) };
  });
  return { ...report, entries };
}

function healthLines({ name, isOk, text, fix }: HealthCheck): string[] {
  return [`  ${markOf(isOk, fix)}  ${name}: ${text}`, ...fixLines(fix)];
}

/** Marks what works, what may need attention, and what does not work. */
function markOf(isOk: boolean, fix: string): string {
  if (!isOk) return 'NO';
  return fix === '' ? 'ok' : '??';
}

/** Advice starts in lower case, because other texts embed it. */
function fixLines(fix: string): string[] {
  return fix === '' ? [] : [`      Fix: ${fix}.`];
}

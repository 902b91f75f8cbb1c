import { redact } from '../../toolkit/trace.js';
import { toLines } from './lines.js';
import { CLIENT_FACTS, type Place } from './clients.js';
import type { DoctorReport } from './doctor.js';
import type { ConnectionPlan } from './plan.js';
import type { ProofStep } from './prove.js';

/** So many lines that stay are shown on either side of those that change. */
const AROUND = 2;

/** What is to happen to a file, or has happened, with the change as lines. */
export function planText(plan: ConnectionPlan, isDryRun: boolean): string {
  const { place, name, change, before, after } = plan;
  const where = `${CLIENT_FACTS[place.client].title}: "${name}" in ${place.file}`;
  if (change === 'none')
    return toLines([
      name === ''
        ? `${CLIENT_FACTS[place.client].title}: no entry for this vault in ${place.file}`
        : `${where} is as it should be`,
    ]);
  const words = { add: 'add', update: 'update', remove: 'take out' }[change];
  return toLines([
    `${where}: ${isDryRun ? 'would ' : ''}${words}`,
    ...changedLines(before ?? '', after ?? '').map((line) => `  ${line}`),
    ...(after === undefined
      ? ['  (the file was made by connect and holds nothing else: it goes)']
      : []),
    ...(isDryRun ? ['This was a dry run: nothing was written.'] : []),
  ]);
}

/** The lines that differ, with a few around them. What looks like a secret is not shown. */
export function changedLines(before: string, after: string): string[] {
  const [old, now] = [before, after].map((text) =>
    text === ''
      ? []
      : redact(text)
          .replace(/\r?\n$/, '')
          .split(/\r?\n/),
  ) as [string[], string[]];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  return [
    ...old.slice(Math.max(0, head - AROUND), head).map((line) => `  ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...old.slice(old.length - tail, old.length - tail + AROUND).map((line) => `  ${line}`),
  ];
}

export function backupText(backup: string): string {
  return toLines([`  What was there before: ${backup}`]);
}

/** A step of a proof, with how long it took. */
export function stepText({ step, isDone, ms, text, mend }: ProofStep): string {
  return toLines([
    `  ${isDone ? 'ok' : 'NO'}  ${step.padEnd(10)} ${String(ms).padStart(5)} ms  ${text}`,
    ...(mend === '' ? [] : [`      What to do: ${mend}.`]),
  ]);
}

/** A client that is on this machine, and what connecting it would do. */
export function choiceText({ client, file }: Place, what: string): string {
  return toLines([
    `  ${client.padEnd(16)}${CLIENT_FACTS[client].title}: ${what}`,
    `  ${''.padEnd(16)}${file}`,
  ]);
}

export function doctorText({ isWell, entries, vaults, trouble }: DoctorReport): string {
  const parts = [
    ...entries.map(({ client, file, name, vault, steps, trouble: wrong }) => [
      toLines([
        `${CLIENT_FACTS[client].title}${name === '' ? '' : `: "${name}" for ${vault}`} (${file})`,
        ...(wrong === '' ? [] : [`  NO  ${wrong}`]),
      ]),
      ...steps.map(stepText),
    ]),
    ...vaults.map(({ vault, checks }) => [
      toLines([
        `Vault ${vault}`,
        ...checks.flatMap((check) => [
          `  ${check.isWell ? 'ok' : 'NO'}  ${check.name}: ${check.text}`,
          ...(check.mend === '' ? [] : [`      What to do: ${check.mend}.`]),
        ]),
      ]),
    ]),
    [toLines([...(trouble === '' ? [] : [trouble]), isWell ? 'All is well.' : 'Not all is well.'])],
  ];
  return parts.map((part) => part.join('')).join('\n');
}

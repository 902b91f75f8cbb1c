import {
  findingsOf,
  hasRanges,
  rangesText,
  type DeviceAgreement,
  type VerifyFinding,
  type VerifyReport,
  type WriterReport,
} from '../../../storage/index.js';
import { text } from '../../i18n/index.js';

export interface Verdict {
  readonly isGood: boolean;
  readonly title: string;
  readonly sentence: string;
}

export function verdictOf(report: VerifyReport, findings: readonly VerifyFinding[]): Verdict {
  const { whole, wholeText, noticed, notWhole, findingsBelow, empty, emptyText } =
    text.commands.verify;
  if (!report.isWhole) return { isGood: false, title: notWhole, sentence: findingsBelow };
  if (report.events === 0 && findings.length === 0)
    return { isGood: true, title: empty, sentence: emptyText };
  const isNoticed = findings.some(({ kind }) => kind !== 'retired');
  return {
    isGood: true,
    title: isNoticed ? noticed : whole,
    sentence: isNoticed ? findingsBelow : wholeText,
  };
}

/** Returns remarks about a writer, such as its missing events. */
export function writerNotes({ missing, retired, forks }: WriterReport): string {
  const { verify } = text.commands;
  const notes = [
    ...(missing.length > 0 ? [verify.missing(rangesText(missing))] : []),
    ...(retired > 0 ? [verify.retired(retired)] : []),
    ...(forks > 0 ? [verify.forked(forks)] : []),
  ];
  return notes.length > 0 ? notes.join(', ') : verify.nothingMissing;
}

/** Returns a finding's title with its count, for example `Missing events: 4`. */
export function findingTitle({ kind, count }: VerifyFinding): string {
  const { means } = text.commands.verify.findings[kind];
  return `${means.charAt(0).toUpperCase()}${means.slice(1)}: ${count.toLocaleString(text.locale)}`;
}

/** Text for a location of a finding, such as `core/a.jsonl: 4 (the first at byte 120)`. */
export function placeText(
  { kind }: Pick<VerifyFinding, 'kind'>,
  { name, count, detail }: VerifyFinding['places'][number],
): string {
  const where =
    detail === '' || count === 1 || hasRanges(kind) ? detail : text.commands.verify.first(detail);
  return `${name}: ${count.toLocaleString(text.locale)}${where === '' ? '' : ` (${where})`}`;
}

/** Line about a device's last report, such as `mac-1a2b, 2026-11-20 09:05 UTC: agrees: …`. */
export function agreementLine(told: DeviceAgreement): string {
  return `${told.device}, ${told.at.slice(0, 16).replace('T', ' ')} UTC: ${text.commands.verify.agreement(told)}.`;
}

/** Returns the whole report as plain text. */
export function reportText(report: VerifyReport): string {
  const { verify } = text.commands;
  const findings = findingsOf(report);
  const { title, sentence } = verdictOf(report, findings);
  const parts = [
    [`${text.commands.names.verifyMemory}: ${title}`, sentence],
    [verify.facts(report.events, report.writers.length), `${verify.digest}: ${report.digest}`],
    ...findings.map((finding) => [
      findingTitle(finding),
      `${verify.whatToDo}: ${verify.findings[finding.kind].advice}`,
      ...finding.places.map((place) => `- ${placeText(finding, place)}`),
    ]),
    ...(report.devices.length > 0
      ? [[`${verify.devices}:`, ...report.devices.map((told) => `- ${agreementLine(told)}`)]]
      : []),
    [
      `${verify.writers}:`,
      ...report.writers.map((writer) => {
        const { device, lane, held, claimed } = writer;
        return `- ${[writer.writer, device, lane, verify.heldOf(held, claimed), writerNotes(writer)].filter((part) => part !== '').join(' · ')}`;
      }),
    ],
  ];
  return `${parts.map((lines) => lines.map(onOneLine).join('\n')).join('\n\n')}\n`;
}

/** Replaces control characters, because text from a log is untrusted. */
function onOneLine(line: string): string {
  return line.replace(/\p{Cc}/gu, '\u{FFFD}');
}

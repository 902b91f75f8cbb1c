import { compareText } from '../../model/event.js';
import { countNumbers } from '../format/number-ranges.js';
import type { DeviceAgreement } from './device-agreement.js';
import type { VerifyProblem, VerifyReport } from './verify-report.js';
import type { WriterReport } from './writer-reports.js';
import { addToList } from '../../platform/lists.js';

/** All problems of one kind that `verify` found, in words, with their places and what to do. */
export interface VerifyFinding {
  readonly kind: FindingKind;
  /** Number of events that are missing, retired or forked; else of lines, states or files. */
  readonly count: number;
  /** One per writer or file. */
  readonly places: readonly FindingPlace[];
  /** Describes the kind, as a noun phrase in the plural. */
  readonly means: string;
  /** The next step, as one sentence. */
  readonly advice: string;
}

export interface FindingPlace {
  /** A file's path, a writer with its device, or the id of what was forgotten. */
  readonly name: string;
  readonly count: number;
  /** A writer's missing numbers, or the location of the first problem in a file. */
  readonly detail: string;
}

const HARMLESS: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'marker',
  'newer',
  'pending',
  'misplaced',
  'healed',
  'retired',
  'dismissed',
  'forgotten',
  'refused',
  'alone',
]);

/** Returns true for a kind that does not mean that anything was lost, changed or forged. */
export function isHarmless(kind: FindingKind): boolean {
  return HARMLESS.has(kind);
}

const WITH_RANGES: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'missing',
  'dismissed',
  'replaced',
  'restorable',
  'uncopied',
]);

/** Returns true for a finding whose details are the numbers of all its events. */
export function hasRanges(kind: FindingKind): boolean {
  return WITH_RANGES.has(kind);
}

type FindingWords = Pick<VerifyFinding, 'means' | 'advice'>;

/** In order of severity, worst first. */
export const FINDING_TEXTS = {
  restorable: {
    means: 'events that are missing here and that this device has copies of',
    advice:
      'Run "savepoint verify --heal" to restore them now; otherwise Savepoint does it within two minutes of running.',
  },
  removed: {
    means:
      'events of a memory that was removed from this vault as a whole and that this device has copies of',
    advice:
      'If nobody removed the folder on purpose, bring the memory back: with "Bring back" in the app, or with "savepoint verify --recover ID"; otherwise dismiss it, in the shell with "savepoint verify --dismiss ID".',
  },
  apart: {
    means:
      'events that are not in the data folder, but in a folder next to it, as if the data folder had been renamed',
    advice:
      'If they are of this memory, merge them: with "Merge" in the app, or with "savepoint verify --recover FOLDER"; otherwise move that folder to another place.',
  },
  uncopied: {
    means: 'events that are here and that this device failed to copy, so it could not restore them',
    advice:
      'Make room on the disk with the state folder of this device, or make that folder writable, then run "savepoint verify --heal".',
  },
  missing: {
    means: 'events that were written but are not here',
    advice:
      'Let every device sync, then verify again; copying the missing file back into its folder (core, chat or trace) under any name fixes it, and so does importing an export.',
  },
  replaced: {
    means:
      'events that are not here while others with the same numbers are, as after a backup was restored or lines were rewritten',
    advice:
      'Let every device sync, then verify again; a device that still has them restores them, and so does importing an export; if no backup was restored, check who has write access to the vault.',
  },
  content: {
    means: 'states that differ from what was saved: their hash does not match',
    advice:
      'Do not rely on these states, and check who has write access to the vault; a state that is saved now under a new name is fine.',
  },
  duplicate: {
    means: 'events that create what an earlier event creates, and have no effect',
    advice:
      'Savepoint never writes such lines: check who has write access to the vault, and whether the item that takes effect is the right one.',
  },
  impossible: {
    means:
      'events that retire what is not removed like that, mention far more events than can have been written, or are among more than 100 that set one value at once',
    advice:
      'Savepoint never writes such lines: check who has write access to the vault; a value that is set again replaces the others.',
  },
  forgery: {
    means: 'events that forget lines whose content they do not know, and remove nothing',
    advice:
      'Savepoint never writes such lines: check who has write access to the vault, and refuse them with "savepoint forget --refuse ID", so that the lines are shown again.',
  },
  stub: {
    means: 'events whose content was removed although nobody has forgotten them',
    advice:
      'Let every device sync, then verify again; if they stay, a device with copies restores them, and check who has write access to the vault.',
  },
  future: {
    means: 'events dated more than a day ahead',
    advice:
      'Check the clock of the device that wrote them; they take effect, later edits win over them, and new entries get the right date.',
  },
  stray: {
    means: 'states or records of a workspace that is not here, so no list shows them',
    advice:
      'They are safe and will be listed once the line that created their workspace is back: let every device sync, or import an export.',
  },
  edited: {
    means: 'lines that were changed by a person or a program and have no effect',
    advice:
      'Restore the file from another device or a backup; then the original line takes effect again.',
  },
  damaged: {
    means: 'lines that are torn or broken and have no effect',
    advice:
      'If no events are missing, there is nothing to do, since other copies of them are here; otherwise restore the file from another device or a backup.',
  },
  waiting: {
    means: 'files from which nothing can be read at present, or that are not downloaded yet',
    advice:
      'Let the sync service download them, or make them readable for this program, then verify again; if one stays without lines, restore it from another device or a backup, or if there is none, move it out of the data folder.',
  },
  newer: {
    means: 'lines from a newer version of Savepoint, which this version does not understand',
    advice: 'They are safe and will take effect once Savepoint is updated on this device.',
  },
  asked: {
    means: 'events that a device has asked to remove, and that are hidden here',
    advice:
      'Decide: run "savepoint forget --refuse ID --dry-run" to see what they are, without --dry-run to keep them on this device, or with --agree instead of --refuse to remove them. A device\'s name in place of an ID stands for all that it has asked. If you do nothing, this device removes them after it has told you on seven days.',
  },
  fork: {
    means: 'events with the same number as another event, as after a vault was copied or restored',
    advice:
      'All of them take effect; if there are more and more of them, make sure that no two computers share a state folder.',
  },
  misplaced: {
    means: 'lines in the folder of another kind of lines',
    advice: 'They take effect, so there is nothing to do.',
  },
  healed: {
    means: 'lines that were changed or damaged and whose originals are here and take effect',
    advice:
      'There is nothing to do; if nobody changed them on purpose, check who has write access to the vault.',
  },
  marker: {
    means: 'conflict markers left by git, which have no effect',
    advice: 'No data is lost; resolve the conflict in git by keeping the lines of both sides.',
  },
  foreign: {
    means: 'lines that are not events of this log and have no effect',
    advice:
      'Nothing depends on them; if a file is not from Savepoint, move it out of the data folder.',
  },
  pending: {
    means: 'last lines that are incomplete',
    advice:
      'Another device may still be writing or syncing: verify again later; a line that stays incomplete was never acknowledged, or is reported as missing.',
  },
  dismissed: {
    means: 'events that are not here and that you dismissed on this device',
    advice: 'There is nothing to do; if they turn up, they take effect.',
  },
  alone: {
    means: 'other devices that write here and of which no state, record or workspace is here',
    advice:
      'If you saved any on them, let them sync, then verify again; in Obsidian Sync, "Sync all other types" must be on, on each device.',
  },
  refused: {
    means: 'forgotten events that this device keeps, because you refused to remove them',
    advice: 'There is nothing to do; other devices do not show them.',
  },
  forgotten: {
    means: 'events that were forgotten on purpose',
    advice: 'There is nothing to do.',
  },
  retired: {
    means: 'events that were removed because they were too old or too many',
    advice: 'There is nothing to do.',
  },
} satisfies Record<string, FindingWords> & Record<VerifyProblem['kind'], FindingWords>;

export type FindingKind = keyof typeof FINDING_TEXTS;

/** Open requests of one device that are reported each. */
const MAX_REQUESTS = 100;

type Found = Pick<VerifyReport, 'writers' | 'problems' | 'restorable' | 'former' | 'uncopied'> &
  Partial<Pick<VerifyReport, 'forgotten' | 'silent' | 'siblings'>>;

/** Groups the report's problems by kind, worst first, with one row per file or writer. */
export function findingsOf({ writers, problems, ...found }: Found): VerifyFinding[] {
  const { restorable = [], former, uncopied, forgotten = [], silent = [], siblings = [] } = found;
  const places = new Map<FindingKind, Map<string, FindingPlace>>();
  const add = (kind: FindingKind, name: string, count: number, detail: string) => {
    const ofKind = places.get(kind) ?? new Map<string, FindingPlace>();
    const place = ofKind.get(name);
    places.set(
      kind,
      ofKind.set(name, {
        name,
        count: (place?.count ?? 0) + count,
        detail: place?.detail ?? detail,
      }),
    );
  };
  const devices = new Map(writers.map(({ writer, device }) => [writer, device]));
  const nameOf = (writer: string) =>
    (devices.get(writer) ?? '') === '' ? writer : `${writer} (${devices.get(writer)})`;
  for (const [kind, events] of Object.entries({ restorable, uncopied }))
    for (const { writer, numbers } of events)
      add(kind as FindingKind, nameOf(writer), countNumbers(numbers), rangesText(numbers));
  for (const { id, events } of former)
    for (const { numbers } of events) add('removed', id, countNumbers(numbers), '');
  for (const { path, events } of siblings) if (events > 0) add('apart', path, events, '');
  const unknown = unknownWriters(writers);
  for (const [source, same] of unknown) {
    const count = same.reduce((sum, { missing }) => sum + countNumbers(missing), 0);
    const name = `writers that only ${nameOf(source)} mentions`;
    add('missing', name, count, `of ${same.length} writers`);
  }
  for (const { writer, dismissed, replaced, forks, retired, ...report } of writers) {
    const { missing, missingNear: near, onlyMentionedBy } = report;
    const name = nameOf(writer);
    const where = near ? `, next to an event of ${near.day} in ${near.path}` : '';
    if (missing.length > 0 && !unknown.has(onlyMentionedBy ?? ''))
      add('missing', name, countNumbers(missing), `${rangesText(missing)}${where}`);
    if (dismissed.length > 0)
      add('dismissed', name, countNumbers(dismissed), rangesText(dismissed));
    if (replaced.length > 0) add('replaced', name, countNumbers(replaced), rangesText(replaced));
    if (forks > 0) add('fork', name, forks, '');
    if (retired > 0) add('retired', name, retired, '');
  }
  const askers = new Map<string, number>();
  for (const { device, isOpen } of forgotten)
    if (isOpen) askers.set(device, (askers.get(device) ?? 0) + 1);
  for (const { key, device, at, count, isOpen, isRefused } of forgotten) {
    const isFlood = isOpen && (askers.get(device) ?? 0) > MAX_REQUESTS;
    const kind = isRefused ? 'refused' : isOpen ? 'asked' : 'forgotten';
    if (isFlood) add(kind, device, count, `in ${askers.get(device)} requests`);
    else add(kind, key, count, `by ${device} on ${at.slice(0, 10)}`);
  }
  for (const device of silent) add('alone', device, 1, '');
  for (const { kind, path, from, key } of problems) {
    const name = key === undefined ? path : `${key} (${path})`;
    add(kind, name, 1, kind === 'waiting' ? '' : `at byte ${from}`);
  }
  return Object.entries(FINDING_TEXTS).flatMap(([key, words]) => {
    const kind = key as FindingKind;
    const rows = [...(places.get(kind)?.values() ?? [])].sort((a, b) =>
      compareText(a.name, b.name),
    );
    return rows.length > 0
      ? [{ kind, count: rows.reduce((sum, { count }) => sum + count, 0), places: rows, ...words }]
      : [];
  });
}

/** Maximum number of writers that one other alone mentions and that are reported each. */
export const MAX_UNKNOWN_WRITERS = 20;

/** Returns, by a writer, the many others that it alone mentions and of which nothing is here. */
export function unknownWriters(
  writers: readonly WriterReport[],
): ReadonlyMap<string, readonly WriterReport[]> {
  const bySource = new Map<string, WriterReport[]>();
  for (const report of writers) {
    const { onlyMentionedBy: source, missing } = report;
    if (source === undefined || missing.length === 0) continue;
    addToList(bySource, source, report);
  }
  return new Map([...bySource].filter(([, same]) => same.length > MAX_UNKNOWN_WRITERS));
}

/** Describes a device's last report, as words that follow its name. */
export function agreementText({ state, here, there }: DeviceAgreement): string {
  switch (state) {
    case 'agrees':
      if (there === 0) return 'agrees: it had no events from other devices, and none are here';
      return `agrees: it had the same ${there} events from other devices as are here`;
    case 'lags':
      return `lags: it had ${there} of the ${here} events from other devices that are here`;
    case 'ahead':
      return `has more: it had ${there} events from other devices, and only ${here} are here; let both sync, then verify again`;
    case 'differs':
      return `differs: it had ${there} events from other devices, as many as are here, but not the same; let both sync, then verify again`;
  }
}

const MAX_SHOWN_RANGES = 20;

/** Formats ranges as `4, 7-9`; of very many, only the first ones. */
export function rangesText(ranges: readonly (readonly [number, number])[]): string {
  const shown = ranges
    .slice(0, MAX_SHOWN_RANGES)
    .map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return [
    ...shown,
    ...(ranges.length > MAX_SHOWN_RANGES ? [`and ${ranges.length - MAX_SHOWN_RANGES} more`] : []),
  ].join(', ');
}

import {
  compareStamps,
  compareText,
  stampTime,
  versionKey,
  type LogEvent,
} from '../../model/event.js';
import { apply, emptyMemory, entityOf, type Memory } from '../../model/memory.js';
import { mapEntries } from '../../model/persistent-map.js';
import type { VaultPath } from '../../model/paths.js';
import { recordOf } from '../../model/records/record.js';
import { MAX_RIVALS } from '../../model/register.js';
import { stateOf, canonicalStateText } from '../../model/state.js';
import type { Files } from '../../platform/files.js';
import { addToList } from '../../platform/lists.js';
import { NOOP_SCHEDULER, type Scheduler } from '../../platform/scheduler.js';
import { sha256 } from '../../platform/sha256.js';
import { devicesIn } from '../data-folder/devices.js';
import { folderStamps, isRecordedVault } from '../data-folder/readme.js';
import { vaultIdIn, vaultIdsIn } from '../data-folder/vault-identity.js';
import { isInFuture } from '../format/hybrid-clock.js';
import type { LaneName } from '../format/lanes.js';
import { rangesOf } from '../format/number-ranges.js';
import {
  decidedForgets,
  entryCount,
  isOpenRequest,
  toldDays,
  type DecidedForget,
  type ForgetDecisions,
} from '../forget/forget-decisions.js';
import { forgetKey, forgetOf } from '../forget/forget-event.js';
import { isContradicted, numberedLines, type ForgottenLines } from '../forget/forgotten-lines.js';
import { memoryOf, readLogLines, type LogContents, type LogLine } from '../log-lines.js';
import {
  dismissedIn,
  findRecord,
  formerIdsIn,
  type Copies,
  type VaultRecord,
} from '../copies/copies.js';
import { watermarkOf, type LastLine } from '../format/watermark.js';
import { CoreLines, readCopies } from '../copies/core-copies.js';
import { restorableLines } from './core-lane.js';
import { agreementsIn } from './device-agreement.js';
import { digestOf } from './digest.js';
import { findingsOf, isHarmless } from './findings.js';
import { mayRetire, retiredRanges, retirementOf } from './retirements.js';
import { compareSiblings } from './sibling-folders.js';
import type {
  ForgottenEvents,
  FormerMemory,
  RestorableEvents,
  VerifyProblem,
  VerifyReport,
} from './verify-report.js';
import { isPossibleNumber, reportWriters } from './writer-reports.js';

export interface VerifyOptions {
  readonly scheduler?: Scheduler;
  /** Wall-clock time in milliseconds since 1970. */
  readonly now: number;
  /** This device's copies, to compare the vault with. */
  readonly copies?: Copies | undefined;
  /** System of this device, as in the names of devices, to tell whether others send anything. */
  readonly system?: string | undefined;
  /** This device's decisions about what others have forgotten. */
  readonly decisions?: ForgetDecisions | undefined;
}

/** Reads the whole log and reports what is here, missing and damaged. Writes nothing. */
export async function verify(
  files: Files,
  root: VaultPath,
  { scheduler = NOOP_SCHEDULER, now, copies, system, decisions = {} }: VerifyOptions,
): Promise<VerifyReport> {
  const contents = await readLogLines(files, root, scheduler, (key) => decisions[key]?.choice);
  const { lines, forgotten } = contents;
  const understood = lines.filter(({ event }) => event.v === 1);
  const siblings = await compareSiblings(files, root, contents, scheduler);
  const waiting = [...contents.unreadable, ...siblings.flatMap((each) => each.waiting)];
  const devices = devicesIn(understood);
  const impossible = impossibleRetirements(understood);
  const retired = retiredRanges(understood.filter((line) => !impossible.has(line)));
  const record = copies && (await findRecord(copies));
  const dismissed = dismissedIn(record);
  const lacking = (await copies?.lacking()) ?? new Map<string, LastLine>();
  const { writers, held } = reportWriters(lines, { devices, retired, dismissed, lacking });
  const comparison = copies
    ? await compareWithCopies({ copies, record, lacking }, files, root, contents, scheduler)
    : { restorable: undefined, former: [], uncopied: [], hiddenBy: [] };
  const { hiddenBy, ...compared } = comparison;
  const none = new Set<string>();
  const hidden = new Map([...hiddenBy.map((key) => [key, none] as const), ...contents.hiddenBy]);
  const memory = memoryOf(lines);
  const forgets = decidedForgets(forgotten, decisions, hidden);
  const problems: VerifyProblem[] = [
    ...contents.problems,
    ...waiting.map((path): VerifyProblem => ({ kind: 'waiting', path, from: 0 })),
    ...(await brokenStates(understood)),
    ...strayItems(understood, memory),
    ...suspectLines(understood, impossible, now),
    ...crowdedValues(understood, memory),
    ...forgeries(lines, new Set(forgets.flatMap(({ key, isKept }) => (isKept ? [key] : [])))),
    ...lines.flatMap((line) => (line.event.v > 1 ? [problemOf('newer', line)] : [])),
  ];
  const told = forgets.map((forget) => forgottenEvents(forget, memory));
  const core = lines.filter(({ lane }) => lane === 'core').map(({ event }) => event);
  return {
    digest: await digestOf(lines),
    events: lines.length,
    writers,
    problems: problems.sort((a, b) => compareText(a.path, b.path) || a.from - b.from),
    devices: agreementsIn(core, devices, held),
    ...compared,
    forgotten: told,
    silent: silentDevices(understood, devices, system),
    siblings,
    isWhole: findingsOf({ writers, problems, siblings, ...compared, forgotten: told }).every(
      ({ kind }) => isHarmless(kind),
    ),
  };
}

/** Returns what was forgotten at a time, with what this device does about it. */
function forgottenEvents(forget: DecidedForget, memory: Memory): ForgottenEvents {
  const { key, event, content, decision, isKept } = forget;
  return {
    key,
    device: content.device,
    at: stampTime(event),
    count: entryCount(forget, memory),
    isOpen: isOpenRequest(forget),
    toldDays: toldDays(decision?.told),
    isRefused: isKept,
  };
}

/** Returns devices of other systems if this one's (app or shell) has created all that is here. */
function silentDevices(
  lines: readonly LogLine[],
  devices: ReadonlyMap<string, string>,
  own: string | undefined,
): string[] {
  const creators = lines.flatMap(({ event: { t, w } }) =>
    CREATIONS.has(t) && t !== 'conv.new' ? [devices.get(w) ?? ''] : [],
  );
  const isOwn = (device: string) => device.slice(0, device.lastIndexOf('-')) === own;
  const isAlone = creators.length > 0 && creators.every(isOwn);
  return isAlone ? [...new Set(devices.values())].filter((device) => !isOwn(device)).sort() : [];
}

function problemOf(kind: VerifyProblem['kind'], { path, from }: LogLine): VerifyProblem {
  return { kind, path, from };
}

/** Types of which only the first event of an entity takes effect. */
const CREATIONS: ReadonlySet<string> = new Set([
  'ws.new',
  'state.new',
  'record.new',
  'pin.new',
  'path.moved',
  'conv.new',
]);

/** Returns the states that do not match their hash. */
async function brokenStates(lines: readonly LogLine[]): Promise<VerifyProblem[]> {
  const found: VerifyProblem[] = [];
  for (const line of lines)
    if (line.event.t === 'state.new' && !(await isStateWhole(line.event)))
      found.push(problemOf('content', line));
  return found;
}

async function isStateWhole(event: LogEvent): Promise<boolean> {
  const state = stateOf(entityOf(apply(emptyMemory, event), event.e));
  return state !== undefined && (await sha256(canonicalStateText(state))) === state.sha;
}

/** Returns lines that no healthy device writes. */
function suspectLines(
  lines: readonly LogLine[],
  impossible: ReadonlySet<LogLine>,
  now: number,
): VerifyProblem[] {
  const numbers = lastNumbers(lines);
  const first = new Set(firstCreations(lines).values());
  return lines.flatMap((line): VerifyProblem[] => {
    const { event, path, lane } = line;
    const found: VerifyProblem['kind'][] = [];
    if (isInFuture(event.h, now)) found.push('future');
    if (CREATIONS.has(event.t) && !first.has(line)) found.push('duplicate');
    if (event.t === 'log.vault' && vaultIdIn(event) === undefined) found.push('foreign');
    if (impossible.has(line)) found.push('impossible');
    const seen = watermarkOf(event)?.seen ?? [];
    if (seen.some(({ writer, n }) => !isPossibleNumber(n, numbers.get(writer) ?? 0)))
      found.push('impossible');
    if (!path.includes(`/${lane}/`)) found.push('misplaced');
    return found.map((kind) => problemOf(kind, line));
  });
}

/** Returns events whose hashes contradict the lines they forget, unless refused on this device. */
function forgeries(lines: readonly LogLine[], kept: ReadonlySet<string>): VerifyProblem[] {
  const forgets = lines.flatMap((line) => {
    const content = line.lane === 'core' ? forgetOf(line.event) : undefined;
    const key = content ? forgetKey(line.event) : '';
    return content && !kept.has(key) ? [{ line, key, ranges: content.ranges }] : [];
  });
  if (forgets.length === 0) return [];
  const byNumber = numberedLines(lines);
  return forgets.flatMap(({ line, key, ranges }) =>
    ranges.some((range) => isContradicted(range, byNumber))
      ? [{ ...problemOf('forgery', line), key }]
      : [],
  );
}

/** Returns the line of each value that too many others rival. */
function crowdedValues(lines: readonly LogLine[], memory: Memory): VerifyProblem[] {
  const byStamp = new Map(lines.map((line) => [versionKey(line.event), line]));
  return [...mapEntries(memory.entities)].flatMap(([, { registers }]) =>
    [...mapEntries(registers)].flatMap(([, { at, rivals }]) => {
      const line = rivals.length < MAX_RIVALS ? undefined : byStamp.get(versionKey(at));
      return line ? [problemOf('impossible', line)] : [];
    }),
  );
}

/** Returns the highest sequence number of each writer. */
function lastNumbers(lines: readonly LogLine[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const { event } of lines) last.set(event.w, Math.max(event.n, last.get(event.w) ?? 0));
  return last;
}

/** Returns the retirements that no device writes: of another lane, of new or of too many lines. */
function impossibleRetirements(lines: readonly LogLine[]): Set<LogLine> {
  const retiring = lines.filter(({ event }) => event.t === 'log.retire');
  if (retiring.length === 0) return new Set();
  const lanes = new Map<unknown, LaneName>(lines.map(({ event, lane }) => [event.w, lane]));
  const numbers = lastNumbers(lines);
  const byNumber = numberedLines(lines);
  const isPossible = ({ event }: LogLine): boolean => {
    const retirement = retirementOf(event);
    if (!retirement) return false;
    const { writer: w, range } = retirement;
    const lane = event.d['lane'];
    if ((lanes.get(w) ?? lane) !== lane) return false;
    if (!isPossibleNumber(range[1], numbers.get(w) ?? 0)) return false;
    for (let n = range[0]; n <= range[1]; n++)
      for (const held of byNumber.get(versionKey({ w, n }))?.values() ?? [])
        if (!held.every((line) => mayRetire(retirement, line.event))) return false;
    return true;
  };
  return new Set(retiring.filter((line) => !isPossible(line)));
}

/** Returns, by entity, the creation event that takes effect. */
function firstCreations(lines: readonly LogLine[]): Map<string, LogLine> {
  const first = new Map<string, LogLine>();
  for (const line of lines) {
    const { event, hash } = line;
    if (!CREATIONS.has(event.t)) continue;
    const other = first.get(event.e);
    const order = other && (compareStamps(event, other.event) || compareText(hash, other.hash));
    if (order === undefined || order < 0) first.set(event.e, line);
  }
  return first;
}

/** Returns states and records of workspaces whose creation is missing, even if changes are here. */
function strayItems(lines: readonly LogLine[], memory: Memory): VerifyProblem[] {
  return lines.flatMap((line): VerifyProblem[] => {
    const workspaceId = workspaceIdOf(memory, line.event);
    return workspaceId !== undefined && entityOf(memory, workspaceId).created?.t !== 'ws.new'
      ? [problemOf('stray', line)]
      : [];
  });
}

/** Returns the workspace of the state or record that an event creates; undefined for others. */
function workspaceIdOf(memory: Memory, { t, e }: LogEvent): string | undefined {
  if (t === 'state.new') return stateOf(entityOf(memory, e))?.workspaceId;
  return t === 'record.new' ? recordOf(entityOf(memory, e))?.workspaceId : undefined;
}

interface Comparison extends Pick<VerifyReport, 'restorable' | 'former' | 'uncopied'> {
  /** Keys of the events that forget lines which the copies have. */
  readonly hiddenBy: readonly string[];
}

/**
 * Returns copied events that the vault lacks, and those of memories removed as a whole. The vault
 * is recognized by its lines or the record. `restorable` is undefined if there are no copies of it.
 */
async function compareWithCopies(
  {
    copies,
    record,
    lacking,
  }: {
    readonly copies: Copies;
    readonly record: VaultRecord | undefined;
    readonly lacking: ReadonlyMap<string, LastLine>;
  },
  files: Files,
  root: VaultPath,
  { lines, forgotten }: LogContents,
  scheduler: Scheduler,
): Promise<Comparison> {
  const inLines = vaultIdsIn(lines.map(({ event }) => event));
  const content = { ids: inLines, hasLines: lines.some(({ lane }) => lane === 'core') };
  const isThisVault = isRecordedVault(record, content, await folderStamps(files, root));
  const ids = new Set([...inLines, ...(isThisVault ? (record?.ids ?? []) : [])]);
  const held = new CoreLines();
  for (const line of lines) if (line.lane === 'core') held.add(line);
  const copied = await readCopies(copies, ids, scheduler);
  const former: FormerMemory[] = [];
  for (const id of formerIdsIn(record, ids)) {
    const events = missingFrom(held, await readCopies(copies, [id], scheduler), forgotten);
    if (events.length > 0) former.push({ id, events });
  }
  const endangered = new CoreLines();
  for (const line of held) if (lacking.has(line.event.w)) endangered.add(line);
  return {
    restorable: copied.isEmpty ? undefined : missingFrom(held, copied, forgotten),
    former,
    uncopied: missingFrom(copied, endangered, forgotten),
    hiddenBy: [...copied].flatMap(({ event }) => forgotten.keysOf(event)),
  };
}

function missingFrom(
  held: CoreLines,
  copied: CoreLines,
  forgotten: ForgottenLines,
): RestorableEvents[] {
  const found = new Map<string, number[]>();
  for (const { event } of restorableLines(copied, held, forgotten))
    addToList(found, event.w, event.n);
  return [...found].map(([writer, numbers]) => ({ writer, numbers: rangesOf(numbers) }));
}

import {
  CALL_KEY,
  compareEvents,
  compareStamps,
  REPLACES_KEY,
  isJsonObject,
  versionKey,
  type JsonObject,
  type Json,
  type LogEvent,
} from '../../src/model/event.js';
import { allStates, allWorkspaces, lookupState, lookupWorkspace } from '../../src/model/lookup.js';
import { DEFAULT_WORKSPACE, emptyMemory, entityOf, type Memory } from '../../src/model/memory.js';
import { nameWithMark } from '../../src/model/names.js';
import { mapEntries, mapGet } from '../../src/model/persistent-map.js';
import type { Log } from '../../src/storage/vault-log.js';
import { verify } from '../../src/storage/integrity/verify.js';
import type { VerifyReport } from '../../src/storage/integrity/verify-report.js';
import { canonicalMemory } from '../fakes/canonical.js';
import type { Device } from './device.js';
import { OPEN_GATE, ROOT } from './disk.js';
import { instantSha256 } from './instant-sha256.js';
import { isInRanges } from '../../src/storage/format/number-ranges.js';
import { findingsOf, isHarmless } from '../../src/storage/integrity/findings.js';
import { stampsNamedBy, stubOf, undecidedLines, viewOf } from './forgetting.js';
import { recordsIn } from './record-calls.js';
import { retiredBy, stampKey, type Ledger, type Line } from './ledger.js';

/** Events in a world that excuse what would otherwise be a violation. */
export interface Excuses {
  /** Lines were removed from files, by damage or by a medium that overwrites. */
  mayLose: boolean;
  /** The power was cut, and traces do not wait for the disk. */
  mayLoseTraces: boolean;
  /** Files may contain bytes that are not lines. */
  mayHaveScars: boolean;
}

type Blame = (what: string) => void;

/** Checks what one device reads from its disk now, with a newly started log and with `verify`. */
export async function checkDevice(
  device: Device,
  log: Log,
  ledger: Ledger,
  excuses: Excuses,
): Promise<void> {
  const blame: Blame = (what) => ledger.blame(`${device.name}: ${what}`);
  const memory = await log.memory(); // may restore lines
  const { counted, shown } = viewOf(device, ledger);
  const canonical = canonicalMemory(memory) as Record<string, unknown>;
  const meaning = foldSimply(shown);
  checkMemory(canonical, meaning, blame);
  checkNames(memory, [...meaning.entities.values()], blame);
  checkRecords(memory, [...meaning.entities.values()], blame);
  checkCausality(memory, shown, blame);
  await checkTraces(log, shown, blame);
  const report = await verifyDisk(device);
  checkReport(report, counted, excuses, blame);
  const held = new Set(ledger.heldOn(device.disk)); // others are shown from the copies
  const open = new Set(report.forgotten.flatMap(({ key, isOpen }) => (isOpen ? [key] : [])));
  for (const [{ event }, keys] of undecidedLines(device, ledger))
    if (!keys.some((key) => open.has(key)))
      blame(`verify does not say that ${event.t} ${event.e} is hidden`);
  checkNewer(
    report,
    shown.filter((line) => held.has(line)),
    blame,
  );
}

/** The memory of a device, and the digest of the events that it has. */
export async function summaryOf(
  device: Device,
  log: Log,
): Promise<{ memory: string; digest: string }> {
  const memory = JSON.stringify(canonicalMemory(await log.memory()));
  return { memory, digest: (await verifyDisk(device)).digest };
}

function verifyDisk(device: Device): Promise<VerifyReport> {
  const options = {
    now: device.now(),
    copies: device.copiesPort(),
    decisions: device.decisions(),
  };
  return verify(device.disk.port(OPEN_GATE), ROOT, options);
}

/** What a run has lost and reported. */
export interface Accounts {
  acknowledged: number;
  lost: number;
  restored: number;
  reported: number;
  /**
   * Those that were removed with their whole memory, which each device that has copies of them
   * reports.
   */
  removed: number;
  /** Those that only one device had, which was then replaced as a whole by an image. */
  gone: number;
  readonly unreported: string[];
  /** Number of exempt lines by what destroyed them last. */
  readonly exempt: Map<string, number>;
}

/**
 * Expects every acknowledged core line to be on the disks, which are equal, or each device's
 * `verify` to name it. Exempt is a line of which no disk and no copy has any trace, if its device
 * has lost copies in a way that the program cannot prevent.
 */
export async function account(
  devices: readonly Device[],
  held: readonly Line[],
  ledger: Ledger,
): Promise<Accounts> {
  const kept = new Set(held);
  const accounts: Accounts = {
    acknowledged: 0,
    lost: 0,
    restored: 0,
    reported: 0,
    removed: 0,
    gone: 0,
    unreported: [],
    exempt: new Map(),
  };
  const reports = await Promise.all(devices.map(verifyDisk));
  for (const line of ledger.lines.values()) {
    if (line.isTrace || !line.isAcknowledged) continue;
    accounts.acknowledged++;
    const isHeld = kept.has(line);
    if (ledger.lost.has(line)) accounts.lost++;
    if (ledger.lost.has(line) && isHeld) accounts.restored++;
    if (isHeld) continue;
    const { w, n, t, e } = line.event;
    if (reports.every((report) => names(report, w, n))) accounts.reported++;
    else if (isReportedRemoved(line, devices, reports)) accounts.removed++;
    else if (isReportedByOwner(line, devices, reports, held)) accounts.reported++;
    else if (isStubReported(line, devices, reports)) accounts.reported++;
    else if (isHiddenByClone(line, devices, held))
      accounts.exempt.set('clone', (accounts.exempt.get('clone') ?? 0) + 1);
    else if (isMentioned(line, devices, held) || !hasLostCopies(line))
      accounts.unreported.push(
        `${t} ${e} (${w} ${n}) was acknowledged, is on no disk and in no report`,
      );
    else if (line.copyLostBy === 'device') accounts.gone++;
    else accounts.exempt.set(line.lostBy, (accounts.exempt.get(line.lostBy) ?? 0) + 1);
  }
  return accounts;
}

function names(report: VerifyReport, w: string, n: number): boolean {
  const ranges = [
    ...report.writers
      .filter(({ writer }) => writer === w)
      .flatMap(({ missing, replaced }) => [...missing, ...replaced]),
    ...(report.restorable ?? [])
      .filter(({ writer }) => writer === w)
      .flatMap(({ numbers }) => numbers),
  ];
  return isInRanges(ranges, n);
}

function hasCopy({ copies }: Device, { text }: Pick<Line, 'text'>): boolean {
  return [...copies().values()].some((bytes) =>
    Buffer.from(bytes).toString('latin1').includes(text),
  );
}

/**
 * Returns true if each device that has a copy of the line, or of its stub, reports that its memory
 * was removed as a whole.
 */
function isReportedRemoved(
  line: Line,
  devices: readonly Device[],
  reports: readonly VerifyReport[],
): boolean {
  const { w, n } = line.event;
  const stub = { text: stubOf(line) };
  const told = devices.flatMap((device, index) =>
    hasCopy(device, line) || hasCopy(device, stub)
      ? [
          reports[index]?.former.some(({ events }) =>
            events.some(({ writer, numbers }) => writer === w && isInRanges(numbers, n)),
          ) === true,
        ]
      : [],
  );
  return told.length > 0 && told.every(Boolean);
}

/**
 * Returns true if the line was forgotten, and each device that has a copy of its stub reports that
 * the vault lacks it. The others cannot if another line has its number.
 */
function isStubReported(
  line: Line,
  devices: readonly Device[],
  reports: readonly VerifyReport[],
): boolean {
  const { w, n } = line.event;
  const stub = stubOf(line);
  const told = reports.filter((_, at) => hasCopy(devices[at]!, { text: stub }));
  return told.length > 0 && told.every((report) => names(report, w, n));
}

/**
 * Returns true if the device that wrote the line reports it, and no other could: nothing mentions
 * it, as when a clone has written another line of that number.
 */
function isReportedByOwner(
  line: Line,
  devices: readonly Device[],
  reports: readonly VerifyReport[],
  held: readonly Line[],
): boolean {
  const report = reports[devices.findIndex(({ name }) => name === line.device)];
  const { w, n } = line.event;
  return report !== undefined && names(report, w, n) && !isMentioned(line, devices, held);
}

/**
 * Returns true if the device that wrote the line had copied it, or knew that it had not, and every
 * device that knew as much has lost that in a way that the program cannot prevent.
 */
function hasLostCopies({ copyLostBy, copiedOn }: Line): boolean {
  return copyLostBy !== '' && copiedOn.size === 0;
}

/**
 * Returns true if the full state folder of its device had no room for a copy, and a clone's line
 * has its number, so that there is no gap either.
 */
function isHiddenByClone(line: Line, devices: readonly Device[], held: readonly Line[]): boolean {
  const { w, n } = line.event;
  const isNumberHeld = held.some(({ event }) => event.w === w && event.n === n);
  const wasFull = devices.some((each) => each.name === line.device && each.wasStateFull());
  const isKnown = line.copiedOn.size > 0 || isMentioned(line, devices, held);
  return wasFull && isNumberHeld && !isKnown;
}

/**
 * Returns true if anything shows that the line existed: a copy, the next line of its writer, a
 * watermark, or a gap among the writer's numbers.
 */
function isMentioned(line: Line, devices: readonly Device[], held: readonly Line[]): boolean {
  const { w, n } = line.event;
  const isNumberHeld = held.some(({ event }) => event.w === w && event.n === n);
  return (
    devices.some((device) => hasCopy(device, line)) ||
    (!isNumberHeld && (claimsIn(held).get(w) ?? 0) >= n) ||
    held.some(({ event, isInert }) => !isInert && isAfter(event, line))
  );
}

/**
 * Returns true if the event is the next one of the line's writer, or a watermark that mentions the
 * line.
 */
function isAfter({ w, n, p, t, d }: LogEvent, { event, hash }: Line): boolean {
  if (w === event.w && n === event.n + 1) return p === hash;
  return t === 'log.mark' && JSON.stringify(d).includes(`"${event.w}":[${event.n},"${hash}"]`);
}

/**
 * Expects no acknowledged event to be lost, unless the world excuses losses. A power cut may take
 * the event that forgets a line, if its process was killed, after another one has destroyed the
 * line.
 */
export function checkKept(held: readonly Line[], ledger: Ledger, excuses: Excuses): void {
  if (excuses.mayLose) return;
  const kept = new Set(held);
  const isRetired = retiredIn(held);
  const events = new Set(held.map(({ event }) => event));
  for (const line of ledger.lines.values()) {
    const forgets = ledger.forgetsNaming(line.event);
    if (
      !line.isAcknowledged ||
      kept.has(line) ||
      (line.isTrace && (excuses.mayLoseTraces || isRetired(line.event))) ||
      (forgets.length > 0 && !forgets.some((event) => events.has(event)))
    )
      continue;
    ledger.blame(`${line.event.t} ${line.event.e} was acknowledged and lies on no disk any more`);
  }
}

/**
 * Returns the lines whose effect is missing from a memory, which may contain more than these lines.
 */
export function missingFrom(memory: Memory, held: readonly Line[]): string[] {
  const { entities } = foldSimply(held);
  return [...entities.values()].flatMap(({ id, created, registers }) => {
    const entity = entityOf(memory, id);
    const isCreated = !created || (entity.created && compareStamps(entity.created, created) <= 0);
    const unset = [...registers].filter(([path, { at }]) => {
      const register = mapGet(entity.registers, path);
      if (!register) return true;
      // An edit that this process has read may replace the value though its clock was behind, even
      // if its line is lost since.
      const isReplaced = mapGet(register.replaced, versionKey(at)) === true;
      return compareStamps(register.at, at) < 0 && !isReplaced;
    });
    return [...(isCreated ? [] : [id]), ...unset.map(([path]) => `${id}${path}`)];
  });
}

/**
 * Expects every line that a device has a copy of, for a vault that it knows, to be restored, unless
 * it was forgotten.
 */
export function checkHealed({ name, copies }: Device, held: readonly Line[], ledger: Ledger): void {
  const kept = new Set(held);
  const forgotten = new Set(held.flatMap(({ event }) => stampsNamedBy(event)));
  const vaults = held
    .filter(({ event }) => event.t === 'log.vault')
    .map(({ event }) => textOf(event.d['id']));
  for (const [vault, bytes] of copies()) {
    const text = Buffer.from(bytes).toString('latin1');
    for (const line of vaults.includes(vault) ? ledger.lines.values() : []) {
      const isForgotten = forgotten.has(stampKey(line.event));
      if (!kept.has(line) && !isForgotten && text.includes(line.text))
        ledger.blame(
          `${name} keeps a copy of ${line.event.t} ${line.event.e} and has not healed it`,
        );
    }
  }
}

interface Reference {
  readonly id: string;
  created: LogEvent | undefined;
  readonly registers: Map<string, { value: Json; at: LogEvent }>;
  /** All values that were set, by path. */
  readonly versions: Map<string, { value: Json; at: LogEvent }[]>;
}

const EFFECTIVE = ['ws.new', 'state.new', 'record.new', 'pin.new', 'path.moved', 'conv.new', 'set'];

interface Meaning {
  readonly entities: Map<string, Reference>;
  readonly calls: Map<string, string>;
  readonly vault: LogEvent | undefined;
}

/** A second, minimal implementation of folding a log. */
function foldSimply(held: readonly Line[]): Meaning {
  const ofCore = held
    .filter(({ isTrace, isInert }) => !isTrace && !isInert)
    .map(({ event }) => event);
  ofCore.sort(compareEvents);
  const { v, w, n, p, h, t, e, d, c } = entityOf(emptyMemory, DEFAULT_WORKSPACE).created!;
  // Has its keys in the order of a line, like other events.
  const builtIn = { v, w, n, p, h, t, e, d, c };
  const entities = new Map<string, Reference>();
  const calls = new Map<string, string>();
  for (const event of [builtIn, ...ofCore]) {
    if (!EFFECTIVE.includes(event.t)) continue;
    const entity = entities.get(event.e) ?? {
      id: event.e,
      created: undefined,
      registers: new Map<string, { value: Json; at: LogEvent }>(),
      versions: new Map<string, { value: Json; at: LogEvent }[]>(),
    };
    entities.set(event.e, entity);
    const { [CALL_KEY]: call, ...paths } = event.d;
    if (event.t !== 'set') entity.created ??= event;
    else addVersions(entity, event, paths);
    if (typeof call === 'string' && !((calls.get(call) ?? '~') < event.e)) calls.set(call, event.e);
  }
  const isVault = ({ t, d: { id } }: LogEvent) =>
    t === 'log.vault' && typeof id === 'string' && id.length === 16;
  return { entities, calls, vault: ofCore.find(isVault) };
}

/**
 * Adds the values of a `set`. Events come in order, so of several that none replaces the last is
 * the current one.
 */
function addVersions(entity: Reference, event: LogEvent, paths: JsonObject): void {
  const { [REPLACES_KEY]: _, ...values } = paths;
  for (const [path, value] of Object.entries(values)) {
    const versions = [...(entity.versions.get(path) ?? []), { value, at: event }];
    entity.versions.set(path, versions);
    const replaced = new Set(versions.flatMap(({ at }) => at.d[REPLACES_KEY] ?? []));
    const current = versions.findLast(({ at }) => !replaced.has(`${at.w}:${at.n}`));
    entity.registers.set(path, current ?? versions.at(-1)!);
  }
}

function checkMemory(
  canonical: Record<string, unknown>,
  { entities, calls, vault }: Meaning,
  blame: Blame,
): void {
  const expected = {
    entities: sorted(entities).map(([, { id, created, registers }]) => ({
      id,
      created,
      registers: sorted(registers),
    })),
    calls: sorted(calls),
    vault,
  };
  const { names: _n, records: _r, pins: _p, moves: _m, followers: _f, ...shown } = canonical;
  if (JSON.stringify(shown) !== JSON.stringify(expected))
    blame(`the memory is not what its disk says: ${firstDifference(shown, expected)}`);
}

function sorted<V>(map: Map<string, V>): [string, V][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

function firstDifference(a: unknown, b: unknown, path = ''): string {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return `${path} is ${JSON.stringify(a)}, not ${JSON.stringify(b)}`;
  const [one, other] = [a as JsonObject, b as JsonObject];
  const key = [...new Set([...Object.keys(one), ...Object.keys(other)])].find(
    (each) => JSON.stringify(one[each]) !== JSON.stringify(other[each]),
  );
  return key === undefined
    ? `${path} has its keys in another order`
    : firstDifference(one[key], other[key], `${path}/${key}`);
}

/**
 * Expects items of the same name to be listed and found by unique names. The bare name resolves
 * only if it is unique.
 */
function checkNames(memory: Memory, entities: readonly Reference[], blame: Blame): void {
  const groups = new Map<string, Reference[]>();
  for (const entity of entities) {
    const { created } = entity;
    if (!created || ['conv.new', 'record.new', 'pin.new', 'path.moved'].includes(created.t))
      continue;
    const group = `${scopeOf(created)}\n${keyOf(nameOf(entity))}`;
    groups.set(group, [...(groups.get(group) ?? []), entity]);
  }
  for (const group of groups.values()) checkGroup(memory, group, blame);
  const shown = allWorkspaces(memory).flatMap(({ item, displayName }) => [
    `${displayName}`,
    ...allStates(memory, item.id).map((state) => `${item.id} ${state.displayName}`),
  ]);
  if (new Set(shown).size < shown.length && !isMarkShared([...groups.values()]))
    blame(`two things are shown under one name: ${shown.join(', ')}`);
}

/** Expects each record to be listed once, in its workspace. */
function checkRecords(memory: Memory, entities: readonly Reference[], blame: Blame): void {
  const expected = entities
    .filter(({ created }) => created?.t === 'record.new')
    .map(({ id, created }) => `${textOf(created!.d['ws'])} ${id}`);
  const listed = [...mapEntries(memory.records)].flatMap(([scope]) =>
    recordsIn(memory, scope).map(({ id, workspaceId }) => `${scope} ${id} ${workspaceId}`),
  );
  const wanted = expected.map((place) => `${place} ${place.split(' ')[0]}`);
  if (listed.sort().join() !== wanted.sort().join())
    blame(`the records are listed as ${listed.join()}, not as ${wanted.join()}`);
}

function checkGroup(memory: Memory, group: Reference[], blame: Blame): void {
  const [first] = group;
  const things = withoutTwins(group);
  const name = nameOf(first!);
  const find = (asked: string) =>
    first!.created!.t === 'ws.new'
      ? lookupWorkspace(memory, asked)
      : lookupState(memory, scopeOf(first!.created!), asked);
  const found = find(name);
  if (things.length > 1 && (!('several' in found) || found.several.length !== things.length))
    blame(`"${name}" stands for ${things.length} things and leads to ${JSON.stringify(found)}`);
  if (things.length === 1 && !('item' in found && found.item.item.id === things[0]!.id))
    blame(`"${name}" leads to ${JSON.stringify(found)}`);
  if (things.length === 1 || isMarkShared([group])) return;
  for (const thing of things) {
    const marked = find(nameWithMark(nameOf(thing), thing.id));
    if (!('item' in marked) || marked.item.item.id !== thing.id)
      blame(`"${nameWithMark(nameOf(thing), thing.id)}" does not lead to ${thing.id}`);
  }
}

/** Returns the group with only the earliest of states with the same content. */
function withoutTwins(group: readonly Reference[]): Reference[] {
  const earliestFirst = [...group].sort((a, b) => compareStamps(a.created!, b.created!));
  return earliestFirst.filter(({ created }, at) => {
    const sha = created!.d['sha'];
    return (
      sha === undefined ||
      earliestFirst.findIndex((other) => other.created!.d['sha'] === sha) === at
    );
  });
}

function isMarkShared(groups: readonly Reference[][]): boolean {
  return groups.some((group) => new Set(group.map(({ id }) => id.slice(0, 4))).size < group.length);
}

function scopeOf({ t, d }: LogEvent): string {
  return t === 'state.new' ? textOf(d['ws']) : '';
}

function nameOf({ created, registers }: Reference): string {
  const renamed = created!.t === 'ws.new' ? registers.get('/name')?.value : undefined;
  return textOf(typeof renamed === 'string' ? renamed : created!.d['name']);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function keyOf(name: string): string {
  return name.trim().toLowerCase().replace(/\s+/gu, ' ');
}

/** Expects that no value that was seen and replaced is current while its replacement is present. */
function checkCausality(memory: Memory, held: readonly Line[], blame: Blame): void {
  const replaced = new Set(held.flatMap(({ overwrites }) => overwrites));
  for (const { e, d } of held
    .map(({ event }) => event)
    .filter(({ t, v }) => t === 'set' && v === 1)) {
    for (const path of Object.keys(d)) {
      const shown = mapGet(entityOf(memory, e).registers, path);
      if (shown && replaced.has(`${e}${path} ${stampKey(shown.at)}`))
        blame(`${path} of ${e} shows a value that was seen and replaced`);
    }
  }
}

async function checkTraces(log: Log, held: readonly Line[], blame: Blame): Promise<void> {
  const byWorkspace = new Map<string, number>();
  for (const { event, isTrace } of held) {
    if (isTrace && event.t === 'trace.new')
      byWorkspace.set(textOf(event.d['ws']), (byWorkspace.get(textOf(event.d['ws'])) ?? 0) + 1);
  }
  for (const [workspace, count] of byWorkspace) {
    const entries = await log.traceEntries(workspace);
    const traces = await log.readTraces(entries);
    if (entries.length !== count || traces.length !== count)
      blame(`of ${count} traces, ${entries.length} are listed and ${traces.length} read`);
  }
}

function checkReport(
  report: VerifyReport,
  held: readonly Line[],
  excuses: Excuses,
  blame: Blame,
): void {
  const isRetired = retiredIn(held);
  const keys = held
    .map(({ event: { w, n }, hash }) => `${w} ${String(n).padStart(12, '0')} ${hash}`)
    .sort();
  if (report.events !== held.length)
    blame(`verify counts ${report.events} events of ${held.length}`);
  if (report.digest !== instantSha256(keys.join('\n')))
    blame('verify tells another digest than that of the lines on the disk');
  const heldNumbers = new Set(held.map(({ event }) => `${event.w} ${event.n}`));
  const forks = report.writers.reduce((sum, writer) => sum + writer.forks, 0);
  if (forks !== held.length - heldNumbers.size)
    blame(`verify counts ${forks} forks of ${held.length - heldNumbers.size}`);
  for (const [writer, last] of claimsIn(held)) {
    const { missing = [], lane } = report.writers.find((each) => each.writer === writer) ?? {};
    for (let n = 1; n <= last; n++) {
      const isReported = missing.some(([from, to]) => from <= n && n <= to);
      if (lane === 'trace' && isRetired({ w: writer, n } as LogEvent) && !isReported) continue;
      if (heldNumbers.has(`${writer} ${n}`) === isReported)
        blame(
          `event ${n} of ${writer} is ${isReported ? 'held, and' : 'not held, and not'} reported missing`,
        );
    }
  }
  // A power cut may remove unacknowledged events that another device has already read.
  if (
    !excuses.mayLose &&
    !excuses.mayLoseTraces &&
    report.devices.some(({ state }) => state === 'ahead' || state === 'differs')
  )
    blame(`verify says that others hold what is not here: ${JSON.stringify(report.devices)}`);
  const found = findingsOf(report).filter(
    ({ kind }) => !isHarmless(kind) && !['future', 'duplicate', 'asked'].includes(kind),
  );
  if (!excuses.mayLose && !excuses.mayLoseTraces && !excuses.mayHaveScars && found.length > 0)
    blame(`verify reports ${JSON.stringify(found)}`);
  const unexpected = report.problems.filter(
    ({ kind }) => !['future', 'newer', 'duplicate'].includes(kind),
  );
  if (!excuses.mayHaveScars && !excuses.mayLose && unexpected.length > 0)
    blame(`verify sees problems: ${JSON.stringify(unexpected)}`);
}

function checkNewer({ problems }: VerifyReport, shown: readonly Line[], blame: Blame): void {
  const newer = problems.filter(({ kind }) => kind === 'newer').length;
  const shownNewer = shown.filter(({ event }) => event.v > 1).length;
  if (newer < shownNewer)
    blame(`verify names ${newer} lines of a newer version, and ${shownNewer} are shown`);
}

function retiredIn(held: readonly Line[]): (event: LogEvent) => boolean {
  return retiredBy(
    held.filter(({ isTrace, isInert }) => !isTrace && !isInert).map(({ event }) => event),
  );
}

/** Returns the highest number per writer that is present or covered by a watermark. */
function claimsIn(held: readonly Line[]): Map<string, number> {
  const claims = new Map<string, number>();
  const claim = (writer: string, n: number) =>
    claims.set(writer, Math.max(claims.get(writer) ?? 0, n));
  for (const { event, isInert } of held) {
    claim(event.w, event.n);
    const { seen } = event.d;
    if (event.t === 'log.mark' && !isInert && isJsonObject(seen))
      for (const writers of Object.values(seen))
        for (const [writer, [n]] of Object.entries(writers as Record<string, [number]>))
          claim(writer, n);
  }
  return claims;
}

import type { Draft, LogEvent } from '../../src/model/event.js';
import { crc32, crcText } from '../../src/platform/crc32.js';
import { forgetKey, type HashedLine } from '../../src/storage/forget/forget-event.js';
import {
  type DecidedForget,
  type ForgetDecision,
  type ForgetDecisions,
} from '../../src/storage/forget/forget-decisions.js';
import type { Log } from '../../src/storage/vault-log.js';
import type { Device, Process } from './device.js';
import { askAgain } from './forged-removals.js';
import { stampKey, type Ledger, type Line } from './ledger.js';
import { close, hear, readMemory } from './requests.js';
import { processOn, type World } from './world.js';

export interface Range {
  readonly w: string;
  readonly from: number;
  readonly to: number;
  readonly crcs: string;
  readonly hash: string;
}

/** What a person forgets at once. */
export interface Forgettable {
  readonly lines: readonly HashedLine[];
  /** Events that are written with it. */
  readonly kept?: readonly Draft[];
  /** Called when it is forgotten. */
  readonly check?: () => Promise<void>;
}

/** A person forgets a state, a record, a trace, or what else an entity has. */
export async function forgetLines(world: World, device: Device): Promise<void> {
  await forget(world, device, () => Promise.resolve({ lines: linesToForget(world, device) }));
}

/** A person forgets what `choose` returns; nothing if it has no lines. */
export async function forget(
  world: World,
  device: Device,
  choose: (process: Process) => Promise<Forgettable>,
): Promise<void> {
  const { dice, ledger, tell } = world;
  const process = processOn(device, world);
  const outcome = await hear(world, process, async () => {
    await readMemory(world, process);
    const { lines, kept, check } = await choose(process);
    if (lines.length === 0) return 'nothing' as const;
    const isDecided = dice.chance(0.7);
    device.decide(true);
    try {
      const named = lines.map(({ event: { t, w, n } }) => `${t} ${w} ${n}`);
      tell(`${process.name} forgets ${named.join(', ')}${isDecided ? '' : ', undecided'}`);
      const report = await process.log.forgetting.forget(lines, isDecided, kept);
      if (isDecided && report.waiting.length + report.remaining.length === 0)
        checkGone(device, lines, ledger);
    } finally {
      device.decide(false);
    }
    world.count('forgotten');
    await check?.();
    return 'forgotten' as const;
  });
  device.decide(false);
  if (outcome === 'refused' && !process.hasTrouble && !device.isStateFull())
    ledger.blame(`${process.name} could not forget without a reason`);
  if (dice.chance(0.2)) await close(world, process);
  if (dice.chance(0.4)) return;
  const other = dice.pick(world.devices);
  for (const each of [device, other]) world.medium.sync(each);
  await answerForget(world, other);
}

/** Expects no file that can be read to have any of these lines. */
function checkGone(device: Device, lines: readonly HashedLine[], ledger: Ledger): void {
  const unreadable = new Set(device.disk.unreadable());
  const hashes = new Set(lines.map(({ hash }) => hash));
  for (const line of ledger.lines.values()) {
    const files = hashes.has(line.hash) ? filesWith(device, line) : [];
    if (files.some((path) => !unreadable.has(path)))
      ledger.blame(`${device.name} says that ${line.event.t} is gone, which is in ${files.join()}`);
  }
}

/** Returns lines of one entity, or successive ones, but of no workspace that others still use. */
function linesToForget({ dice, ledger }: World, device: Device): Line[] {
  const held = ledger
    .heldOn(device.disk)
    .filter(
      ({ event, isInert }) => !isInert && !event.t.startsWith('log.') && event.t !== 'ws.new',
    );
  if (held.length === 0) return [];
  const first = dice.pick(held);
  if (dice.chance(0.3)) {
    const last = first.event.n + dice.below(4);
    return held.filter(
      ({ event: { w, n } }) => w === first.event.w && first.event.n <= n && n <= last,
    );
  }
  return held.filter(
    ({ event: { t, e } }) => e === first.event.e && (t === 'set' || e !== 'default'),
  );
}

/** The user of a device answers what another device has forgotten. */
export async function answerForget(world: World, device: Device): Promise<void> {
  const { dice, tell } = world;
  const process = processOn(device, world);
  await hear(world, process, async () => {
    const list = await process.log.forgetting.list();
    const open = list.filter(({ decision }) => decision?.choice === 'open');
    if (open.length === 0) return 'nothing' as const;
    const one = dice.pick(open);
    const isOfDevice = ({ content }: DecidedForget) => content.device === one.content.device;
    const keys = (dice.chance(0.3) ? open.filter(isOfDevice) : [one]).map(({ key }) => key);
    const choice = dice.chance(0.5) ? 'agreed' : 'refused';
    tell(`${process.name}: the user has ${choice} to forget ${keys.join(', ')}`);
    world.count(`forgetting: ${choice}`);
    device.decide(true);
    await process.log.forgetting.decide(keys, choice);
    device.decide(false);
    if (choice === 'refused' && world.isRough && dice.chance(0.3)) {
      askAgain(world, device, one.event);
      await readMemory(world, process);
    }
    return choice;
  });
  device.decide(false);
}

/** The user is told what devices ask to remove, as by the first answer of a session. */
export async function tellUser(world: World, device: Device): Promise<void> {
  const process = processOn(device, world);
  const outcome = await hear(world, process, async () => {
    await process.log.memory();
    const asked = process.log.trouble().asked.map(({ key }) => key);
    if (asked.length === 0) return 'nothing' as const;
    device.telling(asked);
    await process.log.forgetting.tell();
    world.count('told what others ask to remove');
    return 'told' as const;
  });
  device.telling([]);
  if (outcome === 'told') world.tell(`${process.name} tells what it is asked to remove`);
  if (outcome === 'refused' && !process.hasTrouble && !device.isStateFull())
    world.ledger.blame(`${process.name} could not tell its user without a reason`);
}

/** The bytes of the stub of a line, as docs/log-format.md describes it. */
export function stubOf({ event: { w, n, p, h }, hash }: Pick<Line, 'event' | 'hash'>): string {
  const start = JSON.stringify({ v: 1, w, n, p, h, t: 'forgotten', e: '', d: { hash } }).slice(
    0,
    -1,
  );
  return `${start},"c":"${crcText(crc32(Buffer.from(start), 0, start.length))}"}`;
}

export function rangesOf({ t, v, d }: LogEvent): readonly Range[] {
  return t === 'log.forget' && v === 1 ? (d['ranges'] as unknown as Range[]) : [];
}

/** Returns the stamps (`stampKey`) of the lines that a `log.forget` names. */
export function stampsNamedBy(event: LogEvent): string[] {
  return rangesOf(event).flatMap(({ w, from, crcs }) =>
    (crcs.match(/.{8}/g) ?? []).map((c, at) => stampKey({ w, n: from + at, c, h: '' })),
  );
}

/** What the disk of a device says about its lines. */
export interface View {
  /** The lines that count: those that are there, and those of which proved stubs are. */
  readonly counted: readonly Line[];
  /** The lines that take effect on this device. */
  readonly shown: readonly Line[];
  readonly named: ReadonlyMap<string, readonly LogEvent[]>;
}

/** Finds out what is forgotten on a device, without the code under test. */
export function viewOf(device: Device, ledger: Ledger): View {
  const held = ledger.heldOn(device.disk);
  const stubbed = ledger.stubsOn(device.disk).filter((line) => !held.includes(line));
  const forgets = held.filter(
    ({ event, isInert, isTrace }) => event.t === 'log.forget' && !isInert && !isTrace,
  );
  const named = new Map<string, LogEvent[]>();
  for (const { event } of forgets)
    for (const stamp of stampsNamedBy(event))
      named.set(stamp, [...(named.get(stamp) ?? []), event]);
  const proved = provedIn(
    forgets.flatMap(({ event }) => rangesOf(event)),
    held,
    stubbed,
  );
  const decisions = device.decisions();
  const byOf = ({ event }: Line) =>
    event.t.startsWith('log.') ? [] : (named.get(stampKey(event)) ?? []);
  const copied = [...device.copies().values()].map(latin1).join('\n');
  const kept = [...ledger.lines.values()].filter((line) => {
    const by = byOf(line);
    const isKept = by.length > 0 && !isHiddenBy(by, decisions);
    return isKept && !line.isTrace && !held.includes(line) && copied.includes(line.text);
  });
  return {
    counted: [...held, ...stubbed.filter((line) => proved.has(line))],
    shown: [...held.filter((line) => !isHiddenBy(byOf(line), decisions)), ...kept],
    named,
  };
}

/**
 * Returns true if a running process may go on hiding a line that its disk holds. If the process has
 * read that the line was forgotten, a file that cannot be read now may still say so: what a person
 * has forgotten must not show again only because a file is not downloaded. If its user keeps the
 * line, a sync may have brought it back into a sealed file, which is not reread at once unless the
 * app watches. If the line is destroyed again before that, only the copies of another process have
 * it, and a running process reads those only after it hears of another decision or forgotten line.
 */
export function mayHide(
  { event }: Pick<Line, 'event'>,
  forgets: readonly DecidedForget[],
  unreadable: readonly string[],
  isWatching: boolean,
): boolean {
  return forgets.some(
    ({ event: forget, decision }) =>
      stampsNamedBy(forget).includes(stampKey(event)) &&
      (decision?.choice === 'refused'
        ? !isWatching
        : unreadable.some((path) => path.includes(forget.w))),
  );
}

/**
 * Returns true if a line that these events name does not take effect: nobody has refused one of
 * them, or the user of the device has forgotten the line since.
 */
function isHiddenBy(by: readonly LogEvent[], decisions: ForgetDecisions): boolean {
  if (by.length === 0) return false;
  const choices = by.map((event) => decisions[forgetKey(event)]?.choice);
  const isWanted = choices.includes('own') || choices.includes('agreed');
  return isWanted || !choices.includes('refused');
}

/** Returns the lines of the ranges whose lines and stubs are all there, in a chain to the hash. */
function provedIn(
  ranges: readonly Range[],
  whole: Iterable<Line>,
  stubbed: Iterable<Line>,
): ReadonlySet<Line> {
  const known = new Map<string, { readonly line: Line; readonly isWhole: boolean }>();
  const add = (line: Line, isWhole: boolean) =>
    known.set(`${line.event.w} ${line.event.n} ${line.hash}`, { line, isWhole });
  for (const line of stubbed) add(line, false);
  for (const line of whole) add(line, true);
  const proved = new Set<Line>();
  for (const { w, from, to, crcs, hash } of ranges) {
    const found: Line[] = [];
    let next = hash;
    for (let n = to; n >= from; n--) {
      const { line, isWhole } = known.get(`${w} ${n} ${next}`) ?? {};
      const c = crcs.slice((n - from) * 8, (n - from + 1) * 8);
      if (!line || (isWhole && line.event.c !== c)) break; // a stub does not tell its line's CRC
      found.push(line);
      next = line.event.p;
    }
    if (found.length === to - from + 1) for (const line of found) proved.add(line);
  }
  return proved;
}

type Decider = Pick<Device, 'name' | 'decisions' | 'now' | 'isRefusing' | 'destroyed'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns true if a device may destroy a line because of an event that nobody has decided about: it
 * has told its user on seven days, this is a later one, and the event is older than that.
 */
function isToldEnough({ decisions, now }: Pick<Decider, 'decisions' | 'now'>, event: LogEvent) {
  const told = decisions()[forgetKey(event)]?.told ?? [];
  // a time before the one that was told earlier is one at which the clock had been set back
  const days = told.filter((at, index) => index === 0 || at > told[index - 1]!);
  return days.length > 7 && now() >= Date.parse(event.h.slice(0, 24)) + 7 * DAY_MS;
}

/**
 * Returns true if the device may destroy the line now: its own program was told to, its user
 * agreed, or has been told on seven days and never refused it, and the hash proves that the line
 * is meant.
 */
function mayDestroy(device: Decider, line: Line, ledger: Ledger): boolean {
  const everything = [...ledger.lines.values()];
  const naming = ledger.forgetsNaming(line.event);
  const choiceOf = (event: LogEvent) => device.decisions()[forgetKey(event)]?.choice;
  const isRefusing = (event: LogEvent) => device.isRefusing(forgetKey(event));
  // files may be rewritten in the moment in which the user refuses
  const isRefused = naming.some((event) => choiceOf(event) === 'refused' && !isRefusing(event));
  const isKept = isRefused && !isHiddenBy(naming, device.decisions());
  return naming.some((event) => {
    const choice = choiceOf(event);
    if (choice === 'own') return true;
    const found = provenance(event, line, everything);
    if (choice === 'agreed') return found !== 'contradicted';
    const isOpen = choice === 'open' || isRefusing(event);
    return isOpen && !isKept && isToldEnough(device, event) && found === 'proved';
  });
}

/** Expects a rewritten file to differ only in stubs of lines that the device may destroy now. */
export function checkRewritten(
  device: Decider,
  path: string,
  [before, after]: readonly [Uint8Array, Uint8Array],
  ledger: Ledger,
): void {
  const textsBefore = new Set(latin1(before).split('\n'));
  const textsAfter = latin1(after).split('\n');
  const left = new Set(textsAfter);
  for (const text of textsAfter)
    if (
      !textsBefore.has(text) &&
      text !== '' &&
      !ledger.stubs.has(text) &&
      !isPartOf(text, textsBefore)
    )
      ledger.blame(`${device.name} rewrites ${path} with a new line: ${text}`);
  for (const line of ledger.lines.values()) {
    if (!textsBefore.has(line.text) || left.has(line.text)) continue;
    if (!mayDestroy(device, line, ledger))
      ledger.blame(`${device.name} destroys ${line.event.t} in ${path} too early or unproved`);
    if (!left.has(stubOf(line))) ledger.blame(`${device.name} leaves no stub of a line in ${path}`);
    device.destroyed().add(line);
  }
}

/** Expects a time to be noted only when the user is told, and 20 hours from each of the others. */
export function checkToldDays(
  device: Pick<Device, 'name' | 'now'>,
  isTold: boolean,
  [before = [], after = []]: readonly ForgetDecision['told'][],
  ledger: Ledger,
): void {
  const [now, ...others] = [...after].reverse();
  if (before.join() === after.join()) return;
  const isOther = before.every((at) => Math.abs(device.now() - at) >= 20 * 60 * 60 * 1000);
  if (!isTold || now !== device.now() || others.reverse().join() !== before.join() || !isOther)
    ledger.blame(`${device.name} counts a day on which it has not told its user`);
}

/**
 * Expects the ids of what a device removes to be those of items that only the lines create which it
 * destroys because of the event.
 */
export function checkRemovedIds(
  device: Decider & Pick<Device, 'disk' | 'copies'>,
  key: string,
  ids: readonly string[],
  ledger: Ledger,
): void {
  const everything = [...ledger.lines.values()];
  const unreadable = new Set(device.disk.unreadable());
  const readable = device.disk.segments().filter((path) => !unreadable.has(path));
  const isHere = (text: string) =>
    readable.some((path) => latin1(device.disk.get(path)).includes(text)) ||
    [...device.copies().values()].some((bytes) => latin1(bytes).includes(text));
  for (const id of ids) {
    const creating = everything.filter(
      ({ event: { t, e } }) => e === id && t !== 'set' && !t.startsWith('log.'),
    );
    const isDestroyed = (line: Line) => mayDestroy(device, line, ledger);
    const isNamed = ({ event }: Line) =>
      ledger.forgetsNaming(event).some((forget) => forgetKey(forget) === key);
    if (!creating.some((line) => isNamed(line) && isDestroyed(line)))
      ledger.blame(`${device.name} removes ${id}, which no destroyed line has created`);
    if (creating.some((line) => !isDestroyed(line) && isHere(line.text)))
      ledger.blame(`${device.name} removes ${id}, which another line has created`);
  }
}

/**
 * Returns whether the hash of a range that names the line fits the lines that are known. A stub
 * does not tell the CRC of its line, so those in `stubbed` may be any that has their number.
 */
function provenance(
  event: LogEvent,
  line: Line,
  whole: readonly Line[],
  stubbed: readonly Line[] = [],
): 'proved' | 'incomplete' | 'contradicted' {
  const naming = rangesOf(event).filter(
    ({ w, from, to }) => line.event.w === w && from <= line.event.n && line.event.n <= to,
  );
  if (provedIn(naming, whole, stubbed).has(line)) return 'proved';
  const isComplete = ({ w, from, crcs }: Range) =>
    (crcs.match(/.{8}/g) ?? []).every(
      (c, at) =>
        whole.some((each) => stampKey(each.event) === stampKey({ w, n: from + at, c, h: '' })) ||
        stubbed.some(({ event: { w: writer, n } }) => writer === w && n === from + at),
    );
  return naming.every(isComplete) ? 'contradicted' : 'incomplete';
}

/** Returns the lines that a device has, in its vault or in its copies, whole or as stubs. */
function knownTo(device: Device, ledger: Ledger): { whole: Line[]; stubbed: Line[] } {
  const { disk } = device;
  const text = [...disk.segments().map((path) => disk.get(path)), ...device.copies().values()]
    .map(latin1)
    .join('\n');
  const stubbed = [...ledger.stubs].flatMap(([stub, line]) => (text.includes(stub) ? [line] : []));
  const whole = [...ledger.lines.values()].filter((line) => text.includes(line.text));
  return { whole, stubbed };
}

/** A torn line may be joined to a stub or to another line. */
function isPartOf(text: string, before: ReadonlySet<string>): boolean {
  return [...before].some((each) => each.includes(text) || text.includes('"t":"forgotten"'));
}

/** Returns whether a device destroys a line for good that these events name. */
export function destroyerOn(
  device: Device,
  ledger: Ledger,
): (line: Line, by: readonly LogEvent[]) => boolean {
  const { whole, stubbed } = knownTo(device, ledger);
  return (line, by) =>
    isHiddenBy(by, device.decisions()) &&
    by.some((event) => {
      const { choice = 'open' } = device.decisions()[forgetKey(event)] ?? {};
      const found = provenance(event, line, whole, stubbed);
      return (
        (choice === 'own' && found !== 'contradicted') || // another line has its identity
        (choice === 'agreed' && found !== 'contradicted') ||
        (choice === 'open' && found === 'proved' && isToldEnough(device, event))
      );
    });
}

/**
 * Expects nothing of what was forgotten to be in any file, except copies of those who refused. Nor
 * is it demanded of a file that was merged without a base if two devices destroy different lines of
 * it: they do so between the same two syncs each time, which bring all of them back.
 */
export function checkForgotten(devices: readonly Device[], ledger: Ledger): void {
  const [first] = devices;
  const { named } = viewOf(first!, ledger);
  if (named.size === 0) return;
  const hasRefusals = devices.some(({ decisions }) =>
    Object.values(decisions()).some(({ choice }) => choice === 'refused'),
  );
  const destroys = new Map(devices.map((device) => [device, destroyerOn(device, ledger)]));
  for (const line of ledger.lines.values()) {
    const by = named.get(stampKey(line.event)) ?? [];
    if (by.length === 0 || line.event.t.startsWith('log.')) continue;
    if (!devices.some((device) => destroys.get(device)!(line, by))) continue;
    const about = `${line.event.t} ${line.event.w} ${line.event.n}`;
    for (const device of devices) {
      const files = filesWith(device, line).filter(
        (path) => !(hasRefusals && latin1(device.disk.get(path)).includes('\n<<<<<<< ')),
      );
      if (files.length > 0) ledger.blame(`${device.name}: ${files.join()} still has ${about}`);
      const isCopied = [...device.copies().values()].some((bytes) =>
        latin1(bytes).includes(line.text),
      );
      if (isCopied && destroys.get(device)!(line, by))
        ledger.blame(`the copies of ${device.name} still have ${about}`);
    }
  }
}

export function filesWith({ disk }: Device, { text }: Line): string[] {
  return disk.segments().filter((path) => latin1(disk.get(path)).includes(text));
}

/** Returns the keys (`forgetKey`) that name each line which a device hides, undecided. */
export function undecidedLines(device: Device, ledger: Ledger): Map<Line, string[]> {
  const { named } = viewOf(device, ledger);
  const isUndecided = (event: LogEvent) => {
    const { choice = 'open', appliedBy = [] } = device.decisions()[forgetKey(event)] ?? {};
    return choice === 'open' && appliedBy.length === 0;
  };
  const found = new Map<Line, string[]>();
  for (const line of named.size > 0 ? ledger.heldOn(device.disk) : []) {
    const by = line.event.t.startsWith('log.') ? [] : (named.get(stampKey(line.event)) ?? []);
    if (by.length > 0 && by.every(isUndecided)) found.set(line, by.map(forgetKey));
  }
  return found;
}

/** Expects the user of a device to be told of each line that it hides, until they decide. */
export function checkTold(device: Device, log: Log, ledger: Ledger): void {
  const asked = new Set(log.trouble().asked.map(({ key }) => key));
  for (const [{ event }, keys] of undecidedLines(device, ledger))
    if (!keys.some((key) => asked.has(key)))
      ledger.blame(`${device.name} hides ${event.t} ${event.e} without a word`);
}

function latin1(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

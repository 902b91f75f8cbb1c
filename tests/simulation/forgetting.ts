import type { Draft, LogEvent } from '../../src/model/event.js';
import { createWriterId } from '../../src/platform/random.js';
import { crc32, crcText } from '../../src/platform/crc32.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { encodeLine } from '../../src/storage/format/line.js';
import { forgetKey, type ForgettableLine } from '../../src/storage/forget/forget-event.js';
import {
  AGREEMENT_MS,
  type DecidedForget,
  type ForgetDecisions,
} from '../../src/storage/forget/forgets.js';
import type { Device, Process } from './device.js';
import { ROOT } from './disk.js';
import { instantSha256 } from './instant-sha256.js';
import { stampKey, type Ledger, type Line } from './ledger.js';
import { close, hear, readMemory } from './requests.js';
import { processOn, type World } from './world.js';

interface Range {
  readonly w: string;
  readonly from: number;
  readonly to: number;
  readonly crcs: string;
  readonly hash: string;
}

/** What a person forgets at once. */
export interface Forgettable {
  readonly lines: readonly ForgettableLine[];
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
      await process.log.forgetting.forget(lines, isDecided, kept);
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
    const { key } = dice.pick(open);
    const choice = dice.chance(0.5) ? 'agreed' : 'refused';
    tell(`${process.name}: the user has ${choice} to forget ${key}`);
    world.count(`forgetting: ${choice}`);
    device.decide(true);
    await process.log.forgetting.decide(key, choice);
    device.decide(false);
    return choice;
  });
  device.decide(false);
}

/** Somebody who can write into the vault forges a `log.forget`, or replaces a line by its stub. */
export function forgeForget(world: World, device: Device): void {
  const { dice, excuses, ledger, tell, count } = world;
  const victims = ledger
    .heldOn(device.disk)
    .filter(({ event: { v, t } }) => v === 1 && (t === 'state.new' || t === 'ws.new'));
  if (victims.length === 0) return;
  excuses.mayLose = excuses.mayHaveScars = true;
  const victim = dice.pick(victims);
  if (dice.chance(0.4)) {
    ledger.addStub(victim);
    for (const path of device.disk.segments()) {
      const text = latin1(device.disk.get(path));
      if (!text.includes(victim.text)) continue;
      const stub = text.replace(victim.text, () => stubOf(victim));
      device.disk.put(path, Buffer.from(stub, 'latin1'));
    }
    tell(`${device.name}: ${victim.event.w} ${victim.event.n} is replaced by a stub`);
    // without copies, only `verify` can tell
    if (dice.chance(0.3)) for (const each of world.devices) each.loseCopies();
    return count('forged: a stub');
  }
  const { w, n, c } = victim.event;
  const isRight = dice.chance(0.6);
  const hash = isRight ? rangeHash([victim]) : instantSha256('x').slice(0, 32);
  // a line that nobody wrote keeps the hash from being compared
  const isLong = !isRight && dice.chance(0.3);
  const range = isLong
    ? { w, from: n, to: n + 1, crcs: `${c}${'0'.repeat(8)}`, hash }
    : { w, from: n, to: n, crcs: c, hash };
  const d = {
    device: dice.pick(['A', 'B', 'C']),
    entities: [victim.event.e],
    ranges: [range],
  };
  const h = '2026-11-20T00:00:00.000Z.0001';
  const event = {
    v: 1,
    w: createWriterId(dice),
    n: 1,
    p: CHAIN_START,
    h,
    t: 'log.forget',
    e: '',
    d,
  };
  const { bytes } = encodeLine(event);
  const path = `${ROOT}/core/2026-11/forged-${dice.below(1e9)}.jsonl`;
  ledger.foreign(path, bytes, { isAcknowledged: false, device: '' });
  device.disk.put(path, bytes);
  tell(`${device.name}: a forged line forgets ${w} ${n}${isRight ? '' : ', with a wrong hash'}`);
  count('forged: forgets a line');
}

/** The bytes of the stub of a line, as docs/log-format.md describes it. */
export function stubOf({ event: { w, n, p, h }, hash }: Pick<Line, 'event' | 'hash'>): string {
  const start = JSON.stringify({ v: 1, w, n, p, h, t: 'forgotten', e: '', d: { hash } }).slice(
    0,
    -1,
  );
  return `${start},"c":"${crcText(crc32(Buffer.from(start), 0, start.length))}"}`;
}

function rangeHash(lines: readonly Pick<Line, 'hash'>[]): string {
  return instantSha256(lines.map(({ hash }) => hash).join('')).slice(0, 32);
}

function rangesOf({ t, v, d }: LogEvent): readonly Range[] {
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
  const ranges = forgets.flatMap(({ event }) => rangesOf(event));
  const proved = stubbed.filter((line) =>
    ranges.some((range) => isProvedBy(range, line, [...held, ...stubbed])),
  );
  const isRefused = refusedBy(device.decisions());
  const isForgotten = ({ event }: Line) => {
    const by = event.t.startsWith('log.') ? [] : (named.get(stampKey(event)) ?? []);
    return by.length > 0 && !by.every(isRefused);
  };
  const copied = [...device.copies().values()].map(latin1).join('\n');
  const kept = [...named].some(([, by]) => by.every(isRefused))
    ? [...ledger.lines.values()].filter((line) => {
        const by = named.get(stampKey(line.event)) ?? [];
        const isKept = by.length > 0 && by.every(isRefused) && !line.event.t.startsWith('log.');
        return isKept && !line.isTrace && !held.includes(line) && copied.includes(line.text);
      })
    : [];
  return {
    counted: [...held, ...proved],
    shown: [...held.filter((line) => !isForgotten(line)), ...kept],
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

function refusedBy(decisions: ForgetDecisions): (event: LogEvent) => boolean {
  return (event) => decisions[forgetKey(event)]?.choice === 'refused';
}

/** Returns true if the range is complete and has its hash, with this line in it. */
function isProvedBy(
  { w, from, to, crcs, hash }: Range,
  line: Line,
  known: readonly Line[],
): boolean {
  const { event } = line;
  if (event.w !== w || event.n < from || event.n > to) return false;
  let runs: Line[][] = [[]];
  for (let n = from; n <= to; n++) {
    const c = crcs.slice((n - from) * 8, (n - from + 1) * 8);
    const next = known.filter(
      (each) => each.event.w === w && each.event.n === n && each.event.c === c,
    );
    runs = runs.flatMap((run) => next.map((each) => [...run, each]));
  }
  return runs.some((run) => run.includes(line) && rangeHash(run) === hash);
}

/**
 * Expects a rewritten file to differ only in stubs of lines that the device may destroy now: its
 * own program was told to, its user agreed, or it has known the event for seven days and the hash
 * proves that it means the line.
 */
export function checkRewritten(
  device: Pick<Device, 'name' | 'decisions' | 'now' | 'isRefusing'>,
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
  const everything = [...ledger.lines.values()];
  for (const line of everything) {
    if (!textsBefore.has(line.text) || left.has(line.text)) continue;
    const isDue = ledger.forgetsNaming(line.event).some((event) => {
      const key = forgetKey(event);
      const { choice, seenAt = Infinity } = device.decisions()[key] ?? {};
      const isOpen = choice === 'open' || device.isRefusing(key);
      const isOld = isOpen && device.now() - seenAt >= AGREEMENT_MS;
      const isProved = provenance(event, line, everything) === 'proved';
      if (isOld && isProved) return true;
      return choice === 'own' || (choice === 'agreed' && !isForged(event, line, everything));
    });
    if (!isDue)
      ledger.blame(`${device.name} destroys ${line.event.t} in ${path} too early or unproved`);
    if (!left.has(stubOf(line))) ledger.blame(`${device.name} leaves no stub of a line in ${path}`);
  }
}

/**
 * Returns whether the hash of a range that names the line fits the lines that are known. A stub
 * does not tell the CRC of its line, so those in `stubbed` may be any that has their number.
 */
function provenance(
  event: LogEvent,
  line: Line,
  known: readonly Line[],
  stubbed: readonly Line[] = [],
): 'proved' | 'incomplete' | 'contradicted' {
  const naming = rangesOf(event).filter(
    ({ w, from, to }) => line.event.w === w && from <= line.event.n && line.event.n <= to,
  );
  if (naming.some((range) => isProvedBy(range, line, known))) return 'proved';
  const isComplete = ({ w, from, crcs }: Range) =>
    (crcs.match(/.{8}/g) ?? []).every(
      (c, at) =>
        known.some((each) => stampKey(each.event) === stampKey({ w, n: from + at, c, h: '' })) ||
        stubbed.some(({ event: { w: writer, n } }) => writer === w && n === from + at),
    );
  return naming.every(isComplete) ? 'contradicted' : 'incomplete';
}

function isForged(event: LogEvent, line: Line, known: readonly Line[]): boolean {
  return provenance(event, line, known) === 'contradicted';
}

/** Returns the lines that a device has, in its vault or in its copies, whole or as stubs. */
function knownTo(device: Device, ledger: Ledger): { known: Line[]; stubbed: Line[] } {
  const { disk } = device;
  const text = [...disk.segments().map((path) => disk.get(path)), ...device.copies().values()]
    .map(latin1)
    .join('\n');
  const stubbed = [...ledger.stubs].flatMap(([stub, line]) => (text.includes(stub) ? [line] : []));
  const whole = [...ledger.lines.values()].filter((line) => text.includes(line.text));
  return { known: [...new Set([...whole, ...stubbed])], stubbed };
}

/** A torn line may be joined to a stub or to another line. */
function isPartOf(text: string, before: ReadonlySet<string>): boolean {
  return [...before].some((each) => each.includes(text) || text.includes('"t":"forgotten"'));
}

/**
 * Expects nothing of what was forgotten to be in any file, except copies of those who refused. Nor
 * is it demanded of a file that was merged without a base if two devices destroy different lines of
 * it: they do so between the same two syncs each time, which bring all of them back.
 */
export function checkForgotten(devices: readonly Device[], ledger: Ledger): void {
  const [first] = devices;
  const { named } = viewOf(first!, ledger);
  const hasRefusals = devices.some(({ decisions }) =>
    Object.values(decisions()).some(({ choice }) => choice === 'refused'),
  );
  const known = new Map(
    named.size > 0 ? devices.map((device) => [device, knownTo(device, ledger)]) : [],
  );
  for (const line of ledger.lines.values()) {
    const by = named.get(stampKey(line.event)) ?? [];
    if (by.length === 0 || line.event.t.startsWith('log.')) continue;
    const destroys = (device: Device) =>
      by.some((event) => {
        const { choice = 'open' } = device.decisions()[forgetKey(event)] ?? {};
        const { known: lines, stubbed } = known.get(device)!;
        const found = provenance(event, line, lines, stubbed);
        return (
          (choice === 'own' && found !== 'contradicted') || // another line has its identity
          (choice !== 'refused' && found === 'proved') ||
          (choice === 'agreed' && found === 'incomplete')
        );
      });
    if (!devices.some(destroys)) continue;
    const about = `${line.event.t} ${line.event.w} ${line.event.n}`;
    for (const device of devices) {
      const files = device.disk.segments().filter((path) => {
        const text = latin1(device.disk.get(path));
        return text.includes(line.text) && !(hasRefusals && text.includes('\n<<<<<<< '));
      });
      if (files.length > 0) ledger.blame(`${device.name}: ${files.join()} still has ${about}`);
      const isCopied = [...device.copies().values()].some((bytes) =>
        latin1(bytes).includes(line.text),
      );
      if (isCopied && destroys(device))
        ledger.blame(`the copies of ${device.name} still have ${about}`);
    }
  }
}

function latin1(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

import type { Json, JsonObject, LogEvent } from '../../src/model/event.js';
import { createEntityId, createWriterId } from '../../src/platform/random.js';
import { CHAIN_START } from '../../src/storage/format/line-hash.js';
import { encodeLine, type EncodedLine } from '../../src/storage/format/line.js';
import type { Device } from './device.js';
import type { Dice } from './dice.js';
import { ROOT } from './disk.js';
import { rangesOf, stubOf, type Range } from './forgetting.js';
import { instantSha256 } from './instant-sha256.js';
import type { Line } from './ledger.js';
import type { World } from './world.js';

/** What a forged file contains. */
interface Forgery {
  readonly about: string;
  readonly lines: readonly EncodedLine[];
}

type Forger = (victims: readonly Line[], held: readonly Line[], dice: Dice) => Forgery | undefined;

const TIMES = [
  '2020-01-01T00:00:00.000Z.0001',
  '2026-11-20T00:00:00.000Z.0001',
  '2026-11-20T00:00:00.000Z.0001',
  '2199-12-31T23:59:59.999Z.ffff',
];

/** Somebody who can write into the vault forges a `log.forget`, or replaces a line by its stub. */
export function forgeForget(world: World, device: Device): void {
  const { dice, excuses, ledger } = world;
  const held = ledger.heldOn(device.disk);
  const victims = held.filter(
    ({ event: { v, t } }) => v === 1 && (t === 'state.new' || t === 'ws.new'),
  );
  if (victims.length === 0) return;
  excuses.mayLose = excuses.mayHaveScars = true;
  if (dice.chance(0.25)) return forgeStub(world, device, dice.pick(victims));
  if (dice.chance(0.1)) return inventStub(world, device, dice.pick(victims));
  const forgery = dice.pick([
    namesLine,
    namesLine,
    namesRun,
    createsAgain,
    createsAgain,
    asksAgain,
  ])(victims, held, dice);
  if (forgery) addForgery(world, device, forgery);
}

function forgeStub(world: World, device: Device, victim: Line): void {
  const { dice, ledger, tell, count } = world;
  ledger.addStub(victim);
  replaceByStub(device, victim, victim);
  tell(`${device.name}: ${victim.event.w} ${victim.event.n} is replaced by a stub`);
  // without copies, only `verify` can tell
  if (dice.chance(0.3)) for (const each of world.devices) each.loseCopies();
  count('forged: a stub');
}

/** Replaces a line by the stub of one that never was, and forgets that one. */
function inventStub(world: World, device: Device, victim: Line): void {
  const { dice, ledger } = world;
  const { w, n } = victim.event;
  const c = noHash(dice).slice(0, 8);
  const event = { ...victim.event, c };
  const invented = { ...victim, event, text: `never ${c}`, hash: noHash(dice) };
  ledger.addStub(invented);
  replaceByStub(device, victim, invented);
  const range = { w, from: n, to: n, crcs: c, hash: invented.hash };
  const lines = chainOf(dice, [removalOf([range], dice, [victim.event.e])]);
  addForgery(world, device, { about: 'forgets a line that never was, in the place of one', lines });
}

function replaceByStub(device: Device, { text }: Line, stubbed: Line): void {
  for (const path of device.disk.segments()) {
    const before = latin1(device.disk.get(path));
    if (!before.includes(text)) continue;
    const after = before.replace(text, () => stubOf(stubbed));
    device.disk.put(path, Buffer.from(after, 'latin1'));
  }
}

function addForgery(world: World, device: Device, { about, lines }: Forgery): void {
  const { dice, ledger, tell, count } = world;
  const bytes = Buffer.concat(lines.map((line) => line.bytes));
  const path = `${ROOT}/core/2026-11/forged-${dice.below(1e9)}.jsonl`;
  ledger.foreign(path, bytes, { isAcknowledged: false, device: '' });
  device.disk.put(path, bytes);
  tell(`${device.name}: a forged file ${about}`);
  count(`forged: ${about}`);
}

/** Names a line of somebody else; without its hash, nothing proves that it is meant. */
const namesLine: Forger = (victims, _, dice) => {
  const { event, hash } = dice.pick(victims);
  const { w, n, c } = event;
  const isRight = dice.chance(0.6);
  const range = { w, from: n, to: n, crcs: c, hash: isRight ? hash : noHash(dice) };
  // a line that nobody wrote keeps the hash from being compared
  const isLong = !isRight && dice.chance(0.3);
  const named = isLong ? { ...range, to: n + 1, crcs: `${c}${'0'.repeat(8)}` } : range;
  const lines = chainOf(dice, [removalOf([named], dice, [event.e])]);
  return { about: `forgets a line${isRight ? '' : ', with a wrong hash'}`, lines };
};

/** Names successive lines of a writer, those of the log among them, not all of them rightly. */
const namesRun: Forger = (victims, held, dice) => {
  const first = dice.pick(victims);
  const run = [first];
  for (let length = dice.below(5); length >= 0; length--) {
    const next = held.find(
      ({ event: { w, n, p } }) =>
        w === first.event.w && n === run.at(-1)!.event.n + 1 && p === run.at(-1)!.hash,
    );
    if (next) run.push(next);
  }
  const how = dice.pick(['right', 'right', 'hash of the first', 'a wrong CRC']);
  const crcs = run.map(({ event: { c } }) => c);
  if (how === 'a wrong CRC') crcs[dice.below(crcs.length)] = '0'.repeat(8);
  const hash = (how === 'hash of the first' ? first : run.at(-1)!).hash;
  const range = {
    w: first.event.w,
    from: first.event.n,
    to: run.at(-1)!.event.n,
    crcs: crcs.join(''),
    hash,
  };
  const ids = run.map(({ event }) => event.e);
  return {
    about: `forgets a run (${how})`,
    lines: chainOf(dice, [removalOf([range], dice, ids)]),
  };
};

/** Creates what others have created, and forgets that, so that the id seems to be its own. */
const createsAgain: Forger = (victims, _, dice) => {
  const { event, hash } = dice.pick(victims);
  const w = createWriterId(dice);
  const h = dice.pick(TIMES);
  const again = { w, h, t: event.t, e: event.e, d: { ...event.d, name: `Again ${w}` } };
  const [first] = chainOf(dice, [again]);
  const { n, c } = first!.event;
  const own = { w, from: n, to: n, crcs: c, hash: first!.hash };
  // the other's line in the same event, without its hash
  const other = { w: event.w, from: event.n, to: event.n, crcs: event.c, hash: noHash(dice) };
  const ranges = dice.chance(0.3) ? [own, other] : [own];
  const isFirst = hash === first!.hash;
  if (isFirst) return undefined;
  const removal = removalOf(ranges, dice, [event.e]);
  return { about: 'forgets a second creation', lines: chainOf(dice, [again, { ...removal, w }]) };
};

/** Asks once more, under another name, for lines that were asked for before. */
const asksAgain: Forger = (_, held, dice) => {
  const before = held.filter(({ event, isInert }) => !isInert && rangesOf(event).length > 0);
  return before.length > 0 ? askedAgain(dice.pick(before).event, dice) : undefined;
};

function askedAgain(event: LogEvent, dice: Dice): Forgery {
  const lines = chainOf(dice, [removalOf(rangesOf(event), dice, [])]);
  return { about: 'asks again for the same lines', lines };
}

/** Somebody asks again for what the user of a device has refused to forget. */
export function askAgain(world: World, device: Device, event: LogEvent): void {
  world.excuses.mayLose = world.excuses.mayHaveScars = true;
  addForgery(world, device, askedAgain(event, world.dice));
}

type ForgedDraft = Pick<LogEvent, 't' | 'd'> & Partial<LogEvent>;

/** A `log.forget`, with fields that must have no effect. */
function removalOf(ranges: readonly Range[], dice: Dice, ids: readonly string[]): ForgedDraft {
  const d: JsonObject = {
    device: dice.pick(['A', 'B', 'C', 'Elsewhere']),
    ranges: ranges as unknown as Json,
    ...(dice.chance(0.3) && { entities: [...ids, ''] }),
    ...(dice.chance(0.1) && { turns: ['["claude","s","1"]', ''] }),
    mark: dice.below(1e9), // of two events with the same content, a device knows only one
  };
  return { t: 'log.forget', h: dice.pick(TIMES), d };
}

/** Encodes lines of one writer, each with the hash of the one before. */
function chainOf(dice: Dice, drafts: readonly ForgedDraft[]): EncodedLine[] {
  const writer = createWriterId(dice);
  const lines: EncodedLine[] = [];
  for (const [at, draft] of drafts.entries()) {
    const { w = writer, h = TIMES[1]!, t, e = '', d } = draft;
    const p = lines.at(-1)?.hash ?? CHAIN_START;
    lines.push(encodeLine({ v: 1, w, n: at + 1, p, h, t, e, d }));
  }
  return lines;
}

/** Hundreds of lines of one kind, which cost the devices time. Once in a world. */
export function flood(world: World, device: Device): void {
  const { dice, excuses, ledger, tell, count } = world;
  const victims = ledger.heldOn(device.disk).filter(({ event: { v } }) => v === 1);
  if (victims.length === 0 || (world.tally.get('flooded') ?? 0) > 0 || dice.chance(0.7)) return;
  count('flooded');
  excuses.mayLose = excuses.mayHaveScars = true;
  const kind = dice.pick(['removals', 'stubs', 'writers']);
  const drafts = Array.from({ length: 100 + dice.below(150) }, () =>
    FLOODS[kind]!(dice.pick(victims), dice),
  );
  const lines = drafts.map((draft) => chainOf(dice, [draft])[0]!);
  if (kind !== 'stubs') return addForgery(world, device, { about: `floods: ${kind}`, lines });
  // a stub that nothing proves stands for no line
  const path = `${ROOT}/core/2026-11/forged-${dice.below(1e9)}.jsonl`;
  const bytes = Buffer.concat(lines.map((line) => line.bytes));
  ledger.addFalseStubs(bytes);
  device.disk.put(path, bytes);
  tell(`${device.name}: ${lines.length} forged stubs`);
  count('forged: floods: stubs');
}

const FLOODS: Record<string, (victim: Line, dice: Dice) => ForgedDraft> = {
  removals({ event: { w, n, c } }, dice) {
    const range = dice.chance(0.3)
      ? { w, from: n, to: n, crcs: c, hash: noHash(dice) }
      : { w: createWriterId(dice), from: 1, to: 1, crcs: c, hash: noHash(dice) };
    return { t: 'log.forget', d: { device: 'Flood', ranges: [range] } };
  },
  stubs({ event: { w } }, dice) {
    const writer = dice.chance(0.3) ? w : createWriterId(dice);
    return { w: writer, t: 'forgotten', d: { hash: noHash(dice) } };
  },
  writers(_, dice) {
    const seen = { core: { [createWriterId(dice)]: [1 + dice.below(3), noHash(dice)] } };
    return { t: 'log.mark', d: { seen } };
  },
};

/** Returns the hash of no line. */
function noHash(dice: Dice): string {
  return instantSha256(createEntityId(dice)).slice(0, 32);
}

function latin1(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

import { allWorkspaces } from '../../src/model/lookup.js';
import type { VaultPath } from '../../src/model/paths.js';
import { parseSegment } from '../../src/storage/format/segment.js';
import { isNightly } from '../tier.js';
import { createCall } from './calls.js';
import { checkDevice } from './checks.js';
import { harm } from './damage.js';
import type { Device } from './device.js';
import { ROOT } from './disk.js';
import { forge } from './forge.js';
import { forgetEarlierTexts } from './earlier-texts.js';
import { flood, forgeForget } from './forged-removals.js';
import { answerForget, forgetLines, tellUser } from './forgetting.js';
import { runNewerVersion } from './newer-version.js';
import { close, hear, keepTrace, makeCall, readMemory } from './requests.js';
import { restoreVault } from './restored-vault.js';
import { allProcesses, DAY, MINUTE, processOn, SECOND, YEAR, type World } from './world.js';

type Step = (world: World, device: Device) => Promise<void> | void;

/** Steps with their weights. */
const STEPS: readonly (readonly [number, Step])[] = [
  [36, callOnce],
  [12, doAtOnce],
  [5, writeTrace],
  [6, readAgain],
  [22, sync],
  [6, waitSomeTime],
  [5, closeOne],
  [3, killOne],
  [5, doomOne],
  [2, cutPower],
  [2, failReads],
  [5, tryAgain],
  [3, newerVersion],
  [3, moveClock],
  [2, troubleIdentities],
  [3, troubleCache],
  [4, forgetSync],
  [1, lookHard],
  [3, retire],
  [3, raceAppend],
  [1, moveVault],
  [3, fillState],
  [4, evictFile],
  [6, forgetLines],
  ...(isNightly ? [[4, forgetEarlierTexts] as const] : []), // changes the dice of all worlds
  [4, answerForget],
  [4, tellEachDay],
  [2, startWithWrongClock],
];

/** Steps of a rough world, which also has damage and restored backups. */
const ROUGH_STEPS: readonly (readonly [number, Step])[] = [
  ...STEPS,
  [14, damage],
  [2, addForgery],
  [8, forgeForget],
  [2, flood],
  [4, backUp],
  [4, setBack],
  [3, restoreVault],
  [1, cloneDevice],
  [3, interruptHealing],
];

export async function takeStep(world: World): Promise<void> {
  const { dice } = world;
  const steps = world.isRough ? ROUGH_STEPS : STEPS;
  let left = dice.below(steps.reduce((sum, [weight]) => sum + weight, 0));
  const [, step] = steps.find(([weight]) => (left -= weight) < 0)!;
  world.count(step.name);
  const device = dice.pick(world.devices);
  world.ledger.setCause(step.name);
  for (const process of allProcesses(world)) process.hasTrouble = false;
  await step(world, device);
}

async function callOnce(world: World, device: Device, isAtOnce = false): Promise<void> {
  await makeCall(
    world,
    processOn(device, world),
    createCall(world.newKey(), world.dice, world.weight),
    isAtOnce,
  );
}

/** Runs concurrent calls to the processes of any device, with the medium syncing between them. */
async function doAtOnce(world: World, device: Device): Promise<void> {
  const { dice } = world;
  world.tell('at once:');
  await Promise.all(
    Array.from({ length: 2 + dice.below(4) }, async () => {
      const where = dice.chance(0.7) ? device : dice.pick(world.devices);
      if (dice.chance(0.15)) {
        for (let ticks = dice.below(40); ticks > 0; ticks--) await Promise.resolve();
        sync(world, where);
      } else if (dice.chance(0.1)) await writeTrace(world, where);
      else await callOnce(world, where, true);
    }),
  );
}

async function writeTrace(world: World, device: Device): Promise<void> {
  await keepTrace(world, processOn(device, world));
}

async function readAgain(world: World, device: Device): Promise<void> {
  const process = processOn(device, world);
  world.tell(`${process.name} reads`);
  const outcome = await hear(world, process, async () => {
    await readMemory(world, process);
    await process.log.traceEntries('default');
    return 'read' as const;
  });
  if (outcome === 'refused' && !process.hasTrouble)
    world.ledger.blame(`${process.name} could not read without a reason`);
}

function sync(world: World, device: Device): void {
  world.tell(`${device.name} syncs`);
  world.medium.sync(device);
}

async function waitSomeTime(world: World): Promise<void> {
  const ms = world.dice.pick([SECOND, MINUTE, 11 * MINUTE, DAY, 40 * DAY]);
  world.tell(`${ms / 1000} seconds pass`);
  await world.advance(ms);
}

/** Lets traces expire, and gives every running process time to remove them. */
async function retire(world: World, device: Device): Promise<void> {
  if (!world.traceLimits) return;
  const { dice, medium } = world;
  await writeTrace(world, device);
  await world.advance(dice.pick([DAY, 12 * DAY, 50 * DAY]));
  await writeTrace(world, device); // seals the previous day's file
  world.tell('traces are looked through');
  for (let day = dice.below(3); day >= 0; day--) {
    await world.advance(DAY);
    for (let file = 0; file < 5; file++) await world.advance(SECOND);
    if (dice.chance(0.5)) medium.sync(dice.pick(world.devices));
  }
}

async function closeOne(world: World, device: Device): Promise<void> {
  const process = world.dice.pick([...device.processes, undefined]);
  if (!process) return;
  await close(world, process);
  if (world.dice.chance(0.7)) device.start();
}

function killOne(world: World, device: Device): void {
  const process = world.dice.pick([...device.processes, undefined]);
  if (!process) return;
  world.tell(`${process.name} is killed`);
  process.kill();
}

/** Interrupts the next append of a process: the disk is full, or the process or its device dies. */
async function doomOne(world: World, device: Device): Promise<void> {
  const { dice, excuses } = world;
  const process = processOn(device, world);
  const end = dice.pick(['refused', 'refused', 'killed', 'killed', 'power cut'] as const);
  process.doom = {
    end,
    kept: end === 'refused' && dice.chance(0.6) ? 0 : dice.below(dice.pick([100, 800, 8000])),
  };
  excuses.mayHaveScars = true;
  if (end === 'power cut') excuses.mayLoseTraces = true;
  world.tell(`the next append of ${process.name} is cut after ${process.doom.kept} bytes: ${end}`);
  if (dice.chance(0.7)) await callOnce(world, device);
}

function cutPower({ excuses, tell }: World, device: Device): void {
  tell(`${device.name} has a power cut`);
  excuses.mayHaveScars = excuses.mayLoseTraces = true;
  device.cutPower();
}

async function failReads(world: World, device: Device): Promise<void> {
  const process = processOn(device, world);
  process.failingReads = 1 + world.dice.below(4);
  world.tell(`the next ${process.failingReads} reads of ${process.name} fail`);
  await callOnce(world, device);
  process.failingReads = 0;
}

/** Retries an unanswered or refused call on any device. */
async function tryAgain(world: World, device: Device): Promise<void> {
  if (world.unheard.length === 0) return;
  const call = world.dice.pick(world.unheard);
  await makeCall(world, processOn(device, world), call);
}

async function newerVersion(world: World, device: Device): Promise<void> {
  const [process] = device.processes;
  const memory = process && (await Promise.race([process.log.memory(), process.died]));
  world.tell(`a later version of the program writes on ${device.name}`);
  await runNewerVersion(
    device,
    memory ? allWorkspaces(memory).map(({ item }) => item.id) : [],
    world.dice,
    world.ledger,
  );
}

function moveClock({ dice, tell }: World, device: Device): void {
  const ms = dice.below(dice.pick([MINUTE, DAY, 3 * YEAR])) * (dice.chance(0.5) ? 1 : -1);
  tell(`the clock of ${device.name} jumps by ${Math.round(ms / SECOND)} seconds`);
  device.moveClock(ms);
}

/** A program starts while the clock is wrong by days to a year, which is corrected afterwards. */
async function startWithWrongClock(world: World, device: Device): Promise<void> {
  const { dice, tell } = world;
  const ms = DAY * (1 + dice.below(dice.pick([10, 400]))) * (dice.chance(0.5) ? 1 : -1);
  tell(`the clock of ${device.name} is wrong by ${ms / DAY} days`);
  device.moveClock(ms);
  const process = device.start();
  await readAgain(world, device);
  if (dice.chance(0.7)) await tellUser(world, device);
  await world.advance(dice.pick([SECOND, 2 * MINUTE]));
  if (dice.chance(0.3)) await callOnce(world, device);
  if (dice.chance(0.7)) await close(world, process);
  tell(`the clock of ${device.name} is right again`);
  device.moveClock(-ms);
}

/** Devices are used on some days, and tell what they are asked to remove. */
async function tellEachDay(world: World, device: Device): Promise<void> {
  const { devices, dice, medium } = world;
  for (let days = dice.pick([0, 1, 9]); days >= 0; days--) {
    await tellUser(world, device);
    if (dice.chance(0.3)) await tellUser(world, dice.pick(devices));
    if (dice.chance(0.2)) medium.sync(dice.pick(devices));
    await world.advance(dice.pick([DAY / 2, DAY, DAY, 2 * DAY]));
  }
}

function troubleIdentities({ dice, tell }: World, device: Device): void {
  const trouble = dice.pick([
    'backUpIdentities',
    'backUpIdentities',
    'restoreIdentities',
    'loseIdentities',
    'loseCopies',
  ] as const);
  tell(`${device.name}: ${trouble}`);
  device[trouble]();
}

function troubleCache({ dice, isCaching, tell }: World, device: Device): void {
  if (!isCaching) return;
  const trouble = dice.pick([
    'backUpCache',
    'backUpCache',
    'restoreCache',
    'damageCache',
    'loseCache',
  ] as const);
  tell(`${device.name}: ${trouble}`);
  device[trouble]();
}

function forgetSync(world: World, device: Device): void {
  const { dice, medium, tell } = world;
  tell(`the sync client of ${device.name} forgets what it has synced`);
  medium.forget(device);
  if (dice.chance(0.5)) sync(world, device);
}

async function backUp(world: World, device: Device): Promise<void> {
  const { backups, dice, medium, tell } = world;
  // Closing releases the writers to the store.
  if (dice.chance(0.7)) for (const process of [...device.processes]) await close(world, process);
  tell(`all of ${device.name} is backed up`);
  const [restore, restoreBase] = [device.backUp(), medium.backUp(device)];
  backups.set(device, { restore, restoreBase });
  // Gives the restore something to roll back.
  if (dice.chance(0.5)) for (const next of [callOnce, sync]) await next(world, device);
}

/**
 * Restores the device, writers included, while others have its newer events: numbers will be
 * written twice.
 */
async function setBack(world: World, device: Device): Promise<void> {
  const { backups, dice, excuses, medium, tell, count } = world;
  const backup = backups.get(device);
  if (!backup) return backUp(world, device);
  tell(`all of ${device.name} is set back`);
  count('device set back');
  if (dice.chance(0.99)) medium.settle(); // what no other device has is gone for good
  world.ledger.setCause('setBack');
  backup.restore();
  excuses.mayLose = excuses.mayHaveScars = true;
  const base = dice.pick(['kept', 'restored', 'forgotten'] as const);
  if (base === 'restored') backup.restoreBase();
  if (base === 'forgotten') medium.forget(device);
  const goOn: Step = dice.pick([sync, callOnce]);
  for (const next of [goOn, callOnce, sync, callOnce, callOnce]) await next(world, device);
}

function damage(
  { dice, excuses, tell, count }: World,
  device: Device,
  folder: string = ROOT,
): void {
  const done = harm(device.disk, dice, folder);
  if (!done) return;
  tell(`${device.name}: ${done.about}`);
  count(done.about.replace(/ Savepoint.*/, ''));
  excuses.mayHaveScars = true;
  if (done.isLossy) excuses.mayLose = true;
}

/** Another program replaces the file while a process appends to it. */
async function raceAppend(world: World, device: Device): Promise<void> {
  const process = processOn(device, world);
  process.isRaced = true;
  world.tell(`the file of the next append of ${process.name} is replaced during the append`);
  world.excuses.mayHaveScars = true;
  await callOnce(world, device);
}

function moveVault({ tell }: World, device: Device): void {
  tell(`the vault of ${device.name} is moved`);
  device.moveVault();
}

/** A file of the core lane is not downloaded yet, or all are downloaded. */
async function evictFile(world: World, device: Device): Promise<void> {
  const { dice, tell } = world;
  const { disk } = device;
  const core = disk.segments().filter((path) => path.startsWith(`${ROOT}/core/`));
  if (core.length === 0 || (disk.evicted.size > 0 && dice.chance(0.5))) {
    tell(`all files of ${device.name} are downloaded`);
    return disk.download();
  }
  const path = dice.pick(core);
  tell(`${path} of ${device.name} is not downloaded any more`);
  disk.evict(path);
  if (dice.chance(0.5)) device.start();
  for (const next of [readAgain, callOnce]) await next(world, device);
}

/** Fills the disk that holds the copies, or makes room on it. */
async function fillState(world: World, device: Device): Promise<void> {
  const { dice, isRough, tell } = world;
  const isFull = !device.isStateFull();
  tell(`the state folder of ${device.name} ${isFull ? 'is full' : 'has room again'}`);
  device.fillState(isFull);
  if (!isFull || !isRough || dice.chance(0.5)) return;
  for (const next of [callOnce, callOnce]) await next(world, device);
  if (dice.chance(0.7)) for (const process of [...device.processes]) process.kill();
  damage(world, device, `${ROOT}/core/`);
}

/**
 * Replaces another device by an exact copy of this one, which writes with the same identities from
 * then on.
 */
async function cloneDevice(world: World, device: Device): Promise<void> {
  const { devices, dice, excuses, ledger, tell } = world;
  const target = dice.pick(devices.filter((each) => each !== device));
  if (dice.chance(0.99)) world.medium.settle();
  for (const process of [...device.processes]) await close(world, process);
  ledger.setCause('setBack');
  tell(`${target.name} becomes a copy of ${device.name}`);
  excuses.mayLose = excuses.mayHaveScars = true;
  device.backUp()(target);
  ledger.cloned(device.name, target.name);
  world.medium.forget(target);
  for (const next of [callOnce, sync, callOnce])
    for (const each of [device, target]) await next(world, each);
}

/** Loses a segment; the process that heals it dies while it writes. */
async function interruptHealing(world: World, device: Device): Promise<void> {
  damage(world, device);
  const process = processOn(device, world);
  const { dice } = world;
  await hear(world, process, () => process.log.memory().then(() => 'read' as const));
  process.doom = {
    end: dice.pick(['killed', 'refused', 'power cut'] as const),
    kept: dice.below(800),
  };
  if (process.doom.end === 'power cut') world.excuses.mayLoseTraces = true;
  world.tell(`${process.name} is interrupted if it heals now`);
  await world.advance(2 * MINUTE);
  for (let second = 0; second < 5; second++) await world.advance(SECOND);
  process.doom = undefined;
}

function addForgery({ dice, excuses, ledger, tell, count }: World, device: Device): void {
  excuses.mayLose = excuses.mayHaveScars = true;
  const held = ledger.heldOn(device.disk).map(({ event }) => event);
  const about = forge(device, held, dice, ledger);
  tell(`${device.name}: a forged line ${about}`);
  count(`forged: ${about}`);
}

/** Runs all checks of a device in the middle of the story. */
async function lookHard(world: World, device: Device): Promise<void> {
  world.tell(`all checks of ${device.name}`);
  if (device.disk.evicted.size > 0) return;
  const process = device.start();
  await process.log.memory();
  await world.advance(0); // it may seal and rewrite files now
  // what a file that cannot be read, or has no event, may have is taken from the copies
  const { disk } = device;
  const isBlank = (path: VaultPath) =>
    parseSegment(disk.get(path) ?? new Uint8Array()).lines.length === 0;
  if (process.log.trouble().waiting.length === 0 && !disk.segments().some(isBlank))
    await checkDevice(device, process.log, world.ledger, {
      mayLose: true,
      mayLoseTraces: true,
      mayHaveScars: true,
    });
  process.kill();
}

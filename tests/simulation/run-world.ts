import { canonicalMemory } from '../fakes/canonical.js';
import { createWorkspaceCall } from './calls.js';
import { account, checkDevice, checkHealed, checkKept, missingFrom, summaryOf } from './checks.js';
import { checkForgotten, checkTold, mayHide, tellUser, viewOf } from './forgetting.js';
import type { Device, Process, Sabotage } from './device.js';
import { createDice } from './dice.js';
import { close, makeCall } from './requests.js';
import { takeStep } from './steps.js';
import { allProcesses, createWorld, DAY, MINUTE, processOn, SECOND, type World } from './world.js';

export interface WorldResult {
  readonly violation: string | undefined;
  readonly story: readonly string[];
  readonly steps: number;
  /** Number of occurrences of each kind of event. */
  readonly tally: ReadonlyMap<string, number>;
}

export interface WorldOptions {
  readonly seed: number;
  /** Ends the story early. The steps up to that point stay the same. */
  readonly maxSteps?: number;
  readonly sabotage?: Sabotage;
}

/** Runs the world of a seed and checks it at the end. The result depends only on the seed. */
export async function runWorld({
  seed,
  maxSteps = Infinity,
  sabotage,
}: WorldOptions): Promise<WorldResult> {
  const world = createWorld(createDice(seed), sabotage);
  const planned = 20 + world.dice.below(21);
  let steps = 0;
  try {
    while (steps < Math.min(planned, maxSteps) && !world.ledger.violation()) {
      steps++;
      await world.beginStep(steps);
      await takeStep(world);
    }
    if (!world.ledger.violation()) await endWorld(world);
  } catch (error) {
    world.ledger.blame(`threw ${error instanceof Error ? error.stack : String(error)}`);
  }
  return { violation: world.ledger.violation(), story: world.story, steps, tally: world.tally };
}

/** Lets every device write once more, syncs, restarts all processes and checks everything. */
async function endWorld(world: World): Promise<void> {
  const { devices, dice, ledger, medium, excuses } = world;
  world.tell('the end');
  const staying = new Map<Device, Process>();
  for (const device of devices) {
    for (const process of [...device.processes]) process.doom = undefined;
    const process = processOn(device, world);
    process.hasTrouble = false;
    device.fillState(false);
    device.disk.download();
    const name = `Last of ${device.name}`;
    const outcome = await makeCall(world, process, createWorkspaceCall(world.newKey(), dice, name));
    if (outcome !== 'saved') ledger.blame(`${process.name} can no longer save: ${outcome}`);
    for (const each of [...device.processes]) {
      if (dice.chance(0.5)) await close(world, each);
      else if (staying.has(device)) each.kill();
      else staying.set(device, each);
    }
  }
  // A log is notified of changes only after its first read.
  for (const { log } of staying.values()) await log.memory();
  medium.settle();
  await heal(world);
  await calmDown(world);
  world.tally.set('forks', ledger.forks());
  const [first, ...others] = devices.map(({ disk }) => ledger.heldOn(disk));
  for (const other of others) {
    const common = new Set(first);
    if (other.length !== common.size || other.some((line) => !common.has(line)))
      return ledger.blame('the medium has not settled: a fault of the simulator');
  }
  const views = new Map(devices.map((device) => [device, viewOf(device, ledger)]));
  const { counted } = views.get(devices[0]!)!;
  const accounts = await account(devices, counted, ledger);
  const { unreported, exempt, ...counts } = accounts;
  for (const [what, count] of Object.entries(counts)) world.tally.set(`lines ${what}`, count);
  for (const [cause, count] of exempt) world.tally.set(`lines exempt: ${cause}`, count);
  for (const what of unreported) ledger.blame(what);
  checkKept(counted, ledger, excuses);
  for (const device of devices) checkHealed(device, counted, ledger);
  checkForgotten(devices, ledger);
  const started = devices.map((device) => ({ device, log: device.start().log }));
  // the disks are equal by now, and the memories of those that have refused nothing
  const picked = dice.pick(started);
  const checked = started.filter((each) => each === picked || hasRefused(each.device));
  for (const { device, log } of checked) await checkDevice(device, log, ledger, excuses);
  for (const { device, log } of started) {
    await log.memory();
    checkTold(device, log, ledger);
  }
  const summaries = await Promise.all(started.map((each) => summaryOf(each.device, each.log)));
  const shared = summaries.filter((_, at) => !hasRefused(devices[at]!));
  if (new Set(shared.map(({ memory }) => memory)).size > 1)
    ledger.blame('devices with the same lines remember different things');
  if (new Set(summaries.map(({ digest }) => digest)).size > 1)
    ledger.blame('devices with the same lines tell different digests');
  for (const [device, { name, log, lossesBefore, lostCopies, heard }] of staying) {
    const before = heard();
    const grown = await log.memory();
    await Promise.resolve();
    if (heard() > before) ledger.blame(`${name} was not told of what its disk holds`);
    // A restored device may replace a sealed file, which other devices do not reread at once.
    if (ledger.forks() === 0 || world.isWatching) {
      const unreadable = device.disk.unreadable();
      const forgets = log.forgetting.known();
      const expected = views
        .get(device)!
        .shown.filter((line) => !mayHide(line, forgets, unreadable, world.isWatching));
      for (const each of missingFrom(grown, expected))
        ledger.blame(`${name} does not remember ${each}, which its disk holds`);
    }
    if (device.disk.losses() > lossesBefore) continue; // its memory may have the only copy
    // The same of what it has read from copies that were lost since, and the disk before.
    const held = new Set(ledger.heldOn(device.disk));
    const copied = lostCopies.map((bytes) => Buffer.from(bytes).toString('latin1')).join('');
    if ([...ledger.lost].some((line) => !held.has(line) && copied.includes(line.text))) continue;
    world.count('grown memory compared');
    const { memory } = summaries[devices.indexOf(device)]!;
    if (JSON.stringify(canonicalMemory(grown)) !== memory)
      ledger.blame(`${name} has another memory than a log that was just started`);
  }
}

/** Waits for background work until no file changes any more. */
async function calmDown(world: World): Promise<void> {
  const { devices, medium } = world;
  const picture = () =>
    devices
      .map(({ disk }) =>
        disk
          .paths()
          .map((path) => `${path} ${disk.get(path)?.length}`)
          .join(),
      )
      .join();
  for (let before = ''; before !== picture();) {
    before = picture();
    medium.settle();
    await world.advance(SECOND);
  }
}

/**
 * Gives every device time to detect and rewrite lost events. Restored events may reveal gaps to
 * others.
 */
async function heal(world: World): Promise<void> {
  for (const device of world.devices) device.start();
  await healRounds(world);
  await world.advance(3 * DAY); // a file that cannot be read holds up healing for a day
  // retention pauses between two files
  for (let file = 0; file < 5; file++) await world.advance(SECOND);
  await healRounds(world);
  if (world.devices.every(({ decisions }) => Object.keys(decisions()).length === 0)) return;
  // a clock may run at half the speed
  for (let day = 0; day < 9; day++) {
    for (const device of world.devices) await tellUser(world, device);
    await world.advance(2 * DAY);
  }
  for (let round = 0; round < 3; round++) {
    for (const { log } of allProcesses(world)) await log.traceEntries('default');
    await world.advance(20 * DAY);
    await healRounds(world);
  }
}

function hasRefused({ decisions }: Device): boolean {
  return Object.values(decisions()).some(({ choice }) => choice === 'refused');
}

async function healRounds(world: World): Promise<void> {
  const { devices, ledger, medium } = world;
  const lines = () => devices.map(({ disk }) => ledger.heldOn(disk).length).join();
  for (let [round, before] = [0, '']; round < 3 || before !== lines(); round++) {
    before = lines();
    for (const { log } of allProcesses(world)) await log.memory();
    await world.advance(2 * MINUTE);
    medium.settle();
  }
}

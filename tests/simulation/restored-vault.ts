import { forgetKey } from '../../src/storage/forget/forget-event.js';
import type { Device } from './device.js';
import { destroyerOn, filesWith, forgetLines, viewOf } from './forgetting.js';
import { stampKey } from './ledger.js';
import { close, hear } from './requests.js';
import { DAY, MINUTE, type World } from './world.js';

/**
 * A backup of the vault, or of the whole device, is restored after something was removed. What the
 * device has destroyed is gone again after one start.
 */
export async function restoreVault(world: World, device: Device): Promise<void> {
  const { dice, excuses, ledger, medium, tell, count } = world;
  const isWhole = dice.chance(0.25);
  tell(`the vault of ${device.name} is backed up${isWhole ? ', with its state folder' : ''}`);
  const [restore, restoreBase] = [
    isWhole ? device.backUp() : device.disk.backUp(),
    medium.backUp(device),
  ];
  for (let times = dice.below(3); times >= 0; times--) await forgetLines(world, device);
  if (dice.chance(0.4)) await world.advance(dice.pick([MINUTE, DAY, 3 * DAY]));
  if (dice.chance(0.95)) medium.settle();
  const isRunning = !isWhole && dice.chance(0.3);
  if (!isRunning) await end(world, device);
  tell(`the backup of the vault of ${device.name} comes back`);
  count('vault restored');
  ledger.setCause('restoreVault');
  restore();
  excuses.mayLose = excuses.mayHaveScars = true;
  const base = dice.pick(['kept', 'restored', 'forgotten'] as const);
  if (base === 'restored') restoreBase();
  if (base === 'forgotten') medium.forget(device);
  if (isRunning) {
    await world.advance(dice.pick([0, 2 * MINUTE]));
    await end(world, device);
  }
  await checkRemovedAgain(world, device);
}

async function end(world: World, device: Device): Promise<void> {
  for (const process of [...device.processes])
    if (world.dice.chance(0.5)) await close(world, process);
    else process.kill();
}

/** Starts the program, and expects what the device has destroyed to be in no file any more. */
async function checkRemovedAgain(world: World, device: Device): Promise<void> {
  const { disk } = device;
  const { ledger } = world;
  const process = device.start();
  for (let minute = 0; minute < 6; minute += 2) {
    await hear(world, process, async () => {
      await process.log.memory();
      await process.log.traceEntries('default'); // which are read when they are needed
      return 'read' as const;
    });
    await world.advance(2 * MINUTE);
  }
  if (process.isDead() || device.isStateFull() || disk.unreadable().length > 0) return;
  const { named } = viewOf(device, ledger);
  const isDestroyed = destroyerOn(device, ledger);
  for (const line of device.destroyed()) {
    const files = filesWith(device, line);
    const by = named.get(stampKey(line.event)) ?? [];
    // an event of which another file is waiting may wait with this one, too
    const wasDone = by.some((event) => device.applied().has(forgetKey(event)));
    if (files.length > 0 && wasDone && isDestroyed(line, by))
      ledger.blame(
        `${process.name} leaves ${line.event.t} ${line.event.e} in ${files.join()}, which came back`,
      );
  }
}

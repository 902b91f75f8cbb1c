import type { LogEvent } from '../../src/model/event.js';
import { effectOf, entityOf } from '../../src/model/memory.js';
import { Refusal } from '../../src/model/refusal.js';
import { traceData } from '../../src/model/trace.js';
import { createEntityId } from '../../src/platform/random.js';
import { Declined, type Call } from './call.js';
import type { Process } from './device.js';
import type { World } from './world.js';

type Outcome = 'saved' | 'known already' | 'nothing to write' | 'declined' | 'refused' | 'unheard';

export async function makeCall(
  world: World,
  process: Process,
  call: Call,
  isAtOnce = false,
): Promise<Outcome> {
  const { dice, ledger } = world;
  let drafts: ReturnType<Call['decide']> = [];
  let isDeclined = false;
  const run = async (): Promise<Outcome> => {
    if (dice.chance(0.7)) {
      await readMemory(world, process);
      if (!isAtOnce) ledger.hasRead(process, process.disk);
    }
    const answer = await process.log.write((memory) => {
      isDeclined = false;
      if (effectOf(memory, call.key) !== undefined)
        ledger.blame(`${process.name} decides again on ${call.key}, which has taken effect`);
      try {
        drafts = call.decide(memory);
      } catch (error) {
        isDeclined = error instanceof Declined;
        throw error;
      }
      ledger.decided(process, call.key, drafts, memory);
      return { drafts, answer: true };
    }, call.key);
    if (answer === undefined) return 'known already';
    return drafts.length > 0 ? 'saved' : 'nothing to write';
  };
  const outcome = await hear(world, process, run);
  const result = outcome === 'refused' && isDeclined ? 'declined' : outcome;
  world.count(result);
  world.tell(`${process.name} ${call.about} [${call.key}]: ${result}`);
  if (result === 'refused' && !process.hasTrouble)
    ledger.blame(`${process.name} refused ${call.key} without a reason`);
  if (result === 'unheard' || result === 'refused') world.unheard.push(call);
  if (result === 'saved') {
    const events = ledger.acknowledged(process, call.key);
    if (dice.chance(0.3)) await checkOwnWrites(world, process, events);
  }
  return result;
}

/** Returns the outcome of a call as its caller sees it. A process that dies never answers. */
export async function hear<T extends string>(
  world: World,
  process: Process,
  run: () => Promise<T>,
): Promise<T | 'refused' | 'unheard'> {
  const answered = run().catch((error: unknown) => {
    if (!(error instanceof Refusal))
      world.ledger.blame(
        `${process.name} threw ${error instanceof Error ? error.stack : String(error)}`,
      );
    return 'refused' as const;
  });
  return Promise.race([answered, process.died.then(() => 'unheard' as const)]);
}

/**
 * Reads the memory, and expects to see what any process of the device had saved before, unless its
 * disk has lost anything or a read fails: a file that cannot be read is waiting, and the next read
 * takes it in. A restored device may replace a sealed file, which is reread only after a while.
 */
export async function readMemory({ ledger, devices }: World, process: Process): Promise<void> {
  const { disk, device, lossesBefore } = process;
  const held = disk.losses() === lossesBefore ? ledger.heldOn(disk) : [];
  const owner = devices.find(({ name }) => name === device)!;
  const copied = [...owner.copies().values()]
    .map((bytes) => Buffer.from(bytes).toString('latin1'))
    .join('');
  const away = [...disk.evicted].map((path) =>
    Buffer.from(disk.get(path) ?? []).toString('latin1'),
  );
  const saved = held.filter(
    ({ isAcknowledged, ...line }) =>
      isAcknowledged &&
      !line.isInert &&
      (copied.includes(line.text) || !away.some((text) => text.includes(line.text))) &&
      line.device === device &&
      ledger.forgetsNaming(line.event).length === 0 &&
      ['ws.new', 'state.new', 'record.new'].includes(line.event.t),
  );
  const { failingReads } = process;
  const isEvicted = disk.evicted.size > 0;
  const memory = await process.log.memory();
  const { waiting } = process.log.trouble();
  if (isEvicted && disk.evicted.size > 0 && waiting.length === 0)
    ledger.blame(`${process.name} does not say that a file is not downloaded`);
  if (disk.losses() > lossesBefore || process.failingReads < failingReads) return;
  if (ledger.forks() > 0) return;
  for (const { event } of saved)
    if (!entityOf(memory, event.e).created)
      ledger.blame(`${process.name} does not see ${event.e}, which another process has saved`);
}

async function checkOwnWrites(
  { ledger }: World,
  process: Process,
  events: readonly LogEvent[],
): Promise<void> {
  const memory = await Promise.race([
    process.log.memory().catch(() => undefined),
    process.died.then(() => undefined),
  ]);
  if (!memory) return;
  // a call that is repeated after its effect was forgotten has another one
  for (const event of events.filter((each) => ledger.forgetsNaming(each).length === 0))
    if (event.t.endsWith('.new') && !entityOf(memory, event.e).created)
      ledger.blame(`${process.name} does not see ${event.e}, which it has saved`);
}

export async function keepTrace(world: World, process: Process): Promise<void> {
  const { dice, ledger } = world;
  const e = createEntityId(dice);
  const call = {
    workspaceId: 'default',
    sessionId: 's',
    toolset: 'a',
    tool: `tool-${e}`,
    input: '{}',
    outcome: 'ok',
    isSuccess: true,
  };
  const draft = { t: 'trace.new', e, d: traceData(call) };
  const outcome = await hear(world, process, async () => {
    const memory = await process.log.memory();
    ledger.decided(process, e, [draft], memory);
    await process.log.writeTrace(draft);
    return 'saved' as const;
  });
  world.tell(`${process.name} writes a trace: ${outcome}`);
  if (outcome === 'refused' && !process.hasTrouble)
    ledger.blame(`${process.name} refused a trace without a reason`);
  if (outcome === 'saved') ledger.acknowledged(process, e);
}

export async function close(world: World, process: Process): Promise<void> {
  world.tell(`${process.name} closes`);
  await hear(world, process, () => process.log.close().then(() => 'closed' as const));
  process.kill();
}

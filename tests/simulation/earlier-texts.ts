import { isDeepStrictEqual } from 'node:util';
import { CALL_KEY, REPLACES_KEY, type Draft, type Json } from '../../src/model/event.js';
import { allWorkspaces } from '../../src/model/lookup.js';
import { entityName, entityOf, textOf, type Memory } from '../../src/model/memory.js';
import { Refusal } from '../../src/model/refusal.js';
import { workspaceOf } from '../../src/model/workspace.js';
import { memoryOf, readLogLines } from '../../src/storage/log-lines.js';
import { planForget, type ForgetPlan } from '../../src/storage/forget/forget-plan.js';
import type { Device, Process } from './device.js';
import { OPEN_GATE, ROOT } from './disk.js';
import { forget, type Forgettable } from './forgetting.js';
import { stampKey } from './ledger.js';
import type { World } from './world.js';

/** A field of a creation that this version knows, or a key of the log itself. */
const KNOWN_FIELD =
  /^(?:name|description|rootFolder|purpose|workflows|keyFiles|preferences|at|\/.*)$/;

/** A person forgets what a workspace contained before, and the workspace stays as it is. */
export async function forgetEarlierTexts(world: World, device: Device): Promise<void> {
  await forget(world, device, async (process) => {
    const memory = await process.log.memory();
    for (const { item } of world.dice.shuffle(allWorkspaces(memory))) {
      const plan = await planFor(device, item.id);
      if (plan) return withChecks(world, process, item.id, plan, memory);
    }
    return { lines: [] };
  });
}

/** Plans it as the app and the shell do; undefined if there is nothing to forget. */
async function planFor({ disk, decisions }: Device, id: string): Promise<ForgetPlan | undefined> {
  const choiceOf = (key: string) => decisions()[key]?.choice;
  const { lines } = await readLogLines(disk.port(OPEN_GATE), ROOT, undefined, choiceOf);
  try {
    return planForget(lines, memoryOf(lines), { kind: 'workspace', name: id, workspaceId: id });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/**
 * Expects that the workspace stays the same, that no event repeats an earlier text, and that the
 * events which keep it as it is are never lost.
 */
function withChecks(
  { ledger, count }: World,
  process: Process,
  id: string,
  { lines, kept }: ForgetPlan,
  memory: Memory,
): Forgettable {
  const { disk, name, lossesBefore } = process;
  const shownIn = (each: Memory) => {
    const entity = entityOf(each, id);
    const newer = Object.keys(entity.created?.d ?? {}).filter((field) => !KNOWN_FIELD.test(field));
    const values = ['colour', ...newer].map((field) => [field, textOf(entity, field)] as const);
    const further = Object.fromEntries(values); // of a later version, or forged
    return JSON.stringify({ ...workspaceOf(entity), name: entityName(entity), ...further });
  };
  const before = shownIn(memory);
  const isWhole = disk.evicted.size === 0 && disk.losses() === lossesBefore;
  ledger.decided(process, id, kept, memory);
  for (const text of new Set(lines.flatMap(({ event }) => textsOf(event))))
    if (
      isWhole &&
      !before.includes(quoted(text)) &&
      kept.some(({ d }) => textsOf({ d }).includes(text))
    )
      ledger.blame(`${name} forgets "${text}" of ${id} and writes it again`);
  return {
    lines,
    kept,
    async check() {
      count('earlier texts forgotten');
      ledger.acknowledged(process, id);
      const isComparable = isWhole && disk.losses() === lossesBefore && ledger.forks() === 0;
      const after = shownIn(await process.log.memory());
      // the order of preferences means nothing
      if (isComparable && !isDeepStrictEqual(JSON.parse(after), JSON.parse(before)))
        ledger.blame(`${name} has changed ${id} by forgetting its earlier texts: ${after}`);
      for (const { event } of lines)
        if (ledger.forgetsNaming(event).length === 0)
          ledger.blame(`${name} has not forgotten ${event.t} ${stampKey(event)}`);
    },
  };
}

/** Returns the texts in an event that its call has written. */
function textsOf({ d }: Pick<Draft, 'd'>): string[] {
  const { [CALL_KEY]: _call, [REPLACES_KEY]: _replaces, at: _at, ...fields } = d;
  return stringsIn(fields);
}

function stringsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

import { clip, Refusal } from '../../model/refusal.js';
import type { NodeModules } from '../modules.js';
import { applyConnection } from './apply.js';
import { CLIENT_FACTS, findPlaces, type ClientId, type Host, type Place } from './clients.js';
import { backupText, choiceText, planText, stepText } from './connect-texts.js';
import { ownEntries, type Wish } from './entries.js';
import { findNode } from './find-node.js';
import { findProgram } from './find-program.js';
import { planConnection, planRemoval, readPlace, type ConnectionPlan } from './plan.js';
import { proveConnection, quoted, type ProofOptions, type ProofStep } from './prove.js';

export interface ConnectOptions extends Wish {
  /** Which to connect; none: only tell what could be done. */
  readonly clients: readonly ClientId[];
  readonly isDryRun: boolean;
  readonly isUndo: boolean;
  /** The file of the running program, absolute, and its version. */
  readonly running: string;
  readonly version: string;
}

/** Connects clients to a vault, one file after another, and proves each. Answers whether all went well. Throws a `Refusal` in words. */
export async function connect(
  node: NodeModules,
  host: Host,
  options: ConnectOptions,
  print: (text: string) => void,
): Promise<boolean> {
  const { vault, clients, isUndo } = options;
  if (!isUndo) await checkVault(node, vault); // an entry for a vault that is gone can still be taken out
  const found = await findPlaces(node, host);
  const plan = await planner(node, host, options);
  if (clients.length === 0) return tellChoices(found, plan, options, print);
  const missing = clients.filter((client) => !found.some((place) => place.client === client));
  if (missing.length > 0)
    throw new Refusal(
      `${missing.map((client) => CLIENT_FACTS[client].title).join(', ')}: not found on this machine. Install and start it once, then try again. Nothing was done.`,
    );
  // All are planned before the first is written: one that is broken stops the others too.
  const plans: ConnectionPlan[] = [];
  for (const place of found.filter(({ client }) => clients.includes(client)))
    plans.push(await plan(place));
  let isWell = true;
  for (const each of plans) isWell = (await carryOut(node, host, options, each, print)) && isWell;
  return isWell;
}

async function planner(
  node: NodeModules,
  host: Host,
  options: ConnectOptions,
): Promise<(place: Place) => Promise<ConnectionPlan>> {
  if (options.isUndo) return (place) => planRemoval(node, place, options.vault);
  const command = await findNode(node, host);
  const program = await findProgram(node, options.vault, options.running);
  return (place) => planConnection(node, place, { ...options, node: command, program });
}

async function tellChoices(
  found: readonly Place[],
  plan: (place: Place) => Promise<ConnectionPlan>,
  { vault, isUndo }: ConnectOptions,
  print: (text: string) => void,
): Promise<boolean> {
  if (found.length === 0)
    throw new Refusal(
      'No client that can be connected was found on this machine. Install one and start it once, then try again.',
    );
  print('Found on this machine:\n');
  for (const place of found) {
    const what = await plan(place).then(wordsOf, (error: unknown) => {
      if (error instanceof Refusal) return error.message;
      throw error;
    });
    print(choiceText(place, what));
  }
  print(
    `Nothing was written. To ${isUndo ? 'take one out' : 'connect one'}: savepoint connect ${found[0]?.client ?? 'CLIENT'} --vault ${quoted(vault)}${isUndo ? ' --undo' : ''}\n`,
  );
  return true;
}

function wordsOf({ change, name }: ConnectionPlan): string {
  return {
    add: `not connected; would add "${name}"`,
    update: `connected as "${name}"; would update it`,
    remove: `connected as "${name}"; would take it out`,
    none: name === '' ? 'not connected' : `connected as "${name}"`,
  }[change];
}

async function carryOut(
  node: NodeModules,
  host: Host,
  options: ConnectOptions,
  plan: ConnectionPlan,
  print: (text: string) => void,
): Promise<boolean> {
  print(planText(plan, options.isDryRun));
  if (options.isDryRun) return true;
  const backup = await applyConnection(node, plan, new Date());
  if (backup !== undefined) print(backupText(backup));
  if (options.isUndo) return true;
  const steps = await proveWritten(node, host, plan, {
    version: options.version,
    onStep: (step) => print(stepText(step)),
  });
  const isProven = steps.every(({ isDone }) => isDone);
  const { title, reload } = CLIENT_FACTS[plan.place.client];
  print(
    isProven
      ? `${title} is connected. ${reload}\n`
      : `${title}: the entry is written, and does not work yet.\n`,
  );
  return isProven;
}

/** Proves what the client will read, which is what stands in its file now and not what was meant. Throws a `Refusal` where it is gone. */
export async function proveWritten(
  node: NodeModules,
  host: Host,
  plan: ConnectionPlan,
  options: ProofOptions,
): Promise<ProofStep[]> {
  const entry = ownEntries((await readPlace(node, plan.place)).servers).find(
    ({ name }) => name === plan.name,
  );
  if (!entry)
    throw new Refusal(
      `The entry "${plan.name}" is not in ${plan.place.file} any more: another program has changed the file. Try again.`,
    );
  return proveConnection(node, host, entry, options);
}

async function checkVault({ fs }: NodeModules, vault: string): Promise<void> {
  const stats = await fs.stat(vault).catch(() => undefined);
  if (!stats?.isDirectory())
    throw new Refusal(
      `There is no folder "${clip(vault, 200)}". Give --vault the folder that holds the notes. Nothing was done.`,
    );
}

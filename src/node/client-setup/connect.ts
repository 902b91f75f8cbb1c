import { clip, Refusal } from '../../model/refusal.js';
import type { NodeModules } from '../modules.js';
import { stateFolderFrom } from '../ports/state-folder.js';
import { installProgram, launcherPath } from '../program/install-program.js';
import { applyConnection } from './apply.js';
import {
  checkConnection,
  shellQuoted,
  type CheckedStep,
  type ConnectionCheckOptions,
} from './check/check-connection.js';
import { CLIENT_FACTS, type ClientId } from './client-facts.js';
import { findClientConfigs, type ClientConfig, type HostEnvironment } from './clients.js';
import { backupText, choiceText, planText, stepText } from './connect-texts.js';
import { ownEntries, type ConnectionSettings } from './entries.js';
import { findNode } from './find-node.js';
import { planConnection, planRemoval, readConfig, type ConnectionPlan } from './plan.js';

export interface ConnectOptions extends ConnectionSettings {
  /** The clients to connect or disconnect. If empty, the installed clients are listed and nothing is written. */
  readonly clients: readonly ClientId[];
  readonly isDryRun: boolean;
  readonly isUndo: boolean;
  /** The absolute path of the running program, and its version. */
  readonly running: string;
  readonly version: string;
}

/**
 * Connects clients to a vault, one file after another, and checks each new entry; or disconnects them if `isUndo`. Returns
 * false if an entry does not work. Throws a `Refusal`.
 */
export async function connect(
  node: NodeModules,
  host: HostEnvironment,
  options: ConnectOptions,
  print: (text: string) => void,
): Promise<boolean> {
  const { vault, clients, isUndo } = options;
  if (!isUndo) await checkVault(node, vault); // an entry for a deleted vault can still be removed
  const configs = await findClientConfigs(node, host);
  const plan = await createPlanner(node, host, options);
  if (clients.length === 0) {
    await printChoices(configs, plan, options, print);
    return true;
  }
  const missing = clients.filter((client) => !configs.some((config) => config.client === client));
  if (missing.length > 0)
    throw new Refusal(
      `${missing.map((client) => CLIENT_FACTS[client].title).join(', ')}: not found on this machine. Install and start it once, then try again. Nothing was done.`,
    );
  // Plan all files before writing the first one, so that a file that cannot be read prevents all changes.
  const plans: ConnectionPlan[] = [];
  for (const config of configs) if (clients.includes(config.client)) plans.push(await plan(config));
  if (!isUndo && !options.isDryRun) await installRunning(node, host, options);
  let isOk = true;
  for (const each of plans) isOk = (await applyPlan(node, host, options, each, print)) && isOk;
  return isOk;
}

/** Installs the running program, so that no client depends on the folder from which it runs. */
export async function installRunning(
  node: NodeModules,
  { env, platform }: HostEnvironment,
  { running, version }: Pick<ConnectOptions, 'running' | 'version'>,
): Promise<string> {
  const stateFolder = stateFolderFrom(node, env, platform);
  return installProgram(node, stateFolder, { file: running, version });
}

async function createPlanner(
  node: NodeModules,
  host: HostEnvironment,
  options: ConnectOptions,
): Promise<(config: ClientConfig) => Promise<ConnectionPlan>> {
  if (options.isUndo) return (config) => planRemoval(node, config, options.vault);
  const command = await findNode(node, host);
  const program = launcherPath(node, stateFolderFrom(node, host.env, host.platform));
  return (config) => planConnection(node, config, { ...options, node: command, program });
}

async function printChoices(
  configs: readonly ClientConfig[],
  plan: (config: ClientConfig) => Promise<ConnectionPlan>,
  { vault, isUndo }: ConnectOptions,
  print: (text: string) => void,
): Promise<void> {
  const [first] = configs;
  if (!first)
    throw new Refusal(
      'No supported client was found on this machine. Install one and start it once, then try again.',
    );
  print('Found on this machine:\n');
  for (const config of configs) {
    const effect = await plan(config).then(effectText, (error: unknown) => {
      if (error instanceof Refusal) return error.message;
      throw error;
    });
    print(choiceText(config, effect));
  }
  const goal = isUndo ? 'To disconnect one' : 'To connect one';
  const command = `savepoint connect ${first.client} --vault ${shellQuoted(vault)}`;
  print(`Nothing was written. ${goal}: ${command}${isUndo ? ' --undo' : ''}\n`);
}

function effectText({ change, name }: ConnectionPlan): string {
  return {
    add: `not connected; would add "${name}"`,
    update: `connected as "${name}"; would update it`,
    remove: `connected as "${name}"; would remove it`,
    none: name === '' ? 'not connected' : `connected as "${name}"`,
  }[change];
}

async function applyPlan(
  node: NodeModules,
  host: HostEnvironment,
  options: ConnectOptions,
  plan: ConnectionPlan,
  print: (text: string) => void,
): Promise<boolean> {
  print(planText(plan, options.isDryRun));
  if (options.isDryRun) return true;
  const backup = await applyConnection(node, plan, new Date());
  if (backup !== undefined) print(backupText(backup));
  if (options.isUndo) return true;
  const steps = await checkWrittenEntry(node, host, plan, {
    version: options.version,
    onStep: (step) => print(stepText(step)),
  });
  const isWorking = steps.every(({ isOk }) => isOk);
  const { title, reload } = CLIENT_FACTS[plan.config.client];
  print(
    isWorking
      ? `${title} is connected. ${reload}\n`
      : `${title}: the entry was written but does not work yet.\n`,
  );
  return isWorking;
}

/**
 * Checks the entry that the client's file contains now, which may differ from the plan. Throws a `Refusal` if the entry is gone.
 */
export async function checkWrittenEntry(
  node: NodeModules,
  host: HostEnvironment,
  plan: ConnectionPlan,
  options: ConnectionCheckOptions,
): Promise<CheckedStep[]> {
  const { servers } = await readConfig(node, plan.config);
  const entry = ownEntries(servers).find(({ name }) => name === plan.name);
  if (!entry)
    throw new Refusal(
      `The entry "${plan.name}" is no longer in ${plan.config.file}: another program has changed the file. Try again.`,
    );
  return checkConnection(node, host, entry, { ...options, config: plan.config });
}

async function checkVault({ fs }: NodeModules, vault: string): Promise<void> {
  const stats = await fs.stat(vault).catch(() => undefined);
  if (!stats?.isDirectory())
    throw new Refusal(
      `There is no folder "${clip(vault, 200)}". Pass the folder that contains your notes as --vault. Nothing was done.`,
    );
}

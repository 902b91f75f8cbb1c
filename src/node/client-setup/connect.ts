import type { ConnectionStep } from '../../apps/health-check.js';
import { idsWith, type AppWith } from '../../apps/index.js';
import { clip, Refusal } from '../../model/refusal.js';
import { envValue } from '../environment.js';
import { stateFolderFrom } from '../ports/state-folder.js';
import { installProgram, launcherPath } from '../install/install-program.js';
import { shellQuoted } from '../shell-quoted.js';
import { applyAndPrint } from './apply.js';
import { checkConnection, type ConnectionCheckOptions } from './check/check-connection.js';
import {
  findClientConfigs,
  type ClientConfig,
  type HostEnvironment,
  type SetupModules,
} from './clients.js';
import { changeText, choiceText, planText, stepText } from './connect-texts.js';
import { isForVault, ownEntries, type ConnectionSettings } from './entries.js';
import { findNode } from './find-node.js';
import { knownProjects } from './check/find-switches.js';
import { hooksOff, noteHooks } from './check/hook-checks.js';
import { tells } from '../../capture/consent.js';
import { createCaptureSettingsFile } from '../capture/capture-settings-file.js';
import { planHookRemoval, planHooks, type HookPlan } from './hooks/hook-plan.js';
import {
  planConnection,
  planRemoval,
  problemText,
  readConfig,
  type ConnectionPlan,
} from './plan.js';
import { isFolder } from '../real-path.js';

export interface ConnectOptions extends ConnectionSettings {
  /** If empty, the installed clients are listed and nothing is written. */
  readonly clients: readonly AppWith<'config'>[];
  readonly isDryRun: boolean;
  readonly isUndo: boolean;
  /** True to add Savepoint's hooks to the clients too. An undo removes them in any case. */
  readonly hasHooks: boolean;
  /** The absolute path of the running program, and its version. */
  readonly running: string;
  readonly version: string;
}

/** Connects or disconnects clients. Returns false if an entry fails. Throws a `Refusal`. */
export async function connect(
  node: SetupModules,
  host: HostEnvironment,
  options: ConnectOptions,
  print: (text: string) => void,
): Promise<boolean> {
  const { vault, clients, isUndo, hasHooks } = options;
  if (hasHooks && clients.length === 0)
    throw new Refusal(
      `--hooks needs the name of a client, such as ${idsWith('hooks')[0]}. Nothing was done.`,
    );
  // an entry for a deleted vault can still be removed
  if (!isUndo && !(await isFolder(node, vault)))
    throw new Refusal(
      `There is no folder "${clip(vault, 200)}". Pass the folder that contains your notes as --vault. Nothing was done.`,
    );
  const configs = await findClientConfigs(node, host);
  const planner = await createPlanner(node, host, options);
  if (clients.length === 0) {
    await printChoices(configs, planner.entry, options, print);
    return true;
  }
  const missing = clients.filter((client) => !configs.some(({ app }) => app === client));
  if (missing.length > 0)
    throw new Refusal(
      `${missing.map(({ title }) => title).join(', ')}: not found on this machine. Install it, or start it once, then try again. Nothing was done.`,
    );
  const selectedConfigs = configs.filter(({ app }) => clients.includes(app));
  // Plan all files before writing the first one: an unreadable file prevents all changes.
  for (const config of selectedConfigs) {
    await planner.hooks(config);
    await planner.entry(config);
  }
  if (!isUndo && !options.isDryRun) await installRunning(node, host, options);
  let isOk = true;
  for (const config of selectedConfigs) {
    const applyHooks = async () => {
      const plan = await planner.hooks(config);
      if (plan) await applyHookPlan(node, host, options, plan, print);
      else if (isUndo && !options.isDryRun && !(await hasOtherVault(node, config, vault)))
        await noteHooks(node, stateFolderFrom(node, host.env, host.platform), config.app.id, false);
    };
    // An undo removes first what was added last, so that it finds the file as it was left.
    if (isUndo) await applyHooks();
    const plan = await planner.entry(config);
    const isApplied = await applyPlan(node, host, options, plan, print);
    if (isApplied && !isUndo) await applyHooks();
    isOk = isApplied && isOk;
  }
  return isOk;
}

/** Installs the running program, so that no client depends on the folder from which it runs. */
export async function installRunning(
  node: SetupModules,
  { env, platform }: HostEnvironment,
  { running, version }: Pick<ConnectOptions, 'running' | 'version'>,
): Promise<string> {
  const stateFolder = stateFolderFrom(node, env, platform);
  return installProgram(node, stateFolder, { file: running, version });
}

/** Plans the changes to the files of a client as they are now. */
interface Planner {
  readonly entry: (config: ClientConfig) => Promise<ConnectionPlan>;
  /** Returns undefined if the hooks stay as they are. */
  readonly hooks: (config: ClientConfig) => Promise<HookPlan | undefined>;
}

async function createPlanner(
  node: SetupModules,
  host: HostEnvironment,
  options: ConnectOptions,
): Promise<Planner> {
  const { vault, isUndo, hasHooks } = options;
  if (isUndo)
    return {
      entry: (config) => planRemoval(node, config, vault),
      hooks: async (config) =>
        (await hasOtherVault(node, config, vault)) ? undefined : planHookRemoval(node, config),
    };
  const command = await findNode(node, host);
  const state = envValue(host.env, 'SAVEPOINT_STATE');
  const stateFolder = stateFolderFrom(node, host.env, host.platform);
  const program = launcherPath(node, stateFolder);
  const { links } = await createCaptureSettingsFile(node, stateFolder).read();
  const withTools = links.some((link) => tells(link, 'all'));
  return {
    entry: (config) => planConnection(node, config, { ...options, state, node: command, program }),
    hooks: async (config) =>
      hasHooks ? planHooks(node, config, [command, program], host.platform, withTools) : undefined,
  };
}

/** Returns true if the client is connected to another vault, whose projects need the hooks. */
async function hasOtherVault(
  node: SetupModules,
  config: ClientConfig,
  vault: string,
): Promise<boolean> {
  const { servers } = await readConfig(node, config);
  for (const entry of ownEntries(servers)) if (!(await isForVault(node, entry, vault))) return true;
  return false;
}

/** Prints and applies a plan of hooks, and notes whether the client has them now. */
export async function applyHookPlan(
  node: SetupModules,
  host: HostEnvironment,
  { isDryRun, isUndo }: Pick<ConnectOptions, 'isDryRun' | 'isUndo'>,
  plan: HookPlan,
  print: (text: string) => void,
): Promise<void> {
  const { title, hooks } = plan.app;
  const text = changeText(`${title}: hooks in ${plan.file}`, plan, isDryRun);
  if (!(await applyAndPrint(node, plan, text, isDryRun, print))) return;
  const stateFolder = stateFolderFrom(node, host.env, host.platform);
  await noteHooks(node, stateFolder, plan.app.id, !isUndo);
  if (isUndo) return;
  print(`${title} has the hooks. ${hooks.advice}\n`);
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
    const effect = await plan(config).then(effectText, problemText);
    print(choiceText(config, effect));
  }
  const goal = isUndo ? 'To disconnect one' : 'To connect one';
  const command = `savepoint connect ${first.app.id} --vault ${shellQuoted(vault)}`;
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
  node: SetupModules,
  host: HostEnvironment,
  options: ConnectOptions,
  plan: ConnectionPlan,
  print: (text: string) => void,
): Promise<boolean> {
  const { isDryRun } = options;
  const isApplied = await applyAndPrint(node, plan, planText(plan, isDryRun), isDryRun, print);
  if (!isApplied || options.isUndo) return true;
  const projects = await knownProjects(node, host);
  const steps = await checkWrittenEntry(node, host, plan, {
    version: options.version,
    projects,
    onStep: (step) => print(stepText(step)),
  });
  const isWorking = steps.every(({ isOk }) => isOk);
  const { title, config } = plan.config.app;
  const [off] = options.hasHooks ? await hooksOff(node, plan.config, projects) : [];
  const hooks = off ? ` And no hooks: ${off.text} To fix that: ${off.fix}.` : '';
  const written = plan.change === 'none' ? '' : 'was written but ';
  if (!isWorking) print(`${title}: the entry ${written}does not work yet.${hooks}\n`);
  else if (off) print(`${title}: the entry works.${hooks}\n`);
  else if (steps.some(({ fix }) => fix !== ''))
    print(`${title}: the entry works, except for what is said above. ${config.reload}\n`);
  else print(`${title} is connected. ${config.reload}\n`);
  return isWorking && !off;
}

/** Checks the written entry, which may differ from the plan. Throws a `Refusal` if it is gone. */
export async function checkWrittenEntry(
  node: SetupModules,
  host: HostEnvironment,
  plan: ConnectionPlan,
  options: ConnectionCheckOptions,
): Promise<ConnectionStep[]> {
  const { servers } = await readConfig(node, plan.config);
  const entry = ownEntries(servers).find(({ name }) => name === plan.name);
  if (!entry)
    throw new Refusal(
      `The entry "${plan.name}" is no longer in ${plan.config.file}: another program has changed the file. Try again.`,
    );
  return checkConnection(node, host, entry, { ...options, config: plan.config });
}

import { Refusal } from '../../model/refusal.js';
import { applyConnection } from './apply.js';
import {
  findClientConfigs,
  type ClientConfig,
  type HostEnvironment,
  type SetupModules,
} from './clients.js';
import { backupText, changeText, planText } from './connect-texts.js';
import { ownEntries } from './entries.js';
import { stateFolderFrom } from '../ports/state-folder.js';
import { noteHooks } from './check/hook-checks.js';
import { planHookRemoval } from './hooks/hook-plan.js';
import { planRemoval, readConfig, type FilePlan } from './plan.js';

interface DisconnectOptions {
  readonly isDryRun: boolean;
}

/**
 * Removes the entries for every vault, and the hooks, from all clients on this machine. Reports a
 * file that cannot be edited and goes on with the others; then returns false.
 */
export async function disconnectAll(
  node: SetupModules,
  host: HostEnvironment,
  options: DisconnectOptions,
  print: (text: string) => void,
): Promise<boolean> {
  let isOk = true;
  for (const config of await findClientConfigs(node, host)) {
    for (const remove of [removeHooks, removeEntries]) {
      try {
        await remove(node, host, config, options, print);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        print(`${error.message}\n`);
        isOk = false;
      }
    }
  }
  return isOk;
}

/** Hooks are removed before entries, because they were added after them. */
async function removeHooks(
  node: SetupModules,
  { env, platform }: HostEnvironment,
  config: ClientConfig,
  options: DisconnectOptions,
  print: (text: string) => void,
): Promise<void> {
  const plan = await planHookRemoval(node, config);
  if (!plan) return;
  print(changeText(`${config.app.title}: hooks in ${plan.file}`, plan, options.isDryRun));
  await apply(node, plan, options, print);
  if (options.isDryRun) return;
  await noteHooks(node, stateFolderFrom(node, env, platform), config.app.id, false);
}

async function removeEntries(
  node: SetupModules,
  _: HostEnvironment,
  config: ClientConfig,
  options: DisconnectOptions,
  print: (text: string) => void,
): Promise<void> {
  const { servers } = await readConfig(node, config);
  for (const { vault } of ownEntries(servers)) {
    const plan = await planRemoval(node, config, vault);
    if (plan.change === 'none') continue; // two entries for one vault are removed one by one
    print(planText(plan, options.isDryRun));
    await apply(node, plan, options, print);
  }
}

async function apply(
  node: SetupModules,
  plan: FilePlan,
  { isDryRun }: DisconnectOptions,
  print: (text: string) => void,
): Promise<void> {
  if (isDryRun) return;
  const backup = await applyConnection(node, plan, new Date());
  if (backup !== undefined) print(backupText(backup));
}

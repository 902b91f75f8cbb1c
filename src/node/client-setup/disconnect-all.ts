import { Refusal } from '../../model/refusal.js';
import { applyAndPrint } from './apply.js';
import {
  findClientConfigs,
  type ClientConfig,
  type HostEnvironment,
  type SetupModules,
} from './clients.js';
import { planText } from './connect-texts.js';
import { applyHookPlan } from './connect.js';
import { ownEntries } from './entries.js';
import { planHookRemoval } from './hooks/hook-plan.js';
import { planRemoval, readConfig } from './plan.js';

/**
 * Removes the entries for every vault, and the hooks, from all clients on this machine. Reports a
 * file that cannot be edited and goes on with the others; then returns false.
 */
export async function disconnectAll(
  node: SetupModules,
  host: HostEnvironment,
  isDryRun: boolean,
  print: (text: string) => void,
): Promise<boolean> {
  async function removeHooks(config: ClientConfig): Promise<void> {
    const plan = await planHookRemoval(node, config);
    if (plan) await applyHookPlan(node, host, { isDryRun, isUndo: true }, plan, print);
  }

  async function removeEntries(config: ClientConfig): Promise<void> {
    const { servers } = await readConfig(node, config);
    let isLeft = false;
    for (const { vault } of ownEntries(servers)) {
      const plan = await planRemoval(node, config, vault);
      if (plan.change === 'none') continue; // two entries for one vault are removed one by one
      isLeft = await applyAndPrint(node, plan, planText(plan, isDryRun), isDryRun, print);
    }
    if (isLeft) await removeEntries(config); // an older section may have one of the same name
  }

  let isOk = true;
  for (const config of await findClientConfigs(node, host)) {
    // hooks first, because they were added after the entries
    for (const remove of [removeHooks, removeEntries]) {
      try {
        await remove(config);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        print(`${error.message}\n`);
        isOk = false;
      }
    }
  }
  return isOk;
}

import { Refusal } from '../../model/refusal.js';
import { applyAndPrint } from './apply.js';
import {
  findClientConfigs,
  type ClientConfig,
  type HostEnvironment,
  type SetupModules,
} from './clients.js';
import { changeText, planText } from './connect-texts.js';
import { ownEntries } from './entries.js';
import { stateFolderFrom } from '../ports/state-folder.js';
import { noteHooks } from './check/hook-checks.js';
import { planHookRemoval } from './hooks/hook-plan.js';
import { planRemoval, readConfig, type FilePlan } from './plan.js';

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
  const apply = (plan: FilePlan, text: string) => applyAndPrint(node, plan, text, isDryRun, print);

  async function removeHooks(config: ClientConfig): Promise<void> {
    const plan = await planHookRemoval(node, config);
    if (!plan) return;
    const { id, title } = config.app;
    const text = changeText(`${title}: hooks in ${plan.file}`, plan, isDryRun);
    if (!(await apply(plan, text))) return;
    await noteHooks(node, stateFolderFrom(node, host.env, host.platform), id, false);
  }

  async function removeEntries(config: ClientConfig): Promise<void> {
    const { servers } = await readConfig(node, config);
    for (const { vault } of ownEntries(servers)) {
      const plan = await planRemoval(node, config, vault);
      if (plan.change === 'none') continue; // two entries for one vault are removed one by one
      await apply(plan, planText(plan, isDryRun));
    }
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

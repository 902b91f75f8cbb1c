import { isJsonObject } from '../model/event.js';
import type { ForgetDecisions, ForgetStore } from '../storage/forget/forget-store.js';
import type { NodeModules } from './modules.js';
import { forgetSessions } from './capture/session-files.js';
import { JsonFile } from './ports/json-file.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto' | 'timers'>;

/**
 * Folders in that for one vault which hold texts of the log, and of which the copies and the cache
 * of the log are no part: the search index, briefs, and what agents have changed.
 */
const DERIVED_FOLDERS = ['search', 'briefs', 'agent-changes'];

/**
 * Removes what was derived from the log in the folder for one vault, and what is known about
 * sessions whose checkpoints are among the removed entities.
 */
export async function removeDerived(
  node: Modules,
  { stateFolder, deviceFolder }: { readonly stateFolder: string; readonly deviceFolder: string },
  entities: readonly string[],
): Promise<void> {
  const { fs, path } = node;
  for (const name of DERIVED_FOLDERS)
    await fs.rm(path.join(deviceFolder, name), { recursive: true, force: true });
  await forgetSessions(node, stateFolder, entities);
}

/**
 * Returns the port ForgetStore over a file in the folder for one vault, which the app and the
 * program share. A damaged file counts as empty: then nobody has decided yet.
 */
export function createForgetStoreFile(node: Modules, deviceFolder: string): ForgetStore {
  const file = new JsonFile(node, node.path.join(deviceFolder, 'forgets.json'));
  const decisionsIn = (stored: unknown) =>
    isJsonObject(stored) ? (stored as unknown as ForgetDecisions) : {};
  return {
    load: async () => decisionsIn(await file.read()),
    async update(change) {
      await file.update((stored) => change(decisionsIn(stored)));
    },
  };
}

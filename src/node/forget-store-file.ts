import { isJsonObject } from '../model/event.js';
import type { ForgetDecisions, ForgetStore, Removal } from '../storage/index.js';
import type { NodeModules } from './modules.js';
import { forgetSessions } from './capture/session-files.js';
import { createJsonFile } from './ports/json-file.js';

/** Folders of one vault with texts from the log, which are written again when they are needed. */
const DERIVED_FOLDERS = ['search', 'briefs'];

/**
 * Removes what was derived from the log, what was noted of sessions that are removed, and those
 * contents of files that undo changes of agents and contain a text of the removed lines.
 */
export async function removeDerived(
  node: NodeModules,
  { stateFolder, deviceFolder }: { readonly stateFolder: string; readonly deviceFolder: string },
  removals: readonly Removal[],
): Promise<void> {
  const { fs, path } = node;
  for (const name of DERIVED_FOLDERS)
    await fs.rm(path.join(deviceFolder, name), { recursive: true, force: true });
  await forgetSessions(node, stateFolder, removals);
  if (removals.length === 0) return;
  const { CHANGES_FOLDER, createFolderChangeStore } = await import('./chat-agents/change-store.js');
  const changes = createFolderChangeStore(node, path.join(deviceFolder, CHANGES_FOLDER));
  await changes.remove((text) => removals.some(({ isIn }) => isIn(text)));
}

/** Returns the port ForgetStore that app and program share. A damaged file means no decisions. */
export function createForgetStoreFile(node: NodeModules, deviceFolder: string): ForgetStore {
  const file = createJsonFile(node, node.path.join(deviceFolder, 'forgets.json'));
  const decisionsIn = (stored: unknown) =>
    isJsonObject(stored) ? (stored as unknown as ForgetDecisions) : {};
  return {
    load: async () => decisionsIn(await file.read()),
    async update(change) {
      await file.update((stored) => change(decisionsIn(stored)));
    },
  };
}

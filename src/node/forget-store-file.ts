import { isJsonObject } from '../model/event.js';
import type { ForgetDecisions, ForgetStore } from '../storage/forget/forget-store.js';
import type { NodeModules } from './modules.js';
import { JsonFile } from './ports/json-file.js';

type Modules = Pick<NodeModules, 'fs' | 'path' | 'crypto' | 'timers'>;

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

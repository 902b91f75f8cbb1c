import type { ProjectLink } from '../../capture/consent.js';
import type { NodeModules } from '../modules.js';
import { shellQuoted } from '../shell-quoted.js';
import type { ClientConfig } from './clients.js';
import { isForVault } from './entries.js';
import { readOwnEntries } from './plan.js';

/** Returns a sentence for each vault of links to which apps are not connected, but to others. */
export async function otherVaultAdvice(
  node: NodeModules,
  configs: readonly ClientConfig[],
  links: readonly Pick<ProjectLink, 'vault'>[],
): Promise<string[]> {
  const advice: string[] = [];
  for (const vault of new Set(links.map((link) => link.vault))) {
    const apps = new Map<string, string>();
    for (const config of configs) {
      const vaults = await otherVaultsOf(node, config, vault);
      const { id, title } = config.app;
      if (vaults.length > 0) apps.set(id, `${title} (${vaults.join(', ')})`);
    }
    if (apps.size > 0)
      advice.push(
        `What these apps save in projects that are linked to ${vault} goes to another vault: ${[...apps.values()].join(', ')}; to change that, run "savepoint connect ${[...apps.keys()].join(' ')} --vault ${shellQuoted(vault)}".`,
      );
  }
  return advice;
}

/** Returns the vaults of a client's entries; none if this vault is among them. */
async function otherVaultsOf(
  node: NodeModules,
  config: ClientConfig,
  vault: string,
): Promise<string[]> {
  const entries = await readOwnEntries(node, config);
  const used =
    typeof entries === 'string'
      ? []
      : entries.filter((entry) => !entry.isDisabled && entry.vault !== '');
  for (const entry of used) if (await isForVault(node, entry, vault)) return [];
  return used.map((entry) => entry.vault);
}

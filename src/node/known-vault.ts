import { clip } from '../model/refusal.js';
import { createCaptureSettingsFile } from './capture/capture-settings-file.js';
import { environmentVault } from './environment.js';
import type { NodeModules, Platform, ProcessEnv } from './modules.js';
import { findObsidianVaults } from './obsidian-vaults.js';
import { findProjectAndLink } from './projects/find-link.js';

/** The process of a client that names no vault. */
interface ClientProcess {
  readonly env: ProcessEnv;
  readonly platform: Platform;
  readonly stateFolder: string;
  /** The folder in which the client works. */
  readonly folder: string;
  /** How to choose a vault, if not in the settings of an AI app. */
  readonly advice?: string;
}

const MAX_NAMED_VAULTS = 5;

const APP_ADVICE =
  "Set the vault in the settings of this app's plugin or extension, or set SAVEPOINT_VAULT to its folder, then restart the app.";

/**
 * Returns the vault for a client that names none: that of the environment, of the project's link,
 * of all links of this device if it is the same, or the only one in Obsidian's list; or a problem.
 */
export async function findKnownVault(
  node: NodeModules,
  { env, platform, stateFolder, folder, advice = APP_ADVICE }: ClientProcess,
): Promise<{ readonly vault: string } | { readonly problem: string }> {
  const named = environmentVault(node, env);
  if (named !== undefined) return named;
  const linked = await linkedVault(node, stateFolder, folder);
  if (linked !== undefined) return { vault: linked };
  const [vault, ...others] = await findObsidianVaults(node, env, platform);
  if (vault !== undefined && others.length === 0) return { vault };
  return { problem: `${noVaultText(vault === undefined ? [] : [vault, ...others])} ${advice}` };
}

async function linkedVault(
  node: NodeModules,
  stateFolder: string,
  folder: string,
): Promise<string | undefined> {
  const { links } = await createCaptureSettingsFile(node, stateFolder).read();
  if (links.length === 0) return undefined;
  const own = (await findProjectAndLink(node, links, folder))?.found;
  const vaults = new Set(links.map(({ vault }) => vault));
  return own?.link.vault ?? (vaults.size === 1 ? [...vaults][0] : undefined);
}

function noVaultText(vaults: readonly string[]): string {
  const named = vaults.slice(0, MAX_NAMED_VAULTS).map((vault) => `"${clip(vault, 200)}"`);
  const more = vaults.length - named.length;
  const found =
    vaults.length === 0
      ? 'Obsidian lists none on this device'
      : `Obsidian lists several: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `No vault is chosen, and ${found}.`;
}

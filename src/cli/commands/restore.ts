import { restoreState } from '../../agents/shared/restore-state.js';
import { lookupStateEverywhere } from '../../model/lookup-everywhere.js';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import { clip } from '../../model/refusal.js';
import { resolveWorkspace } from '../../toolkit/context.js';
import { print } from '../output.js';
import type { ProgramHost } from '../program.js';
import { requireKnownVault } from '../vault-folder.js';
import { singleCommand, withVault } from '../vault.js';

interface RestoreArguments {
  readonly name: string;
  /** The vault's folder; if absent, a known vault is used. */
  readonly vault: string | undefined;
  readonly workspace: string | undefined;
  readonly state: string | undefined;
}

export async function runRestore(
  { name, workspace, state, ...args }: RestoreArguments,
  program: ProgramHost,
): Promise<number> {
  const vault = args.vault ?? (await requireKnownVault(program, state));
  const options = singleCommand(program, { vault, state });
  const workspaceName = await withVault(program, options, async ({ log, services }) => {
    const memory = await log.memory();
    const anywhere = lookupStateEverywhere(memory, DEFAULT_WORKSPACE, name);
    const { item: target } =
      workspace === undefined && 'found' in anywhere
        ? anywhere.found.workspace
        : resolveWorkspace(memory, workspace ?? DEFAULT_WORKSPACE);
    await restoreState(services, target, name);
    return target.name;
  });
  print(program, `Restored "${clip(name, 200)}" in ${workspaceName}.\n`);
  return 0;
}

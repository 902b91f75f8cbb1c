import { restoreState } from '../../agents/shared/restore-state.js';
import { DEFAULT_WORKSPACE } from '../../model/memory.js';
import { clip } from '../../model/refusal.js';
import { resolveWorkspace } from '../../toolkit/context.js';
import { print } from '../output.js';
import type { ProgramHost } from '../program.js';
import { openVault, singleCommand } from '../vault.js';

interface RestoreArguments {
  readonly name: string;
  readonly vault: string;
  readonly workspace: string | undefined;
  readonly state: string | undefined;
}

export async function runRestore(
  { name, vault, workspace, state }: RestoreArguments,
  program: ProgramHost,
): Promise<number> {
  const open = await openVault(program, singleCommand(program, { vault, state }));
  const { item: target } = resolveWorkspace(
    await open.log.memory(),
    workspace ?? DEFAULT_WORKSPACE,
  );
  await restoreState(open.services, target, name).finally(() => open.close());
  print(program, `Restored "${clip(name, 200)}" in ${target.name}.\n`);
  return 0;
}

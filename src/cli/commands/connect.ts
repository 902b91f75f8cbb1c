import type { ClientId } from '../../node/client-setup/client-facts.js';
import { connect } from '../../node/client-setup/connect.js';
import type { Surface } from '../../toolkit/surfaces.js';
import { print } from '../output.js';
import { hostOf, type ProgramHost } from '../program.js';
import { parseToolsets } from '../toolsets.js';
import { requireVault } from '../vault-folder.js';

interface ConnectArguments {
  readonly clients: readonly ClientId[];
  readonly vault: string;
  readonly surface: Surface | undefined;
  readonly toolsets: string | undefined;
  readonly readOnly: boolean;
  readonly create: boolean;
  readonly dryRun: boolean;
  readonly undo: boolean;
}

export async function runConnect(
  { clients, vault, surface, toolsets, readOnly, create, dryRun, undo }: ConnectArguments,
  program: ProgramHost,
): Promise<number> {
  await parseToolsets(toolsets);
  const folder = program.node.path.resolve(vault);
  if (!undo) await requireVault(program, folder, create); // an entry for any folder can be removed
  const options = {
    clients,
    vault: folder,
    surface,
    agents: toolsets,
    isReadOnly: readOnly,
    create,
    isDryRun: dryRun,
    isUndo: undo,
    running: program.file,
    version: program.version,
  };
  const isOk = await connect(program.node, hostOf(program), options, (text) =>
    print(program, text),
  );
  return isOk ? 0 : 1;
}

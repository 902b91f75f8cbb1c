import { updateProgram } from '../../node/program/install-program.js';
import { installPlugin, installText } from '../install-plugin.js';
import { printMessage } from '../output.js';
import type { ProgramHost } from '../program.js';
import { stateFolderOf } from '../state-folder.js';

/** Installs the plugin from the running program's folder, and updates the program for AI apps. */
export async function runInstall(
  { vault, config }: { readonly vault: string; readonly config: string | undefined },
  program: ProgramHost,
): Promise<number> {
  const { path } = program.node;
  const installation = await installPlugin(program.node, {
    source: path.dirname(program.file),
    version: program.version,
    vault: path.resolve(vault),
    config,
  });
  printMessage(program, installText(installation));
  const { node, file, version } = program;
  await updateProgram(node, stateFolderOf(program, undefined), { file, version });
  return 0;
}

import { installPlugin, installText } from '../install-plugin.js';
import { print } from '../output.js';
import type { ProgramHost } from '../program.js';

/** Installs the plugin from the files in the folder of the program that runs. */
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
  print(program, installText(installation));
  return 0;
}

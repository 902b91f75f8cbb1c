import { findPackages } from '../../node/client-setup/check/installed-packages.js';
import { findClientConfigs } from '../../node/client-setup/clients.js';
import { disconnectAll } from '../../node/client-setup/disconnect-all.js';
import { removeProgram, updateProgram } from '../../node/install/install-program.js';
import { removeShellCommand } from '../../node/install/shell-command.js';
import { installPlugin, installText } from '../install-plugin.js';
import { printMessage } from '../output.js';
import { hostOf, stateFolderOf, type ProgramHost } from '../program.js';

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

/** Removes what `connect` added, but not the memory, or a program that an app may still start. */
export async function runUninstall(
  { dryRun }: { readonly dryRun: boolean },
  program: ProgramHost,
): Promise<number> {
  const stateFolder = stateFolderOf(program, undefined);
  const say = (text: string) => printMessage(program, text);
  const isOk = await disconnectAll(program.node, hostOf(program), dryRun, say);
  if (!isOk) {
    say('Not everything was removed. Fix these files, then run uninstall again.\n');
    return 1;
  }
  const removed = dryRun ? 'Would remove' : 'Removed';
  const folder = await removeProgram(program.node, stateFolder, dryRun);
  say(
    folder === undefined
      ? 'No program was installed for AI apps.\n'
      : `${removed} the program in ${folder}\n`,
  );
  for (const file of await removeShellCommand(program.node, hostOf(program), dryRun))
    say(`${removed} the command ${file}\n`);
  const host = hostOf(program);
  const packages = await findPackages(program.node, await findClientConfigs(program.node, host));
  for (const { title } of packages)
    say(
      `Savepoint's package in ${title} stays, and with it its server and hooks: remove it there.\n`,
    );
  if (dryRun) say('Nothing was removed: this was a dry run.\n');
  say(
    `These stay: the memory, in the folder Savepoint of each vault; copies and caches in ${stateFolder}; backups next to the changed settings files; and the lines in a project's AGENTS.md, between two comments, which you can delete there. To remove the plugin, delete it in Obsidian under Settings, Community plugins.\n`,
  );
  return 0;
}

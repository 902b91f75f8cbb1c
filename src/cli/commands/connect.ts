import type { AppWith } from '../../apps/index.js';
import { Refusal } from '../../model/refusal.js';
import { createCaptureSettingsFile } from '../../node/capture/capture-settings-file.js';
import { planAgentsLines } from '../../node/client-setup/agents-md.js';
import { applyConnection } from '../../node/client-setup/apply.js';
import { findExecutable } from '../../node/client-setup/check/find-executable.js';
import { changeText } from '../../node/client-setup/connect-texts.js';
import { connect } from '../../node/client-setup/connect.js';
import { launcherPath } from '../../node/install/install-program.js';
import { installShellCommand } from '../../node/install/shell-command.js';
import { findProjectAndLink } from '../../node/projects/find-link.js';
import { shellQuoted } from '../../node/shell-quoted.js';
import type { ArgumentsOf } from '../command-options.js';
import { captureQuestion, offeredLevels } from '../hooks/capture-question.js';
import { print, printMessage } from '../output.js';
import { hostOf, stateFolderOf, type ProgramHost } from '../program.js';
import { parseToolsets } from '../toolsets.js';
import { UsageError } from '../usage-error.js';
import { requireVault } from '../vault-folder.js';
import { openVaultLog } from '../vault-log.js';

type ConnectArguments = ArgumentsOf<'connect'> & { readonly clients: readonly AppWith<'config'>[] };

export async function runConnect(args: ConnectArguments, program: ProgramHost): Promise<number> {
  const { clients, vault, surface, toolsets, readOnly, create, hooks, dryRun, undo } = args;
  await parseToolsets(toolsets);
  const isProjectOnly = clients.length === 0 && args.agentsMd && !hooks;
  if (isProjectOnly && vault === undefined) return changeAgentsOnly(args, program);
  if (vault === undefined)
    throw new UsageError('connect needs --vault DIR, the folder that contains your notes.');
  const folder = program.node.path.resolve(vault);
  if (!undo) await requireVault(program, folder, create); // an entry for any folder can be removed
  const options = {
    clients,
    vault: folder,
    surface,
    toolsets,
    isReadOnly: readOnly,
    create,
    isDryRun: dryRun,
    isUndo: undo,
    hasHooks: hooks,
    running: program.file,
    version: program.version,
  };
  const project = await currentProject(program);
  if (args.agentsMd) requireProject(project);
  const isOk =
    isProjectOnly ||
    (await connect(program.node, hostOf(program), options, (text) => printMessage(program, text)));
  if (!isOk) return 1;
  if (args.agentsMd && project)
    await changeAgentsLines(program, project.project.place.folder, args);
  if (undo || dryRun) return 0;
  if (clients.length === 0 && !hooks) return 0;
  const { typed, place } = await addShellCommand(program);
  if (clients.length > 0)
    print(program, `To use Savepoint in a shell${place}, run: ${typed} help\n`);
  if (hooks) print(program, await linkAdvice(program, project, folder, typed));
  return 0;
}

/** Changes nothing but the lines in the project's AGENTS.md, which name no vault. */
async function changeAgentsOnly(args: ConnectArguments, program: ProgramHost): Promise<number> {
  const { place } = requireProject(await currentProject(program)).project;
  await changeAgentsLines(program, place.folder, args);
  return 0;
}

function requireProject(project: CurrentProject): NonNullable<CurrentProject> {
  if (project) return project;
  throw new Refusal('--agents-md needs a project. Run it in the folder of one. Nothing was done.');
}

/** Makes `savepoint` a command, unless npm did. Returns what to type, and where the command is. */
async function addShellCommand(program: ProgramHost) {
  const { node } = program;
  const launcher = launcherPath(node, stateFolderOf(program, undefined));
  const host = hostOf(program);
  const file =
    (await installShellCommand(node, host, launcher)) ??
    (await findExecutable(node, host, 'savepoint'));
  return file === undefined
    ? { typed: `node ${shellQuoted(launcher)}`, place: '' }
    : { typed: 'savepoint', place: ` (it is in ${file})` };
}

type CurrentProject = Awaited<ReturnType<typeof findProjectAndLink>>;

async function currentProject(program: ProgramHost): Promise<CurrentProject> {
  const { node } = program;
  const stateFolder = stateFolderOf(program, undefined);
  const { links } = await createCaptureSettingsFile(node, stateFolder).read();
  return findProjectAndLink(node, links, node.path.resolve());
}

/** Adds the lines for agents to the project's AGENTS.md, or removes them. */
async function changeAgentsLines(
  program: ProgramHost,
  folder: string,
  { undo, dryRun }: Pick<ConnectArguments, 'undo' | 'dryRun'>,
): Promise<void> {
  const plan = await planAgentsLines(program.node, folder, undo);
  print(program, changeText(plan.file, plan, dryRun));
  if (!dryRun) await applyConnection(program.node, plan, new Date());
}

/** Says how to link the current project, without which hooks do nothing, and what is then kept. */
async function linkAdvice(
  program: ProgramHost,
  current: CurrentProject,
  vault: string,
  typed: string,
): Promise<string> {
  if (current?.found?.isProved) {
    const { workspaceName, capture } = current.found.link;
    return `This project is linked to "${workspaceName}"; capture: ${capture}.\n`;
  }
  const where = current
    ? `${current.project.place.folder} is not linked yet`
    : 'This folder is not a project';
  const open = await openVaultLog(program, { vault, isReadOnly: true, create: true });
  const levels = await offeredLevels(open).finally(() => open.log.close());
  const command = `${typed} link --workspace NAME --vault ${shellQuoted(vault)}`;
  return `Hooks do nothing until a project is linked to a workspace. ${where}.\n${captureQuestion(levels)}In a project, run: ${command} --capture ${levels[0]}\n`;
}

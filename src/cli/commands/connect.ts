import type { AppWith } from '../../apps/index.js';
import { Refusal } from '../../model/refusal.js';
import { CaptureSettingsFile } from '../../node/capture/capture-settings-file.js';
import { planAgentsLines } from '../../node/client-setup/agents-md.js';
import { applyConnection } from '../../node/client-setup/apply.js';
import { changeText } from '../../node/client-setup/connect-texts.js';
import { connect } from '../../node/client-setup/connect.js';
import { launcherPath } from '../../node/program/install-program.js';
import { installShellCommand } from '../../node/program/shell-command.js';
import { findProjectAndLink } from '../../node/projects/find-link.js';
import { shellQuoted } from '../../node/shell-quoted.js';
import type { Surface } from '../../toolkit/surfaces.js';
import { printMessage } from '../output.js';
import { hostOf, type ProgramHost } from '../program.js';
import { parseToolsets } from '../toolsets.js';
import { requireVault } from '../vault-folder.js';
import { stateFolderOf } from '../state-folder.js';

interface ConnectArguments {
  readonly clients: readonly AppWith<'config'>[];
  readonly vault: string;
  readonly surface: Surface | undefined;
  readonly toolsets: string | undefined;
  readonly readOnly: boolean;
  readonly create: boolean;
  readonly hooks: boolean;
  readonly agentsMd: boolean;
  readonly dryRun: boolean;
  readonly undo: boolean;
}

export async function runConnect(args: ConnectArguments, program: ProgramHost): Promise<number> {
  const { clients, vault, surface, toolsets, readOnly, create, hooks, dryRun, undo } = args;
  await parseToolsets(toolsets);
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
  if (args.agentsMd && !project)
    throw new Refusal(
      '--agents-md needs a project. Run it in the folder of one. Nothing was done.',
    );
  const isProjectOnly = clients.length === 0 && args.agentsMd && !hooks;
  const isOk =
    isProjectOnly ||
    (await connect(program.node, hostOf(program), options, (text) => printMessage(program, text)));
  if (!isOk) return 1;
  if (args.agentsMd && project)
    await changeAgentsLines(program, project.project.place.folder, args);
  if (undo || dryRun) return 0;
  if (clients.length > 0) printMessage(program, await addShellCommand(program));
  if (hooks) printMessage(program, linkAdvice(project, folder));
  return 0;
}

/** Makes `savepoint` a command, and says how to run it. */
async function addShellCommand(program: ProgramHost): Promise<string> {
  const { node } = program;
  const launcher = launcherPath(node, stateFolderOf(program, undefined));
  const command = await installShellCommand(node, hostOf(program), launcher);
  return command === undefined
    ? `To use Savepoint in a shell, run: node ${shellQuoted(launcher)}\n`
    : `To use Savepoint in a shell, run: savepoint (it is in ${command})\n`;
}

type CurrentProject = Awaited<ReturnType<typeof findProjectAndLink>>;

async function currentProject(program: ProgramHost): Promise<CurrentProject> {
  const { node } = program;
  const stateFolder = stateFolderOf(program, undefined);
  const { links } = await new CaptureSettingsFile(node, stateFolder).read();
  return findProjectAndLink(node, links, node.path.resolve());
}

/** Adds the lines for agents to the project's AGENTS.md, or removes them. */
async function changeAgentsLines(
  program: ProgramHost,
  folder: string,
  { undo, dryRun }: Pick<ConnectArguments, 'undo' | 'dryRun'>,
): Promise<void> {
  const plan = await planAgentsLines(program.node, folder, undo);
  printMessage(program, changeText(plan.file, plan, dryRun));
  if (!dryRun) await applyConnection(program.node, plan, new Date());
}

/** Says how to link the current project, without which hooks do nothing. */
function linkAdvice(current: CurrentProject, vault: string): string {
  if (current?.found?.isProved) {
    const { workspaceName, isCaptured } = current.found.link;
    return `This project is linked to "${workspaceName}"; capture is ${isCaptured ? 'on' : 'off'}.\n`;
  }
  const where = current
    ? `${current.project.place.folder} is not linked yet`
    : 'This folder is not a project';
  return `Hooks do nothing until a project is linked to a workspace. ${where}. In a project, run: savepoint link --workspace NAME --vault ${shellQuoted(vault)} --capture on\n`;
}

import {
  isPaused,
  PAUSE_MS,
  type CaptureSettings,
  type ProjectLink,
} from '../../capture/consent.js';
import { Refusal } from '../../model/refusal.js';
import {
  createCaptureSettingsFile,
  type CaptureSettingsFile,
} from '../../node/capture/capture-settings-file.js';
import type { HealthCheck } from '../../apps/health-check.js';
import { preparePrivateStateFolder } from '../../node/ports/state-folder.js';
import { findClientConfigs } from '../../node/client-setup/clients.js';
import { toLines } from '../../node/client-setup/lines.js';
import { otherVaultAdvice } from '../../node/client-setup/other-vaults.js';
import { findProjectAndLink } from '../../node/projects/find-link.js';
import { projectOfFolder, type LocalProject } from '../../node/projects/find-project.js';
import { realFolder, realPath } from '../../node/real-path.js';
import { linkProject, removeLinks, replacedLinks } from '../../node/capture/link-project.js';
import { resolveWorkspace } from '../../toolkit/context.js';
import type { ArgumentsOf } from '../command-options.js';
import { askForCapture, offeredLevels } from '../hooks/capture-question.js';
import { reportLinks } from '../hooks/report-links.js';
import { isTerminal, printMessage, printJson } from '../output.js';
import { hostOf, stateFolderOf, type ProgramHost } from '../program.js';
import { openVaultLog } from '../vault-log.js';

export async function runLink(
  { project, workspace, vault, capture, tell, state }: ArgumentsOf<'link'>,
  program: ProgramHost,
): Promise<number> {
  const { node } = program;
  const found = await requireProject(program, project, vault);
  const open = await openVaultLog(program, { vault, state, isReadOnly: true });
  const memory = await open.log.memory().finally(() => open.log.close());
  const { item: target } = resolveWorkspace(memory, workspace);
  const place = { vault: open.places.vault, workspaceId: target.id, workspaceName: target.name };
  const file = await openSettings(program, state);
  const { links } = await file.read();
  const known = links.find(await replacedLinks(node, links, found));
  const isAsked = capture === undefined && known?.vault !== place.vault && isTerminal(program);
  const chosen = isAsked ? await askForCapture(program, await offeredLevels(open)) : capture;
  const stateFolder = stateFolderOf(program, state);
  const link = { ...place, capture: chosen, tell };
  const linked = await linkProject(node, stateFolder, file, found, link);
  const { folder, capture: level } = linked;
  const hint = {
    off: 'Sessions in this project are not captured; add --capture task or --capture all to change that.',
    task: 'Of sessions in this project, the task, files and commands are kept, and everybody who has the vault can read them.',
    all: 'Of sessions in this project, all messages and answers are kept, with files and commands, and everybody who has the vault can read them.',
  }[level];
  const configs = await findClientConfigs(node, hostOf(program));
  const advice = await otherVaultAdvice(node, configs, [place]);
  const toolHint = tell === 'all' ? ` ${TOOL_HINT}` : '';
  const text = `Linked ${folder} to "${target.name}". ${hint}${toolHint}`;
  printMessage(program, `${text}\n${toLines(advice)}`);
  return 0;
}

const TOOL_HINT =
  'Agents are told about files, commands and in subagents once their hooks have been added again: savepoint connect CLIENT --hooks';

export async function runUnlink(
  { project, state }: Pick<ArgumentsOf<'link'>, 'project' | 'state'>,
  program: ProgramHost,
): Promise<number> {
  const { node } = program;
  const file = await openSettings(program, state);
  const { links } = await file.read();
  const typed = node.path.resolve(project ?? '.');
  const at = await findProjectAndLink(node, links, typed);
  const folder = at?.project.place.folder ?? typed;
  const renamed = at?.found?.movedTo === folder ? at.found.link : undefined;
  const isTarget = (link: ProjectLink) =>
    link.folder === folder || link.project === renamed?.project;
  const stateFolder = stateFolderOf(program, state);
  const removed = await removeLinks(node, stateFolder, file, isTarget);
  if (removed.length === 0) {
    const by = at?.found ? ` itself, but ${at.found.link.folder} is` : '';
    throw new Refusal(`${folder} is not linked${by}. Run "savepoint links" to see what is.`);
  }
  printMessage(program, `Unlinked ${folder}. Its sessions are no longer captured.\n`);
  return 0;
}

export async function runLinks(args: ArgumentsOf<'links'>, program: ProgramHost): Promise<number> {
  const { node } = program;
  const { pause, resume, exclude, include, json, state } = args;
  const now = Date.now();
  if (pause && resume) throw new Refusal('Use either --pause or --resume, not both.');
  const hasChange = pause || resume || exclude !== undefined || include !== undefined;
  const excluded = exclude === undefined ? [] : [await requireFolder(program, exclude)];
  const included = include === undefined ? [] : [await realPath(node, node.path.resolve(include))];
  const change = ({ pausedUntil, ...stored }: CaptureSettings): CaptureSettings => {
    const until = pause ? new Date(now + PAUSE_MS).toISOString() : pausedUntil;
    const folders = new Set([...stored.excludedFolders, ...excluded]);
    for (const folder of included) folders.delete(folder);
    return {
      ...stored,
      excludedFolders: [...folders],
      ...(until !== undefined && !resume && { pausedUntil: until }),
    };
  };
  const file = hasChange
    ? await openSettings(program, state)
    : createCaptureSettingsFile(node, stateFolderOf(program, state));
  const settings = hasChange ? await file.update(change) : await file.read();
  const reports = await reportLinks(program, state);
  if (json) printJson(program, { ...settings, reports });
  else printMessage(program, (await file.problem()) ?? settingsText(settings, reports, now));
  return settings.isDamaged ? 1 : 0;
}

function settingsText(
  settings: CaptureSettings,
  reports: readonly HealthCheck[],
  now: number,
): string {
  const { links, excludedFolders, pausedUntil } = settings;
  const lines = links.length > 0 ? [] : [NOTHING_LINKED];
  for (const { text, isOk, fix } of reports) {
    const sentence = text.replace(/^a session/, 'A session');
    lines.push(isOk ? `${sentence}.` : `${sentence} To fix that: ${fix}.`);
  }
  lines.push(...excludedFolders.map((folder) => `Nothing in ${folder} is captured.`));
  if (isPaused(settings, now)) lines.push(`Nothing is captured until ${pausedUntil}.`);
  return lines.map((line) => `${line}\n`).join('');
}

const NOTHING_LINKED =
  'No project is linked. Run "savepoint link --workspace NAME --vault DIR" in a project.';

async function openSettings(
  program: ProgramHost,
  state: string | undefined,
): Promise<CaptureSettingsFile> {
  const stateFolder = stateFolderOf(program, state);
  await preparePrivateStateFolder(program.node, stateFolder);
  return createCaptureSettingsFile(program.node, stateFolder);
}

/** Returns the real path of a folder. Throws a `Refusal` if there is none. */
async function requireFolder({ node }: ProgramHost, folder: string): Promise<string> {
  const found = await realFolder(node, folder);
  if (found !== undefined) return found;
  throw new Refusal(
    `There is no folder "${node.path.resolve(folder)}" to exclude. Check the path; nothing was changed.`,
  );
}

async function requireProject(
  { node }: ProgramHost,
  typed: string | undefined,
  vault: string,
): Promise<LocalProject> {
  const folder = node.path.resolve(typed ?? '.');
  const project = await projectOfFolder(node, folder, [node.path.resolve(vault)]);
  if (project) return project;
  throw new Refusal(
    `${folder} is not a project: it does not exist, or it is the vault, your home folder or a drive. Pass the folder of one project as --project.`,
  );
}

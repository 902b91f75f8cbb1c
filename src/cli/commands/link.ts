import {
  isPaused,
  PAUSE_MS,
  type CaptureSettings,
  type ProjectLink,
} from '../../capture/consent.js';
import { Refusal } from '../../model/refusal.js';
import { CaptureSettingsFile } from '../../node/capture/capture-settings-file.js';
import { SessionFiles } from '../../node/capture/session-files.js';
import { preparePrivateStateFolder } from '../../node/ports/state-folder.js';
import { projectOfFolder, type FoundProject } from '../../node/projects/find-project.js';
import { resolveWorkspace } from '../../toolkit/context.js';
import { createReport, print, printJson } from '../output.js';
import type { ProgramHost } from '../program.js';
import { stateFolderOf } from '../state-folder.js';
import { openVaultLog } from '../vault-log.js';

interface LinkArguments {
  readonly project: string | undefined;
  readonly workspace: string;
  readonly vault: string;
  /** True to capture the project's sessions; undefined to leave that as it is. */
  readonly capture: boolean | undefined;
  readonly state: string | undefined;
}

export async function runLink(
  { project, workspace, vault, capture, state }: LinkArguments,
  program: ProgramHost,
): Promise<number> {
  const found = await requireProject(program, project);
  const open = await openVaultLog(program, {
    vault,
    state,
    isReadOnly: true,
    create: undefined,
    report: createReport(program),
  });
  const memory = await open.log.memory().finally(() => open.log.close());
  const { item: target } = resolveWorkspace(memory, workspace);
  const file = await openSettings(program, state);
  const { links } = await file.update((settings) => {
    const existing = settings.links.find((link) => link.project === found.key);
    const link: ProjectLink = {
      project: found.key,
      folder: found.folder,
      vault: open.places.vault,
      workspaceId: target.id,
      workspaceName: target.name,
      isCaptured: capture ?? existing?.isCaptured ?? false,
    };
    return { ...settings, links: [...without(settings.links, found.key), link] };
  });
  const isCaptured = links.at(-1)?.isCaptured === true;
  const hint = isCaptured
    ? 'Sessions in this project are captured.'
    : 'Sessions in this project are not captured; add --capture on to change that.';
  print(program, `Linked ${found.folder} to "${target.name}". ${hint}\n`);
  return 0;
}

export async function runUnlink(
  { project, state }: Pick<LinkArguments, 'project' | 'state'>,
  program: ProgramHost,
): Promise<number> {
  const { path } = program.node;
  const found = await projectOfFolder(program.node, path.resolve(project ?? '.'));
  const folder = found?.folder ?? path.resolve(project ?? '.');
  const file = await openSettings(program, state);
  const isTarget = (link: ProjectLink) => link.project === found?.key || link.folder === folder;
  const stateFolder = stateFolderOf(program, state);
  const sessionsOf = (key: string) => new SessionFiles(program.node, stateFolder, key);
  const removed = (await file.read()).links.filter(isTarget);
  if (removed.length === 0)
    throw new Refusal(`${folder} is not linked. Run "savepoint links" to see what is.`);
  await file.update((settings) => ({
    ...settings,
    links: settings.links.filter((link) => !isTarget(link)),
  }));
  await Promise.all(removed.map((link) => sessionsOf(link.project).removeAll()));
  print(program, `Unlinked ${folder}. Its sessions are no longer captured.\n`);
  return 0;
}

interface LinksArguments {
  readonly pause: boolean;
  readonly resume: boolean;
  readonly exclude: string | undefined;
  readonly include: string | undefined;
  readonly json: boolean;
  readonly state: string | undefined;
}

export async function runLinks(args: LinksArguments, program: ProgramHost): Promise<number> {
  const { node } = program;
  const { pause, resume, exclude, include, json, state } = args;
  const now = Date.now();
  if (pause && resume) throw new Refusal('Use either --pause or --resume, not both.');
  const hasChange = pause || resume || exclude !== undefined || include !== undefined;
  const realPath = (folder: string) =>
    node.fs.realpath(folder).catch(() => node.path.resolve(folder));
  const excluded = exclude === undefined ? [] : [await realPath(exclude)];
  const included = include === undefined ? [] : [await realPath(include)];
  const change = ({ links, excludedFolders, pausedUntil }: CaptureSettings): CaptureSettings => {
    const until = pause ? new Date(now + PAUSE_MS).toISOString() : pausedUntil;
    const folders = new Set([...excludedFolders, ...excluded]);
    for (const folder of included) folders.delete(folder);
    return {
      links,
      excludedFolders: [...folders],
      ...(until !== undefined && !resume && { pausedUntil: until }),
    };
  };
  const file = hasChange
    ? await openSettings(program, state)
    : new CaptureSettingsFile(node, stateFolderOf(program, state));
  const settings = hasChange ? await file.update(change) : await file.read();
  if (json) printJson(program, settings);
  else print(program, settingsText(settings, now));
  return 0;
}

function settingsText(settings: CaptureSettings, now: number): string {
  const { links, excludedFolders, pausedUntil } = settings;
  const lines = links.map(
    ({ folder, vault, workspaceName, isCaptured }) =>
      `${folder} is linked to "${workspaceName}" in ${vault}; capture is ${isCaptured ? 'on' : 'off'}.`,
  );
  if (links.length === 0)
    lines.push(
      'No project is linked. Run "savepoint link --workspace NAME --vault DIR" in a project.',
    );
  lines.push(...excludedFolders.map((folder) => `Nothing in ${folder} is captured.`));
  if (isPaused(settings, now)) lines.push(`Nothing is captured until ${pausedUntil}.`);
  return lines.map((line) => `${line}\n`).join('');
}

function without(links: readonly ProjectLink[], project: string): ProjectLink[] {
  return links.filter((link) => link.project !== project);
}

async function openSettings(
  program: ProgramHost,
  state: string | undefined,
): Promise<CaptureSettingsFile> {
  const stateFolder = stateFolderOf(program, state);
  await preparePrivateStateFolder(program.node, stateFolder);
  return new CaptureSettingsFile(program.node, stateFolder);
}

async function requireProject(
  { node }: ProgramHost,
  typed: string | undefined,
): Promise<Required<FoundProject>> {
  const folder = node.path.resolve(typed ?? '.');
  const project = await projectOfFolder(node, folder);
  if (project) return project;
  throw new Refusal(
    `${folder} is not a project: it does not exist, or it is your home folder or a drive. Pass the folder of one project as --project.`,
  );
}

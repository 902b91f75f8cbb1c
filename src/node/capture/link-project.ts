import type { CaptureLevel, ProjectLink, TellLevel } from '../../capture/consent.js';
import type { CaptureSettingsFile } from './capture-settings-file.js';
import { removeBriefs } from './brief-cache.js';
import { sessionsOf } from './session-files.js';
import type { NodeModules } from '../modules.js';
import { findLink, linkKeys } from '../projects/find-link.js';
import { pathKeysOf, type LocalProject } from '../projects/find-project.js';

interface LinkTarget extends Pick<ProjectLink, 'vault' | 'workspaceId' | 'workspaceName'> {
  /** Level for the project's sessions; undefined to leave it as it is. */
  readonly capture: CaptureLevel | undefined;
  /** Likewise. */
  readonly tell?: TellLevel | undefined;
}

/** Returns a test for the link that a new one of the project replaces. */
export async function replacedLinks(
  node: NodeModules,
  links: readonly ProjectLink[],
  project: LocalProject,
): Promise<(link: ProjectLink) => boolean> {
  const known = await findLink(node, links, project);
  const { folder } = project.place;
  const moved = known?.movedTo === folder ? known.link.project : undefined;
  return (link) => link.folder === folder || link.project === moved;
}

/** Links a project to a workspace, and returns the link. It replaces that of the same folder. */
export async function linkProject(
  node: NodeModules,
  stateFolder: string,
  file: CaptureSettingsFile,
  project: LocalProject,
  { capture, tell, ...target }: LinkTarget,
): Promise<ProjectLink> {
  const { folder } = project.place;
  const isSame = await replacedLinks(node, (await file.read()).links, project);
  const keys = await linkKeys(project);
  let linked: ProjectLink | undefined;
  const vaults = new Set([target.vault]);
  await file.update((settings) => {
    const existing = settings.links.find(isSame);
    if (existing) vaults.add(existing.vault);
    const others = settings.links.filter((link) => !isSame(link));
    const [ownId = ''] = pathKeysOf(node, folder);
    const isTaken = others.some((link) => link.project === ownId);
    const newId = isTaken ? node.crypto.randomBytes(16).toString('hex') : ownId;
    const level = tell ?? existing?.tell;
    linked = {
      project: existing?.project ?? newId,
      folder,
      keys,
      ...target,
      capture: capture ?? existing?.capture ?? 'off',
      ...(level && { tell: level }),
    };
    return { ...settings, links: [...others, linked] };
  });
  // composed for the links before
  for (const vault of vaults) await removeBriefs(node, stateFolder, vault);
  return linked!;
}

/** Removes links, with what is noted of their sessions but private times, and returns them. */
export async function removeLinks(
  node: NodeModules,
  stateFolder: string,
  file: CaptureSettingsFile,
  isRemoved: (link: ProjectLink) => boolean,
): Promise<readonly ProjectLink[]> {
  const removed = (await file.read()).links.filter(isRemoved);
  if (removed.length === 0) return [];
  await file.update((settings) => ({
    ...settings,
    links: settings.links.filter((link) => !isRemoved(link)),
  }));
  for (const link of removed) {
    await sessionsOf(node, stateFolder, link).removeAll();
    await removeBriefs(node, stateFolder, link.vault);
  }
  return removed;
}

import {
  fileNameOf,
  isAbsolutePath,
  isStoredOutside,
  OUTSIDE_PREFIX,
  PROJECT_PREFIX,
  toVaultPath,
} from '../../model/paths.js';
import type { State } from '../../model/state.js';
import type { ProjectFolder } from '../../platform/device-access.js';
import { eachInParallel } from '../../platform/parallel.js';
import { findExistingPath } from '../../platform/safe-file-names.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import type { Services } from '../services.js';
import { listingOnce, type FileAccess } from './file-digests.js';

const LOOKUP_WIDTH = 16;

type Access = Pick<Services, 'files' | 'device'>;

/** Undefined if the project has no folder on this device. */
export function openProject(
  { device }: Pick<Services, 'device'>,
  project: ClientProject | undefined,
): ProjectFolder | undefined {
  return project?.folder === undefined ? undefined : device.openProject?.(project.folder);
}

/** A project is named after its folder; undefined if it has none here. */
export function projectNameOf(project: ClientProject | undefined): string | undefined {
  return project?.folder === undefined ? undefined : fileNameOf(project.folder);
}

/** Returns access to the vault and, if the state was saved in this project, to its folder. */
export function projectAccess(
  services: Pick<Services, 'files' | 'device'>,
  project: ClientProject | undefined,
  state: Pick<State, 'project'>,
): FileAccess {
  const keys = project ? [project.key, ...(project.otherKeys ?? [])] : [];
  const isSame = state.project !== undefined && keys.includes(state.project);
  return { ...services, project: isSame ? openProject(services, project) : undefined };
}

/**
 * Returns the paths of active files as a state stores them: vault paths, `project:src/a.ts` in the
 * project, and only the name (`outside:a.ts`) of an absolute path outside both, as folders of a
 * device are not part of the memory. Keeps missing paths, with `/` between their parts. Also
 * accepts paths as shown, with the project's name (`shownPath`).
 */
export async function resolveActiveFiles(
  access: Access,
  clientProject: ClientProject | undefined,
  given: readonly string[],
): Promise<string[]> {
  const project = openProject(access, clientProject);
  const shownPrefix = `${projectNameOf(clientProject) ?? ''}:`;
  const typed = given.map((path) =>
    shownPrefix !== ':' && path.startsWith(shownPrefix) && !isAbsolutePath(path)
      ? `${PROJECT_PREFIX}${path.slice(shownPrefix.length)}`
      : path,
  );
  const once = listingOnce(access);
  const resolved = new Map<string, string>();
  await eachInParallel([...new Set(typed)], LOOKUP_WIDTH, async (path) => {
    resolved.set(path, await resolveActiveFile(once, project, path));
  });
  return typed.map((path) => resolved.get(path) ?? path);
}

async function resolveActiveFile(
  { files, device }: Access,
  project: ProjectFolder | undefined,
  typed: string,
): Promise<string> {
  if (isAbsolutePath(typed)) {
    const file = typed.replace(/^file:\/\/(?:localhost)?(?=\/)/i, '');
    const inVault =
      (await device.locateInVault?.(file)) ?? (await existing(files, file.replace(/^\/+/, '')));
    if (inVault !== undefined) return inVault;
    const inProject = await project?.locate(file);
    return inProject === undefined
      ? `${OUTSIDE_PREFIX}${fileNameOf(file)}`
      : `${PROJECT_PREFIX}${inProject}`;
  }
  if (isStoredOutside(typed)) return typed;
  const plain = typed.replaceAll('\\', '/');
  const inVault = await existing(files, plain);
  if (inVault !== undefined) return inVault;
  if (!project) return plain;
  const inProject = await project.locate(plain);
  const file =
    inProject === undefined ? undefined : await project.openFile(inProject).catch(() => undefined);
  file?.close();
  return file && inProject !== undefined ? `${PROJECT_PREFIX}${inProject}` : plain;
}

/** Returns the vault path of what a typed one means, if it exists. */
async function existing(files: Access['files'], typed: string): Promise<string | undefined> {
  const path = toVaultPath(typed);
  // If the lookup fails, the path is stored as given.
  return path ? findExistingPath(files, path).catch(() => path) : undefined;
}

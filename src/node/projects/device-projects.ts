import type { ClientLocation, Projects } from '../../bridge/projects.js';
import type { NodeModules } from '../modules.js';
import { findProject, type ClientProcess, type FoundProject } from './find-project.js';
import { ProjectFile } from './project-file.js';

type Modules = Pick<NodeModules, 'fs' | 'callbackFs' | 'path' | 'os' | 'crypto' | 'timers'>;

const MAX_LOCATIONS = 50;

/**
 * Returns the projects of the clients that this process serves. `deviceFolder` is the vault's state
 * folder.
 */
export function createDeviceProjects(
  node: Modules,
  client: ClientProcess,
  deviceFolder: string,
): Projects {
  const file = new ProjectFile(node, deviceFolder);
  const found = new Map<string, Promise<FoundProject | undefined>>();

  /** Returns the project at a location, which is looked for once. */
  function findOnce(location: ClientLocation): Promise<FoundProject | undefined> {
    const key = JSON.stringify(location);
    const project = found.get(key) ?? findProject(node, client, location);
    if (found.size >= MAX_LOCATIONS) found.clear();
    found.set(key, project);
    return project;
  }

  return {
    async find(location) {
      const project = await findOnce(location);
      if (!project) return undefined;
      const workspaceId = await file.workspaceOf(project.key);
      return { ...project, ...(workspaceId !== undefined && { workspaceId }) };
    },
    remember: ({ key }, workspaceId) =>
      file.setWorkspace(key, workspaceId, new Date().toISOString()),
  };
}

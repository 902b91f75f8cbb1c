import type { ClientLocation, Projects } from '../../bridge/projects.js';
import type { NodeModules } from '../modules.js';
import { clientProject } from './client-project.js';
import { findLink, updateLink, type LinkStore } from './find-link.js';
import { findProject, type ClientProcess, type FoundProject } from './find-project.js';
import { createProjectFile } from './project-file.js';

const MAX_CONVERSATIONS = 1000;

/** Time after which a missing folder, for example, may have become a project. */
const FIND_INTERVAL_MS = 10_000;

export interface DeviceProjectsOptions {
  readonly deviceFolder: string;
  readonly links: LinkStore;
  /** Receives errors of storing what is new about a link. Absent for commands that only read. */
  readonly report?: ((error: unknown) => void) | undefined;
}

/** The search for the project of a conversation. */
interface Finding {
  readonly project: Promise<FoundProject | undefined>;
  /** The client's words about where it works. */
  readonly place: string;
  /** When the search began, in milliseconds since 1970. */
  readonly at: number;
}

/** Returns the projects of the clients that this process serves. */
export function createDeviceProjects(
  node: NodeModules,
  client: ClientProcess,
  { deviceFolder, links, report }: DeviceProjectsOptions,
): Projects {
  const file = createProjectFile(node, deviceFolder);
  const projects = new Map<string, Finding>();
  const realVault = node.fs.realpath(client.vault).catch(() => client.vault);

  async function findOnce(location: ClientLocation): Promise<FoundProject | undefined> {
    const { conversation = '' } = location;
    const known = projects.get(conversation);
    const place = JSON.stringify(location);
    const isRecent = known?.place === place && Math.abs(Date.now() - known.at) < FIND_INTERVAL_MS;
    const project = (known?.project ?? Promise.resolve(undefined)).then(
      (found) => found ?? (isRecent ? undefined : findProject(node, client, location)),
    );
    projects.delete(conversation);
    projects.set(conversation, { project, place, at: isRecent ? known.at : Date.now() });
    const [oldest] = projects.keys();
    if (projects.size > MAX_CONVERSATIONS && oldest !== undefined) projects.delete(oldest);
    return project;
  }

  return {
    async find(location) {
      const project = await findOnce(location);
      if (!project) return undefined;
      const [settings, used, vault] = await Promise.all([
        links.read(),
        file.usesIn(project.keys, location.client),
        realVault,
      ]);
      const own = settings.links.filter((link) => link.vault === vault);
      const found = await findLink(node, own, project);
      if (found && report) await updateLink(node, links, found, project).catch(report);
      return { ...clientProject(project, found), ...used };
    },
    async remember({ key, otherKeys = [] }, name, workspaceId) {
      const at = new Date().toISOString();
      await file.addUse([...otherKeys, key], { client: name, workspace: workspaceId, at });
    },
  };
}

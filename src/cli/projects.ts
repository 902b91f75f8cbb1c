import type { ClientLocation, Projects } from '../bridge/projects.js';
import { createCaptureSettingsFile } from '../node/capture/capture-settings-file.js';
import { createDeviceProjects } from '../node/projects/device-projects.js';
import type { ProgramHost } from './program.js';
import { placesOf } from './vault-log.js';

/** Where a user in a shell works: the working directory. */
export const HERE: ClientLocation = { client: '', named: undefined, roots: [] };

interface ProjectsOptions {
  readonly vault: string;
  readonly state: string | undefined;
  /** See `DeviceProjectsOptions`. */
  readonly report?: (error: unknown) => void;
}

/** Returns the projects of the clients of this process. */
export async function openProjects(
  program: ProgramHost,
  { vault, state, report }: ProjectsOptions,
): Promise<Projects> {
  const { node, env, platform } = program;
  const { stateFolder, deviceFolder } = await placesOf(program, { vault, state });
  const links = createCaptureSettingsFile(node, stateFolder);
  return createDeviceProjects(node, { vault, env, platform }, { deviceFolder, links, report });
}

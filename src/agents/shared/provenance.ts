import { PROJECT_PREFIX, toVaultPath } from '../../model/paths.js';
import type { Provenance, SavedBy } from '../../model/states/provenance.js';
import { allEnded } from '../../platform/parallel.js';
import type { ToolCall } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { openProject, projectNameOf } from './active-files.js';
import { readDigests } from './file-digests.js';

/** Returns who makes a call, and on which device. */
export function readSaver({ services, sessionId, defaults }: ToolCall<Services>): SavedBy {
  const { device } = services;
  const { client, model } = defaults;
  return {
    client: client || device.program,
    session: sessionId,
    ...(model !== undefined && { model }),
    device: device.name(),
  };
}

/** `contentBytes` is the size of the state's content. */
export async function readProvenance(
  call: ToolCall<Services>,
  activeFiles: readonly string[],
  contentBytes: number,
): Promise<Provenance> {
  const { services, workspace } = call;
  const { project } = call.defaults;
  const [files, git] = await allEnded([
    readDigests(
      { ...services, project: openProject(services, project) },
      activeFiles,
      contentBytes,
    ),
    Promise.resolve(services.device.gitHead?.(toVaultPath(workspace.rootFolder) ?? '')),
  ]);
  return {
    by: readSaver(call),
    files,
    ...(git && { git }),
    ...(activeFiles.some((path) => path.startsWith(PROJECT_PREFIX)) && {
      project: project?.key,
      projectName: projectNameOf(project),
    }),
  };
}

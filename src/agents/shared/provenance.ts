import { PROJECT_PREFIX, readVaultPath } from '../../model/paths.js';
import type { GitHead, Provenance } from '../../model/provenance.js';
import type { Workspace } from '../../model/workspace.js';
import { allEnded } from '../../platform/parallel.js';
import type { ToolCall } from '../../toolkit/define-tool.js';
import type { Services } from '../services.js';
import { openProject } from './active-files.js';
import { readDigests } from './file-digests.js';

/** Returns what a state records about the moment in which a call saves it. `contentBytes` is the size of the state's content. */
export async function readProvenance(
  { services, workspace, sessionId, defaults: { client, model, project } }: ToolCall<Services>,
  activeFiles: readonly string[],
  contentBytes: number,
): Promise<Provenance> {
  const { device } = services;
  const [files, git] = await allEnded([
    readDigests(
      { ...services, project: openProject(services, project) },
      activeFiles,
      contentBytes,
    ),
    readGit(services, workspace),
  ]);
  return {
    by: {
      client: client || device.program,
      session: sessionId,
      ...(model !== undefined && { model }),
      device: device.name(),
    },
    files,
    ...(git && { git }),
    ...(activeFiles.some((path) => path.startsWith(PROJECT_PREFIX)) && { project: project?.key }),
  };
}

async function readGit(
  { device }: Services,
  { rootFolder }: Workspace,
): Promise<GitHead | undefined> {
  const read = readVaultPath(rootFolder);
  return device.gitHead?.('path' in read ? read.path : '');
}

import { consentTo, type CaptureSettings, type ProjectLink } from '../../capture/consent.js';
import { CaptureSettingsFile } from '../../node/capture/capture-settings-file.js';
import { SessionFiles } from '../../node/capture/session-files.js';
import { environmentVault, envValue } from '../../node/environment.js';
import { stateFolderFrom } from '../../node/ports/state-folder.js';
import { projectKeysOf } from '../../node/projects/find-project.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import type { ProgramHost } from '../program.js';
import type { HookInput } from './hook-input.js';

/** A session in a linked project. */
export interface LinkedSession {
  readonly stateFolder: string;
  readonly settings: CaptureSettings;
  readonly link: ProjectLink;
  /** True if the user allows the session to be captured. */
  readonly isCaptured: boolean;
  /** The sessions of the link's project. */
  readonly files: SessionFiles;
  /** The project in which the session works. */
  readonly project: ClientProject;
}

/** A project and the workspace to which it is linked. */
export type LinkedProject = Pick<LinkedSession, 'link' | 'stateFolder' | 'project'>;

/**
 * Returns the session that a hook is called for; undefined if its project is not linked, it is
 * private, or its folder is excluded. A vault in the environment restricts the hooks of a client to
 * the links of that vault.
 */
export async function findLinkedSession(
  program: ProgramHost,
  { folder }: Pick<HookInput, 'folder'>,
): Promise<LinkedSession | undefined> {
  const { node, env } = program;
  const stateFolder = stateFolderFrom(node, env, program.platform);
  const settings = await new CaptureSettingsFile(node, stateFolder).read();
  if (settings.links.length === 0 || !node.path.isAbsolute(folder)) return undefined;
  const found = await projectKeysOf(node, folder);
  if (!found) return undefined;
  const consent = consentTo(settings, {
    projects: found.keys,
    folder: await node.fs.realpath(folder).catch(() => folder),
    isPrivate: (envValue(env, 'SAVEPOINT_PRIVATE') ?? '0') !== '0',
    now: Date.now(),
  });
  const vault = environmentVault(node, env);
  const isOtherVault =
    vault !== undefined &&
    consent !== undefined &&
    (await node.fs.realpath(vault).catch(() => vault)) !== consent.link.vault;
  if (!consent || isOtherVault) return undefined;
  const files = new SessionFiles(node, stateFolder, consent.link.project);
  const project = { key: found.keys[0]!, folder: found.folder };
  return { stateFolder, settings, ...consent, files, project };
}

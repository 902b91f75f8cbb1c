import type { CaptureSettings, ProjectLink } from '../../capture/consent.js';
import type { SessionFiles } from '../../node/capture/session-files.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';

export interface LinkedSession {
  readonly stateFolder: string;
  readonly settings: CaptureSettings;
  readonly link: ProjectLink;
  /** True if the user allows the session to be captured now. */
  readonly isCaptured: boolean;
  /** True if the user has declared the session private. */
  readonly isPrivate: boolean;
  /** The sessions of the link's project. */
  readonly files: SessionFiles;
  readonly project: ClientProject;
}

/** A project and the workspace to which it is linked. */
export type LinkedProject = Pick<LinkedSession, 'link' | 'stateFolder' | 'project'>;

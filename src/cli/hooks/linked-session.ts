import type { ClientProject } from '../../toolkit/context-defaults.js';
import type { SessionPlace } from '../../node/capture/device-sessions.js';

export interface LinkedSession extends SessionPlace {
  /** True if the user allows the session to be captured now. */
  readonly isCaptured: boolean;
  /** True if the user has declared the session private. */
  readonly isPrivate: boolean;
  readonly project: ClientProject;
}

/** A project and the workspace to which it is linked. */
export type LinkedProject = Pick<LinkedSession, 'link' | 'stateFolder' | 'project'>;

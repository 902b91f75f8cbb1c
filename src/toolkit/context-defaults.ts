/** Values for omitted context fields. */
export interface ContextDefaults {
  readonly sessionId: string;
  /** The workspace that the user has chosen for the call, which counts as named. */
  readonly workspaceId?: string | undefined;
  /** The project in which the client works, if any. */
  readonly project?: ClientProject | undefined;
  /** Name by which the client identified itself. */
  readonly client?: string | undefined;
  /** The model that made the call, if it is known. */
  readonly model?: string | undefined;
  /** Switch names of the optional toolsets that the caller may use; all if absent. */
  readonly toolsets?: readonly string[] | undefined;
}

/** A project outside the vault. JSON data, because processes exchange it. */
export interface ClientProject {
  /** Hash of the project's git remote or, without one, of its path on this device. */
  readonly key: string;
  /** Further keys that may have identified the project when something was saved. */
  readonly otherKeys?: readonly string[];
  /** Absolute path on this device, if it is here. Must never be stored in the vault. */
  readonly folder?: string;
  readonly link?: LinkedWorkspace;
  /** Name of its folder if that is not the linked one: a worktree, or a repository in it. */
  readonly worktree?: string;
  /** Id of the workspace that this client used last in the project. */
  readonly usedByClient?: string;
  /** Id of the workspace that any client used last in the project. */
  readonly usedByAny?: string;
}

/** The workspace to which the user has linked a project. */
export interface LinkedWorkspace {
  readonly workspaceId: string;
  /** Its name when it was linked. */
  readonly workspaceName: string;
  /**
   * Shell command with which the user confirms a link that is only claimed: found by a git remote
   * or the first commit, which other people's copies have, too.
   */
  readonly confirmCommand?: string;
  /** Name of another workspace to which other keys of the project are linked. */
  readonly otherWorkspaceName?: string;
}

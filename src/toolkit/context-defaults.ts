/** Values for the context fields that the caller omits. */
export interface ContextDefaults {
  readonly sessionId: string;
  /** The workspace that the user has chosen for the call, which counts as named. */
  readonly workspaceId?: string | undefined;
  /** The project in which the client works, if it works in one. */
  readonly project?: ClientProject | undefined;
  /** The name by which the client identified itself. */
  readonly client?: string | undefined;
  /** The model that made the call, if it is known. */
  readonly model?: string | undefined;
  /** Switch names of the optional toolsets that the caller may use; all of them if absent. */
  readonly toolsets?: readonly string[] | undefined;
}

/** A project outside the vault. JSON data, because processes exchange it. */
export interface ClientProject {
  /**
   * Identifies the project in what is saved: a hash of its git remote or, if it has none, of its
   * path on this device.
   */
  readonly key: string;
  /** Further keys by which the project may have been identified when something was saved. */
  readonly otherKeys?: readonly string[];
  /**
   * Absolute path of its folder on this device, which must never be stored in the vault. Absent if
   * the folder is elsewhere.
   */
  readonly folder?: string;
  readonly link?: LinkedWorkspace;
  /** Id of the workspace that this client last used in the project. */
  readonly usedByClient?: string;
  /** Id of the workspace that any client last used in the project. */
  readonly usedByAny?: string;
}

/** The workspace to which the user has linked a project. */
export interface LinkedWorkspace {
  readonly workspaceId: string;
  /** The workspace's name when it was linked. */
  readonly workspaceName: string;
  /**
   * The shell command with which the user confirms the link. Present if the link is only claimed:
   * found by a git remote or the first commit, which other people's copies have, too.
   */
  readonly confirmCommand?: string;
  /** Name of another workspace, to whose link other keys of the project lead. */
  readonly otherWorkspaceName?: string;
}

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
   * Identifies the project: a hash of its git remote or, if it has none, of its path on this
   * device.
   */
  readonly key: string;
  /**
   * Absolute path of its folder on this device, which must never be stored in the vault. Absent if
   * the folder is elsewhere.
   */
  readonly folder?: string;
  /** Id of the workspace that the project last entered on this device. */
  readonly workspaceId?: string;
}

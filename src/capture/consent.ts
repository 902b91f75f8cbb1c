/** A project of which the user has said to which workspace of which vault its sessions belong. */
export interface ProjectLink {
  /** Identifies the link: a hash of the folder that was linked first. */
  readonly project: string;
  /** The real path of the project's folder. */
  readonly folder: string;
  /** Further keys of the project; see `FoundProject` and `linkKeys`. */
  readonly keys: readonly string[];
  /** The vault's real path. */
  readonly vault: string;
  readonly workspaceId: string;
  /** The workspace's name when it was linked, for lists. */
  readonly workspaceName: string;
  /** True if the user allows sessions in this project to be captured. */
  readonly isCaptured: boolean;
}

/** Duration of a pause. */
export const PAUSE_MS = 60 * 60 * 1000;

/** Permissions of the user for what this device captures. */
export interface CaptureSettings {
  /** At most one per folder. */
  readonly links: readonly ProjectLink[];
  /** Real paths of folders in which nothing is captured. */
  readonly excludedFolders: readonly string[];
  /** Nothing is captured before this ISO time. */
  readonly pausedUntil?: string;
}

/** Where and when something would be captured. */
export interface CaptureOccasion {
  /** The link of the project, which must be proved. */
  readonly link: ProjectLink;
  /** Real paths of the folders in which the client works. */
  readonly folders: readonly string[];
  /** True if the user has declared the session private. */
  readonly isPrivate: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns whether a session may be captured; undefined if its workspace may not even be shown to
 * the client, because the session is private or in an excluded folder. A pause stops only the
 * capture.
 */
export function consentTo(
  settings: CaptureSettings,
  { link, folders, isPrivate, now }: CaptureOccasion,
): { readonly isCaptured: boolean } | undefined {
  if (isPrivate || folders.some((folder) => isExcluded(settings, folder))) return undefined;
  return { isCaptured: link.isCaptured && !isPaused(settings, now) };
}

export function isPaused({ pausedUntil }: CaptureSettings, now: number): boolean {
  return pausedUntil !== undefined && now < Date.parse(pausedUntil);
}

/** Returns true if the path is an excluded folder or inside one. */
export function isExcluded({ excludedFolders }: CaptureSettings, path: string): boolean {
  return excludedFolders.some((folder) => isInFolder(path, folder));
}

/**
 * Returns true if an absolute path is a folder or inside it. Both have the separators of this
 * system.
 */
export function isInFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

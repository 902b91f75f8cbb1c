/** A project of which the user has said to which workspace of which vault its sessions belong. */
export interface ProjectLink {
  /** Identifies the project; see `FoundProject`. */
  readonly project: string;
  /** The project's folder when it was linked. */
  readonly folder: string;
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
  /** At most one per project. */
  readonly links: readonly ProjectLink[];
  /** Real paths of folders in which nothing is captured. */
  readonly excludedFolders: readonly string[];
  /** Nothing is captured before this ISO time. */
  readonly pausedUntil?: string;
}

/** Where and when something would be captured. */
export interface CaptureOccasion {
  /** Keys of the project and of those that contain it, the innermost first. */
  readonly projects: readonly string[];
  /** Real path of the folder in which the client works. */
  readonly folder: string;
  /** True if the user has declared the session private. */
  readonly isPrivate: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns the link of a project if its workspace may be shown to the client, and whether the
 * session may be captured; undefined if the project is not linked, or the session is private or in
 * an excluded folder. A pause stops only the capture.
 */
export function consentTo(
  settings: CaptureSettings,
  { projects, folder, isPrivate, now }: CaptureOccasion,
): { readonly link: ProjectLink; readonly isCaptured: boolean } | undefined {
  if (isPrivate || isExcluded(settings, folder)) return undefined;
  const linkOf = (project: string) => settings.links.find((each) => each.project === project);
  const link = projects.map(linkOf).find((each) => each !== undefined);
  return link && { link, isCaptured: link.isCaptured && !isPaused(settings, now) };
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

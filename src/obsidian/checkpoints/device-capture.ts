import {
  isExcluded,
  isPaused,
  PAUSE_MS,
  type CaptureSettings,
  type ProjectLink,
  type TellLevel,
} from '../../capture/consent.js';
import { isWithin, normalizeVaultPath } from '../../model/paths.js';
import type { Store } from '../store.js';

/** Permissions of the user for what this device captures. */
export interface DeviceCapture {
  /** Absolute path of the vault, or a name for it on a device that shows no paths. */
  readonly vault: string;
  /** As last read; other programs of this device may have changed them since. */
  readonly settings: Store<CaptureSettings>;
  /** Reads the settings again. */
  read(): Promise<CaptureSettings>;
  /** Replaces the settings with those that `change` returns. */
  update(change: (settings: CaptureSettings) => CaptureSettings): Promise<void>;
  /** Undefined on mobile, where no AI app works in a folder. */
  readonly projects?: LinkedProjects;
}

/** The projects of this device that belong to a workspace, as `savepoint link` has them. */
interface LinkedProjects {
  /** Links a project by its absolute path. Resolves with undefined if there is no project. */
  link(folder: string, link: NewProjectLink): Promise<ProjectLink | undefined>;
  unlink(link: ProjectLink): Promise<void>;
  /** Changes what the project's agents are told, and removes what was prepared for them. */
  setTold(link: ProjectLink, tell: TellLevel): Promise<void>;
  /** Returns the real path of a folder; undefined if there is none. */
  findFolder(typed: string): Promise<string | undefined>;
}

/** Where the sessions of a project belong that the user links. */
type NewProjectLink = Pick<ProjectLink, 'workspaceId' | 'workspaceName' | 'capture'>;

export const NO_CAPTURE_SETTINGS: CaptureSettings = { links: [], excludedFolders: [] };

/** Why a conversation of the chat is not captured. */
export type CaptureObstacle = 'paused' | 'excluded' | 'private';

export interface CapturedPlace {
  /** Root folder of the conversation's workspace, a vault path. */
  readonly rootFolder: string;
  readonly isPrivate: boolean;
  /** Folders of the vault that the vault's settings exclude. */
  readonly excludedFolders: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns why a conversation is not captured; undefined if it is. */
export function captureObstacle(
  { vault, settings }: Pick<DeviceCapture, 'vault' | 'settings'>,
  { rootFolder, isPrivate, excludedFolders, now }: CapturedPlace,
): CaptureObstacle | undefined {
  if (isPrivate) return 'private';
  const folder = normalizeVaultPath(rootFolder);
  const path = folder === '' ? vault : `${vault}/${folder}`;
  const isInside = excludedFolders.some(
    (excluded) => excluded === '' || (folder !== '' && isWithin(folder, excluded)),
  );
  if (isInside || isExcluded(settings.get(), path)) return 'excluded';
  return isPaused(settings.get(), now) ? 'paused' : undefined;
}

/** Pauses capturing for an hour, or ends the pause. */
export function setPaused(capture: DeviceCapture, isPausing: boolean, now: number): Promise<void> {
  return capture.update(({ pausedUntil: _, ...settings }) => ({
    ...settings,
    ...(isPausing && { pausedUntil: new Date(now + PAUSE_MS).toISOString() }),
  }));
}

/** Excludes the whole vault on this device, or includes it again. */
export function setVaultExcluded(capture: DeviceCapture, isExcluding: boolean): Promise<void> {
  const { vault } = capture;
  return capture.update((settings) => {
    const others = settings.excludedFolders.filter((folder) => folder !== vault);
    return { ...settings, excludedFolders: isExcluding ? [...others, vault] : others };
  });
}

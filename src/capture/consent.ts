/**
 * Levels of what is kept of a session: `task` keeps the current task with the files, the commands
 * and the beginning of the last answer; `all` keeps each message and the answers.
 */
export const CAPTURE_LEVELS = ['off', 'task', 'all'] as const;

export type CaptureLevel = (typeof CAPTURE_LEVELS)[number];

/** The user's choice of a workspace for a project's sessions. */
export interface ProjectLink {
  /** Hash of the folder that was linked first. */
  readonly project: string;
  /** Real path of the project's folder. */
  readonly folder: string;
  /** Further keys of the project; see `FoundProject` and `linkKeys`. */
  readonly keys: readonly string[];
  /** Real path of the vault. */
  readonly vault: string;
  readonly workspaceId: string;
  /** Its name when it was linked. */
  readonly workspaceName: string;
  /** The user's choice of what may be captured of sessions in this project. */
  readonly capture: CaptureLevel;
  /** ISO time since which the project has belonged to the workspace. */
  readonly since?: string;
}

export const PAUSE_MS = 60 * 60 * 1000;

/** Milliseconds since 1970; `to` is excluded. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A time that was not captured, and is not captured later either. */
export interface CaptureGap {
  /** A pause, an excluded folder, or a project (`ProjectLink.project`) with capture off. */
  readonly kind: 'pause' | 'folder' | 'project';
  /** The folder or project; empty for a pause. */
  readonly of: string;
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to?: number;
}

/** Facts that identify an excluded folder after it or its project was moved or renamed. */
export interface ExcludedPlace {
  /** See `folderIdentity`; empty if unknown. */
  readonly identity: string;
  /** `ProjectLink.project` of the linked project that contains it, and the path in that. */
  readonly project?: string;
  readonly inner?: string;
}

/** Permissions of the user for what this device captures. */
export interface CaptureSettings {
  /** At most one per folder. */
  readonly links: readonly ProjectLink[];
  /** Real paths of folders in which nothing is captured. */
  readonly excludedFolders: readonly string[];
  /** By the paths of folders that are or were excluded. */
  readonly places?: Readonly<Record<string, ExcludedPlace>>;
  /** ISO time before which nothing is captured. */
  readonly pausedUntil?: string;
  /** In the order in which they began; see `withGaps`. */
  readonly gaps?: readonly CaptureGap[];
  /** True if the file is damaged; then nothing is captured. */
  readonly isDamaged?: true;
}

/**
 * Returns whether a session in these real paths may be captured now; undefined in an excluded
 * folder, where not even the workspace may be shown. A pause stops only the capture.
 */
export function consentTo(
  settings: CaptureSettings,
  link: ProjectLink,
  folders: readonly string[],
  now: number,
): { readonly isCaptured: boolean } | undefined {
  if (folders.some((folder) => isExcluded(settings, folder))) return undefined;
  return { isCaptured: link.capture !== 'off' && !isPaused(settings, now) };
}

/** Returns whether a linked project is captured now, as part of a sentence. */
export function captureText(settings: CaptureSettings, link: ProjectLink, now: number): string {
  const { capture, folder } = link;
  if (isExcluded(settings, folder))
    return 'the folder is excluded, so there is no brief or capture';
  if (capture !== 'off' && isPaused(settings, now)) return 'capture is paused';
  return capture === 'task'
    ? 'capture is limited to the task'
    : `capture is ${capture === 'all' ? 'on' : 'off'}`;
}

export function isPaused({ pausedUntil }: CaptureSettings, now: number): boolean {
  return pausedUntil !== undefined && now < Date.parse(pausedUntil);
}

/** Returns true at or in an excluded folder. Ignores case and composition, as some systems do. */
export function isExcluded(
  { excludedFolders }: Pick<CaptureSettings, 'excludedFolders'>,
  path: string,
): boolean {
  const plain = plainPath(path);
  return excludedFolders.some((folder) => isInFolder(plain, plainPath(folder)));
}

/** Returns a form that is equal for all spellings of an absolute path but links. */
export function plainPath(path: string): string {
  const parts: string[] = [];
  for (const part of path
    .normalize('NFC')
    .toLowerCase()
    .split(/[\\/]+/)) {
    if (part === '..') parts.splice(Math.max(1, parts.length - 1));
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/').replace(/(.)\/$/, '$1');
}

/** Compares absolute paths with the separators of this system. */
export function isInFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

/** Also excludes the folders that were excluded at any time of an interval. */
export function withEarlierExclusions(
  settings: CaptureSettings,
  { from, to }: Interval,
): CaptureSettings {
  const earlier = (settings.gaps ?? []).filter(
    (gap) => gap.kind === 'folder' && gap.from <= to && from < (gap.to ?? Infinity),
  );
  const folders = [...settings.excludedFolders, ...earlier.map(({ of }) => of)];
  return { ...settings, excludedFolders: [...new Set(folders)] };
}

const MAX_GAPS = 1000;

/** Adds the times at which not everything was captured to changed settings. */
export function withGaps(
  before: CaptureSettings,
  after: CaptureSettings,
  now: number,
): CaptureSettings {
  const current = (settings: CaptureSettings) => [
    ...settings.excludedFolders.map((of) => ({ kind: 'folder', of, to: undefined }) as const),
    ...settings.links
      .filter(({ capture }) => capture === 'off')
      .map(({ project: of }) => ({ kind: 'project', of, to: undefined }) as const),
    ...(settings.pausedUntil === undefined
      ? []
      : [{ kind: 'pause', of: '', to: Date.parse(settings.pausedUntil) } as const]),
  ];
  type Current = ReturnType<typeof current>[number];
  const isSame = (a: Current) => (b: Current) =>
    a.kind === b.kind && a.of === b.of && a.to === b.to;
  const [old, lasting] = [current(before), current(after)];
  const ended = old.filter((each) => !lasting.some(isSame(each)));
  const begun = lasting.filter((each) => !old.some(isSame(each)));
  const kept = (before.gaps ?? []).map((gap): CaptureGap => {
    const isEnded = ended.some(({ kind, of }) => kind === gap.kind && of === gap.of);
    return isEnded && (gap.to ?? Infinity) > now ? { ...gap, to: now } : gap;
  });
  const added = begun.map(({ to, ...gap }): CaptureGap => ({
    ...gap,
    from: now,
    ...(to !== undefined && { to }),
  }));
  const links = after.links.map((link) => {
    const isOld = ({ project, vault, workspaceId }: ProjectLink) =>
      project === link.project && vault === link.vault && workspaceId === link.workspaceId;
    const known = before.links.find(isOld);
    const since = known ? known.since : new Date(now).toISOString();
    return { ...link, ...(since !== undefined && { since }) };
  });
  return { ...after, links, gaps: shortened([...kept, ...added]) };
}

/** If there are too many gaps, joins the oldest, at the cost of what was captured in between. */
function shortened(gaps: readonly CaptureGap[]): readonly CaptureGap[] {
  const [first, ...rest] = gaps;
  if (gaps.length <= MAX_GAPS || !first) return gaps;
  const next = rest.find(({ kind, of }) => kind === first.kind && of === first.of);
  if (!next) return [...rest, first];
  return [{ ...next, from: first.from }, ...rest.filter((gap) => gap !== next)];
}

/** Returns when nothing may be captured in a project's folder, given by its real path. */
export function gapsIn(
  settings: CaptureSettings,
  { project, since }: ProjectLink,
  folder: string,
): Interval[] {
  if (isExcluded(settings, folder)) return [{ from: -Infinity, to: Infinity }];
  const isHere = ({ kind, of }: CaptureGap) =>
    kind === 'pause' ||
    (kind === 'project' ? of === project : isExcluded({ excludedFolders: [of] }, folder));
  return [
    { from: -Infinity, to: since === undefined ? -Infinity : Date.parse(since) },
    ...(settings.gaps ?? []).filter(isHere).map(({ from, to = Infinity }) => ({ from, to })),
  ];
}

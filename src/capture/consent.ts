/**
 * Levels of what is kept of a session: `task` keeps the current task with the files, the commands
 * and the beginning of the last answer; `all` keeps each message and the answers.
 */
export const CAPTURE_LEVELS = ['off', 'task', 'all'] as const;

export type CaptureLevel = (typeof CAPTURE_LEVELS)[number];

/**
 * When an agent is told of the memory without asking: at its start, also at each prompt, or also
 * when it reads or writes a file, a command fails, and for its subagents.
 */
export const TELL_LEVELS = ['off', 'start', 'prompt', 'all'] as const;

export type TellLevel = (typeof TELL_LEVELS)[number];

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
  /** See `tellLevel`. */
  readonly tell?: TellLevel;
  /** ISO time since which the project has belonged to the workspace. */
  readonly since?: string;
}

export function tellLevel({ tell = 'prompt' }: Pick<ProjectLink, 'tell'>): TellLevel {
  return tell;
}

/** Returns true if a level includes another one. */
export function tells(link: Pick<ProjectLink, 'tell'>, least: TellLevel): boolean {
  return TELL_LEVELS.indexOf(tellLevel(link)) >= TELL_LEVELS.indexOf(least);
}

export const PAUSE_MS = 60 * 60 * 1000;

/** Milliseconds since 1970; `to` is excluded. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * A pause; an excluded folder; a folder with a link, which hides it from the project around it; a
 * project (`ProjectLink.project`) with capture off; one of which an excluded folder was gone.
 */
export const GAP_KINDS = ['pause', 'folder', 'link', 'project', 'gone'] as const;

/** A time that was not captured, and is not captured later either. */
export interface CaptureGap {
  readonly kind: (typeof GAP_KINDS)[number];
  /** The folder or project; empty for a pause. */
  readonly of: string;
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to?: number;
}

/** Facts that identify a folder after it or one around it was moved or renamed. */
export interface ExcludedPlace {
  /** Its path in each folder around it (`folderIdentity`) and each project with a link. */
  readonly inner: Readonly<Record<string, string>>;
  /** Further paths at which it was seen. They are hidden like the first one. */
  readonly seen: readonly string[];
}

/** Permissions of the user for what this device captures. */
export interface CaptureSettings {
  /** At most one per folder. */
  readonly links: readonly ProjectLink[];
  /** Real paths of folders in which nothing is captured. */
  readonly excludedFolders: readonly string[];
  /** By the paths of folders that are or were excluded or linked. */
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

type Exclusions = Pick<CaptureSettings, 'excludedFolders' | 'places'>;

/** Returns all paths at which a folder was seen that is or was excluded or linked. */
export function knownPaths({ places = {} }: Pick<Exclusions, 'places'>, path: string): string[] {
  return [path, ...(places[path]?.seen ?? [])];
}

/** Returns the paths of all places at which nothing is captured. */
export function excludedPaths(settings: Exclusions): readonly string[] {
  return settings.excludedFolders.flatMap((path) => knownPaths(settings, path));
}

/** Returns true at or in an excluded folder. Ignores case and composition, as some systems do. */
export function isExcluded(settings: Exclusions, path: string): boolean {
  const plain = plainPath(path);
  return excludedPaths(settings).some((folder) => isInFolder(plain, plainPath(folder)));
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
  /** The projects of which an excluded folder is gone. */
  gone: readonly string[] = [],
): CaptureSettings {
  const current = (settings: CaptureSettings) => [
    ...settings.excludedFolders.map((of) => ({ kind: 'folder', of, to: undefined }) as const),
    ...settings.links.map(({ folder: of }) => ({ kind: 'link', of, to: undefined }) as const),
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
  for (const of of gone) {
    const at = kept.findLastIndex((gap) => gap.kind !== 'gone' || gap.of === of);
    const last = kept[at];
    // hooks that were called earlier may follow
    if (last?.kind === 'gone')
      kept[at] = { ...last, from: Math.min(last.from, now), to: Math.max(last.to ?? now, now) };
    else added.push({ kind: 'gone', of, from: now, to: now });
  }
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

/**
 * Returns when nothing may be captured in a project's folder, given by its real path. One that is
 * `missing` may have been any excluded folder. `calls` are the times of the session's hooks.
 */
export function gapsIn(
  settings: CaptureSettings,
  { project, since, folder: own }: ProjectLink,
  folder: string,
  { isMissing = false, calls = [] as readonly number[] } = {},
): Interval[] {
  if (isExcluded(settings, folder)) return [{ from: -Infinity, to: Infinity }];
  const isIn = (path: string, of: string) =>
    isExcluded({ ...settings, excludedFolders: [of] }, path);
  const isHere = ({ kind, of }: CaptureGap) => {
    if (kind === 'pause') return true;
    if (kind === 'folder') return isMissing || isIn(folder, of);
    return kind === 'link' ? isIn(folder, of) && !isIn(own, of) : of === project;
  };
  // it was not gone at the call before
  const begin = ({ kind, from }: CaptureGap) =>
    kind === 'gone' ? (calls.findLast((at) => at < from) ?? -Infinity) : from;
  const here = (settings.gaps ?? []).filter(isHere);
  return [
    { from: -Infinity, to: since === undefined ? -Infinity : Date.parse(since) },
    ...here.map((gap) => ({ from: begin(gap), to: gap.to ?? Infinity })),
  ];
}

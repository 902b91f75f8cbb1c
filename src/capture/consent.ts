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
  /** ISO time since which the project has belonged to the workspace. */
  readonly since?: string;
}

/** Duration of a pause. */
export const PAUSE_MS = 60 * 60 * 1000;

/** Times in milliseconds since 1970, of which the last is not included. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A time in which something was not to be captured, and is not captured later either. */
export interface CaptureGap {
  /** A pause, an excluded folder, or a project (`ProjectLink.project`) with capture off. */
  readonly kind: 'pause' | 'folder' | 'project';
  /** The folder or project; empty for a pause. */
  readonly of: string;
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to?: number;
}

/** Permissions of the user for what this device captures. */
export interface CaptureSettings {
  /** At most one per folder. */
  readonly links: readonly ProjectLink[];
  /** Real paths of folders in which nothing is captured. */
  readonly excludedFolders: readonly string[];
  /** Nothing is captured before this ISO time. */
  readonly pausedUntil?: string;
  /** In the order in which they began. The settings' file keeps them; see `withGaps`. */
  readonly gaps?: readonly CaptureGap[];
  /** True if the file is damaged, so that nothing is captured. */
  readonly isDamaged?: true;
}

/**
 * Returns whether a session may be captured now; undefined if its workspace may not even be shown
 * to the client, because the session is in an excluded folder. A pause stops only the capture.
 *
 * @param folders Real paths of the folders in which the client works.
 */
export function consentTo(
  settings: CaptureSettings,
  link: ProjectLink,
  folders: readonly string[],
  now: number,
): { readonly isCaptured: boolean } | undefined {
  if (folders.some((folder) => isExcluded(settings, folder))) return undefined;
  return { isCaptured: link.isCaptured && !isPaused(settings, now) };
}

/** Returns whether sessions in a linked project are captured now, as a part of a sentence. */
export function captureText(settings: CaptureSettings, link: ProjectLink, now: number): string {
  const { isCaptured, folder } = link;
  if (isExcluded(settings, folder))
    return 'the folder is excluded, so there is no brief or capture';
  if (isCaptured && isPaused(settings, now)) return 'capture is paused';
  return `capture is ${isCaptured ? 'on' : 'off'}`;
}

export function isPaused({ pausedUntil }: CaptureSettings, now: number): boolean {
  return pausedUntil !== undefined && now < Date.parse(pausedUntil);
}

/**
 * Returns true if the path is an excluded folder or inside one. Ignores letter case and how letters
 * are composed, because some systems do.
 */
export function isExcluded(
  { excludedFolders }: Pick<CaptureSettings, 'excludedFolders'>,
  path: string,
): boolean {
  const plain = plainPath(path);
  return excludedFolders.some((folder) => isInFolder(plain, plainPath(folder)));
}

/** Returns an absolute path in a form that is equal for all spellings of it but links. */
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

/**
 * Returns true if an absolute path is a folder or inside it. Both have the separators of this
 * system.
 */
export function isInFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}

/** Returns the settings with each folder excluded that was so at any time of an interval. */
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

/** Returns the settings after a change, with the times at which not everything was captured. */
export function withGaps(
  before: CaptureSettings,
  after: CaptureSettings,
  now: number,
): CaptureSettings {
  const current = (settings: CaptureSettings) => [
    ...settings.excludedFolders.map((of) => ({ kind: 'folder', of, to: undefined }) as const),
    ...settings.links
      .filter(({ isCaptured }) => !isCaptured)
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

/** Joins the oldest gaps, at the cost of what was captured between them, if there are too many. */
function shortened(gaps: readonly CaptureGap[]): readonly CaptureGap[] {
  const [first, ...rest] = gaps;
  if (gaps.length <= MAX_GAPS || !first) return gaps;
  const next = rest.find(({ kind, of }) => kind === first.kind && of === first.of);
  if (!next) return [...rest, first];
  return [{ ...next, from: first.from }, ...rest.filter((gap) => gap !== next)];
}

/**
 * Returns the times at which nothing may be captured in a folder of a project, whose real path is
 * given.
 */
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

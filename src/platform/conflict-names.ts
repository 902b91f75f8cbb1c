/** Names that only a sync tool gives: Syncthing, Dropbox and Nextcloud (and Obsidian Sync), Seafile, older Nextcloud. */
const SURE = [
  /^(.+)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?$/u,
  /^(.+) \([^()]*(?:conflicted copy|case conflict|encoding conflict|sfconflict)[^()]*\)$/iu,
  /^(.+)_conflict-\d{8}-\d{6}$/u,
];

/** Names that a person may give as well, so only beside the original: iCloud, Google Drive, OneDrive, Remotely Save. */
const LIKELY = [
  /^(.+) (?:[2-9]|[1-9]\d)$/u,
  /^(.+) ?\([1-9]\d?\)$/u,
  /^(.+)-(?:DESKTOP|LAPTOP|WIN|PC)-[A-Z0-9]{4,12}$/u,
  /^(.+)\.dup$/u,
];

/** The name of the file of which a file is, by its name, a sync tool's copy after a conflict. `names`: those in the same folder. */
export function conflictOriginal(name: string, names: ReadonlySet<string>): string | undefined {
  const ending = /^(.+?)(\.[a-z0-9]{1,10})$/iu.exec(name);
  const [stem, extension] = [ending?.[1] ?? name, ending?.[2] ?? ''];
  const sure = originalStem(SURE, stem);
  if (sure !== undefined) return sure + extension;
  const likely = originalStem(LIKELY, stem);
  return likely !== undefined && names.has(likely + extension) ? likely + extension : undefined;
}

function originalStem(patterns: readonly RegExp[], stem: string): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(stem)?.[1];
    if (found !== undefined) return found.trimEnd();
  }
  return undefined;
}

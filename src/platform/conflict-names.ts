/** Given only by sync tools: Syncthing, Dropbox, Nextcloud, Obsidian Sync, Seafile. */
const CERTAIN_PATTERNS = [
  /^(.+)\.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?$/u,
  /^(.+) \([^()]*(?:conflicted copy|case conflict|encoding conflict|sfconflict)[^()]*\)$/iu,
  /^(.+)_conflict-\d{8}-\d{6}$/u,
];

/**
 * Names that a person may give too, so they count only next to the original: iCloud, Google Drive,
 * OneDrive, Remotely Save.
 */
const LIKELY_PATTERNS = [
  /^(.+) (?:[2-9]|[1-9]\d)$/u,
  /^(.+) ?\([1-9]\d?\)$/u,
  /^(.+)-(?:DESKTOP|LAPTOP|WIN|PC)-[A-Z0-9]{4,12}$/u,
  /^(.+)\.dup$/u,
];

/** Returns the name of which `name` is a conflict copy, if any; `names` are in the same folder. */
export function conflictOriginal(name: string, names: ReadonlySet<string>): string | undefined {
  const ending = /^(.+?)(\.[a-z0-9]{1,10})$/iu.exec(name);
  const stem = ending?.[1] ?? name;
  const extension = ending?.[2] ?? '';
  const certain = originalStem(CERTAIN_PATTERNS, stem);
  if (certain !== undefined) return certain + extension;
  const likely = originalStem(LIKELY_PATTERNS, stem);
  return likely !== undefined && names.has(likely + extension) ? likely + extension : undefined;
}

function originalStem(patterns: readonly RegExp[], stem: string): string | undefined {
  const found = patterns.map((pattern) => pattern.exec(stem)?.[1]);
  return found.find((each) => each !== undefined)?.trimEnd();
}

/** Returns the source line that a model reads above a state's data. `day` is an ISO date. */
export function formatStateSource(name: string, workspace: string, day: string): string {
  return `the saved state "${name}" of the workspace "${workspace}", saved on ${day}`;
}

/** Returns the source line above a note's text; `kilobytes` is the note's full size if only its first 100 KB are sent. */
export function formatNoteSource(path: string, kilobytes?: number): string {
  return `the note "${path}"${kilobytes === undefined ? '' : ` (only its first 100 of ${kilobytes} KB)`}`;
}

/** Parses a source line from `formatStateSource`; returns undefined for any other text. */
export function parseStateSource(
  source: string,
): { name: string; workspace: string; day: string } | undefined {
  const [, name, workspace, day] =
    /^the saved state "(.+)" of the workspace "(.+)", saved on (\S+)$/su.exec(source) ?? [];
  return name !== undefined && workspace !== undefined && day !== undefined
    ? { name, workspace, day }
    : undefined;
}

/** Returns the full size in kilobytes of a note that was sent in part; undefined if it was sent whole. */
export function parseNoteSize(source: string): number | undefined {
  const [, size] = /" \(only its first 100 of (\d+) KB\)$/u.exec(source) ?? [];
  return size === undefined ? undefined : Number(size);
}

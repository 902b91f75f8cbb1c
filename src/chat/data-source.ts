/** Where the data of a state come from, in the words that a model reads. `day` is an ISO date. */
export function stateSource(name: string, workspace: string, day: string): string {
  return `the saved state "${name}" of the workspace "${workspace}", saved on ${day}`;
}

/** Where those of a note come from; `kilobytes` is given of one that is handed over only in its first 100. */
export function noteSource(path: string, kilobytes?: number): string {
  return `the note "${path}"${kilobytes === undefined ? '' : ` (only its first 100 of ${kilobytes} KB)`}`;
}

/** What such words say; undefined where they are others. */
export function readStateSource(
  source: string,
): { name: string; workspace: string; day: string } | undefined {
  const [, name, workspace, day] =
    /^the saved state "(.+)" of the workspace "(.+)", saved on (\S+)$/su.exec(source) ?? [];
  return name !== undefined && workspace !== undefined && day !== undefined
    ? { name, workspace, day }
    : undefined;
}

/** How many kilobytes a note has of which only the first were handed over. */
export function readNoteSize(source: string): number | undefined {
  const [, size] = /" \(only its first 100 of (\d+) KB\)$/u.exec(source) ?? [];
  return size === undefined ? undefined : Number(size);
}

import type { Json } from '../../model/event.js';
import type { NoteFile } from './note-source.js';

/** Reads the result of `NoteScanner.toJson`; returns no records for damaged data. */
export function recordsFromJson(metadata: Json): NoteFile[] {
  const { paths, mtimes, sizes } = (metadata ?? {}) as Record<string, unknown>;
  if (!Array.isArray(paths) || !Array.isArray(mtimes) || !Array.isArray(sizes)) return [];
  return paths.flatMap((path: unknown, at): NoteFile[] => {
    const [mtime, size] = [mtimes[at] as unknown, sizes[at] as unknown];
    return typeof path === 'string' && typeof mtime === 'number' && typeof size === 'number'
      ? [{ path, mtime, size }]
      : [];
  });
}

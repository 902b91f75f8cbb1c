import { utf8Text } from '../../platform/bytes/bytes.js';

/** A file's bytes, or what tells the versions of a file apart of which no copy is kept. */
export type FileContent = Uint8Array | { readonly version: string };

/** Files of the vault, as they are on disk. */
export interface TrackedFiles {
  /** Lists tracked files. A stamp changes whenever its file does; empty if none can tell. */
  list(folder: string): Promise<readonly { readonly path: string; readonly stamp: string }[]>;
  /** Returns true for a path that `list` returns if there is such a file. */
  isTracked(path: string): boolean;
  /** Reads any file. Returns undefined if there is none. */
  read(path: string): Promise<FileContent | undefined>;
  /**
   * For a file that the app itself writes, returns a function that returns what the file would
   * contain with only the app's changes. undefined stands for no file.
   */
  ownWrites(
    path: string,
  ):
    | ((before: Uint8Array | undefined, after: Uint8Array | undefined) => Uint8Array | undefined)
    | undefined;
  /**
   * Replaces what has just been read; undefined stands for no file. Returns false if the app has
   * changed the file since. Throws a `Refusal` for a file that is behind a link.
   */
  replace(
    path: string,
    current: FileContent | undefined,
    changed: Uint8Array | undefined,
  ): Promise<boolean>;
}

/** Returns undefined for what is no text in UTF-8; other encodings have NULs or invalid bytes. */
export function contentText(content: FileContent): string | undefined {
  const text = 'version' in content ? undefined : utf8Text(content);
  return text?.includes('\0') ? undefined : text;
}

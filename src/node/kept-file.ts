import { errorCode, type NodeModules } from './modules.js';

/** Identifies one version of a file or folder. */
export interface FileStamp {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Changes with every change of the file; empty if the file has changed too recently to tell. */
  readonly version: string;
}

/** Two changes within this time may have equal time stamps, because disks have coarse clocks. */
const TIMESTAMP_GRANULARITY_MS = 3000;

/** Returns undefined if there is no such file, or it cannot be looked at. */
export async function stampOf(node: NodeModules, path: string): Promise<FileStamp | undefined> {
  return lookAt(node, path).catch(() => undefined);
}

async function lookAt({ fs }: NodeModules, path: string): Promise<FileStamp> {
  const info = await fs.stat(path, { bigint: true });
  const { mtimeMs, ctimeMs, mtimeNs, ctimeNs, size, ino } = info;
  const age = Date.now() - Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
  const version = age > TIMESTAMP_GRANULARITY_MS ? [mtimeNs, ctimeNs, size, ino].join(' ') : '';
  return { path, mtime: Number(mtimeNs) / 1e6, version };
}

function missing(path: string): FileStamp {
  return { path, mtime: 0, version: 'missing' };
}

export function isSameStamp(before: FileStamp | undefined, now: FileStamp | undefined): boolean {
  return (
    before !== undefined &&
    now !== undefined &&
    before.version !== '' &&
    before.version === now.version &&
    before.path === now.path
  );
}

/** Content that was read, with the stamp taken before. */
export interface Stamped<T> {
  readonly stamp: FileStamp | undefined;
  readonly content: T;
}

/**
 * Returns a reader that reads a file again only after a change, because every call asks for it.
 * `read` is called if the file may have changed, and once if there is none.
 */
export function keepFile<T>(
  node: NodeModules,
  path: string,
  read: () => Promise<T>,
): () => Promise<T> {
  let kept: Stamped<T> | undefined;
  return async () => {
    const stamp = await lookAt(node, path).catch((error: unknown) =>
      errorCode(error) === 'ENOENT' ? missing(path) : undefined,
    );
    if (kept && isSameStamp(kept.stamp, stamp)) return kept.content;
    kept = { stamp, content: await read() };
    return kept.content;
  };
}

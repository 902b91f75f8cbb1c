/** The process, by a name that the store's lint knows, unlike the global `NodeJS`. */
export type NodeProcess = typeof import('node:process');
export type ProcessEnv = NodeProcess['env'];
export type Platform = NodeProcess['platform'];

/**
 * Node's own modules. They are passed in, so that no file in this folder imports one. A folder that
 * needs others, such as those for servers, has a type that adds them.
 */
export interface NodeModules {
  /** Without `constants`, which Node 16.16 has only in `node:fs`. */
  readonly fs: Omit<typeof import('node:fs/promises'), 'constants'>;
  readonly callbackFs: Pick<
    typeof import('node:fs'),
    'open' | 'read' | 'stat' | 'fstat' | 'close' | 'realpathSync' | 'constants'
  >;
  readonly path: typeof import('node:path');
  readonly os: typeof import('node:os');
  readonly timers: typeof import('node:timers');
  readonly crypto: typeof import('node:crypto');
  readonly process: Pick<NodeProcess, 'getuid' | 'ppid' | 'versions'>;
}

/** Adds `realpath` on disks that Windows' mount manager does not know: RAM and encrypted ones. */
export function onAnyDisk<T extends Pick<NodeModules['fs'], 'realpath'>>(
  fs: T,
  { realpathSync }: Pick<NodeModules['callbackFs'], 'realpathSync'>,
): T {
  const value = (path: string) =>
    fs.realpath(path).catch((error: unknown) => {
      if (errorCode(error) === 'EISDIR') return realpathSync(path);
      throw error;
    });
  return Object.create(fs, { realpath: { value } }) as T;
}

/** Returns an operating system error's code, such as `ENOENT`; undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

import { isHidden, isWithin, type VaultPath } from '../model/paths.js';

/** Where a path leads that an agent names. */
export type ChatAgentPlace =
  | { readonly inner: VaultPath }
  /** The agent must not write there, or not even read if a link leads there. */
  | { readonly problem: string; readonly shown: string; readonly isLink?: true };

interface PathsOptions {
  /** Absolute path. */
  readonly vault: string;
  readonly protectedFolders: readonly string[];
  /** Returns an absolute path without `.` and `..`. */
  readonly resolve: (vault: string, path: string) => string;
  /**
   * Returns the absolute path to which a path leads that an agent names, with links followed as far
   * as it exists; undefined if one of them leads to nothing.
   */
  readonly followLinks: (vault: string, path: string) => Promise<string | undefined>;
}

export type ChatAgentPaths = ReturnType<typeof createChatAgentPaths>;

/** Places the paths that an agent names in relation to the vault. */
export function createChatAgentPaths(options: PathsOptions) {
  const { vault, protectedFolders, resolve, followLinks } = options;
  const inVault = (path: string, root: string): VaultPath | undefined => {
    const inner = toSlashes(path);
    const folder = toSlashes(root).replace(/\/+$/u, '');
    return isWithin(inner, folder) ? inner.slice(folder.length + 1) : undefined;
  };
  /** Returns the path as the user sees it: inside the vault if possible. Follows no link. */
  const display = (path: string) => inVault(resolve(vault, path), vault) ?? path;
  return {
    /** Folders in the vault that an agent must not change: the app's settings and the memory. */
    protectedFolders,
    display,
    /** Follows links. Its problem is in words for the agent. */
    async locate(path: string): Promise<ChatAgentPlace> {
      const [real, root = vault] = await Promise.all(
        [path, '.'].map((each) => followLinks(vault, each)),
      );
      const inner = real === undefined ? undefined : inVault(real, root);
      if (inner !== undefined) {
        const problem = problemOf(inner, protectedFolders);
        return problem === undefined ? { inner } : { problem, shown: inner };
      }
      const named = resolve(vault, path);
      const shown = real ?? named;
      if (inVault(named, vault) === undefined) return { problem: OUTSIDE, shown };
      return { problem: LINK, shown, isLink: true };
    },
  };
}

const OUTSIDE = 'The path is outside the vault. Write only inside the vault.';
const LINK =
  'A link in the path leads out of the vault, or to nothing. Use only paths that stay inside the vault.';

function problemOf(inner: VaultPath, protectedFolders: readonly string[]): string | undefined {
  const folder = protectedFolders.find((each) => isWithin(inner, each));
  if (folder !== undefined)
    return `The folder "${folder}" is protected. Use the app's settings or Savepoint's tools instead.`;
  if (isHidden(inner)) return 'Hidden files are protected. Write only notes and attachments.';
  return inner === '' ? 'The path is the vault itself. Name a file.' : undefined;
}

function toSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

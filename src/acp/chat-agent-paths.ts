import { isHidden, isWithin } from '../model/paths.js';

/** The paths that an agent names, in relation to the vault. */
export interface ChatAgentPaths {
  /** Folders in the vault that an agent must not change: the app's settings and the memory. */
  readonly protectedFolders: readonly string[];
  /** Returns the path inside the vault, if it is there. */
  inVault(path: string): string | undefined;
  /** Returns the path as the user sees it: inside the vault if possible. */
  display(path: string): string;
  /** Returns why the agent must not write there, in words for the agent; undefined if it may. */
  check(path: string): string | undefined;
}

interface PathsOptions {
  /** Absolute path. */
  readonly vault: string;
  readonly protectedFolders: readonly string[];
  /** Returns an absolute path without `.` and `..`. */
  readonly resolve: (vault: string, path: string) => string;
}

export function createChatAgentPaths({
  vault,
  protectedFolders,
  resolve,
}: PathsOptions): ChatAgentPaths {
  const root = toSlashes(vault).replace(/\/+$/u, '');
  const inVault = (path: string): string | undefined => {
    const absolute = toSlashes(resolve(vault, path));
    if (!isWithin(absolute, root)) return undefined;
    return absolute.slice(root.length + 1);
  };
  return {
    protectedFolders,
    inVault,
    display: (path) => inVault(path) ?? path,
    check(path) {
      const inner = inVault(path);
      if (inner === undefined) return 'The path is outside the vault. Write only inside the vault.';
      const folder = protectedFolders.find((each) => isWithin(inner, each));
      if (folder !== undefined)
        return `The folder "${folder}" is protected. Use the app's settings or Savepoint's tools instead.`;
      if (isHidden(inner)) return 'Hidden files are protected. Write only notes and attachments.';
      return inner === '' ? 'The path is the vault itself. Name a file.' : undefined;
    },
  };
}

function toSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

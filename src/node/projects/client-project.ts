import { fileNameOf } from '../../model/paths.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import { shellQuoted } from '../shell-quoted.js';
import type { FoundLink } from './find-link.js';
import type { FoundProject } from './find-project.js';

/** Returns a project as its calls need it. */
export function clientProject(
  { key, keys, remoteKeys, place }: FoundProject,
  found: FoundLink | undefined,
): ClientProject {
  if (!found) return { key, otherKeys: keys, ...(place && { folder: place.folder }) };
  const { link, isProved, other } = found;
  // A folder in a linked one that is no repository is part of the linked project.
  const isPart = found.evidence === 'folder' && place?.gitFolder === undefined;
  const folder = isPart ? link.folder : place?.folder;
  const isElsewhere = found.evidence !== 'renamed' && isProved && folder !== link.folder;
  return {
    key: remoteKeys[0] ?? (isProved ? link.project : key),
    otherKeys: isProved ? [...new Set([...keys, link.project, ...link.keys])] : keys,
    ...(folder !== undefined && { folder }),
    ...(folder !== undefined && isElsewhere && { worktree: fileNameOf(folder) }),
    link: {
      workspaceId: link.workspaceId,
      workspaceName: link.workspaceName,
      ...(!isProved && { confirmCommand: confirmCommand(link, place?.folder) }),
      ...(other && { otherWorkspaceName: other.workspaceName }),
    },
  };
}

function confirmCommand(
  { workspaceId, vault, capture }: FoundLink['link'],
  folder: string | undefined,
) {
  const project = folder === undefined ? '' : ` --project ${shellQuoted(folder)}`;
  return `savepoint link --workspace ${workspaceId} --vault ${shellQuoted(vault)}${project}${capture === 'off' ? '' : ` --capture ${capture}`}`;
}

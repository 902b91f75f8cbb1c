import type { JsonObject } from '../../model/event.js';
import { isText, objectsIn, textsIn } from '../../model/text/json-fields.js';
import type { ClientProject } from '../../toolkit/context-defaults.js';
import type { NodeModules } from '../modules.js';
import { createJsonFile } from '../ports/json-file.js';
import { findByKeys } from './find-link.js';

const FILE_NAME = 'projects.json';
const MAX_PROJECTS = 500;
const MAX_CLIENTS = 20;
const MAX_KEYS = 50;

interface Use {
  /** The name by which the client identified itself. */
  readonly client: string;
  readonly workspace: string;
  /** An ISO time. */
  readonly at: string;
}

/**
 * Returns the file with the workspace that each client last used in each project on this device.
 * `folder` is outside the vault, for this device's data about it.
 */
export function createProjectFile(node: NodeModules, folder: string) {
  const file = createJsonFile(node, node.path.join(folder, FILE_NAME));
  return {
    /** Returns the workspaces that this client and any client last used in a project. */
    async usesIn(
      keys: readonly string[],
      client: string,
    ): Promise<Pick<ClientProject, 'usedByClient' | 'usedByAny'>> {
      const { uses = [] } = findByKeys(projectsIn(await file.read()), keys) ?? {};
      const own = uses.find((use) => use.client === client)?.workspace;
      const any = uses.at(-1)?.workspace;
      return {
        ...(own !== undefined && { usedByClient: own }),
        ...(any !== undefined && { usedByAny: any }),
      };
    },
    /** Stores a use. Programs that do so at the same time wait for each other. */
    async addUse(keys: readonly string[], use: Use): Promise<void> {
      await file.update((stored) => {
        const projects = projectsIn(stored);
        const known = findByKeys(projects, keys);
        const others = (known?.uses ?? []).filter(({ client }) => client !== use.client);
        const project = {
          keys: [...new Set([...(known?.keys ?? []), ...keys])].slice(-MAX_KEYS),
          uses: [...others, use].slice(-MAX_CLIENTS),
        };
        return [...projects.filter((each) => each !== known), project].slice(-MAX_PROJECTS);
      });
    },
  };
}

/**
 * Returns the projects, the one stored last at the end, each with the last use by each client, the
 * latest at the end. A damaged file counts as empty.
 */
function projectsIn(stored: unknown) {
  return objectsIn(stored).map(({ keys, uses }) => ({
    keys: textsIn(keys),
    uses: objectsIn(uses).filter((use): use is JsonObject & Use =>
      [use['client'], use['workspace'], use['at']].every(isText),
    ),
  }));
}

import type { NamedFolder } from '../apps/ai-app.js';
import { partsOf } from '../apps/index.js';
import type { JsonObject } from '../model/event.js';
import type { ClientProject } from '../toolkit/context-defaults.js';

/** What a client says about where it works. */
export interface ClientLocation {
  /** The name by which the client identified itself. */
  readonly client: string;
  /** Folder and git remotes that the call itself names. */
  readonly named: NamedFolder | undefined;
  /** The client's MCP roots, as URIs. */
  readonly roots: readonly string[];
}

/** The projects of this device's clients, and the workspaces that they last entered. */
export interface Projects {
  /** Returns the project at a location; undefined if there is none. */
  find(location: ClientLocation): Promise<ClientProject | undefined>;
  /** Stores the workspace that a project last entered. */
  remember(project: ClientProject, workspaceId: string): Promise<void>;
}

/** Returns the folder that a call's `_meta` names, as some apps do; undefined if it names none. */
export function namedFolderIn(
  meta: Readonly<Record<string, unknown>> = {},
): NamedFolder | undefined {
  for (const namedFolder of partsOf('namedFolder')) {
    const named = namedFolder(meta as JsonObject);
    if (named) return named;
  }
  return undefined;
}

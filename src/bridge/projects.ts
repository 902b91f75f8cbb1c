import type { NamedFolder } from '../apps/ai-app.js';
import { partsOf } from '../apps/index.js';
import type { JsonObject } from '../model/event.js';
import type { ClientProject } from '../toolkit/context-defaults.js';

/** What a client says about where it works. */
export interface ClientLocation {
  readonly client: string;
  /** The client's id of the conversation; absent if it is that of the connection. */
  readonly conversation?: string | undefined;
  /** Folder and git remotes that the call itself names. */
  readonly named: NamedFolder | undefined;
  /** The client's MCP roots, as URIs. */
  readonly roots: readonly string[];
}

/** The projects of this device's clients, with their links and the workspaces that they used. */
export interface Projects {
  /** The first project found for a conversation counts for all of it. Undefined if none. */
  find(location: ClientLocation): Promise<ClientProject | undefined>;
  remember(project: ClientProject, client: string, workspaceId: string): Promise<void>;
}

/** Stores a workspace that a client has used, unless it is stored already. */
export async function rememberUse(
  projects: Projects | undefined,
  project: ClientProject | undefined,
  client: string,
  workspaceId: string | undefined,
): Promise<void> {
  if (!project || workspaceId === undefined) return;
  const { usedByClient, usedByAny } = project;
  if (usedByClient === workspaceId && usedByAny === workspaceId) return;
  await projects?.remember(project, client, workspaceId);
}

/** Returns the conversation id in a call's `_meta`. */
export function conversationIn(meta: Readonly<Record<string, unknown>> = {}): string | undefined {
  const ids = partsOf('conversationId').map((idIn) => idIn(meta as JsonObject));
  return ids.find((id) => id !== undefined);
}

/** Returns the folder that some apps name in a call's `_meta`. */
export function namedFolderIn(
  meta: Readonly<Record<string, unknown>> = {},
): NamedFolder | undefined {
  const named = partsOf('namedFolder').map((folderIn) => folderIn(meta as JsonObject));
  return named.find((folder) => folder !== undefined);
}

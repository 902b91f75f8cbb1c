import { isJsonObject, type Json } from '../model/event.js';
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

export interface NamedFolder {
  readonly folder: string;
  /** URLs of the git remotes by name. */
  readonly remotes: Readonly<Record<string, string>>;
}

/** The projects of this device's clients, and the workspaces that they last entered. */
export interface Projects {
  /** Returns the project at a location; undefined if there is none. */
  find(location: ClientLocation): Promise<ClientProject | undefined>;
  /** Stores the workspace that a project last entered. */
  remember(project: ClientProject, workspaceId: string): Promise<void>;
}

/** Key in a request's `_meta` with which Codex describes the turn. */
const CODEX_TURN = 'x-codex-turn-metadata';

/** Returns the folder that a call's `_meta` names, as Codex does; undefined if it names none. */
export function namedFolderIn(
  meta: Readonly<Record<string, unknown>> | undefined,
): NamedFolder | undefined {
  const turn = meta?.[CODEX_TURN];
  const workspaces = isJsonObject(turn) ? turn['workspaces'] : undefined;
  const [first] = isJsonObject(workspaces) ? Object.entries(workspaces) : [];
  if (!first) return undefined;
  const [folder, facts] = first;
  const urls = isJsonObject(facts) ? facts['associated_remote_urls'] : undefined;
  return { folder, remotes: textsOf(urls) };
}

function textsOf(value: Json | undefined): Record<string, string> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

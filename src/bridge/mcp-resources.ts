import { ProtocolError, ResourceNotFoundError, INVALID_PARAMS } from '@modelcontextprotocol/server';
import type {
  CompleteRequest,
  CompleteResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from '@modelcontextprotocol/server';
import {
  allStates,
  allWorkspaces,
  lookupState,
  lookupWorkspaceByRef,
  type LookupResult,
  type Named,
} from '../model/lookup.js';
import { DEFAULT_WORKSPACE, type Memory } from '../model/memory.js';
import { nameKey } from '../model/names.js';
import { clip, Refusal } from '../model/refusal.js';
import type { State } from '../model/state.js';
import { redact } from '../redaction/index.js';
import type { Workspace } from '../model/workspace.js';
import { candidatesText } from '../toolkit/context.js';
import type { ClientProject } from '../toolkit/context-defaults.js';
import { quotedWorkspace } from './workspace-text.js';

/** Returns a state as text for a conversation, with its content quoted as data. */
export type StateText = (
  state: Named<State>,
  workspaceName: string,
  project?: ClientProject,
) => Promise<string>;

/** `about` is what the reader is about to do, as a query or as paths. */
export type BriefText = (
  memory: Memory,
  workspaceId: string,
  about: string | undefined,
  project?: ClientProject,
) => Promise<string>;

const SCHEME = 'savepoint://workspace/';
const WORKSPACE_TEMPLATE = `${SCHEME}{workspace}`;
const STATE_TEMPLATE = `${SCHEME}{workspace}/state/{state}`;
const URI_FORMAT = /^savepoint:\/\/workspace\/([^/?#]+)(?:\/state\/([^/?#]+))?$/;
const MARKDOWN = 'text/markdown';

const PAGE_SIZE = 1000;
/** Maximum number of completions that the protocol allows in one response. */
const MAX_COMPLETIONS = 100;

export const RESOURCE_TEMPLATES: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: WORKSPACE_TEMPLATE,
      name: 'workspace',
      title: 'Workspace',
      mimeType: MARKDOWN,
      description: 'A workspace: what it is for, and the states saved in it',
    },
    {
      uriTemplate: STATE_TEMPLATE,
      name: 'state',
      title: 'State',
      mimeType: MARKDOWN,
      description: 'A saved state, as notes to continue from',
    },
  ],
};

/** Lists live workspaces and states in pages. A cursor is the URI of a page's last row. */
export function listResources(memory: Memory, cursor: string | undefined): ListResourcesResult {
  const rows = liveWorkspaces(memory).flatMap((workspace) => [
    describe(SCHEME + encodeURIComponent(workspace.displayName), workspace),
    ...liveStates(memory, workspace.item.id).map((state) =>
      describe(
        `${SCHEME}${encodeURIComponent(workspace.displayName)}/state/${encodeURIComponent(state.displayName)}`,
        state,
      ),
    ),
  ]);
  const from = cursor === undefined ? 0 : rows.findIndex(({ uri }) => uri === cursor) + 1;
  if (cursor !== undefined && from === 0)
    throw invalidParams('The cursor is no longer valid. List again from the beginning.');
  const resources = rows.slice(from, from + PAGE_SIZE);
  const last = resources.at(-1);
  return { resources, ...(last && from + PAGE_SIZE < rows.length && { nextCursor: last.uri }) };
}

function describe(
  uri: string,
  { item, displayName }: Named<Workspace | State>,
): ListResourcesResult['resources'][number] {
  return {
    uri,
    name: displayName,
    title: displayName,
    mimeType: MARKDOWN,
    ...(item.description && { description: redact(item.description) }),
  };
}

/** Returns text without secrets. Rejects with a `ResourceNotFoundError` for an unknown URI. */
export async function readResource(
  memory: Memory,
  uri: string,
  stateText: StateText,
): Promise<ReadResourceResult> {
  const [workspaceName, stateName] = parseUri(uri);
  try {
    const workspace = workspaceByName(memory, workspaceName);
    const { item, displayName } = workspace;
    const stateByName = (name: string) =>
      requireMatch(lookupState(memory, item.id, name), `State "${clip(name)}" of "${displayName}"`);
    const text =
      stateName === undefined
        ? quotedWorkspace(workspace, liveStates(memory, item.id))
        : await stateText(stateByName(stateName), displayName);
    return { contents: [{ uri, mimeType: MARKDOWN, text: redact(text) }] };
  } catch (error) {
    throw error instanceof Refusal ? new ResourceNotFoundError(uri, error.message) : error;
  }
}

/** Returns the name of the workspace and, for a state, the name of the state. */
function parseUri(uri: string): [string, string | undefined] {
  const [, workspace, state] = URI_FORMAT.exec(uri) ?? [];
  try {
    if (workspace !== undefined)
      return [
        decodeURIComponent(workspace),
        state === undefined ? undefined : decodeURIComponent(state),
      ];
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  throw new ResourceNotFoundError(
    uri,
    `"${clip(uri)}" is not a valid URI. Use ${WORKSPACE_TEMPLATE} or ${STATE_TEMPLATE}.`,
  );
}

/** Accepts a name or an id. Throws a `Refusal` if there is none or more than one. */
export function workspaceByName(memory: Memory, name: string): Named<Workspace> {
  return requireMatch(lookupWorkspaceByRef(memory, name), `Workspace "${clip(name)}"`);
}

function requireMatch<T>(found: LookupResult<T>, what: string): T {
  if ('item' in found) return found.item;
  throw new Refusal(
    'several' in found
      ? `${what} is ambiguous: ${candidatesText(found.several)}. Use one of these names.`
      : `${what} not found.${found.hint}`,
  );
}

/** Completes a name of a workspace, or of a state in the given one; prefix matches come first. */
export function complete(
  memory: Memory,
  { argument, context }: CompleteRequest['params'],
  currentWorkspaceId: string,
): CompleteResult {
  const names = candidates(
    memory,
    argument.name,
    context?.arguments?.['workspace'] ?? currentWorkspaceId,
  );
  const typed = nameKey(argument.value);
  const starting = names.filter((name) => nameKey(name).startsWith(typed));
  const containing = names.filter(
    (name) => !nameKey(name).startsWith(typed) && nameKey(name).includes(typed),
  );
  const values = [...starting, ...containing];
  return {
    completion: {
      values: values.slice(0, MAX_COMPLETIONS),
      total: values.length,
      hasMore: values.length > MAX_COMPLETIONS,
    },
  };
}

function candidates(memory: Memory, argument: string, workspace: string): string[] {
  if (argument === 'workspace') return liveWorkspaces(memory).map(({ displayName }) => displayName);
  const found =
    argument === 'state' ? lookupWorkspaceByRef(memory, workspace || DEFAULT_WORKSPACE) : undefined;
  return found && 'item' in found
    ? liveStates(memory, found.item.item.id).map(({ displayName }) => displayName)
    : [];
}

function liveWorkspaces(memory: Memory): Named<Workspace>[] {
  return allWorkspaces(memory).filter(({ item }) => !item.isArchived);
}

function liveStates(memory: Memory, workspaceId: string): Named<State>[] {
  return allStates(memory, workspaceId).filter(({ item }) => !item.isArchived);
}

export function invalidParams(message: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message);
}

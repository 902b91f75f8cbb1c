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
import type { Workspace } from '../model/workspace.js';
import { namesText } from '../toolkit/context.js';
import { workspaceText } from './workspace-text.js';

/** A state as text for a conversation, quoted as data. */
export type StateText = (state: Named<State>, workspaceName: string) => Promise<string>;

const SCHEME = 'savepoint://workspace/';
const WORKSPACE_TEMPLATE = `${SCHEME}{workspace}`;
const STATE_TEMPLATE = `${SCHEME}{workspace}/state/{state}`;
const FORM = /^savepoint:\/\/workspace\/([^/?#]+)(?:\/state\/([^/?#]+))?$/;
const MARKDOWN = 'text/markdown';

const PAGE = 1000;
/** The protocol's limit. */
const COMPLETIONS = 100;

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
      description: 'A saved state, as notes to carry on from',
    },
  ],
};

/** Every workspace and state that is not archived, a page at a time. A cursor is the address of the last row of a page. */
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
    throw invalid('What the cursor stands for is no longer there. List again from the beginning.');
  const resources = rows.slice(from, from + PAGE);
  const last = resources.at(-1);
  return { resources, ...(last && from + PAGE < rows.length && { nextCursor: last.uri }) };
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
    ...(item.description && { description: item.description }),
  };
}

/** The text of a workspace or state, as data. Throws `ResourceNotFoundError`. */
export async function readResource(
  memory: Memory,
  uri: string,
  stateText: StateText,
): Promise<ReadResourceResult> {
  const [workspaceName, stateName] = namesIn(uri);
  try {
    const workspace = workspaceNamed(memory, workspaceName);
    const text =
      stateName === undefined
        ? workspaceText(workspace, liveStates(memory, workspace.item.id))
        : await stateText(stateNamed(memory, workspace, stateName), workspace.displayName);
    return { contents: [{ uri, mimeType: MARKDOWN, text }] };
  } catch (error) {
    throw error instanceof Refusal ? new ResourceNotFoundError(uri, error.message) : error;
  }
}

/** The names of the workspace and, where it is a state's, of the state that an address stands for. */
function namesIn(uri: string): [string, string | undefined] {
  const [, workspace, state] = FORM.exec(uri) ?? [];
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
    `"${clip(uri)}" is no address of this memory. Use ${WORKSPACE_TEMPLATE} or ${STATE_TEMPLATE}.`,
  );
}

/** The workspace of that name or id. Throws a `Refusal` in words. */
export function workspaceNamed(memory: Memory, name: string): Named<Workspace> {
  return only(lookupWorkspaceByRef(memory, name), `The workspace "${clip(name)}"`);
}

/** The state of that name in the workspace. Throws a `Refusal` in words. */
export function stateNamed(
  memory: Memory,
  { item, displayName }: Named<Workspace>,
  name: string,
): Named<State> {
  return only(lookupState(memory, item.id, name), `The state "${clip(name)}" of "${displayName}"`);
}

function only<T>(found: LookupResult<T>, what: string): T {
  if ('item' in found) return found.item;
  throw new Refusal(
    'several' in found
      ? `${what} is ambiguous: ${namesText(found.several)}. Use one of these names.`
      : `${what} was not found.${found.hint}`,
  );
}

/** The newest state of a workspace. Throws a `Refusal` where none is saved. */
export function newestState(memory: Memory, { item, displayName }: Named<Workspace>): Named<State> {
  const [newest] = liveStates(memory, item.id);
  if (!newest)
    throw new Refusal(
      `No state is saved in ${displayName} yet. Save one first (createState), or name another workspace.`,
    );
  return newest;
}

/** The names that begin with, or else hold, what was typed so far: of workspaces, or of the states of the workspace that is named. */
export function complete(
  memory: Memory,
  { argument, context }: CompleteRequest['params'],
  workspaceInUse: string,
): CompleteResult {
  const names = candidates(
    memory,
    argument.name,
    context?.arguments?.['workspace'] ?? workspaceInUse,
  );
  const typed = nameKey(argument.value);
  const beginning = names.filter((name) => nameKey(name).startsWith(typed));
  const holding = names.filter(
    (name) => !nameKey(name).startsWith(typed) && nameKey(name).includes(typed),
  );
  const values = [...beginning, ...holding];
  return {
    completion: {
      values: values.slice(0, COMPLETIONS),
      total: values.length,
      hasMore: values.length > COMPLETIONS,
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

/** What a client has asked wrongly, as the protocol tells it. */
export function invalid(message: string): ProtocolError {
  return new ProtocolError(INVALID_PARAMS, message);
}

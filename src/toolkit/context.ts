import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../model/event.js';
import { lookupWorkspaceByRef, workspaceById, type Named } from '../model/lookup.js';
import { DEFAULT_WORKSPACE, entityOf, type Memory } from '../model/memory.js';
import { nameKey } from '../model/names.js';
import { clip } from '../model/refusal.js';
import { parseJson } from '../model/text/json-fields.js';
import { workspaceOf, type Workspace } from '../model/workspace.js';
import type { ClientProject, ContextDefaults } from './context-defaults.js';
import { failureError, type FailureText } from './define-tool.js';
import { acceptFields, isBlank, readInput, scalarText, withoutBlanks } from './explain.js';
import type { Sessions, SessionState } from './sessions.js';
import { localDay } from '../model/text/local-minute.js';

/** Origin of a call. */
export const contextInput = z.strictObject({
  workspaceId: z.string().optional().describe('Workspace id or name; default: the current one'),
  sessionId: z.string().max(200).optional().describe('Conversation id'),
  memory: z.string().optional().describe('What happened so far'),
  goal: z.string().optional().describe('Aim of these calls'),
  constraints: z.string().optional().describe('Constraints to respect'),
});

export const workspaceFailures = {
  workspaceNotFound: {
    error: 'Workspace "{name}" not found.',
    advice: 'Use listWorkspaces to see available workspaces.{hint}',
  },
  workspaceAmbiguous: {
    error: 'Workspace "{name}" is ambiguous: {names}.',
    advice: 'Use one of these names.',
  },
} as const satisfies Record<string, FailureText>;

/** Accepts JSON text and drops blanks. Throws a `Refusal` for an unknown field or wrong type. */
function parseContext(given: unknown): JsonObject {
  const context = fromJsonText(given);
  if (isBlank(context)) return {};
  const isObject = isJsonObject(context);
  const fields = isObject ? acceptFields(contextInput, withoutBlanks(context)) : context;
  return readInput(contextInput, fields, 'context field');
}

function fromJsonText(given: unknown): unknown {
  return typeof given === 'string' ? (parseJson(given) ?? given) : given;
}

/** Context fields that are accepted as parameters, too, because models often pass them there. */
export const LIFTED_FIELDS = ['workspaceId', 'sessionId'] as const;

/** Value of `workspaceId` for all workspaces, in some tools. No workspace can have this name. */
export const ALL_WORKSPACES = 'all';

/** Moves `LIFTED_FIELDS` to the context. Those in `ownKeys` remain parameters, too. */
export function splitContext(
  given: JsonObject,
  ownKeys: readonly string[],
): { context: JsonObject; params: JsonObject } {
  const { context, ...params } = given;
  const lifted: JsonObject = {};
  for (const key of LIFTED_FIELDS) {
    const value = scalarText(params[key]);
    const isOwn = ownKeys.includes(key);
    if (value === undefined || (isOwn && typeof value !== 'string')) continue;
    if (value !== null && !(isOwn && isAllWorkspaces(value))) lifted[key] = value;
    if (!isOwn) delete params[key];
  }
  return { context: { ...parseContext(lifted), ...parseContext(context) }, params };
}

/** Returns the session id that the parameters name, if any. */
export function sessionIdIn(params: unknown): string | undefined {
  if (!isJsonObject(params)) return undefined;
  const { sessionId } = params;
  const context = fromJsonText(params['context']);
  const named = scalarText(isJsonObject(context) ? (context['sessionId'] ?? sessionId) : sessionId);
  return typeof named === 'string' && named !== '' ? named : undefined;
}

export function isAllWorkspaces(ref: unknown): boolean {
  return typeof ref === 'string' && nameKey(ref) === ALL_WORKSPACES;
}

export type PlaceSource = 'session' | 'link' | 'client' | 'project' | 'host' | 'default';

/**
 * Returns where calls happen that name no workspace, and what led there: the session's workspace,
 * that of the project's link, the one last used there by the client or by any, the host's, or
 * `default`. A link counts even if its workspace is archived or missing.
 */
function inferPlace(
  memory: Memory,
  session: SessionState,
  project: ClientProject | undefined,
  hostWorkspaceId: string | undefined,
): { readonly workspaceId: string; readonly source: PlaceSource } {
  const { workspaceId } = session;
  if (workspaceId !== undefined && workspaceOf(entityOf(memory, workspaceId)))
    return { workspaceId, source: 'session' };
  if (project?.link) return { workspaceId: project.link.workspaceId, source: 'link' };
  const candidates: [PlaceSource, string | undefined][] = [
    ['client', project?.usedByClient],
    ['project', project?.usedByAny],
    ['host', hostWorkspaceId],
  ];
  for (const [source, id] of candidates)
    if (isUsable(memory, id)) return { workspaceId: id, source };
  return { workspaceId: DEFAULT_WORKSPACE, source: 'default' };
}

export interface CallPlace {
  readonly workspace: Named<Workspace>;
  readonly sessionId: string;
  /** True if neither the call nor the user has named the workspace. */
  readonly isInferred: boolean;
  /** See `inferPlace`. */
  readonly source: PlaceSource;
  /** Workspace of the session's calls that name none. */
  readonly sessionWorkspace: Named<Workspace>;
  /** True once the session has saved, entered a workspace, or got one by a link or the user. */
  readonly isSettled: boolean;
  /** Why an inferred workspace cannot be used. */
  readonly problem: string | undefined;
  /** For an inferred workspace: another one that the session has failed to create or load. */
  readonly failedWorkspace: string | undefined;
}

/** Uses `inferPlace` if no workspace is named. Throws a `Refusal` for an unknown or shared name. */
export function resolveCallContext(
  memory: Memory,
  sessions: Sessions,
  context: JsonObject,
  defaults: ContextDefaults,
  hostWorkspaceId?: string,
): CallPlace {
  const sessionId =
    typeof context['sessionId'] === 'string' ? context['sessionId'] : defaults.sessionId;
  const ref = context['workspaceId'] ?? defaults.workspaceId;
  const session = sessions.stateOf(sessionId);
  const { project } = defaults;
  const { workspaceId, source } = inferPlace(memory, session, project, hostWorkspaceId);
  const inferred = resolveWorkspace(memory, workspaceById(memory, workspaceId).id);
  const chosen = defaults.workspaceId;
  const sessionWorkspace = chosen === undefined ? inferred : resolveWorkspace(memory, chosen);
  const isSettled =
    chosen !== undefined || session.hasSaved === true || source === 'session' || source === 'link';
  const place = { sessionId, source, sessionWorkspace, isSettled };
  if (typeof ref === 'string') {
    const workspace = resolveWorkspace(memory, ref);
    const unknown = { problem: undefined, failedWorkspace: undefined };
    return { ...place, ...unknown, workspace, isInferred: false };
  }
  const isOther = (name: string) => {
    const found = lookupWorkspaceByRef(memory, name);
    return !('item' in found) || found.item.item.id !== inferred.item.id;
  };
  return {
    ...place,
    workspace: inferred,
    isInferred: true,
    problem: inferred.item.id === workspaceId ? undefined : missingLinkText(project),
    failedWorkspace: session.failedWorkspaces.findLast(isOther),
  };
}

function missingLinkText(project: ClientProject | undefined): string {
  const name = clip(project?.link?.workspaceName ?? '');
  return `This project is linked to the workspace "${name}", which this vault does not have. Pass another one as workspaceId in the context, or ask the user to link the project again (savepoint link).`;
}

/** Enters a workspace in which something was found or, in a settled session, returns a notice. */
export function resumeIn(
  sessions: Sessions,
  { sessionId, sessionWorkspace, isSettled }: CallPlace,
  { item, displayName }: Named<Workspace>,
): string | undefined {
  if (item.id === sessionWorkspace.item.id) return undefined;
  if (isSettled)
    return `Later saves stay in "${sessionWorkspace.displayName}" unless you pass workspaceId "${displayName}".`;
  sessions.enterWorkspace(sessionId, item.id);
  return undefined;
}

/** Returns true if an inferred workspace is that of a link that is only claimed. */
export function isClaimed(
  { isInferred, source }: CallPlace,
  project: ClientProject | undefined,
): boolean {
  return isInferred && source === 'link' && project?.link?.confirmCommand !== undefined;
}

/** Returns a notice on a link that is only claimed or, once per session, on a contradicting one. */
export function linkNotice(
  sessions: Sessions,
  { sessionId, source, workspace }: CallPlace,
  project: ClientProject | undefined,
): string | undefined {
  const { confirmCommand, otherWorkspaceName } = (source === 'link' && project?.link) || {};
  const { displayName } = workspace;
  if (confirmCommand !== undefined)
    return `This project was recognized only by its git history or remote as one that is linked to "${displayName}". If that is right, the user can confirm it with: ${confirmCommand}`;
  if (otherWorkspaceName === undefined || !sessions.takeNotice(sessionId, 'otherLink'))
    return undefined;
  return `This folder is linked to "${displayName}", but its git repository also belongs to a project that is linked to "${otherWorkspaceName}". The folder decides.`;
}

/** Returns true if the workspace exists and is not archived. */
function isUsable(memory: Memory, id: string | undefined): id is string {
  return id !== undefined && workspaceOf(entityOf(memory, id))?.isArchived === false;
}

/** Looks up an id or name. Throws a `Refusal` unless there is exactly one workspace. */
export function resolveWorkspace(memory: Memory, ref: string): Named<Workspace> {
  const found = lookupWorkspaceByRef(memory, ref);
  if ('item' in found) return found.item;
  if ('several' in found)
    throw failureError(workspaceFailures.workspaceAmbiguous, {
      name: ref,
      names: candidatesText(found.several),
    });
  throw failureError(workspaceFailures.workspaceNotFound, { name: clip(ref), hint: found.hint });
}

/** Lists candidates that share a name: `"A ⟨k3v9⟩" (created on 2026-11-20), ...`. */
export function candidatesText(several: readonly { name: string; createdAt: string }[]): string {
  return several
    .map(({ name, createdAt }) => `"${name}" (created on ${localDay(createdAt)})`)
    .join(', ');
}

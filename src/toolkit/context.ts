import * as z from 'zod';
import { isJsonObject, type JsonObject } from '../model/event.js';
import { lookupWorkspaceByRef, workspaceById, type Named } from '../model/lookup.js';
import { DEFAULT_WORKSPACE, entityOf, type Memory } from '../model/memory.js';
import { nameKey } from '../model/names.js';
import { clip } from '../model/refusal.js';
import { workspaceOf, type Workspace } from '../model/workspace.js';
import type { ClientProject, ContextDefaults } from './context-defaults.js';
import { failureError, type FailureText } from './define-tool.js';
import { readInput } from './explain.js';
import type { Sessions } from './sessions.js';

/** Origin of a call. Every field is optional. */
export const contextInput = z.strictObject({
  workspaceId: z.string().optional().describe('Workspace id or name; default: the current one'),
  sessionId: z.string().max(200).optional().describe('Conversation id'),
  memory: z.string().optional().describe('What happened so far'),
  goal: z.string().optional().describe('Aim of these calls'),
  constraints: z.string().optional().describe('Constraints to respect'),
});

/** Failures of looking up a workspace by name or id. */
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

/**
 * Parses a context and drops empty strings. Throws a `Refusal` if a field is unknown or has the
 * wrong type.
 */
function parseContext(given: unknown): JsonObject {
  const context =
    given === undefined || given === null ? {} : readInput(contextInput, given, 'context field');
  return Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''));
}

/**
 * The context fields that are also accepted as parameters, because models often pass them there.
 */
export const LIFTED_FIELDS = ['workspaceId', 'sessionId'] as const;

/**
 * The value of `workspaceId` that stands for every workspace where a tool supports that. No
 * workspace can have it as its name.
 */
export const ALL_WORKSPACES = 'all';

/**
 * Splits a call's parameters into its context and the rest. `workspaceId` and `sessionId` are
 * accepted among the parameters, too; those that the tool declares itself (`ownKeys`) remain
 * parameters.
 */
export function splitContext(
  given: JsonObject,
  ownKeys: readonly string[],
): { context: JsonObject; params: JsonObject } {
  const { context, ...params } = given;
  const lifted: JsonObject = {};
  for (const key of LIFTED_FIELDS) {
    const value = params[key];
    const isOwn = ownKeys.includes(key);
    if (value === undefined || (isOwn && typeof value !== 'string')) continue;
    if (value !== null && !(isOwn && isAllWorkspaces(value))) lifted[key] = value;
    if (!isOwn) delete params[key];
  }
  return { context: { ...parseContext(lifted), ...parseContext(context) }, params };
}

/** Returns the session id that a call's parameters name; undefined if they name none. */
export function sessionIdIn(params: unknown): string | undefined {
  if (!isJsonObject(params)) return undefined;
  const { context, sessionId } = params;
  const named = isJsonObject(context) ? (context['sessionId'] ?? sessionId) : sessionId;
  return typeof named === 'string' && named !== '' ? named : undefined;
}

export function isAllWorkspaces(ref: unknown): boolean {
  return typeof ref === 'string' && nameKey(ref) === ALL_WORKSPACES;
}

/** Where a call happens. */
export interface CallPlace {
  readonly workspace: Named<Workspace>;
  readonly sessionId: string;
  /** True if neither the call nor the user has named the workspace. */
  readonly isInferred: boolean;
  /** True if the session or the project has a workspace in which calls happen that name none. */
  readonly hasOtherDefault: boolean;
  /**
   * If the workspace is inferred: the name of another one that the session has failed to create or
   * load.
   */
  readonly failedWorkspace: string | undefined;
}

/**
 * Resolves the workspace and session of a call. The workspace is the first of: the one that the
 * call or the user names, the session's, the project's, the host's current one, `default`. Throws a
 * `Refusal` if the named workspace does not exist or is ambiguous.
 */
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
  const { workspaceId, failedWorkspaces } = sessions.stateOf(sessionId);
  const inferredId = inferWorkspace(memory, workspaceId, defaults.project);
  const hasOtherDefault = inferredId !== undefined;
  if (typeof ref === 'string') {
    const workspace = resolveWorkspace(memory, ref);
    return { workspace, sessionId, isInferred: false, hasOtherDefault, failedWorkspace: undefined };
  }
  const id = inferredId ?? hostWorkspaceId;
  const workspace = namedWorkspace(
    memory,
    id === workspaceId || isUsable(memory, id) ? (id ?? DEFAULT_WORKSPACE) : DEFAULT_WORKSPACE,
  );
  const isOther = (name: string) => {
    const found = lookupWorkspaceByRef(memory, name);
    return !('item' in found) || found.item.item.id !== workspace.item.id;
  };
  return {
    workspace,
    sessionId,
    isInferred: true,
    hasOtherDefault,
    failedWorkspace: failedWorkspaces.findLast(isOther),
  };
}

/**
 * Returns the id of the session's workspace or, if it has none, of the project's; undefined without
 * both.
 */
export function inferWorkspace(
  memory: Memory,
  sessionWorkspaceId: string | undefined,
  project: ClientProject | undefined,
): string | undefined {
  if (sessionWorkspaceId !== undefined && workspaceOf(entityOf(memory, sessionWorkspaceId)))
    return sessionWorkspaceId;
  return isUsable(memory, project?.workspaceId) ? project.workspaceId : undefined;
}

/** Returns true if there is a workspace with this id that is not archived. */
function isUsable(memory: Memory, id: string | undefined): id is string {
  return id !== undefined && workspaceOf(entityOf(memory, id))?.isArchived === false;
}

/** Returns the workspace with this id, or the built-in one if there is none. */
function namedWorkspace(memory: Memory, id: string): Named<Workspace> {
  const workspace = workspaceById(memory, id);
  const found = lookupWorkspaceByRef(memory, workspace.id);
  if (!('item' in found)) throw new Error('A workspace cannot be looked up by its own id');
  return found.item;
}

/**
 * Returns the workspace with this id or name. Throws a `Refusal` if there is none or more than one.
 */
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

/** Lists candidates that share a name, in the form `"A ⟨k3v9⟩" (created on 2026-11-20), ...`. */
export function candidatesText(several: readonly { name: string; createdAt: string }[]): string {
  return several
    .map(({ name, createdAt }) => `"${name}" (created on ${createdAt.slice(0, 10)})`)
    .join(', ');
}

import * as z from 'zod';
import type { JsonObject } from '../model/event.js';
import { lookupWorkspaceByRef, workspaceById } from '../model/lookup.js';
import { DEFAULT_WORKSPACE, type Memory } from '../model/memory.js';
import { clip } from '../model/refusal.js';
import type { Workspace } from '../model/workspace.js';
import { failureError, type FailureText } from './define-tool.js';
import { readInput } from './explain.js';

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

const MAX_SESSIONS = 1000;

/** Current workspace id by session id, least recently changed first. In memory only. */
export type Sessions = Map<string, string>;

/** Makes a workspace the current one of a session. Forgets the oldest session beyond `MAX_SESSIONS`. */
export function enterWorkspace(sessions: Sessions, sessionId: string, workspaceId: string): void {
  sessions.delete(sessionId);
  sessions.set(sessionId, workspaceId);
  const oldest = sessions.keys().next();
  if (sessions.size > MAX_SESSIONS && !oldest.done) sessions.delete(oldest.value);
}

/** Values for the context fields that the caller omits. */
export interface ContextDefaults {
  readonly sessionId: string;
  readonly workspaceId?: string | undefined;
  /** The name by which the client identified itself. */
  readonly client?: string | undefined;
  /** The model that made the call, if it is known. */
  readonly model?: string | undefined;
  /** Switch names of the optional toolsets that the caller may use; all of them if absent. */
  readonly agents?: readonly string[] | undefined;
}

/** Parses a context and drops empty strings. Throws a `Refusal` if a field is unknown or has the wrong type. */
export function parseContext(given: unknown): JsonObject {
  const context =
    given === undefined || given === null ? {} : readInput(contextInput, given, 'context field');
  return Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''));
}

/** Resolves the workspace and session of a call. Throws a `Refusal` if the named workspace does not exist or is ambiguous. */
export function resolveCallContext(
  memory: Memory,
  sessions: Sessions,
  context: JsonObject,
  defaults: ContextDefaults,
): { workspace: Workspace; sessionId: string } {
  const sessionId =
    typeof context['sessionId'] === 'string' ? context['sessionId'] : defaults.sessionId;
  const ref = context['workspaceId'] ?? defaults.workspaceId;
  const workspace =
    typeof ref === 'string'
      ? resolveWorkspace(memory, ref)
      : workspaceById(memory, sessions.get(sessionId) ?? DEFAULT_WORKSPACE);
  return { workspace, sessionId };
}

/** Returns the workspace with this id or name. Throws a `Refusal` if there is none or more than one. */
export function resolveWorkspace(memory: Memory, ref: string): Workspace {
  const found = lookupWorkspaceByRef(memory, ref);
  if ('item' in found) return found.item.item;
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

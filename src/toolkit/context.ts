import * as z from 'zod';
import type { JsonObject } from '../model/event.js';
import { lookupWorkspaceByRef, workspaceById } from '../model/lookup.js';
import { DEFAULT_WORKSPACE, type Memory } from '../model/memory.js';
import { clip } from '../model/refusal.js';
import type { Workspace } from '../model/workspace.js';
import { failureError, type FailureText } from './define-tool.js';
import { readInput } from './explain.js';

/** What a call may say about where it comes from. None is required, ever. */
export const contextInput = z.strictObject({
  workspaceId: z.string().optional().describe('Workspace id or name; default: the one in use'),
  sessionId: z.string().max(200).optional().describe('Conversation id'),
  memory: z.string().optional().describe('What happened so far'),
  goal: z.string().optional().describe('Aim of these calls'),
  constraints: z.string().optional().describe('Limits to keep'),
});

/** Why a workspace cannot be told from what was given. */
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

const REMEMBERED_SESSIONS = 1000;

/** The workspace that each session is in: an address, forgotten with the process. */
export type Sessions = Map<string, string>;

export function enterWorkspace(sessions: Sessions, sessionId: string, workspaceId: string): void {
  sessions.delete(sessionId);
  sessions.set(sessionId, workspaceId);
  const oldest = sessions.keys().next();
  if (sessions.size > REMEMBERED_SESSIONS && !oldest.done) sessions.delete(oldest.value);
}

/** What of the context is filled in where the caller says nothing. */
export interface ContextDefaults {
  readonly sessionId: string;
  readonly workspaceId?: string | undefined;
  /** The name that the calling program gave itself. */
  readonly client?: string | undefined;
  /** The switches of the agents that the caller is given beside those that are always there; all where absent. */
  readonly agents?: readonly string[] | undefined;
}

/** Reads a context: only what is said in it, empty texts aside. */
export function readContext(given: unknown): JsonObject {
  const context =
    given === undefined || given === null ? {} : readInput(contextInput, given, 'context field');
  return Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''));
}

/** The workspace and session that a call is made in. Throws a `Refusal` for a workspace that is not there. */
export function placeCall(
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

export function resolveWorkspace(memory: Memory, ref: string): Workspace {
  const found = lookupWorkspaceByRef(memory, ref);
  if ('item' in found) return found.item.item;
  if ('several' in found)
    throw failureError(workspaceFailures.workspaceAmbiguous, {
      name: ref,
      names: namesText(found.several),
    });
  throw failureError(workspaceFailures.workspaceNotFound, { name: clip(ref), hint: found.hint });
}

/** `"A ⟨k3v9⟩" (created on 2026-11-20), ...`: several things of one name, told apart. */
export function namesText(several: readonly { name: string; createdAt: string }[]): string {
  return several
    .map(({ name, createdAt }) => `"${name}" (created on ${createdAt.slice(0, 10)})`)
    .join(', ');
}
